"""One evening in the virtual venue: rounds played one after the other, ruled on and checked.

A round's archive is compared with what the players really did. Invariants are checked where they
can break: "sent" at the moment a screen shows it, clocks once a minute, numbers on every frame.
"""

from __future__ import annotations

import asyncio
from asyncio import AbstractEventLoop
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from firmware.core import events, phases
from firmware.core.match import FIELDS
from host.sim.people import who_play
from host.sim.staff import Staff
from host.sim.story import OUTCOME_NAMES
from host.sim.venue import Venue

if TYPE_CHECKING:
    from host.base.json_values import Json
    from host.sim.types import Air, People, Programme, VenueOptions


CLOCKS_S = 60
TICK_MS = 1  # two clocks are rounded to ms


def percentile(values: Iterable[int], percent: int) -> int:
    """Return the nearest-rank percentile of numbers; 0 when there are none."""
    ranked = sorted(values)
    if not ranked:
        return 0
    return ranked[max(0, -(-len(ranked) * percent // 100) - 1)]


@dataclass
class Facts:
    """Counts and measurements of one run; ``violations`` are sentences in the order found."""

    expected: int = 0
    archived: int = 0
    lost: int = 0
    duplicated: int = 0
    conflicts: int = 0
    violations: list = field(default_factory=list)
    clock_errors_ms: list = field(default_factory=list)
    starts_ms: dict = field(default_factory=dict)  # by round: when each table's clock began
    last_results_s: list = field(default_factory=list)  # by round
    frames: dict = field(default_factory=lambda: {"up": 0, "down": 0, "rejected": 0})

    def check(self, holds: bool, sentence: str) -> None:
        """Add ``sentence`` to the violations unless it ``holds``."""
        if not holds:
            self.violations.append(sentence)

    @property
    def sound(self) -> bool:
        """Whether every result arrived exactly once and nothing was violated."""
        whole = self.archived == self.expected and not self.lost
        return whole and not (self.duplicated or self.conflicts or self.violations)

    @property
    def start_spread_ms(self) -> int:
        """The largest difference between the starts of a round's clocks, in ms."""
        spreads = (max(starts) - min(starts) for starts in self.starts_ms.values() if starts)
        return max(spreads, default=0)

    def as_object(self, run: dict[str, Json], virtual_s: float, wall_s: float) -> dict[str, Json]:
        """Return the printed object; ``run`` holds tables, rounds, seed and air."""
        errors = self.clock_errors_ms
        return {
            **run,
            "results_expected": self.expected,
            "results_archived": self.archived,
            "lost": self.lost,
            "duplicated": self.duplicated,
            "conflicts": self.conflicts,
            "violations": self.violations,
            "frames": self.frames,
            "start_spread_ms": self.start_spread_ms,
            "clock_error_ms": {
                "p50": percentile(errors, 50),
                "p99": percentile(errors, 99),
                "max": max(errors, default=0),
            },
            "last_result_s": max(self.last_results_s, default=None),
            "virtual_s": round(virtual_s, 3),
            "wall_s": round(wall_s, 2),
        }


class TruthCheck:
    """Watches the ``venue``'s tables and writes into ``facts``."""

    def __init__(self, venue: Venue, facts: Facts):
        self._venue, self._facts = venue, facts
        self._round, self._phases = 0, {}
        for table in venue.tables.values():
            table.changed.append(self._look)

    # while it runs

    def begin(self, number: int) -> None:
        """A round is about to be published."""
        self._round, self._phases = number, {}
        self._facts.starts_ms[number] = []

    def _look(self, table):
        match = table.app.match
        before = self._phases.get(table.number)
        self._phases[table.number] = match.phase
        if before == phases.PREGAME and match.phase == phases.PLAYING:
            self._facts.starts_ms[self._round].append(self._venue.now_ms())
        if match.phase == phases.AGREED and table.settled:
            self._facts.check(
                self._held(table), f"table {table.number}: shown as sent, not in the archive"
            )

    def _held(self, table):
        """Return whether the archive has a table's result: nearly always from its own board."""
        hall, match = self._venue.station.hall, table.app.match
        fold = hall.fold_at(table.number)
        own = fold is not None and (match.round, match.pairing) in fold.results
        return own or match.pairing in hall.results(match.round)

    def clocks(self) -> None:
        """Compare each clock that has been set by the host with the true time."""
        for table in self._venue.tables.values():
            if not table.started or table.app.timebase.guessed:
                continue
            uptime_ms = table.board.clock.now_ms()
            error_ms = abs(table.app.timebase.now_ms(uptime_ms) - self._venue.now_ms())
            self._facts.clock_errors_ms.append(error_ms)
            declared_ms = table.app.timebase.uncertainty_ms(uptime_ms)
            self._facts.check(
                error_ms <= declared_ms + TICK_MS,
                f"table {table.number}: clock off by {error_ms} ms, {declared_ms} ms declared",
            )

    # at the end of a round

    def end(self, number: int, pairings: Mapping[int, int], people: Mapping[int, People]) -> None:
        """Compare a round's archive with the games played; ``pairings`` and ``people`` by table."""
        results = self._venue.station.hall.results(number)
        self._facts.expected += len(pairings)
        self._facts.archived += len(results)
        for table, pairing in pairings.items():
            result = results.get(pairing)
            if result is None:
                self._facts.lost += 1
                continue
            archived = (result.outcome, *result.games)
            swapped = self._venue.tables[table].app.match.swapped
            outcome, a, b = people[table].truth.paired(swapped)
            played = (OUTCOME_NAMES[outcome], a, b)
            story = ", ".join(people[table].said)
            self._facts.check(
                archived == played, f"table {table}: archived {archived}, played {played}: {story}"
            )
        self._note_last_result()
        for table in self._venue.tables.values():
            self._check_fold(table)

    def _note_last_result(self):
        """Note how long after the round's last confirmation its last result was acknowledged."""
        tables = self._venue.tables.values()
        settled_s = [table.settled_s for table in tables if table.settled_s is not None]
        if len(settled_s) == len(tables):
            last_s = max(settled_s) - max(table.confirmed_s or 0 for table in tables)
            self._facts.last_results_s.append(round(last_s, 3))

    def _check_fold(self, table):
        """Compare the match folded from the archive with the board's own."""
        fold = self._venue.station.hall.fold_at(table.number)
        if fold is None:
            self._facts.check(False, f"table {table.number}: nothing archived")
            return
        folded, own = fold.match, table.app.match
        unequal = [
            name
            for name in FIELDS
            if name != "clock_ms" and getattr(folded, name) != getattr(own, name)
        ]
        self._facts.check(
            not unequal, f"table {table.number}: folded otherwise: {', '.join(unequal)}"
        )
        self._facts.check(not fold.incomplete, f"table {table.number}: incomplete")

    # at the end of the run

    def close(self) -> None:
        """Count the facts of the whole run."""
        facts, archive = self._facts, self._venue.station.archive
        entries = archive.records()
        stored_twice = len(entries) - len({entry.id for entry in entries})
        facts.duplicated = stored_twice + _ended_twice(entries)
        facts.conflicts = len(archive.quarantined)
        collector, carrier = self._venue.station.collector, self._venue.carrier
        rejected = sum(collector.refused.values())
        for table in self._venue.tables.values():
            rejected += sum(table.app.sync.refused)
            for place in table.link.reused:
                facts.check(False, f"table {table.number}: number used twice: {place}")
        facts.frames = {"up": carrier.frames_up, "down": carrier.frames_down, "rejected": rejected}


def _ended_twice(entries):
    """Count matches that ended again without having been opened in between."""
    twice, ended = 0, set()  # the boards whose match has ended
    for entry in entries:
        if entry.kind == events.MATCH_ENDED:
            if entry.device in ended:
                twice += 1
            ended.add(entry.device)
        elif entry.kind in (events.ROUND_SET, events.RESULT_REOPENED, events.RESULT_RULED):
            ended.discard(entry.device)
    return twice


class Evening:
    """A ``programme`` (see ``host.sim.programme``) over ``air``, with its archive at ``path``.

    Both with a round's number, ``before_round`` is called before it is published and ``minute``
    every minute.
    ``options`` are those of ``Venue``: faces, prices, connect, links.
    """

    def __init__(
        self,
        loop: AbstractEventLoop,
        air: Air,
        path: Path,
        programme: Programme,
        seed: int,
        **options: Unpack[VenueOptions],
    ):
        self.facts = Facts()
        self.people: dict[int, People] = {}
        self.venue = Venue(loop, air, path, programme, seed, **options)
        self.before_round: Callable[[int], None] = lambda number: None
        self.minute: Callable[[int], None] = lambda number: None
        self._programme, self._seed = programme, seed
        self._loop, self._failure, self._number = loop, None, 0
        self._truth_check = TruthCheck(self.venue, self.facts)

    async def play(self, rounds: Iterable[int]) -> Facts:
        """Play the rounds with these numbers; return the Facts. Raises what a board's program
        raised.
        """
        playing = self._loop.create_task(self._rounds(rounds))
        carrying = self._loop.create_task(self.venue.carrier.run())
        ticking = self._loop.create_task(self._tick())
        self._loop.set_exception_handler(lambda loop, context: self._failed(playing, context))
        await asyncio.wait((playing, carrying), return_when=asyncio.FIRST_COMPLETED)
        if carrying.done():
            carrying.result()
        for task in (playing, ticking, carrying):
            task.cancel()
        await asyncio.gather(playing, ticking, carrying, return_exceptions=True)
        if self._failure is not None:
            raise self._failure
        playing.result()
        self._truth_check.close()
        return self.facts

    def _failed(self, playing, context):
        """End the evening with the exception of a program, which runs in callbacks of the loop."""
        if self._failure is None and "handle" in context:  # a callback's, not a task's
            self._failure = context.get("exception")
            playing.cancel()

    async def _tick(self):
        while True:
            await asyncio.sleep(CLOCKS_S)
            self._truth_check.clocks()
            self.minute(self._number)

    async def _rounds(self, rounds):
        for number in rounds:
            await self._round(number)

    async def _round(self, number):
        self._number, form = number, self._programme.format
        pairings = self._programme.pairings(number)
        self.venue.station.archive.roster.store_round(number, form, pairings)
        self.venue.station.refresh()
        tables = {
            pairing.table: pairing.pairing for pairing in pairings if pairing.table is not None
        }
        self.people = {
            table: who_play(
                virtual_table, self._programme.story(number, table), form, self.venue.rules
            )
            for table, virtual_table in self.venue.tables.items()
            if table in tables
        }
        self._truth_check.begin(number)
        self.before_round(number)
        playing = [
            self._loop.create_task(players.play_round(number)) for players in self.people.values()
        ]
        staff = Staff(
            self.venue, self.people, f"{self._seed} {number}", self._programme.acts(number)
        )
        done = await staff.conduct(number, len(pairings))
        self.facts.check(done, f"round {number} did not end")
        for task in playing:
            task.cancel()
        for outcome in await asyncio.gather(*playing, return_exceptions=True):
            if isinstance(outcome, Exception):
                raise outcome
        self._truth_check.end(number, tables, self.people)
