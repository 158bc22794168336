"""An elimination as it was played: the matches of its bracket, and who left it in which round.

The bracket begins with the first elimination round. A later match belongs to the bracket if one of
its players is in it and has not lost; two who have lost play for a place, such as the third. All
other matches from then on, such as further Swiss rounds, are beside the bracket *(ours)*.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

from host.archive.roster import Player
from host.event.scores import Round, Score

_WON, _NOT_PLAYED, _LOST = range(3)  # how a round of matches for a place ended, the best first
_BRACKET, _PLACING, _BESIDE = "bracket", "placing", "beside"  # what a match is part of


@dataclass
class Elimination:
    """The bracket's matches by round, and those between players who had lost.

    ``left``: in which of ``rounds`` (from 0) a player lost, or stopped playing;
    ``beside``: the numbers of the stored rounds with matches beside the bracket.
    """

    rounds: list[list[Score]] = field(default_factory=list)
    placing: list[list[Score]] = field(default_factory=list)  # as long as ``rounds``
    left: dict[str, int] = field(default_factory=dict)
    players: dict[str, Player] = field(default_factory=dict)
    beside: list[int] = field(default_factory=list)

    @property
    def unbeaten(self) -> list[str]:
        """The numbers of the players who have not left."""
        return [number for number in self.players if number not in self.left]

    @property
    def waiting(self) -> list[Score]:
        """The matches of the last round without a winner."""
        return [score for score in self.rounds[-1] if undecided(score)]

    @property
    def champion(self) -> Player | None:
        """The winner of the final, None before that."""
        unbeaten = self.unbeaten
        return self.players[unbeaten[0]] if len(unbeaten) == 1 and not self.waiting else None

    @property
    def over(self) -> bool:
        """Whether no further round follows."""
        return len(self.unbeaten) < 2 and not self.waiting

    def placing_results(self, number: str) -> tuple[int, ...]:
        """Return a player's results in the matches for a place, as a sort key, the best first."""
        return tuple(_place_result(number, matches) for matches in self.placing)


def elimination(rounds: Sequence[Round]) -> Elimination | None:
    """Return the Elimination among ``rounds``, None before the first one."""
    bracket = Elimination()
    last_played: dict[str, int] = {}  # by number: the last round of the bracket with this player
    for each in rounds:
        if each.elimination:
            _enter(bracket, each, last_played)
        elif bracket.rounds:
            bracket.beside.append(each.number)
    last_round = len(bracket.rounds) - 1
    for number in bracket.unbeaten:
        if last_played[number] < last_round:  # the bracket went on without this player
            bracket.left[number] = last_played[number] + 1
    return bracket if bracket.rounds else None


def swiss_of(rounds: Sequence[Round]) -> list[Round]:
    """Return the Swiss rounds before the bracket: the only ones that standings count."""
    return list(itertools.takewhile(lambda each: not each.elimination, rounds))


def players_of(score: Score) -> list[Player]:
    """Return the one or two players of a pairing."""
    return [player for player in (score.pairing.a, score.pairing.b) if player is not None]


def undecided(score: Score) -> bool:
    """Return whether a match has no winner and no loser; a tie decides nothing in an
    elimination.
    """
    return not score.bye and (score.result is None or score.result.outcome == "tie")


def losers_of(score: Score) -> list[Player]:
    """Return the losers of a match: nobody, one player, or both."""
    if score.result is None or score.pairing.b is None:
        return []
    a, b = score.pairing.a, score.pairing.b
    return {"A": [b], "B": [a], "neither": [a, b]}.get(score.result.outcome, [])


def _enter(bracket: Elimination, played: Round, last_played: dict[str, int]) -> None:
    """Add an elimination round to the bracket and to ``last_played``.

    A beaten player who plays an unbeaten one is in again, replacing somebody who did not come.
    Matches for a place that are played in a round of their own belong to the bracket's last round.
    """
    parts = [(_part(bracket, score), score) for score in played.scores]
    matches = [score for part, score in parts if part == _BRACKET]
    placing = [score for part, score in parts if part == _PLACING]
    if len(matches) + len(placing) < len(parts):
        bracket.beside.append(played.number)
    if not matches and not placing:
        return
    if matches:
        bracket.rounds.append(matches)
        bracket.placing.append([])
    bracket.placing[-1] += placing
    depth = len(bracket.rounds) - 1
    for score in matches:
        for player in players_of(score):
            bracket.players.setdefault(player.number, player)
            last_played[player.number] = depth
            bracket.left.pop(player.number, None)
        for player in losers_of(score):
            bracket.left[player.number] = depth
    for number in played.missed:
        if number in bracket.players:
            bracket.left.setdefault(number, depth)


def _part(bracket: Elimination, score: Score) -> str:
    """Return whether a match is part of the bracket, is for a place, or is beside them."""
    numbers = _numbers(score)
    if not bracket.rounds or any(number in bracket.unbeaten for number in numbers):
        return _BRACKET
    if len(numbers) == 2 and all(number in bracket.left for number in numbers):
        return _PLACING
    return _BESIDE


def _place_result(number: str, matches: Sequence[Score]) -> int:
    for score in matches:
        if number in _numbers(score) and not undecided(score):
            lost = any(player.number == number for player in losers_of(score))
            return _LOST if lost else _WON
    return _NOT_PLAYED


def _numbers(score: Score) -> list[str]:
    return [player.number for player in players_of(score)]
