"""Figures of whole halls: the boards' own program, played for a round.

Over the modelled air with the PC's own Bluetooth: clocks, starts, results, and how soon a host that
goes on from a copy has heard and archived everything. Over the pure air: what a table costs to
simulate.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.core import digest, phases
from firmware.radio import advertiser
from host.archive import audit_log, master_key
from host.archive.store import Archive
from host.backup.restore import leap
from host.collector import session
from host.desk.station import Station
from host.sim import clock
from host.sim.bleio.port import ESPRESSIF
from host.sim.board import BoardClock
from host.sim.ether import plot
from host.sim.ether.air import EtherAir
from host.sim.evening import Evening
from host.sim.facts import percentile
from host.sim.figures.found import Found
from host.sim.figures.rows import Row
from host.sim.programme import RandomProgramme
from host.sim.pure import PureAir
from host.sim.venue import OPENED_UNIX_MS

if TYPE_CHECKING:
    from host.sim.types import Air, Table, Venue

TABLES = 32
_WORK_TABLES = 40
WORSE_PPM = 500  # what every other board declares, far worse than a crystal
_POLL_S = 0.02  # firmware.app's
_COPY_MIN = 20  # minutes of the evening after which the copy is made that a host goes on from
_CLOCKS_S, _SETTLED_MS = 5, 60_000  # how often clocks are looked at, from when after the start on
_LOOK_S, _PATIENCE_S = 0.25, 600
# how often the board of these that does so most rarely advertises
_ADVERT_S = max(advertiser.interval_s(bytes((0, number, 0))) for number in range(1, TABLES + 1))
_MS = 1
_EVENT_S, _PACKETS = 0.03, 4  # of a connection (docs/air.md)
_STEPS = 2000
_DAY_S = 86400


@dataclass
class Watch:
    """What a bench sees of an evening beside its Facts."""

    told_s: dict[int, float] = field(default_factory=dict)  # by table: its start was set
    first_ms: dict[int, int] = field(default_factory=dict)  # by table: its clock, less the host's
    errors_ms: list[int] = field(default_factory=list)  # of all clocks that were ever set
    drift_ms: list[int] = field(default_factory=list)  # of clocks set once
    link_s: int = 0  # the open connections, added up each second
    ages_ms: list[int] = field(default_factory=list)  # of what the host has heard of a board last
    minutes: int = 0
    seconds: int = 0
    agreed_s: dict[int, float] = field(default_factory=dict)  # by table: its result is entered
    late_s: dict[int, float] = field(default_factory=dict)  # by table: from then to its ack
    heard_s: float = 0.0  # a host that goes on from a copy has heard every board
    whole_s: float = 0.0  # and archived everything
    copied: int = 0  # records in the copy
    records: int = 0  # and in the archive that went on

    def changed(self, table: Table) -> None:
        """Note that a table's screen has changed: it may know its start, or its result."""
        if table.app.match.start_ms is not None:
            self.told_s.setdefault(table.number, table.now_s)
        if table.app.match.phase == phases.AGREED:
            self.agreed_s.setdefault(table.number, table.now_s)

    def minute(self, evening: Evening, copy: Path) -> None:
        """Look at all clocks; once, make the copy that a host goes on from."""
        self.minutes += 1
        if self.minutes == _COPY_MIN:
            evening.venue.station.archive.copy_to(copy)

    def clocks(self, venue: Venue) -> None:
        """Look at all clocks, from the second minute of the round on; and at what they would be
        had they been set once.
        """
        now_ms, apps = (
            venue.now_ms(),
            [table.app for table in venue.tables.values() if table.started],
        )
        started = [app.match.start_ms for app in apps if app.match.start_ms is not None]
        playing = started and now_ms >= max(started) + _SETTLED_MS
        for table in venue.tables.values():
            if not table.started or table.app.timebase.guessed:
                continue
            uptime_ms = table.board.clock.now_ms()
            first_ms = self.first_ms.setdefault(table.number, uptime_ms - now_ms)
            if playing:
                self.drift_ms.append(abs(uptime_ms - now_ms - first_ms))
                self.errors_ms.append(abs(table.app.timebase.now_ms(uptime_ms) - now_ms))

    def ages(self, venue: Venue) -> None:
        """Look at how long ago each board was heard, in a round that is played."""
        for status in venue.station.collector.statuses.values():
            if status.heard_ms is not None and self.drift_ms:
                self.ages_ms.append(venue.now_ms() - status.heard_ms)

    async def each_second(self, venue: Venue) -> None:
        """Count the open connections, note which results have arrived and look at the clocks,
        until cancelled.
        """
        while True:
            await asyncio.sleep(1)
            self.seconds += 1
            if self.seconds % _CLOCKS_S == 0:
                self.clocks(venue)
                self.ages(venue)
            self.link_s += len(venue.station.collector.sessions)
            for number, table in venue.tables.items():
                if table.settled_s is not None and number in self.agreed_s:
                    self.late_s.setdefault(number, table.settled_s - self.agreed_s[number])


def worsen(tables: Mapping[int, Table]) -> None:
    """Let every other board declare ``WORSE_PPM``, and be off by nearly as much: as an RC
    oscillator.
    """
    for number in list(tables)[::2]:
        board, sign = tables[number].board, 1 if number % 4 == 1 else -1
        board.settings["ppm"] = WORSE_PPM
        assert isinstance(board.clock, BoardClock)
        board.clock.drift(sign * WORSE_PPM * 9 // 10)


async def _played(air: Air, tables: int, seed: int, folder: Path, watch: Watch) -> Evening:
    """Return an evening of one round, and what ``watch`` saw of it."""
    loop = asyncio.get_running_loop()
    evening = Evening(loop, air, folder / "a.sqlite", RandomProgramme(tables, seed), seed)
    venue = evening.venue
    worsen(venue.tables)
    for table in venue.tables.values():
        table.changed.append(watch.changed)
    evening.minute = lambda number: watch.minute(evening, folder / "b.sqlite")
    counting = loop.create_task(watch.each_second(venue))
    await evening.play([1])
    counting.cancel()
    return evening


async def _gone_on(air: Air, evening: Evening, folder: Path, watch: Watch) -> None:
    """Let a host go on from the copy after the round, as after a restore; note how soon it has
    heard and archived everything.
    """
    loop, copy = asyncio.get_running_loop(), folder / "b.sqlite"
    master = master_key.load(master_key.beside(folder / "a.sqlite"))
    with Archive(copy) as archive:
        archive.audit_log.begin(audit_log.key_of(master))
        leap(archive, OPENED_UNIX_MS)
    with Station(copy, master) as station:
        carrier = air.carrier(station.collector, evening.venue.now_ms)
        carrying, began_s = loop.create_task(carrier.run()), loop.time()
        statuses = station.collector.statuses.values()
        watch.copied = len(station.archive.records())
        while not watch.whole_s and loop.time() - began_s < _PATIENCE_S:
            await asyncio.sleep(_LOOK_S)
            after_s = loop.time() - began_s
            heard = all(status.heard_ms is not None for status in statuses)
            watch.heard_s = watch.heard_s or heard * after_s
            if heard and not any(map(station.collector.missing, statuses)):
                watch.whole_s = after_s
        watch.records = len(station.archive.records())
        carrying.cancel()
        await asyncio.gather(carrying, return_exceptions=True)


def hall(seed: int, folder: Path) -> Found:
    """A hall over the modelled air, with nothing but the PC's own Bluetooth."""
    watch = Watch()

    async def main():
        loop = asyncio.get_running_loop()
        assert isinstance(loop, clock.VirtualLoop)
        air = EtherAir(loop, seed, TABLES)
        evening = await _played(air, TABLES, seed, folder, watch)
        try:
            await _gone_on(air, evening, folder, watch)
        finally:
            evening.venue.close()
        return evening

    evening = clock.run(main())
    made = sum(table.app.link.guests for table in evening.venue.tables.values())
    turn_s = TABLES * watch.link_s / max(1, made)  # each board in turn, over one connection
    late_s = sorted(watch.late_s.values())
    rows = [*_of_clocks(evening, watch), *_of_results(late_s, watch, turn_s), *_of_links(watch)]
    return Found(rows, {"results.svg": _burst(late_s, turn_s)})


def _of_clocks(evening: Evening, watch: Watch) -> list[Row]:
    facts, told_s, whole_ms = evening.facts, watch.told_s.values(), "frames carry whole ms"
    return [
        Row(f"clock error of {TABLES} tables, p99", "ms", percentile(watch.errors_ms, 99),
            percentile(watch.drift_ms, 99), _MS, "a clock is set once, at the first answer",
            whole_ms),
        Row(f"spread of {TABLES} starts", "ms", facts.start_spread_ms,
            1000 * (max(told_s) - min(told_s)), _MS, "each starts when it is told", whole_ms),
    ]  # fmt: skip


def _of_results(late_s: list[float], watch: Watch, turn_s: float) -> list[Row]:
    in_turn = "each board is polled in turn"
    return [
        Row(f"results of {TABLES} tables acknowledged, p99", "s", late_s[len(late_s) * 99 // 100],
            turn_s, _ADVERT_S, in_turn, "a board advertises its news once in this time"),
        Row(f"restore: all {TABLES} boards heard", "s", watch.heard_s, turn_s, _ADVERT_S, in_turn,
            "a board advertises once in this time"),
        Row(f"restore: {TABLES} boards archived", "s", watch.whole_s, _EVENT_S * watch.records,
            _EVENT_S * (watch.records - watch.copied) / _PACKETS,
            f"all {watch.records} records, one each {1000 * _EVENT_S:g} ms event of a connection",
            "those that the copy lacks, four an event"),
    ]  # fmt: skip


def _of_links(watch: Watch) -> list[Row]:
    """A board does not advertise while it has a link: what the host misses by that, and what it
    is spared.
    """
    share = watch.link_s / (TABLES * watch.seconds)
    asserts = _DAY_S * share / (sum(ESPRESSIF.both_s or ()) / 2)
    return [
        Row(f"last word of {TABLES} boards, its age, p99", "s",
            percentile(watch.ages_ms, 99) / 1000, session.LONGEST_MS / 1000, _ADVERT_S,
            "a link is held as long as it may be", "a board advertises once in this time"),
        Row("controllers' asserts in a board's day", "1", 0, asserts, 0,
            f"adverts beside links, which are open {100 * share:.1f} % of the time", "none"),
    ]  # fmt: skip


def _burst(late_s: list[float], turn_s: float) -> str:
    """Draw how results come in."""
    count = len(late_s)
    points = [(0.0, 0.0), *((late, (n + 1) / count) for n, late in enumerate(late_s))]
    return plot.lines(
        f"Results of {TABLES} tables over the PC's Bluetooth", "s after a result was agreed",
        "share acknowledged",
        [("as played", points), ("polled in turn", [(0.0, 0.0), (turn_s, 1.0)])],
    )  # fmt: skip


def work(seed: int, folder: Path) -> Found:
    """What simulating a table's round costs of a core, over the pure air."""

    async def main():
        loop, began_s = asyncio.get_running_loop(), time.process_time()
        air = PureAir(loop, seed, 0.0)
        evening = await _played(air, _WORK_TABLES, seed, folder, Watch())
        spent_s = time.process_time() - began_s
        table = next(iter(evening.venue.tables.values()))
        step_s = _timed(table.app.step)
        evening.venue.close()
        return spent_s / _WORK_TABLES, step_s, loop.time(), evening

    spent_s, step_s, virtual_s, evening = clock.run(main())
    frames = evening.facts.frames
    signed = sum(table.link.signed for table in evening.venue.tables.values())
    checked = signed + frames["up"] + 2 * frames["down"]
    pair = digest.blocks(bytes(32))
    tag_s = _timed(lambda: digest.mac(pair, bytes(16)))
    return Found([
        Row("CPU to simulate a table's round", "ms", 1000 * spent_s,
            1000 * step_s * virtual_s / _POLL_S, 1000 * tag_s * (signed + checked) / _WORK_TABLES,
            f"a step each {1000 * _POLL_S:g} ms, as on a board, each {1e6 * step_s:.0f} us",
            f"the tags alone, each {1e6 * tag_s:.1f} us"),
    ])  # fmt: skip


def _timed(call: Callable[[], object]) -> float:
    """Return the seconds of CPU that a call takes."""
    began_s = time.process_time()
    for _ in range(_STEPS):
        call()
    return (time.process_time() - began_s) / _STEPS
