"""Compares a round's archive with what the players really did, and checks invariants while it runs.

Invariants are checked where they can break: "sent" at the moment a screen shows it, clocks once a
minute, numbers on every frame.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from firmware.core import events, phases
from firmware.core.match import FIELDS
from host.sim.story import OUTCOME_NAMES

if TYPE_CHECKING:
    from host.sim.types import Facts, People, Venue


CLOCKS_S = 60
TICK_MS = 1  # two clocks are rounded to ms


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
        before, self._phases[table.number] = self._phases.get(table.number), match.phase
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
            off_ms = abs(table.app.timebase.now_ms(uptime_ms) - self._venue.now_ms())
            self._facts.clock_errors_ms.append(off_ms)
            declared_ms = table.app.timebase.uncertainty_ms(uptime_ms)
            self._facts.check(
                off_ms <= declared_ms + TICK_MS,
                f"table {table.number}: clock off by {off_ms} ms, {declared_ms} ms declared",
            )

    # at the end of a round

    def end(self, number: int, pairings: Mapping[int, int], people: Mapping[int, People]) -> None:
        """Compare a round's archive with what was played; ``pairings`` and ``people`` by table."""
        results = self._venue.station.hall.results(number)
        self._facts.expected += len(pairings)
        self._facts.archived += len(results)
        for table, pairing in pairings.items():
            result = results.get(pairing)
            if result is None:
                self._facts.lost += 1
                continue
            got = (result.outcome, *result.games)
            swapped = self._venue.tables[table].app.match.swapped
            outcome, a, b = people[table].truth.paired(swapped)
            true = (OUTCOME_NAMES[outcome], a, b)
            said = ", ".join(people[table].said)
            self._facts.check(got == true, f"table {table}: archived {got}, played {true}: {said}")
        self._last_result()
        for table in self._venue.tables.values():
            self._same(table)

    def _last_result(self):
        tables = self._venue.tables.values()
        settled_s = [table.settled_s for table in tables if table.settled_s is not None]
        if len(settled_s) == len(tables):
            last_s = max(settled_s) - max(table.confirmed_s or 0 for table in tables)
            self._facts.last_results_s.append(round(last_s, 3))

    def _same(self, table):
        fold = self._venue.station.hall.fold_at(table.number)
        if fold is None:
            self._facts.check(False, f"table {table.number}: nothing archived")
            return
        ours, theirs = fold.match, table.app.match
        other = [x for x in FIELDS if x != "clock_ms" and getattr(ours, x) != getattr(theirs, x)]
        self._facts.check(not other, f"table {table.number}: folded otherwise: {', '.join(other)}")
        self._facts.check(not fold.incomplete, f"table {table.number}: incomplete")

    # at the end of the run

    def close(self) -> None:
        """Count what concerns the whole run."""
        facts, archive = self._facts, self._venue.station.archive
        entries = archive.records()
        facts.duplicated = (
            len(entries) - len({entry.id for entry in entries}) + _ended_twice(entries)
        )
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
    twice, ended = 0, {}
    for entry in entries:
        kind = entry.kind
        if kind == events.MATCH_ENDED:
            twice += ended.get(entry.device, False)
            ended[entry.device] = True
        elif kind in (events.ROUND_SET, events.RESULT_REOPENED, events.RESULT_RULED):
            ended[entry.device] = False
    return twice
