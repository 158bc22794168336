"""A board breaks in mid-round, and a spare takes its table over: one act at the desk.

The old board may lie dead, or lie in a box with its program running and somebody at its keys, or
come back on the air when it has dried. Whatever it then says or is told must change nothing. Times
in seconds of the loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from firmware.core import intents, phases
from host.base.errors import UserError
from host.desk import board_swap

if TYPE_CHECKING:
    from firmware.core.match import Match
    from host.desk.station import Station
    from host.sim.torture.types import Acts, FrailTable, Hall


FETCH_S = (20, 90)
LOOK_S = 2
_TRIES = 60
_SEATS_S = 240  # after that the judge asks the players aloud
_DRY_S = (60, 900)
_IDLE_HANDS_S = 7
_PLAYED = (phases.SEATED, phases.PREGAME, phases.PLAYING, phases.FROZEN, phases.TIME,
           phases.OVERTIME,
           phases.RESOLVING, phases.PROPOSED)  # fmt: skip
_WIN = (
    (intents.CONFIRM_SEAT, 0), (intents.CONFIRM_SEAT, 1), (intents.SET_STARTER, 0),
    (intents.WIN_GAME, 0),
    (intents.SET_STARTER, 1), (intents.WIN_GAME, 0), (intents.CONFIRM_RESULT, 1),
    (intents.CONFIRM_RESULT, 0),
)  # fmt: skip


class Swap:
    """One swap in ``hall`` by ``acts``' leave: it is counted when it is done."""

    def __init__(self, hall: Hall, acts: Acts, luck: Random):
        self._hall, self._acts, self._luck = hall, acts, luck

    async def run(self) -> None:
        """Find a table in mid-round, break its board, and have a spare take over."""
        old = await self._first(self._victim)
        if old is None:
            return
        dead = self._luck.random() < 0.6
        if dead:
            old.break_down()
        await asyncio.sleep(self._luck.uniform(*FETCH_S))
        known = None if self._acts.over else await self._first(lambda: self._typed(old))
        if known is None:
            old.mend()
            return
        spare = self._hall.lay(old.number)
        self._acts.count("swap")
        if not dead or self._luck.random() < 0.7:
            self._hall.loop.create_task(self._come_back(old))
        await self._take_over(spare, known)

    async def _first(self, find):
        """Return the first that ``find`` finds, looking now and then; None when it finds
        nothing.
        """
        for _ in range(_TRIES):
            if self._acts.over or self._hall.watch.stopped:
                return None
            found = find()
            if found is not None:
                return found
            await asyncio.sleep(LOOK_S * 5)
        return None

    def _victim(self):
        hall = self._hall
        if not hall.spares or hall.doubled:
            return None
        found = [
            one for one in hall.tables.values() if not one.dark and one.app.match.phase in _PLAYED
        ]
        return self._luck.choice(found) if found else None

    def _typed(self, old):
        """The desk's one act; return the Known of the table, or None while it cannot be done.

        The program may end right after it did it: what is on the disk counts.
        """
        hall, laptop = self._hall, self._hall.laptop
        if hall.doubled or not laptop.up or not old.dark and old.app.match.phase not in _PLAYED:
            return None
        station, spare = laptop.station, hall.spares[0]
        station.collector.now_ms = laptop.now_ms()
        known = Known(station, old)
        try:
            laptop.guard(board_swap.swap, station, old.number, spare, "judge", "coffee")
        except UserError:
            return None
        return known if self._done(old.number, spare) else None

    def _done(self, table, spare):
        laptop = self._hall.laptop
        laptop.start()
        there = laptop.up and laptop.station.archive.roster.board_at(table)
        return bool(there) and there.device == spare

    # the spare

    async def _take_over(self, spare, known):
        """Both seats confirm what stands there, and the judge lets the clock run on."""
        waited_s = 0
        while spare.number in self._hall.tables and not self._hall.watch.stopped:
            await asyncio.sleep(LOOK_S)
            if spare.dark or not self._told(spare, known):
                continue
            for said in known.differs(spare):
                self._hall.watch.check(False, spare, said)
            match = spare.app.match
            if match.phase != phases.FROZEN:
                return
            waited_s += LOOK_S
            if match.present == 3 or waited_s > _SEATS_S:
                self._hall.laptop.guard(self._resume, spare.number)
                await asyncio.sleep(LOOK_S * 10)

    def _told(self, spare, known):
        laptop = self._hall.laptop
        pending = laptop.up and laptop.station.archive.orders.pending_at(spare.number)
        return laptop.up and not pending and spare.app.match.round == known.round

    def _resume(self, table):
        self._hall.laptop.station.collector.now_ms = self._hall.laptop.now_ms()
        self._hall.laptop.station.desk.resume(table, author="judge")

    # the old one

    async def _come_back(self, old):
        """It is on the air again, and somebody ends its match for it."""
        await asyncio.sleep(self._luck.uniform(*_DRY_S))
        old.mend()
        for kind, seat in _WIN * 3:
            await asyncio.sleep(_IDLE_HANDS_S)
            self._acts.ask(old, (kind, seat))


class Clock(NamedTuple):
    """What the desk knew of a table's clock and score.

    ``zero_ms`` is the event time of its zero without the extension, ``most_ms`` what it can have
    left at the most.
    """

    zero_ms: int
    most_ms: int
    extension_s: int
    score: tuple[int, int]


class Known:
    """What the desk knew of a table when its board was swapped, for comparison with the spare."""

    def __init__(self, station: Station, old: FrailTable):
        self.round = station.desk.round
        self.now_ms = station.collector.now_ms
        fold = station.hall.fold_at(old.number)
        self._clock: Clock | None = None
        if fold is not None and fold.match.round == self.round and _runs(fold.match, self.now_ms):
            self._clock = clock_of(station, old.device, fold.match)

    def differs(self, spare: FrailTable) -> Iterator[str]:
        """Yield in what a spare that has been told everything differs from it, extensions aside."""
        match, known = spare.app.match, self._clock
        if known is None or match.frozen_ms is None or match.phase != phases.FROZEN:
            return
        assert match.zero_ms is not None  # it stands in mid-round
        if match.frozen_ms > self.now_ms:
            return
        left_ms = match.zero_ms - match.extension_s * 1000 - match.frozen_ms
        least_ms = known.zero_ms - self.now_ms
        if left_ms > known.most_ms:
            yield f"the spare has {left_ms} ms left, the table had {known.most_ms} at the most"
        if left_ms < least_ms:
            yield f"the spare has {left_ms} ms left, the table had {least_ms} at the least"
        if match.extension_s < known.extension_s:
            yield (
                f"the spare has an extension of {match.extension_s} s, the table had"
                f" {known.extension_s}"
            )
        if match.score != known.score and max(known.score) < 2:
            yield f"the spare shows {match.score}, the table had {known.score}"


def _runs(match: Match, now_ms: int):
    """Return whether a match's round has begun."""
    return match.start_ms is not None and match.start_ms + match.lost_ms <= now_ms


def clock_of(station: Station, device: int, match: Match) -> Clock:
    """Return the Clock of a board's match, as the records and statuses of the board tell it."""
    assert match.zero_ms is not None  # its round has begun
    event = station.archive.roster.event
    assert event is not None  # the hall has opened one
    entries = station.archive.records(event.number)
    heard = [max(one.received_ms for one in entries if one.device == device)]
    heard += [one for one in (station.collector.statuses[device].heard_ms,) if one is not None]
    since_ms = min(heard) if match.frozen_ms is None else match.frozen_ms
    told = station.archive.orders.latest_in_round(match.round, match.table, intents.EXTEND)
    zero_ms = match.zero_ms - match.extension_s * 1000
    extension_s = max(match.extension_s, told.b if told else 0)
    return Clock(zero_ms, zero_ms - since_ms, extension_s, match.score)
