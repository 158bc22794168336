"""A laptop that is lost in mid-round; the stick knows less than the boards."""

import asyncio

from commands import plusthree

from firmware.core import events, frames
from host.archive import master_key
from host.backup import backup
from host.desk.station import Station
from host.sim import stored_records
from host.sim.people import People
from host.sim.programme import RandomProgramme
from host.sim.venue import Venue

PHRASE = "five words on a sticker"


class Deaf:
    """What answers at the lost laptop: nobody. Links stay until the boards hang up."""

    def __getattr__(self, name):
        return lambda *words: []


class Stolen:
    """A hall of ``tables`` over ``air``, played until its laptop is gone, and gone on with from the
    stick.

    ``PLUSTHREE_PASSPHRASE`` must be ``PHRASE``. ``lose`` first, then ``restore``; ``end`` stops
    all.
    """

    def __init__(self, loop, air, folder, tables, seed):
        self._loop, self._air, self._folder = loop, air, folder
        self._path, self._stick = folder / "cup.db", folder / "stick"
        programme = RandomProgramme(tables, seed)
        self.venue = Venue(loop, air, self._path, programme, seed)
        self._carrying = loop.create_task(self.venue.carrier.run())
        self.venue.station.archive.roster.store_round(1, programme.format, programme.pairings(1))
        self.venue.station.refresh()
        self.people = {
            number: People(table, programme.story(1, number))
            for number, table in self.venue.tables.items()
        }
        self._playing = [loop.create_task(one.play_round(1)) for one in self.people.values()]
        self.acknowledged = set()  # places of news that the lost laptop held

    async def lose(self):
        """Play half an hour, then let the program stop in the middle of whatever it was doing."""
        await self._first_half()
        records = self.venue.station.archive.records()
        self.acknowledged = {
            one.id for one in records if events.of_record(one.frame).kind not in events.NOT_NEWS
        }
        self._carrying.cancel()
        self.venue.carrier._collector = Deaf()
        self.venue.close()
        self._path.rename(self._folder / "stolen.db")
        await asyncio.sleep(90)

    async def _first_half(self):
        """Copy to the stick, publish, start, and let half an hour of play go by."""
        self._stick.mkdir()
        archive, desk, now_ms = (
            self.venue.station.archive, self.venue.station.desk, self.venue.now_ms,
        )  # fmt: skip
        backup.write_key(
            master_key.load(master_key.path_of(self._path)), self._path, self._stick, PHRASE,
            cost=1 << 10,
        )  # fmt: skip
        backup.write(archive, self._stick)
        desk.publish(1)
        backup.write(archive, self._stick)
        await asyncio.sleep(90)
        desk.start(now_ms() + 300_000)
        await asyncio.sleep(300 + 25 * 60)
        order = desk.extend(1, 5)[0]  # the stick knows nothing of the start, nor of this
        while archive.orders.get(order).state == "pending":
            await asyncio.sleep(0.5)

    def restore(self):
        """Restore on a clean machine and serve from there; return its Station."""
        path = self._folder / "new.db"
        assert plusthree("restore", self._stick, path) == 0
        station = Station(path)
        station.collector.now_ms = self.venue.now_ms()
        self._carrying = self._loop.create_task(
            self._air.carrier(station.collector, self.venue.now_ms).run()
        )
        return station

    def held(self):
        """Return the news that the boards may tell now, as ``{place in the archive: record}``."""
        found = {}
        for table in self.venue.tables.values():
            journal = table.app.journal
            for place, record in stored_records.walk(journal.ring, journal.ring.oldest):
                kind, device, epoch, counter = frames.head(record)
                if kind not in events.NOT_NEWS and journal.to_send(place):
                    found[device, 1, epoch, counter] = record
        return found

    async def end(self):
        tasks = [self._carrying, *self._playing]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
