"""What really happens at a table: a round of play drawn from a seed, and its true result.

The play knows nothing of the board. ``Story`` holds the two people's habits; ``Truth`` is the score
as they know it and the result by the floor rules (P18 9.2.1, 9.2.3), worked out here independently
of the firmware.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from host.sim.types import Bounds, Score


WIN = (1, 2)
TIE = 3
OUTCOME_NAMES = {1: "A", 2: "B", TIE: "tie"}  # as the desk and the archive call them


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
        self.late_game: int | None = None  # the seat that won a game in the extra turns

    def won(self, seat: int, after_time: bool) -> None:
        """Seat ``seat`` has won a game."""
        self.games[seat] += 1
        if after_time:
            self.late_game = seat

    @property
    def decided(self) -> bool:
        """Whether the match is over regardless of the time left."""
        return max(self.games) == 2

    @property
    def open_question(self) -> bool:
        """Whether the rules give no answer: a game won after time made it one all."""
        return self.late_game is not None and self.games == [1, 1]

    @property
    def outcome(self) -> int:
        """The outcome as a number: the winning seat as 1 or 2, or 3 for a tie."""
        a, b = self.games
        return TIE if a == b else WIN[b > a]

    @property
    def result(self) -> Score:
        """The result as (outcome, games of seat 0, games of seat 1)."""
        a, b = self.games
        return self.outcome, a, b

    def paired(self, swapped: int) -> Score:
        """Return the result by the pairing's order; ``swapped`` if they sat the other way round."""
        return mirrored(self.result) if swapped else self.result


def mirrored(result: Score) -> Score:
    """Return (outcome, games, games) with its two sides exchanged."""
    outcome, a, b = result
    return (outcome if outcome == TIE else 3 - outcome, b, a)
