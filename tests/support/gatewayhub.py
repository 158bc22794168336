"""A PC's USB in virtual time, with gateways on virtual chips, and the carrier that finds them."""

import asyncio

from hall import Told

from host.collector.carriers.gateway_carrier import GatewayCarrier
from host.collector.carriers.gateways import Gateways
from host.sim import clock
from host.sim.chip.radio import Advert


class Hub:
    """A PC's USB in virtual time: ``chips`` by port; what hangs there runs while ``run`` does."""

    STEP_S = 0.01
    AIR_S = None  # how late the others hear what a chip sends, by port; None: they hear nothing

    def __init__(self, **chips):
        self.loop, self.chips = asyncio.get_running_loop(), chips
        self._owners, self._pulled, self._begun_us = {}, [], {}
        self._written = {}  # by port: a chip reads nothing before it was written
        self._told = {}  # how much of a chip's story the others have heard, by port
        for chip in chips.values():
            self._go_on(chip)

    async def ports(self):
        return list(self.chips)

    def now_us(self):
        return round(self.loop.time() * 1e6)

    def open_line(self, port, owner):
        self._owners[port] = owner
        self.chips[port].cable.opened = True
        return HubLine(self, port, self.chips[port])

    def pull(self, port):
        chip, owner = self.chips.pop(port), self._owners.pop(port, None)
        chip.usb = chip.cable.opened = False
        self._pulled.append(chip)
        if owner:
            owner.lost()
        return chip

    def _go_on(self, chip):
        """Run a chip until its clock has come as far as the PC's; return whether it has gone on
        beyond that: what it has said then is not there yet.
        """
        begun_us = self._begun_us.setdefault(id(chip), chip.now_us - self.now_us())
        left_us = begun_us + self.now_us() - chip.now_us
        if left_us > 0:
            chip.run(left_us / 1e6)
        return begun_us + self.now_us() < chip.now_us

    def _mix(self):
        """Let each chip hear what the others have begun to send."""
        for port, chip in self.chips.items():
            story, at = chip.story, self._told.get(port, 0)
            self._told[port] = len(story)
            for one in [told for told in story[at:] if told.kind == "advert"]:
                late_us = round(self.AIR_S.get(port, 0) * 1e6)
                at_us = one.at_ms * 1000 - self._begun_us[id(chip)] + late_us
                for other in [there for there in self.chips.values() if there is not chip]:
                    heard_us = at_us + self._begun_us[id(other)]
                    other.air.append(Advert(heard_us, chip.radio_address, -50, one.values[2]))
                    other.air.sort()

    def plug(self, port, chip):
        self._pulled = [other for other in self._pulled if other is not chip]
        chip.usb, self.chips[port] = True, chip

    def write(self, port, data):
        self._written[port] = self._written.get(port, b"") + data

    def forget(self, port):
        self._owners.pop(port, None)
        self._written.pop(port, None)

    async def run(self, seconds):
        for _ in range(round(seconds / self.STEP_S)):
            await asyncio.sleep(self.STEP_S)
            for chip in self._pulled:
                self._go_on(chip)
            if self.AIR_S is not None:
                self._mix()
            for port, chip in list(self.chips.items()):
                data = b"" if self._go_on(chip) else chip.cable.read()
                if data and port in self._owners:
                    self._owners[port].received(data)
                chip.cable.write(self._written.pop(port, b""))


class HubLine:
    """An open port of a Hub."""

    def __init__(self, hub, port, chip):
        self._hub, self._port, self._cable = hub, port, chip.cable

    def write(self, data):
        self._hub.write(self._port, data)

    def close(self):
        self._cable.opened = False
        self._hub.forget(self._port)


def served(story, collector=None, **chips):
    """Run ``story(hub, carrier, said, collector)`` beside a carrier over ``chips``."""

    async def main():
        hub, said, told = Hub(**chips), [], collector or Told()

        def make(receiver, report):
            return Gateways(receiver, report, hub.ports, hub.open_line, hub.now_us)

        base_ms = getattr(told, "now_ms", 0)
        carrier = GatewayCarrier(
            told, lambda: base_ms + round(hub.loop.time() * 1000), said.append, make
        )
        task = asyncio.ensure_future(carrier.run())
        try:
            await story(hub, carrier, said, told)
            assert not task.done(), task.exception()
        finally:
            task.cancel()
            await asyncio.wait({task})

    clock.run(main())
