"""A board and its host on the real BLE air, and phones in the room that mean no good."""

import asyncio
import random
import struct
from contextlib import suppress

from bleak import BleakClient, BleakScanner
from bleak.exc import BleakError

from firmware.core import events, frames, intents
from host.sim import clock, stored_records
from host.sim.air import BleAir
from host.sim.programme import RandomProgramme
from host.sim.venue import Venue

ADDRESS = "C0:00:00:00:00:{:02X}"
_TROUBLE = (BleakError, TimeoutError, OSError, EOFError)


class Siege:
    """A venue of ``tables`` in which a test lets phones loose."""

    def __init__(self, loop, path, tables=1, seed=3, loss=0.05):
        self.loop, self.luck = loop, random.Random(f"siege {seed}")
        self.air = BleAir(loop, seed, loss)
        self.venue = Venue(loop, self.air, path, RandomProgramme(tables, seed), seed)
        self.station, self.tables = self.venue.station, self.venue.tables
        self.links = []  # (when in s, for how long) a phone held the board
        self.running = [loop.create_task(self.venue.carrier.run())]
        self.phones, self.radios = [], []

    async def begin(self):
        """Bring round 1 to every table and its clock to run."""
        pairings = RandomProgramme(len(self.tables), 3).pairings(1)
        self.station.archive.roster.store_round(1, RandomProgramme(1, 3).format, pairings)
        self.station.refresh()
        self.station.desk.publish(1)
        await asyncio.sleep(60)
        self.station.desk.start(self.venue.now_ms() + 121_000)
        await asyncio.sleep(150)

    async def rest(self, seconds):
        await asyncio.sleep(seconds)

    def act(self, table, kind, a=0, b=0, c=0):
        """Have a seat of a table ask for something; it must be legal."""
        app = self.tables[table].app
        now_ms = app.timebase.now_ms(app.board.clock.now_ms())
        assert app._ask(intents.of_numbers(kind, now_ms, a, b, c), now_ms), kind
        self.tables[table].wake()

    def win(self, table):
        """Have seat 0 of a table win two games and both seats confirm."""
        for seat in (0, 1):
            self.act(table, intents.SET_STARTER, seat)
            self.act(table, intents.WIN_GAME, 0)
        self.act(table, intents.CONFIRM_RESULT, 1)
        self.act(table, intents.CONFIRM_RESULT, 0)

    def missing(self, table):
        """Return the news of a board's journal that the archive has not got."""
        held = {entry.frame for entry in self.station.archive.records()}
        ring = self.tables[table].app.journal.ring
        news = [
            r for _, r in stored_records.walk(ring, ring.oldest) if r[0] & 63 not in events.NOT_NEWS
        ]
        return [record for record in news if record not in held]

    def phone(self, table, stays_s=60):
        """Let a phone connect to a table's board, again and again, and write garbage to it."""
        phone = self.air.computer(40 + len(self.phones))
        self.radios.append(phone)
        connecting = self._connecting(ADDRESS.format(table), phone.backends(), stays_s)
        self.phones.append(self.loop.create_task(connecting))

    def leave(self):
        """Let the phones go, and their radios: one that was called off would still connect."""
        for phone, radio in zip(self.phones, self.radios):
            phone.cancel()
            radio.pull()

    async def _connecting(self, address, computer, stays_s):
        while True:
            with suppress(*_TROUBLE):
                await self._visit(address, computer, stays_s)
            await asyncio.sleep(0.1)

    async def _visit(self, address, computer, stays_s):
        scanner, backend = computer
        found = await BleakScanner.find_device_by_address(address, timeout=30, backend=scanner)
        client = BleakClient(found, timeout=20, backend=backend)
        await client.connect()
        began_s = self.loop.time()
        try:
            await client.start_notify(frames.UP_UUID, lambda _, data: None)
            while client.is_connected and self.loop.time() - began_s < stays_s:
                await client.write_gatt_char(frames.DOWN_UUID, self.garbage(), response=False)
                await asyncio.sleep(0.1)
        finally:
            self.links.append((began_s, self.loop.time() - began_s))
            with suppress(*_TROUBLE):
                await client.disconnect()

    def garbage(self):
        """Return a frame that is right in everything but its tag."""
        board = self.luck.choice(list(self.tables.values())).app.journal
        head = frames.VERSION << 6 | self.luck.randrange(1, 32), board.device, board.epoch
        return struct.pack("<BHHH", *head, self.luck.randrange(65536)) + self.luck.randbytes(17)

    def deafen(self):
        """Let the host's every connection fail from now on."""
        radio = self.venue.carrier.radio
        radio._doing["connect"] = lambda address: radio._on_closed(address)

    def flood(self, interval_s):
        """Let a stranger advertise frames with our company id, another every ``interval_s``."""
        self.running.append(self.loop.create_task(self._flooding(interval_s)))

    async def _flooding(self, interval_s):
        said, radio = 0, self.venue.carrier.radio
        while True:
            await asyncio.sleep(interval_s)
            said += 1
            note = type("Heard", (), {"manufacturer_data": {frames.COMPANY_ID: self.garbage()}})
            radio._on_advert(
                type("Radio", (), {"address": f"flood {said % 9000}"}), note, self.loop.time()
            )

    async def end(self):
        self.leave()
        for task in self.running:
            task.cancel()
        await asyncio.gather(*self.running, *self.phones, return_exceptions=True)
        self.venue.close()


def lay(path, story, kind=Siege, **terms):
    """Run the coroutine function ``story(siege)`` in virtual time and return its result."""

    async def main():
        siege = kind(asyncio.get_running_loop(), path, **terms)
        try:
            return await story(siege)
        finally:
            await siege.end()

    return clock.run(main())
