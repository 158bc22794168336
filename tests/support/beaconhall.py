"""A few real boards on the modelled air that listen to a beacon, with its host and gateways."""

import asyncio

from firmware.app import App
from firmware.core import frames, intents, payload
from host.collector.beacon_caster import BeaconCaster
from host.collector.beacon_sender import BeaconSender
from host.desk.hall_beacon import HallBeacon
from host.desk.station import Station
from host.keys import signatures
from host.sim import clock
from host.sim.bench_figures import worsen
from host.sim.ether import ether
from host.sim.ether.air import EtherAir, EtherGateways
from host.sim.faces import blank_face
from host.sim.programme import RandomProgramme
from host.sim.table import Tap
from host.sim.venue import Venue

EVENT = 1
FINAL = 0x80  # see intents.RULE_RESULT
UPDATE_S = 0.05


class BeaconHall:
    """``tables`` boards that listen; ``gateways`` of them send and hear."""

    def __init__(
        self, folder, tables=4, seed=1, gateways=1, load=0.25, programme=None, faces=blank_face
    ):
        loop = self.loop = asyncio.get_running_loop()
        self.air = EtherAir(loop, seed, tables, load)
        self.programme = programme or RandomProgramme(tables, seed)
        self.venue = Venue(
            loop, self.air, folder / "hall.plusthree", self.programme, seed, faces, listening=True
        )
        self.tables = self.venue.tables
        worsen(self.tables)
        self.gateways = EtherGateways(self.air.ether, ether.gateway_spots(gateways, tables))
        self._tasks: list[asyncio.Task] = []
        self._begin()

    def _begin(self):
        """Begin what the host does over the venue's Station."""
        self.station, ears = self.venue.station, self.venue.carrier.receiver
        self.sender = BeaconSender(self.station.keyring.beacons, EVENT)
        self.beacon = HallBeacon(self.station, self.sender)
        self.gateways.listeners[:] = [lambda frame: ears.take("heard", None, frame)]
        self.caster = BeaconCaster(self.sender, self.gateways, self.venue.now_ms)
        self._tasks = [
            self.loop.create_task(task)
            for task in (self.venue.carrier.run(), self.caster.run(), self._updated())
        ]

    async def restart(self, away_s):
        """End the host; begin another one over the same archive after ``away_s``, without the PC's
        Bluetooth. Return the loop's time at which that one began.
        """
        for failure in await self._end():
            raise failure
        self.gateways.listeners.clear()
        path = self.station.archive.path
        self.station.close()
        await asyncio.sleep(away_s)
        begun_s = self.loop.time()
        self.venue.station = Station(path)
        self.air.pc.plug()  # a carrier that begins without one ends at once
        self.venue.carrier = self.air.carrier(self.venue.station.collector, self.venue.now_ms)
        self._begin()
        assert await self.until(lambda: self.air.pc.scanners, 10, step_s=0.01) is not None
        self.air.pc.pull()
        return begun_s

    async def _end(self):
        for task in self._tasks:
            task.cancel()
        done = await asyncio.gather(*self._tasks, return_exceptions=True)
        return [one for one in done if isinstance(one, Exception)]

    async def _updated(self):
        while True:
            self.beacon.update(self.venue.now_ms())
            await asyncio.sleep(UPDATE_S)

    @property
    def apps(self):
        return [table.app for table in self.tables.values() if table.started]

    def link(self, number):
        return self.tables[number].link._link

    def listener(self, number):
        return self.link(number).listener

    def reset(self, number):
        """Reset a table's board: its program begins again over the same journal."""
        table = self.tables[number]
        link = self.air.link(number, table.wake, listening=True)
        table.link = Tap(link, table.board.pay)
        app = App(table.board, table.link, blank_face(table.board), table.app.match.rules)
        link.attach(app)
        table.start(app)

    def errors_ms(self):
        """Return how far each board's event time is from the true one."""
        now_ms = self.venue.now_ms()
        return [app.timebase.now_ms(app.board.clock.now_ms()) - now_ms for app in self.apps]

    def records(self, kind):
        return [one for one in self.station.archive.records() if one.kind == kind]

    def settle(self, number):
        """Let a judge rule a table's result for good, at the table."""
        app = self.tables[number].app
        now_ms = app.timebase.now_ms(app.board.clock.now_ms())
        assert app._ask(intents.RuleResult(now_ms, 1, 0, 1, 2, 0), now_ms)
        self.tables[number].wake()

    async def until(self, holds, seconds, step_s=0.1):
        """Wait until ``holds()``; return the seconds that it took, None if it did not."""
        begun = self.loop.time()
        while not holds():
            if self.loop.time() - begun > seconds:
                return None
            await asyncio.sleep(step_s)
        return self.loop.time() - begun

    async def published(self, number=1, seconds=300):
        """Publish a round; wait until every board has it, and follows the beacon."""
        self.station.archive.roster.store_round(
            number, self.programme.format, self.programme.pairings(number)
        )
        self.station.refresh()
        self.station.desk.publish(number)

        return await self.until(lambda: self._ready(number), seconds)

    def _ready(self, number):
        return len(self.apps) == len(self.tables) and all(
            app.match.round == number and app.match.system is not None for app in self.apps
        ) and all(self.listener(one).tick for one in self.tables)  # fmt: skip

    async def wired(self, number=1):
        """Publish a round whose orders, names, time (100 ms under way at most) and anchors come to
        each board by hand, in place of a thousand visits; wait until every board follows the beacon.
        """
        await self.until(lambda: len(self.apps) == len(self.tables), 60)
        self.air.pc.pull()
        self.station.archive.roster.store_round(
            number, self.programme.format, self.programme.pairings(number)
        )
        self.station.refresh()
        self.station.desk.publish(number)
        await asyncio.sleep(1)
        for table in self.tables.values():
            self._visit(table, number)
        return await self.until(lambda: self._ready(number), 60)

    def _visit(self, table, number):
        app, now_ms, luck = table.app, self.venue.now_ms(), self.air.ether.luck
        uptime_ms, trip_ms = app.board.clock.now_ms(), luck.randrange(100)
        app._hear(self._signed(app, 0, intents.JoinEvent(now_ms, 0, EVENT)), uptime_ms)
        app.timebase.ask_host(1, uptime_ms - trip_ms)
        assert app.timebase.host_answered(now_ms - luck.randrange(trip_ms + 1), 1, uptime_ms)
        for one in self.station.archive.orders.pending_at(table.number):
            if one.kind != intents.JOIN_EVENT:
                app._hear(self._signed(app, one.id, one.intent), uptime_ms)
        app.sync.names_round, app.sync.name_parts = number & 15, 63  # both names
        self.listener(table.number).follow_chain(self.sender.anchor(now_ms))
        table.wake()

    def _signed(self, app, counter, intent):
        journal = app.journal
        event = 0 if intent.kind == intents.JOIN_EVENT else journal.event
        key = frames.stream_key(journal.key, event, frames.DOWN, journal.epoch)
        rest = journal.device, journal.epoch, counter, payload.pack(intent)
        return signatures.sign(key, intent.kind, *rest)

    async def close(self):
        failures = await self._end()
        self.venue.close()
        for one in failures:
            raise one


def played(script, folder, **options):
    """Run ``script(hall)`` in virtual time; return what it returns."""

    async def main():
        there, failures = BeaconHall(folder, **options), []
        there.loop.set_exception_handler(lambda loop, what: failures.append(what))
        try:
            return await script(there)
        finally:
            await there.close()
            for what in failures:
                raise what.get("exception") or RuntimeError(what["message"])

    return clock.run(main())
