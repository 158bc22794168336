"""People who play single games of D03 and X-Wing rounds at a board (``host.sim.people``)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

from firmware.core.systems import d03, p18, xw15
from host.sim.card_play import MatchPlay
from host.sim.people import People
from host.sim.story import TIE, WIN, Truth

if TYPE_CHECKING:
    from host.sim.types import PlayAct, PlayTable, Story


CARDS = 6
SQUADS = 60  # points a side, in the first round
SHIPS = 4
ROUND_S = (240, 720)
BETWEEN_S = (3, 20)


class Count(Truth):
    """A single game under D03: at time the prizes decide it, and equal prizes leave it drawn
    (216).
    """

    def __init__(self, luck: Random):
        super().__init__()
        self.prizes = [luck.randrange(1, CARDS + 1) for _ in range(2)]

    @property
    def decided(self) -> bool:
        """Whether somebody has won."""
        return max(self.games) == 1

    def count(self) -> None:
        """After time, whoever has fewer prizes left wins the game."""
        a, b = self.prizes
        if not self.decided and a != b:
            self.games[a > b] = 1


class LastTurn(MatchPlay):
    """A single game: the turn in progress at time may still win it, no later one."""

    def _wins(self, left_s):
        return not self.late_turns and super()._wins(left_s)


class Duelists(People):
    """Two players of a single game under D03: no turns after time, then prizes are compared."""

    def __init__(self, table: PlayTable, story: Story):
        super().__init__(table, story)
        self.truth = Count(story.luck)
        self.course = LastTurn(story, self.truth)
        self._reactions.update(prizes=self._count, prizes_check=self._agree)

    @property
    def _line(self):
        return ("won_a", "won_b", "tie")[self.truth.outcome - 1]

    async def _do(self, act, seat):
        if act == "won":
            await self._enter(self._line)
        else:
            await super()._do(act, seat)

    async def _count(self):
        self.truth.count()
        await self._react()
        for seat, label in enumerate(("less_key", "less_key_b")):
            await self._step(label, seat, self.truth.prizes)
        await self._press("less_key", "hold")

    async def _step(self, label, seat, wanted, unit=1):
        """Press a key until the screen shows the seat's number, in whole ``unit``s."""
        screen = self.table.face.screen
        while (
            self.table.face.screen == screen
            and self.table.face.entry[seat] // unit != wanted[seat] // unit
        ):
            await self._press(label, "press")


class Fight(Truth):
    """An X-Wing match: points destroyed, and who has no ships left (rules X7-X13)."""

    def __init__(self, luck: Random):
        super().__init__()
        self.destroyed, self.wiped = [0, 0], 0
        self._ships = [[SQUADS // SHIPS] * SHIPS for _ in range(2)]
        self._luck = luck

    def exchange(self) -> None:
        """Play one game round; each side may destroy a ship of the other."""
        for side in (0, 1):
            if self._luck.random() < 0.3 and self._ships[1 - side]:
                self.destroyed[side] += self._ships[1 - side].pop()
        self.wiped = sum(1 << side for side in (0, 1) if not self._ships[side])

    @property
    def decided(self) -> bool:
        """Whether one side has no ship left."""
        return self.wiped != 0

    @property
    def outcome(self) -> int:
        """The outcome as a number: the higher score wins, and a side without ships has lost."""
        a, b = self.destroyed
        return TIE if a == b else WIN[b > a]


class Pilots(People):
    """Two X-Wing players; game rounds belong to both."""

    def __init__(self, table: PlayTable, story: Story):
        super().__init__(table, story)
        self.truth = Fight(story.luck)
        self.course = Rounds(story, self.truth)
        self._reactions.update(
            round_asked=self._tell_turn, finish_round=self._hear_time,
            destroyed=self._count, destroyed_ones=self._count_ones, destroyed_check=self._agree,
        )  # fmt: skip

    async def _do(self, act, seat):
        if act == "round" and self.story.diligent:
            await self._press("round_key")
        elif act == "over" and (self.story.diligent or self.course.time_called):
            await self._press("round_end")
        elif act == "wiped":
            await self._enter(self._line)

    @property
    def _line(self):
        return ("back", "wiped_a", "wiped_b", "wiped_both")[self.truth.wiped]

    async def _tell_turn(self):
        self.course.time_called = True
        await self._react()
        await self._press("xw_round_key", "press" if self.course.in_turn else "hold")

    async def _count(self):
        await self._react()
        for seat, label in enumerate(("tens_key", "tens_key_b")):
            await self._step(label, seat, self.truth.destroyed, 10)
        await self._press("tens_key", "hold")

    async def _count_ones(self):
        for seat, label in enumerate(("ones_key", "ones_key_b")):
            await self._step(label, seat, self.truth.destroyed)
        await self._press("ones_key", "hold")

    _step = Duelists._step


class Rounds:
    """Game rounds one after the other, until one side has no ships or time is called."""

    started, seat = True, 0  # a game round belongs to both players

    def __init__(self, story: Story, truth: Fight):
        self.story, self.truth = story, truth
        self.time_called = self.in_turn = False

    def acts(self) -> Iterator[PlayAct]:
        """Yield ``(delay_s, act, seat)`` as ``card_play.MatchPlay`` does: ``round``, ``over``,
        ``wiped``.
        """
        while not self.truth.decided:
            yield self.story.span(BETWEEN_S), "round", 0
            self.in_turn = True
            yield self.story.span(ROUND_S), "", 0
            self.in_turn = False
            self.truth.exchange()
            yield 0, "over", 0
            if self.time_called:
                return
        yield 0, "wiped", 0


PLAYERS = {p18.NUMBER: People, d03.NUMBER: Duelists, xw15.NUMBER: Pilots}
