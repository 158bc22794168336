"""A board fails in mid-round and a spare replaces it, by one command at the desk.

The old board may be dead, may be in a box with its program running and somebody pressing its keys,
or may work again later. Nothing that it sends or receives from then on may change the match. Times
are seconds of the loop.
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
    from host.sim.torture.types import FaultInjector, FaultyTable, FaultyVenue


FETCH_S = (20, 90)
LOOK_S = 2
_TRIES = 60
_SEATS_S = 240  # after that the judge asks the players and resumes
_DRY_S = (60, 900)
_IDLE_HANDS_S = 7
_PLAYED = (phases.SEATED, phases.PREGAME, phases.PLAYING, phases.FROZEN, phases.TIME,
           phases.OVERTIME,
           phases.RESOLVING, phases.PROPOSED)  # fmt: skip
_WIN = (
    intents.ConfirmSeat(0, 0), intents.ConfirmSeat(0, 1), intents.SetStarter(0, 0),
    intents.WinGame(0, 0),
    intents.SetStarter(0, 1), intents.WinGame(0, 0), intents.ConfirmResult(0, 1),
    intents.ConfirmResult(0, 0),
)  # fmt: skip


class BoardSwap:
    """One replacement in ``venue``; ``injector`` counts it once the desk has stored it."""

    def __init__(self, venue: FaultyVenue, injector: FaultInjector, luck: Random):
        self._venue, self._injector, self._luck = venue, injector, luck

    async def run(self) -> None:
        """Choose a table in mid-round, mostly break its board, and let a spare take over; a whole
        board goes on beside it. Repair the board if the desk could not store the replacement.
        """
        old = await self._poll(self._choose_table)
        if old is None:
            return
        dead = self._luck.random() < 0.6
        if dead:
            old.break_board()
        await asyncio.sleep(self._luck.uniform(*FETCH_S))
        snapshot = None
        if not self._injector.over:
            snapshot = await self._poll(lambda: self._enter_swap(old))
        if snapshot is None:  # the desk could not
            old.repair()
            return
        spare = self._venue.lay_spare(old.number)
        self._injector.count("swap")
        if not dead or self._luck.random() < 0.7:
            self._venue.loop.create_task(self._come_back(old))
        await self._take_over(spare, snapshot)

    async def _poll(self, find):
        """Poll ``find`` until it returns something; return None after the last try."""
        for _ in range(_TRIES):
            if self._injector.over or self._venue.invariants.stopped:
                return None
            result = find()
            if result is not None:
                return result
            await asyncio.sleep(LOOK_S * 5)
        return None

    def _choose_table(self):
        venue = self._venue
        if not venue.spares or venue.two_laptops:
            return None
        playing = [
            table
            for table in venue.tables.values()
            if not table.down and table.app.match.phase in _PLAYED
        ]
        return self._luck.choice(playing) if playing else None

    def _enter_swap(self, old):
        """Enter the swap at the desk; return the table's TableSnapshot, or None if it cannot be
        done.

        The program may be killed right after the swap; the archive decides whether it happened.
        """
        venue, laptop = self._venue, self._venue.laptop
        if venue.two_laptops or not laptop.up:
            return None
        if not old.down and old.app.match.phase not in _PLAYED:
            return None
        station, spare = laptop.station, venue.spares[0]
        station.collector.now_ms = laptop.now_ms()
        before = TableSnapshot(station, old)
        try:
            laptop.guard(board_swap.swap, station, old.number, spare, "judge", "coffee")
        except UserError:
            return None
        return before if self._was_swapped(old.number, spare) else None

    def _was_swapped(self, table, spare):
        laptop = self._venue.laptop
        laptop.start()
        if not laptop.up:
            return False
        board = laptop.station.archive.roster.board_at(table)
        return board is not None and board.device == spare

    # the spare

    async def _take_over(self, spare, before):
        """Both seats confirm the spare, and the judge resumes the clock."""
        waited_s = 0
        while spare.number in self._venue.tables and not self._venue.invariants.stopped:
            await asyncio.sleep(LOOK_S)
            if spare.down or not self._knows_round(spare, before):
                continue
            for difference in before.differences(spare):
                self._venue.invariants.check(False, spare, difference)
            match = spare.app.match
            if match.phase != phases.FROZEN:
                return
            waited_s += LOOK_S
            if match.present == 3 or waited_s > _SEATS_S:
                self._venue.laptop.guard(self._resume, spare.number)
                await asyncio.sleep(LOOK_S * 10)

    def _knows_round(self, spare, before):
        """Return whether the spare has the match, and no order for its table is pending."""
        laptop = self._venue.laptop
        if not laptop.up or laptop.station.archive.orders.pending_at(spare.number):
            return False
        return spare.app.match.round == before.round

    def _resume(self, table):
        self._venue.laptop.station.collector.now_ms = self._venue.laptop.now_ms()
        desk = self._venue.laptop.station.desk
        if table in desk.open:
            desk.resume(table, author="judge")

    # the old one

    async def _come_back(self, old):
        """The old board comes back on the air, and somebody plays its match to an end."""
        await asyncio.sleep(self._luck.uniform(*_DRY_S))
        old.repair()
        for press in _WIN * 3:
            await asyncio.sleep(_IDLE_HANDS_S)
            self._injector.ask(old, press)


class ClockSnapshot(NamedTuple):
    """The desk's knowledge of a table's clock and score.

    ``zero_ms`` is the event time of its zero without the extension; ``most_ms`` is the most time it
    can have left.
    """

    zero_ms: int
    most_ms: int
    extension_s: int
    score: tuple[int, int]


class TableSnapshot:
    """The desk's knowledge of a table when its board was swapped, to compare with the spare."""

    def __init__(self, station: Station, old: FaultyTable):
        self.round = station.desk.round
        self.now_ms = station.collector.now_ms
        fold = station.hall.fold_at(old.number)
        self._clock: ClockSnapshot | None = None
        if fold is not None and fold.match.round == self.round and _runs(fold.match, self.now_ms):
            self._clock = clock_snapshot(station, old.device, fold.match)

    def differences(self, spare: FaultyTable) -> Iterator[str]:
        """Yield how a fully informed spare differs from the snapshot; a longer extension is
        allowed.
        """
        match, before = spare.app.match, self._clock
        if before is None or match.frozen_ms is None or match.phase != phases.FROZEN:
            return
        assert match.zero_ms is not None  # it is in mid-round
        if match.frozen_ms > self.now_ms:
            return
        left_ms = match.zero_ms - match.extension_s * 1000 - match.frozen_ms
        least_ms = before.zero_ms - self.now_ms
        if left_ms > before.most_ms:
            yield f"the spare has {left_ms} ms left, the table had {before.most_ms} at the most"
        if left_ms < least_ms:
            yield f"the spare has {left_ms} ms left, the table had {least_ms} at the least"
        if match.extension_s < before.extension_s:
            yield (
                f"the spare has an extension of {match.extension_s} s, the table had"
                f" {before.extension_s}"
            )
        if match.score != before.score and max(before.score) < 2:
            yield f"the spare shows {match.score}, the table had {before.score}"


def _runs(match: Match, now_ms: int):
    """Return whether a match's round has begun."""
    return match.start_ms is not None and match.start_ms + match.lost_ms <= now_ms


def clock_snapshot(station: Station, device: int, match: Match) -> ClockSnapshot:
    """Return a ClockSnapshot of a board's match from its records and statuses."""
    assert match.zero_ms is not None  # its round has begun
    event = station.archive.roster.event
    assert event is not None  # the venue opens one at the start
    entries = station.archive.records(event.number)
    stored_ms = max(entry.received_ms for entry in entries if entry.device == device)
    status_ms = station.collector.statuses[device].heard_ms
    # the earlier of the last record and the last status: the clock may have stopped right then
    heard_ms = stored_ms if status_ms is None else min(stored_ms, status_ms)
    since_ms = heard_ms if match.frozen_ms is None else match.frozen_ms
    order = station.archive.orders.latest_in_round(match.round, match.table, intents.EXTEND)
    own_zero_ms = match.zero_ms - match.extension_s * 1000  # without the extension
    ordered_s = order.asks(intents.Extend).total_s if order else 0
    extension_s = max(match.extension_s, ordered_s)  # the board may not have the order yet
    return ClockSnapshot(own_zero_ms, own_zero_ms - since_ms, extension_s, match.score)
