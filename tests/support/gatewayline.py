"""A gateway on a chip, with a PC's end of its line that packs and unpacks messages."""

import asyncio

from firmware.core import frames, usb
from firmware.radio import advert
from host.sim.chip.chip import Chip
from host.sim.chip.mainboard import Advert

ADDRESS = bytes((9, 8, 7, 6, 5, 0xC4))


class Line:
    """``chip``'s serial line as a PC's program uses it; ``told`` are the messages that came."""

    def __init__(self, chip: Chip):
        self.chip, self.told = chip, []
        self._splitter, self._counter = usb.Splitter(), 0

    def put(self, kind, *values):
        """Send a message to the gateway."""
        self.chip.cable.write(usb.pack(kind, self._counter, *values))
        self._counter += 1

    def run(self, seconds, ping_s=0.5):
        """Let time pass, with a PING each ``ping_s``; return what came meanwhile."""
        begun, left = len(self.told), seconds
        while left > 1e-9:
            if ping_s:
                self.put(usb.PING, self._counter & 0xFFFF)
            self.chip.run(min(left, ping_s or left))
            left -= ping_s or left
            self.told += self._splitter.feed(self.chip.cable.read())
        return self.told[begun:]

    def of(self, kind):
        """Return the values of all messages of a kind so far."""
        return [values for found, _, values in self.told if found == kind]


def on_air(chip, frame, after_s, address=ADDRESS, rssi=-60):
    """Put a board's ``frame`` on the air ``after_s`` from now."""
    at_us = chip.now_us + round(after_s * 1e6)
    chip.air.append(Advert(at_us, address, rssi, advert.pack(frame)))
    chip.air.sort()


def frame_of(number):
    """Return 24 bytes that look like a frame."""
    return bytes((frames.VERSION << 6,)) + number.to_bytes(23, "little")


class Hub:
    """A PC's USB in virtual time: ``chips`` by port; what hangs there runs while ``run`` does."""

    STEP_S = 0.01

    def __init__(self, **chips):
        self.loop, self.chips = asyncio.get_running_loop(), chips
        self._owners, self._pulled, self._begun_us = {}, [], {}
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
        """Pull a gateway out; its own cell keeps it running."""
        chip, owner = self.chips.pop(port), self._owners.pop(port, None)
        chip.usb = chip.cable.opened = False
        self._pulled.append(chip)
        if owner:
            owner.lost()
        return chip

    def _go_on(self, chip):
        """Run a chip until its clock has come as far as the PC's; it may be ahead of it."""
        begun_us = self._begun_us.setdefault(id(chip), chip.now_us - self.now_us())
        left_us = begun_us + self.now_us() - chip.now_us
        if left_us > 0:
            chip.run(left_us / 1e6)

    def plug(self, port, chip):
        """Plug a gateway in."""
        self._pulled = [other for other in self._pulled if other is not chip]
        chip.usb, self.chips[port] = True, chip

    def forget(self, port):
        self._owners.pop(port, None)

    async def run(self, seconds):
        """Let time pass for the PC and all chips."""
        for _ in range(round(seconds / self.STEP_S)):
            await asyncio.sleep(self.STEP_S)
            for chip in self._pulled:
                self._go_on(chip)
            for port, chip in list(self.chips.items()):
                self._go_on(chip)
                data = chip.cable.read()
                if data and port in self._owners:
                    self._owners[port].received(data)


class HubLine:
    """An open port of a Hub."""

    def __init__(self, hub, port, chip):
        self._hub, self._port, self._cable = hub, port, chip.cable

    def write(self, data):
        self._cable.write(data)

    def close(self):
        self._cable.opened = False
        self._hub.forget(self._port)
