"""One board with the real Link and a PC on the modelled air, for tests of what goes between them."""

import asyncio

from firmware.core import frames
from host.sim import clock
from host.sim.ether.air import EtherAir

FRAME = bytes([frames.TIME_ASKED]) + bytes(23)


class Ears:
    """A collector that writes down what it is told and asks for what it is given."""

    def __init__(self):
        self.log, self.wanted = [], []

    def on_advert(self, address, frame, now_ms):
        self.log.append(("heard", address, frame))

    def on_connected(self, address):
        self.log.append(("opened", address))

    def on_disconnected(self, address):
        self.log.append(("closed", address))

    def on_notification(self, address, frame, now_ms):
        self.log.append(("received", address, frame))

    def set_radio_down(self, whether, now_ms):
        self.log.append(("deaf", whether))

    def poll(self, now_ms):
        actions, self.wanted = self.wanted, []
        return actions

    def due_ms(self, now_ms):
        return now_ms + 50

    def of(self, word):
        return [entry for entry in self.log if entry[0] == word]


def run(script, system="good", seed=1, load=0.25):
    async def main():
        loop = asyncio.get_running_loop()
        air, ears = EtherAir(loop, seed, 4, load, system), Ears()
        link = air.link(1)
        running = loop.create_task(air.carrier(ears, lambda: round(loop.time() * 1000)).run())
        link.advertise(FRAME)
        polling = loop.create_task(polled(link, loop))
        await script(air, link, ears)
        for task in (running, polling):
            task.cancel()
        await asyncio.gather(running, polling, return_exceptions=True)
        return ears.log

    return clock.run(main())


async def polled(link, loop):
    while True:
        link.poll(round(loop.time() * 1000))
        await asyncio.sleep(0.02)


async def until(holds, seconds=60):
    for _ in range(seconds * 50):
        if holds():
            return True
        await asyncio.sleep(0.02)
    return False


def subscribed(link):
    """Whether the host will get what is notified, which espressif's watch cannot tell."""
    return bool(link._up.subscribers)


async def connected(link, ears):
    """Ask for a connection until the board is subscribed to."""
    assert await until(lambda: ears.of("heard"))
    [address] = {entry[1] for entry in ears.of("heard")}
    for _ in range(20):
        ears.wanted = [("connect", address)]
        if await until(lambda: link.connected and subscribed(link), 15):
            ears.log.clear()
            return address
    raise AssertionError("never connected")
