"""What two people do with their cards, as a generator of acts.

It yields ``(delay_s, act, seat)``: ``act`` happens after that delay. Acts: ``starter`` (who goes
first is determined), ``turn`` (a seat starts a turn), ``end`` (it ends its turn), ``won``. The
people set ``time_called`` when time is called and stop the generator when the match is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from host.sim.types import PlayAct, Story, Truth


BETWEEN_S = (1, 5)
FLIP_S = (5, 20)


class MatchPlay:
    """One match played as its ``Story`` says; it updates ``truth`` and keeps whose turn it is."""

    def __init__(self, story: Story, truth: Truth):
        self.story, self.truth = story, truth
        self.time_called = False
        self.started = False  # whether the current game's starter is determined
        self.in_turn = False
        self.seat = 0  # whose turn it is, or is next
        self.late_turns = 0  # turns begun after time was called

    def acts(self) -> Iterator[PlayAct]:
        """Yield the acts of a match until it is decided or time ends it."""
        starter = self.story.luck.randrange(2)
        first = True
        while not self.truth.decided:
            yield self.story.span(FLIP_S if first else self.story.shuffle_s), "starter", starter
            if self.time_called:
                return
            self.started, self.seat, first = True, starter, False
            yield from self._game()
            if self.time_called:
                return
            self.started = False
            starter = 1 - self.seat if self.story.luck.random() < 0.8 else self.seat

    def _game(self):
        """Play one game; afterwards ``self.seat`` has won it."""
        left_s = self.story.span(self.story.game_s)
        while True:
            pause_s, length_s = self.story.span(BETWEEN_S), self.story.span(self.story.turn_s)
            yield pause_s, "turn", self.seat
            self.in_turn = True
            self.late_turns += self.time_called
            yield length_s, "", self.seat
            left_s -= pause_s + length_s
            self.in_turn = False
            if self._wins(left_s):
                self.truth.won(self.seat, self.time_called)
                yield 0, "won", self.seat
                return
            yield 0, "end", self.seat
            self.seat = 1 - self.seat

    def _wins(self, left_s):
        if self.time_called:
            return self.story.luck.random() < self.story.late_win
        return left_s <= 0
