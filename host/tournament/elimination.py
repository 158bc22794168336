"""An elimination as it was played: which matches are its bracket's, and who left it in which round.

The bracket begins with the first elimination round. A later match is the bracket's if one of its
players is in it and has not lost; two who have lost play for a place, such as the third. What else
is played from then on, such as more Swiss rounds, is beside the bracket *(ours)*.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from host.archive.roster import Player
from host.event.scores import Round, Score

_WON, _NOT_PLAYED, _LOST = range(3)  # a round of matches for a place, the best first


@dataclass
class Elimination:
    """The bracket's matches by round, and those between players who had lost.

    ``left``: in which of ``rounds`` (from 0) a player lost, or did not come to play any more;
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
        return [one for one in self.rounds[-1] if undecided(one)]

    @property
    def champion(self) -> Player | None:
        """Who won the final, None before that."""
        alone = self.unbeaten
        return self.players[alone[0]] if len(alone) == 1 and not self.waiting else None

    @property
    def over(self) -> bool:
        """Whether no further round follows."""
        return len(self.unbeaten) < 2 and not self.waiting

    def stand(self, number: str) -> tuple[int, ...]:
        """Return how a player did in the matches for a place, the best first when sorted."""
        return tuple(_did(number, matches) for matches in self.placing)


def played(rounds: Sequence[Round]) -> Elimination | None:
    """Return the Elimination among ``rounds``, None before the first one."""
    found, seen = Elimination(), {}
    for one in rounds:
        if one.elimination:
            _enter(found, one, seen)
        elif found.rounds:
            found.beside.append(one.number)
    for number in found.unbeaten:
        if seen[number] < len(found.rounds) - 1:  # the bracket went on without this player
            found.left[number] = seen[number] + 1
    return found if found.rounds else None


def swiss_of(rounds: Sequence[Round]) -> list[Round]:
    """Return the Swiss rounds before the bracket: the only ones that standings count."""
    first = next((at for at, one in enumerate(rounds) if one.elimination), len(rounds))
    return list(rounds[:first])


def players_of(score: Score) -> list[Player]:
    """Return the one or two players of a pairing."""
    return [one for one in (score.pairing.a, score.pairing.b) if one is not None]


def undecided(score: Score) -> bool:
    """Say whether nobody has won or lost a match; a tie decides nothing in an elimination."""
    return not score.bye and (score.result is None or score.result.outcome == "tie")


def losers_of(score: Score) -> list[Player]:
    """Return who lost a match: nobody, one player, or both."""
    if score.result is None or score.pairing.b is None:
        return []
    a, b = score.pairing.a, score.pairing.b
    return {"A": [b], "B": [a], "neither": [a, b]}.get(score.result.outcome, [])


def _enter(found: Elimination, one: Round, seen: dict[str, int]) -> None:
    """Add an elimination round; ``seen``: the last round of the bracket in which a player played.

    A player who has lost and plays somebody who has not is in again, for one who did not come.
    """
    sorts = {"main": [], "placing": [], "beside": []}
    for score in one.scores:
        sorts[_sort(found, score)].append(score)
    if sorts["beside"]:
        found.beside.append(one.number)
    if not sorts["main"] and not sorts["placing"]:
        return
    if sorts["main"] or not found.rounds:
        found.rounds.append([])
        found.placing.append([])
    found.rounds[-1] += sorts["main"]
    found.placing[-1] += sorts["placing"]
    depth = len(found.rounds) - 1
    for score in sorts["main"]:
        lost = {player.number for player in losers_of(score)}
        for player in players_of(score):
            found.players.setdefault(player.number, player)
            seen[player.number] = depth
            found.left.pop(player.number, None)
            if player.number in lost:
                found.left[player.number] = depth
    for number in one.missed:
        if number in found.players:
            found.left.setdefault(number, depth)


def _sort(found: Elimination, score: Score) -> str:
    numbers = [player.number for player in players_of(score)]
    if not found.rounds or any(one in found.players and one not in found.left for one in numbers):
        return "main"
    if len(numbers) == 2 and all(one in found.left for one in numbers):
        return "placing"
    return "beside"


def _did(number: str, matches: Sequence[Score]) -> int:
    for score in matches:
        if number in _numbers(score) and not undecided(score):
            return _LOST if number in [one.number for one in losers_of(score)] else _WON
    return _NOT_PLAYED


def _numbers(score: Score) -> Iterator[str]:
    return (player.number for player in players_of(score))
