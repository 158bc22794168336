"""The figures of ``make bench``, each beside its naive baseline and its physical limit.

What is reached, what a naive program would reach, and what nobody can. Whole halls play the boards'
own program for a round: over the modelled air with the PC's own Bluetooth for clocks, starts,
results, and how soon a host that goes on from a copy has heard and archived everything; over the
pure air for what a table costs to simulate. A board of each model runs on the virtual chip, charged
by ``prices.toml``; none of it was measured on a board.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import sqlite3
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from firmware.core import digest, events, frames, phases
from firmware.radio import advertiser
from host.archive import audit_log, master_key, schema
from host.archive.records import ArchivedRecord
from host.archive.roster import Event
from host.archive.store import Archive
from host.backup.restore import leap_counters
from host.boards.deploy import bytecode
from host.boards.models import MODELS
from host.collector import session
from host.desk.station import Station
from host.sim import clock, costs
from host.sim.bleio import ESPRESSIF, RADIO
from host.sim.chip.flash import BLOCKS, PAGES
from host.sim.costs import Press, Session
from host.sim.ether import curves, seconds
from host.sim.ether.air import EtherAir
from host.sim.evening import Evening, percentile
from host.sim.programme import RandomProgramme
from host.sim.pure import PureAir
from host.sim.venue import DARK_S, OPENED_UNIX_MS

if TYPE_CHECKING:
    from host.base.json_values import Json
    from host.sim.ether.types import Adapter
    from host.sim.types import Air, Table, Venue

_LINE = "{:46}{:>8}{:>10}{:>10}{:>10}{:>9}{:>9}"
_CROWD, _INTERVAL_S = 1000, 0.75
_ADVERT_US, _WINDOW_US = 365_000, 30_000
_SCAN_US, _RESONANT_US = 97_000, 92_500  # of ``_RESONANT_US`` an advert's mean period is four
_WRITERS, _CUP = 200, 1
_ROWS, _TOGETHER, _TURNS = 4096, 256, 5
MINUTES, PRESSES = 3, 100
STALLS = ("gc_ms", "flash_erase_us")  # nothing else runs meanwhile
MOST_STALLED, MOST_ECHO_MS, MOST_RESULT_MS = 0.005, 60, 260
_LEAST_ECHO_MS, _LEAST_RESULT_MS = 30, 100  # a bump is no press; two erases
_MINUTE_US = 60_000_000
_TABLES, _FAILS_S, _WATCHED_S = 2, 720, 1800
_ROUND_S, _WATCHDOG_S, _RESTART_S = 3000, 20, 0.3
TABLES = 32
_WORK_TABLES = 40
WORSE_PPM = 500  # what every other board declares, far worse than a crystal
_POLL_S = 0.02  # firmware.app's
_COPY_MIN = 20  # minutes of the evening after which the copy is made that a host goes on from
_CLOCKS_S, _SETTLED_MS = 5, 60_000  # how often clocks are looked at, from when after the start on
_LOOK_S, _PATIENCE_S = 0.25, 600
_MS = 1
_EVENT_S, _PACKETS = 0.03, 4  # of a connection (docs/air.md)
_STEPS = 2000
_DAY_S = 86400


class Row(NamedTuple):
    """One figure, in ``unit``; ``naively`` and ``at_best`` say what the other two stand for."""

    what: str
    unit: str
    reached: float
    naive: float
    limit: float
    naively: str
    at_best: str

    @property
    def of_naive(self) -> float | None:
        """How many times the naive figure is reached; None beside a naive 0."""
        return self.reached / self.naive if self.naive else None

    @property
    def of_limit(self) -> float | None:
        """How many times the limit is reached; None beside a limit of 0."""
        return self.reached / self.limit if self.limit else None

    def as_object(self) -> dict[str, Json]:
        """Return the row with both ratios, as JSON has it."""
        return {**self._asdict(), "of_naive": self.of_naive, "of_limit": self.of_limit}


def table(rows: Sequence[Row]) -> list[str]:
    """Return the table's lines: under each figure what its baseline and its limit are."""
    lines = [_LINE.format("figure", "unit", "reached", "naive", "limit", "of naive", "of limit")]
    for row in rows:
        numbers = (row.reached, row.naive, row.limit, row.of_naive, row.of_limit)
        shown = ("-" if number is None else f"{number:.4g}" for number in numbers)
        lines.append(_LINE.format(row.what, row.unit, *shown))
        lines.append(f"    naive: {row.naively}; limit: {row.at_best}")
    return lines


def collisions(seed: int) -> list[Row]:
    """The share of adverts that nobody else hits, in a hall as large as one gets."""
    crowd = curves.clear(_CROWD, _INTERVAL_S, 6.8)
    rare = curves.clear(_CROWD, 10 * _INTERVAL_S, 60, seed)
    fast = curves.clear(_CROWD, _INTERVAL_S / 10, 0.5, seed)
    period_ms = 1000 * _INTERVAL_S + curves.MEAN_DELAY_US / 1000
    return [
        Row(f"adverts that nobody hits, {_CROWD} boards", "%", 100 * crowd.simulated,
            100 * fast.simulated, 100 * crowd.by_formula,
            f"all advertise ten times as often, {1000 * _INTERVAL_S / 10:g} ms",
            f"(1 - 2l/T)^(N-1), T {period_ms:g} ms; ten times as rarely it is"
            f" {100 * rare.simulated:.0f} %"),
    ]  # fmt: skip


def discovery() -> list[Row]:
    """The mean time until a scan hears its first advert."""
    ours = curves.discovery(_ADVERT_US, _WINDOW_US, _SCAN_US, 300)
    naive = curves.discovery(_ADVERT_US, _WINDOW_US, _RESONANT_US, 30)
    return [
        Row(f"first advert of {_ADVERT_US / 1000:g} ms, scan 30 in 97 ms", "s",
            ours.simulated, naive.simulated, ours.by_formula,
            f"a scan of 30 in {_RESONANT_US / 1000:g} ms, a quarter of the advert's period",
            "the published curve (docs/air.md)"),
    ]  # fmt: skip


def edges(seed: int) -> list[Row]:
    """How far apart the second edges of a hall are that hears a beacon."""
    last = seconds.looks(200, 130, seed)[-1]
    return [
        Row("second edges of 200 boards, p99 of the median", "ms", last.filtered_us / 1000,
            last.believing_us / 1000, _MS, "each believes its last stamp",
            "a stamp is in whole ms"),
    ]  # fmt: skip


def ingest(seed: int, folder: Path) -> list[Row]:
    """Records a second on the disk that ``folder`` is on; the best of five turns each."""
    rng = random.Random(seed)
    ours, naive, best = [], [], []  # records a second, one number a turn
    for _ in range(_TURNS):
        records = _records(_ROWS, rng)
        batches = [records[i : i + _TOGETHER] for i in range(0, _ROWS, _TOGETHER)]
        single_records = [[record] for record in records[: _ROWS // 8]]
        ours.append(_records_per_s(_archive_s, folder, batches))
        naive.append(_records_per_s(_raw_inserts_s, folder, single_records))
        best.append(_records_per_s(_raw_inserts_s, folder, batches))
    return [
        Row(f"verified records archived, {_TOGETHER} a commit", "1/s",
            max(ours), max(naive), max(best),
            "raw inserts, each its own commit",
            f"raw inserts of the same rows, {_TOGETHER} a commit"),
    ]  # fmt: skip


def _records(count: int, rng: random.Random) -> list[ArchivedRecord]:
    first = bytes([frames.VERSION << 6 | events.CLOCK])
    return [
        ArchivedRecord(n % _WRITERS + 1, 1, 3, n // _WRITERS, _CUP, n, first + rng.randbytes(23))
        for n in range(count)
    ]


Batches: TypeAlias = Sequence[Sequence[ArchivedRecord]]


def _records_per_s(
    measure_s: Callable[[Path, Batches], float], folder: Path, batches: Batches
) -> float:
    with tempfile.TemporaryDirectory(dir=folder) as new_folder:
        spent_s = measure_s(Path(new_folder) / "a.db", batches)
    return sum(len(batch) for batch in batches) / spent_s


def _archive_s(path: Path, batches: Batches) -> float:
    """Return the seconds that the archive takes."""
    with Archive(path) as archive:
        archive.roster.open_event(Event(_CUP, "Cup", 0))
        archive.audit_log.begin(audit_log.key_of(bytes(32)))
        began_s = time.perf_counter()
        for batch in batches:
            archive.commit(batch)
        return time.perf_counter() - began_s


def _raw_inserts_s(path: Path, batches: Batches) -> float:
    """Return the seconds that raw inserts take, as durable, a batch a commit."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("PRAGMA journal_mode = WAL")
        raw.execute("PRAGMA synchronous = FULL")
        raw.executescript(schema.TABLES)
        rows = [[tuple(record) for record in batch] for batch in batches]
        began_s = time.perf_counter()
        for batch in rows:
            raw.execute("BEGIN")
            raw.executemany("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)", batch)
            raw.execute("COMMIT")
        return time.perf_counter() - began_s


def stalled(session: Session, minutes: int) -> float:
    """Return the share of so many minutes without a press that collections and erases take."""

    def stalls_us():
        return sum(session.chip.spent[name] for name in STALLS)

    before_us = stalls_us()
    session.rest(60 * minutes)
    return (stalls_us() - before_us) / (minutes * _MINUTE_US)


def echoes_ms(session: Session) -> list[int]:
    """Return how long each press's echo took."""
    return [round(press.echo_us / 1000) for press in session.presses if press.echo_us is not None]


def results_ms(session: Session) -> list[int]:
    """Return how long each result took that waited for no other write."""
    return _results_ms([press for press in session.presses if press.alone])


def _results_ms(presses: Sequence[Press]) -> list[int]:
    return [round(press.result_us / 1000) for press in presses if press.result_us is not None]


def quiet(seed: int, folder: Path) -> list[Row]:
    """The figures of a board of each model, laid anew in ``folder``."""
    return [row for model in MODELS for row in _rows(model, seed, folder / model)]


def _rows(model: str, seed: int, folder: Path) -> list[Row]:
    compiled = costs.measure_start(folder / "bytecode", model, bytecode.compile_image)
    source = costs.measure_start(folder / "source", model, dict)
    session = Session(folder / "session", model, seed)
    share = stalled(session, MINUTES)
    session.press(PRESSES)
    echo_ms = percentile(echoes_ms(session), 99)
    result_ms = percentile(results_ms(session), 99)
    any_ms = percentile(_results_ms(session.presses), 99)
    priced = session.chip.prices
    erase_share = 2 * priced["flash_erase_us"] / _MINUTE_US
    write_ms = 2 * (priced["flash_erase_us"] + PAGES * BLOCKS * priced["flash_program_us"]) / 1000
    lost = session.asked - session.turns
    return [
        Row(f"{model}: power to a usable screen", "ms", compiled.usable_ms, source.usable_ms,
            priced["start_cold_ms"], "laid as source",
            "CircuitPython's own start; at the most 6000"),
        Row(f"{model}: collections, erases of a minute", "%", 100 * share,
            100 * (erase_share + 60 * priced["gc_ms"] / 60_000),
            100 * erase_share, "a collection each second",
            "two erases; at the most 0.5"),
        Row(f"{model}: echo of {PRESSES} presses, p99", "ms", echo_ms,
            result_ms, _LEAST_ECHO_MS, "shown with its result alone",
            "a bump is no press; at the most 60"),
        Row(f"{model}: result behind two erases, p99", "ms", result_ms,
            result_ms + write_ms, _LEAST_RESULT_MS, "a turn's end and the next one's"
            " beginning are two writes", "the erases alone; at the most 260"),
        Row(f"{model}: result of any press, p99", "ms", any_ms,
            any_ms + write_ms, _LEAST_RESULT_MS, "as above",
            "as above; a CLOCK record may be under way"),
        Row(f"{model}: of {PRESSES} presses lost", "1", lost, PRESSES, 0, "none is read", "none"),
    ]  # fmt: skip


def faults(seed: int, folder: Path) -> list[Row]:
    """A radio that goes deaf, and one without memory."""
    deaf_s = _longest_silence_s(seed, folder / "deaf", lambda adapter: adapter.fall_silent(RADIO))
    full_s = _longest_silence_s(seed, folder / "full", _use_up_memory)
    restart = "the radio off and on, noticed at once"
    return [
        Row("a table whose radio went deaf, unheard for", "s", deaf_s, _ROUND_S, _RESTART_S,
            "nobody notices before the round is over", restart),
        Row("a table whose radio has no memory, unheard for", "s", full_s, _WATCHDOG_S + DARK_S,
            _RESTART_S, "its watchdog bites, and it starts again", restart),
    ]  # fmt: skip


def _use_up_memory(adapter: Adapter) -> None:
    adapter.faults.adverts_left = 0


def _longest_silence_s(seed: int, folder: Path, fault: Callable[[Adapter], None]) -> float:
    """Return the longest time (s) in which the host hears nothing of table 1 after ``fault``."""
    folder.mkdir()

    async def main() -> float:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, clock.VirtualLoop)
        air, programme = EtherAir(loop, seed, _TABLES), RandomProgramme(_TABLES, seed)
        evening = Evening(loop, air, folder / "a.sqlite", programme, seed)
        venue, longest_s = evening.venue, 0.0

        async def fail_and_watch():
            nonlocal longest_s
            await asyncio.sleep(_FAILS_S)
            fault(air.adapter(1))
            while loop.time() < _FAILS_S + _WATCHED_S:
                await asyncio.sleep(_LOOK_S)
                heard_ms = venue.station.collector.statuses[1].heard_ms
                assert heard_ms is not None  # it has played for a while
                longest_s = max(longest_s, (venue.now_ms() - heard_ms) / 1000)

        watching = loop.create_task(fail_and_watch())
        facts = await evening.play([1])
        watching.cancel()
        venue.close()
        if not facts.sound:
            raise AssertionError(facts.violations or "a result was lost")
        return longest_s

    return clock.run(main())


# seconds between two adverts of the board of these that advertises most rarely
_ADVERT_S = max(advertiser.interval_s(bytes((0, number, 0))) for number in range(1, TABLES + 1))


@dataclass
class Watch:
    """What a bench sees of an evening beside its Facts."""

    start_set_s: dict[int, float] = field(default_factory=dict)  # by table: when its start was set
    # by table: its clock minus the host's when the host first set it
    first_offset_ms: dict[int, int] = field(default_factory=dict)
    errors_ms: list[int] = field(default_factory=list)  # of all clocks that were ever set
    drift_ms: list[int] = field(default_factory=list)  # of clocks set once
    link_s: int = 0  # the open connections, added up each second
    ages_ms: list[int] = field(default_factory=list)  # of what the host has heard of a board last
    minutes: int = 0
    seconds: int = 0
    agreed_s: dict[int, float] = field(default_factory=dict)  # by table: its result is entered
    ack_delay_s: dict[int, float] = field(default_factory=dict)  # by table: from then to its ack
    heard_s: float | None = None  # a host that goes on from a copy has heard every board
    archived_s: float | None = None  # and archived everything
    copied: int = 0  # records in the copy
    records: int = 0  # and in the archive that went on

    def changed(self, table: Table) -> None:
        """Note that a table's screen has changed: it may know its start, or its result."""
        if table.app.match.start_ms is not None:
            self.start_set_s.setdefault(table.number, table.now_s)
        if table.app.match.phase == phases.AGREED:
            self.agreed_s.setdefault(table.number, table.now_s)

    def minute(self, evening: Evening, copy: Path) -> None:
        """Count the minute; after ``_COPY_MIN``, make the copy that a host goes on from."""
        self.minutes += 1
        if self.minutes == _COPY_MIN:
            evening.venue.station.archive.copy_to(copy)

    def clocks(self, venue: Venue) -> None:
        """Note the errors of all clocks, from the second minute of the round on; and what they
        would be had each been set only once.
        """
        now_ms = venue.now_ms()
        tables = [table for table in venue.tables.values() if table.started]
        starts_ms = [
            table.app.match.start_ms for table in tables if table.app.match.start_ms is not None
        ]
        playing = bool(starts_ms) and now_ms >= max(starts_ms) + _SETTLED_MS
        for table in tables:
            if table.app.timebase.guessed:
                continue
            uptime_ms = table.board.clock.now_ms()
            offset_ms = uptime_ms - now_ms
            first_offset_ms = self.first_offset_ms.setdefault(table.number, offset_ms)
            if playing:
                self.drift_ms.append(abs(offset_ms - first_offset_ms))
                self.errors_ms.append(abs(table.app.timebase.now_ms(uptime_ms) - now_ms))

    def ages(self, venue: Venue) -> None:
        """Note how long ago each board was heard, once ``clocks`` has seen the round played."""
        if not self.drift_ms:
            return
        for status in venue.station.collector.statuses.values():
            if status.heard_ms is not None:
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
                    self.ack_delay_s.setdefault(number, table.settled_s - self.agreed_s[number])


def worsen(tables: Mapping[int, Table]) -> None:
    """Let every other board declare ``WORSE_PPM``, and run fast or slow by nearly as much: as an
    RC oscillator.
    """
    for number in list(tables)[::2]:
        board = tables[number].board
        sign = 1 if number % 4 == 1 else -1
        board.settings["ppm"] = WORSE_PPM
        board.clock.drift(sign * WORSE_PPM * 9 // 10)


async def _played(air: Air, tables: int, seed: int, folder: Path, watch: Watch) -> Evening:
    """Play an evening of one round, seen by ``watch``, and return it."""
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


async def _restore(air: Air, evening: Evening, folder: Path, watch: Watch) -> None:
    """Let a host go on from the copy after the round, as after a restore; note how soon it has
    heard and archived everything.
    """
    loop, copy = asyncio.get_running_loop(), folder / "b.sqlite"
    master = master_key.load(master_key.path_of(folder / "a.sqlite"))
    with Archive(copy) as archive:
        archive.audit_log.begin(audit_log.key_of(master))
        leap_counters(archive, OPENED_UNIX_MS)
    with Station(copy, master) as station:
        carrier = air.carrier(station.collector, evening.venue.now_ms)
        carrying, began_s = loop.create_task(carrier.run()), loop.time()
        statuses = station.collector.statuses.values()
        watch.copied = len(station.archive.records())
        while watch.archived_s is None and loop.time() - began_s < _PATIENCE_S:
            await asyncio.sleep(_LOOK_S)
            after_s = loop.time() - began_s
            if any(status.heard_ms is None for status in statuses):
                continue
            if watch.heard_s is None:
                watch.heard_s = after_s
            if not any(station.collector.missing(status) for status in statuses):
                watch.archived_s = after_s
        watch.records = len(station.archive.records())
        carrying.cancel()
        await asyncio.gather(carrying, return_exceptions=True)


def hall(seed: int, folder: Path) -> list[Row]:
    """A hall over the modelled air, with nothing but the PC's own Bluetooth."""
    watch = Watch()

    async def main():
        loop = asyncio.get_running_loop()
        assert isinstance(loop, clock.VirtualLoop)
        air = EtherAir(loop, seed, TABLES)
        evening = await _played(air, TABLES, seed, folder, watch)
        try:
            await _restore(air, evening, folder, watch)
        finally:
            evening.venue.close()
        return evening

    evening = clock.run(main())
    set_s, ack_delays_s = watch.start_set_s.values(), sorted(watch.ack_delay_s.values())
    connections = sum(table.app.link.guests for table in evening.venue.tables.values())
    turn_s = TABLES * watch.link_s / max(1, connections)  # each board in turn, over one connection
    share = watch.link_s / (TABLES * watch.seconds)  # of the time in which a board has a link
    # in a day, if it advertised beside each link: one comes in so many seconds of that, on average
    asserts = _DAY_S * share / (sum(ESPRESSIF.both_s or ()) / 2)
    whole_ms, in_turn = "frames carry whole ms", "each board is polled in turn"
    once = "a board advertises once in this time"
    return [
        Row(f"clock error of {TABLES} tables, p99", "ms", percentile(watch.errors_ms, 99),
            percentile(watch.drift_ms, 99), _MS, "a clock is set once, at the first answer",
            whole_ms),
        Row(f"spread of {TABLES} starts", "ms", evening.facts.start_spread_ms,
            1000 * (max(set_s) - min(set_s)), _MS, "each starts when it is told", whole_ms),
        Row(f"results of {TABLES} tables acknowledged, p99", "s",
            ack_delays_s[len(ack_delays_s) * 99 // 100], turn_s, _ADVERT_S, in_turn,
            "a board advertises its news once in this time"),
        Row(f"restore: all {TABLES} boards heard", "s", watch.heard_s or 0.0, turn_s, _ADVERT_S,
            in_turn, once),
        Row(f"restore: {TABLES} boards archived", "s", watch.archived_s or 0.0,
            _EVENT_S * watch.records, _EVENT_S * (watch.records - watch.copied) / _PACKETS,
            f"all {watch.records} records, one each {1000 * _EVENT_S:g} ms event of a connection",
            "those that the copy lacks, four an event"),
        # what the host misses as a board does not advertise beside a link, and what it is spared
        Row(f"last word of {TABLES} boards, its age, p99", "s",
            percentile(watch.ages_ms, 99) / 1000, session.LONGEST_MS / 1000, _ADVERT_S,
            "a link is held as long as it may be", once),
        Row("controllers' asserts in a board's day", "1", 0, asserts, 0,
            f"adverts beside links, which are open {100 * share:.1f} % of the time", "none"),
    ]  # fmt: skip


def work(seed: int, folder: Path) -> list[Row]:
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
    key_blocks = digest.blocks(bytes(32))
    tag_s = _timed(lambda: digest.mac(key_blocks, bytes(16)))
    return [
        Row("CPU to simulate a table's round", "ms", 1000 * spent_s,
            1000 * step_s * virtual_s / _POLL_S, 1000 * tag_s * (signed + checked) / _WORK_TABLES,
            f"a step each {1000 * _POLL_S:g} ms, as on a board, each {1e6 * step_s:.0f} us",
            f"the tags alone, each {1e6 * tag_s:.1f} us"),
    ]  # fmt: skip


def _timed(call: Callable[[], object]) -> float:
    """Return the seconds of CPU that a call takes."""
    began_s = time.process_time()
    for _ in range(_STEPS):
        call()
    return (time.process_time() - began_s) / _STEPS
