"""A hall for radio tests: boards that only poll their link, and a Collector that does as told."""

import asyncio
import struct

from bleak import BleakClient, BleakScanner

from firmware.core import frames
from host.sim import air, bluetooth_quirks, clock

STEP_S = 0.02


class Told:
    """A Collector that notes what it hears and does what a test tells it to; it is asked again
    after ``due_ms`` at the most.
    """

    def __init__(self, due_ms=500):
        self.notes, self.todo, self._due_ms = [], [], due_ms

    def on_advert(self, address, frame, now_ms):
        self.notes.append(("heard", address, frame, now_ms))

    def on_connected(self, address):
        self.notes.append(("opened", address))

    def on_disconnected(self, address):
        self.notes.append(("closed", address))

    def on_notification(self, address, frame, now_ms):
        self.notes.append(("received", address, frame, now_ms))

    def set_radio_down(self, whether, now_ms):
        self.notes.append(("deaf", whether, now_ms))

    def has_work(self, now_ms):
        return True

    def poll(self, now_ms):
        todo, self.todo = self.todo, []
        return todo

    def due_ms(self, now_ms):
        return now_ms + self._due_ms

    def of(self, what):
        return [note for note in self.notes if note[0] == what]


class Hall:
    def __init__(self, seed=1, loss=0.0, system=bluetooth_quirks.GOOD):
        self.loop = asyncio.get_running_loop()
        self.air = air.BleAir(self.loop, seed, loss, system)
        self.told = Told()
        self.links, self.got, self.woken = {}, {}, {}
        self.carrier = self.air.carrier(self.told, self.now_ms)
        self.task = self.loop.create_task(self.carrier.run())

    def now_ms(self):
        return round(self.loop.time() * 1000)

    def board(self, number, **place):
        def wake():
            self.woken[number] += 1

        self.woken[number], self.got[number] = 0, []
        self.links[number] = self.air.link(number, wake, **place)
        return self.links[number]

    def shown(self, number):
        """Return a board's link, which has its first advert out."""
        link = self.board(number)
        link.advertise(frame(number))
        return link

    def power_off(self, number):
        self.air.power_off(number)
        del self.links[number]

    async def run(self, seconds):
        for _ in range(round(seconds / STEP_S)):
            await asyncio.sleep(STEP_S)
            for number, link in self.links.items():
                link.poll(self.now_ms())
                while (frame := link.receive()) is not None:
                    self.got[number].append(frame)

    async def visit(self, number):
        """Return another PC's client for a board, not connected yet."""
        scanner, client = self.air.computer(1 + len(self.air.medium.controllers)).backends()
        found = await self._stepping(
            BleakScanner.find_device_by_address(address(number), timeout=15, backend=scanner)
        )
        return Visitor(self, BleakClient(found, backend=client))

    async def connected(self, number):
        """Return another PC's client that is connected to a board."""
        client = await self.visit(number)
        await client.connect()
        return client

    async def _stepping(self, doing):
        task = self.loop.create_task(doing)
        while not task.done():
            await self.run(STEP_S)
        return await task

    async def close(self):
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


class Visitor:
    """A bleak client in whose calls the boards go on stepping."""

    def __init__(self, hall, client):
        self._hall, self._client = hall, client

    def __getattr__(self, name):
        made = getattr(self._client, name)
        if not asyncio.iscoroutinefunction(made):
            return made
        return lambda *args: self._hall._stepping(made(*args))


def address(number):
    return f"C0:00:00:00:00:{number:02X}"


def frame(number):
    return bytes([number]) * 24


def told(nonce):
    """Return a host's answer to a question for the time."""
    head = bytes((frames.TIME | frames.VERSION << 6,)) + bytes(6)
    return head + frames.pack_time(0, nonce) + bytes(8)


def question(nonce):
    """Return a board's question for the time."""
    head = bytes((frames.TIME_ASKED | frames.VERSION << 6,)) + bytes(6)
    return head + struct.pack("<I", nonce) + bytes(13)


def answered(link):
    """Have a link ask for the time and be told: before that it sends nothing else."""
    nonce = 0xA5A5A5A5
    link.send(question(nonce))
    link.heard(told(nonce))


def play(story, **terms):
    """Run the coroutine function ``story(hall)`` in virtual time and return its result."""

    async def main():
        hall = Hall(**terms)
        try:
            return await story(hall)
        finally:
            await hall.close()

    return clock.run(main())
