"""The true course of play at a table: a round drawn from a seed, and its result.

The play knows nothing of the board. ``Story`` holds the two people's habits; ``Truth`` is the score
as they know it and the result by the floor rules (P18 9.2.1, 9.2.3), worked out here independently
of the firmware. ``MatchPlay`` is what they do with their cards, as a generator of acts: it yields
``(delay_s, act, seat)``, where ``act`` happens after that delay. Acts: ``starter`` (who goes first
is determined), ``turn`` (a seat starts a turn), ``end`` (it ends its turn), ``won``. The people set
``time_called`` when time is called and stop the generator when the match is over.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from host.sim.types import Bounds, PlayAct, Score

TIE = 3
OUTCOME_NAMES = {1: "A", 2: "B", TIE: "tie"}  # as the desk and the archive call them
BETWEEN_S = (1, 5)
FLIP_S = (5, 20)


@dataclass
class Story:
    """The habits and the random numbers of one table in one round; times in seconds."""

    luck: random.Random
    diligent: bool = True  # do they tell the board of starters, games and turns
    turn_s: Bounds = (20, 90)
    game_s: Bounds = (300, 1500)
    shuffle_s: Bounds = (90, 150)
    late_win: float = 0.15  # that a turn after time wins the game
    refuses: bool = False  # does somebody refuse the first result entered
    fumbles: float = 0.03  # that a finger hits the wrong key

    @classmethod
    def drawn(cls, seed: str) -> Self:
        """Draw an ordinary table."""
        luck = random.Random(f"table {seed}")
        fast = luck.random() < 0.5
        return cls(
            luck,
            diligent=luck.random() < 0.7,
            game_s=(240, 1100) if fast else (900, 2400),
            refuses=luck.random() < 0.1,
        )

    def span(self, bounds: Bounds) -> float:
        """Draw a duration in seconds."""
        return self.luck.uniform(*bounds)


class Truth:
    """The score as the two people know it, and how the match ends for them."""

    def __init__(self):
        self.games = [0, 0]

    def won(self, seat: int) -> None:
        """Seat ``seat`` has won a game."""
        self.games[seat] += 1

    @property
    def decided(self) -> bool:
        """Whether the match is over regardless of the time left."""
        return max(self.games) == 2

    @property
    def outcome(self) -> int:
        """The outcome as a number: the winning seat as 1 or 2, or 3 for a tie."""
        return outcome_of(*self.games)

    @property
    def result(self) -> Score:
        """The result as (outcome, games of seat 0, games of seat 1)."""
        a, b = self.games
        return self.outcome, a, b

    def paired(self, swapped: int) -> Score:
        """Return the result by the pairing's order; ``swapped`` if they sat the other way round."""
        return mirrored(self.result) if swapped else self.result


def outcome_of(a: int, b: int) -> int:
    """Return the outcome of a match in which the seats have scored ``a`` and ``b``."""
    if a == b:
        return TIE
    return 1 if a > b else 2


def mirrored(result: Score) -> Score:
    """Return (outcome, games, games) with its two sides exchanged."""
    outcome, a, b = result
    return (outcome if outcome == TIE else 3 - outcome, b, a)


class MatchPlay:
    """One match played as its ``Story`` says; it updates ``truth`` and the ``seat`` in turn."""

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
            self.started, first = True, False
            self.seat = starter
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
            if self.time_called:
                self.late_turns += 1
            yield length_s, "", self.seat
            left_s -= pause_s + length_s
            self.in_turn = False
            if self._wins(left_s):
                self.truth.won(self.seat)
                yield 0, "won", self.seat
                return
            yield 0, "end", self.seat
            self.seat = 1 - self.seat

    def _wins(self, left_s):
        if self.time_called:
            return self.story.luck.random() < self.story.late_win
        return left_s <= 0
