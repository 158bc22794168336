"""The play on the table: a generator of what two people do with their cards, one act at a time.

It yields ``(delay_s, act, seat)``: after that long, ``act`` happens. Acts: ``starter`` (who goes
first is determined), ``turn`` (seat starts a turn), ``end`` (it ends its turn), ``won``. The
people who play it tell it of time with ``course.time_called`` and stop it when it is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from host.sim.types import PlayAct, Story, Truth


BETWEEN_S = (1, 5)
FLIP_S = (5, 20)


class Course:
    """One match as it runs, for a ``Story``; keeps the ``Truth`` and where play stands."""

    def __init__(self, story: Story, truth: Truth):
        self.story, self.truth = story, truth
        self.time_called = False
        self.started = False  # the current game's starter is determined
        self.in_turn = False
        self.seat = 0  # whose turn it is, or is next
        self.late_turns = 0  # turns begun after time was called

    def acts(self) -> Iterator[PlayAct]:
        """Yield the acts of the whole match; ends when it is decided or may go no further."""
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
        """Play one game; ``self.seat`` has won it when this ends."""
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
