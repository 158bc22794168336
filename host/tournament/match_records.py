"""Each player's matches, round by round, and how many of them were won, lost and tied.

Only the Swiss rounds count, as for points, or all rounds if there is no Swiss one. A bye counts as
won *(ours)*, and so does a round that the organiser counts as one; a missed round that a file or
the organiser counts as a loss is lost.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from host.archive.roster import Player
from host.event.match_results import FILE, Result
from host.event.scores import Round
from host.tournament.elimination import swiss_of

WON, LOST, TIED, BYE, MISSED, OPEN = "won", "lost", "tied", "bye", "missed", "open"
# how a match ended for each player, by its outcome
_FOR_A = {"A": WON, "B": LOST, "tie": TIED, "neither": LOST}
_FOR_B = {"A": LOST, "B": WON, "tie": TIED, "neither": LOST}


class Meeting(NamedTuple):
    """A player's round: the table, the opponent (None for a bye or a missed round), how it ended.

    ``figures`` are the player's own first: points destroyed, or games won; None without either.
    """

    round: int
    table: int | None
    opponent: Player | None
    how: str
    figures: tuple[int, int] | None = None


class Tally(NamedTuple):
    """How many matches were won, lost and tied."""

    won: int = 0
    lost: int = 0
    tied: int = 0


def meetings(rounds: Iterable[Round]) -> dict[str, list[Meeting]]:
    """Return every player's Meetings by number, the first round's first."""
    by_number: dict[str, list[Meeting]] = {}
    for played in rounds:
        for score in played.scores:
            pairing, result = score.pairing, score.result
            a, b = pairing.a, pairing.b
            if b is None:
                met = Meeting(played.number, table=None, opponent=None, how=BYE)
                by_number.setdefault(a.number, []).append(met)
                continue
            how_for_a, how_for_b, of_a, of_b = OPEN, OPEN, None, None
            if result is not None:
                how_for_a, how_for_b = _FOR_A[result.outcome], _FOR_B[result.outcome]
                of_a = figures_of(result)
                of_b = of_a and (of_a[1], of_a[0])
            for player, opponent, how, figures in (
                (a, b, how_for_a, of_a),
                (b, a, how_for_b, of_b),
            ):
                met = Meeting(played.number, pairing.table, opponent, how, figures)
                by_number.setdefault(player.number, []).append(met)
        absent = dict.fromkeys(played.missed, MISSED)
        absent |= {each.player.number: BYE if each.bye else MISSED for each in played.counted}
        for number, how in absent.items():
            met = Meeting(played.number, table=None, opponent=None, how=how)
            by_number.setdefault(number, []).append(met)
    return by_number


def tallies(rounds: Sequence[Round]) -> dict[str, Tally]:
    """Return every player's Tally by number."""
    counted = swiss_of(rounds) or rounds
    return {number: _tally(met) for number, met in meetings(counted).items()}


def _tally(met: Iterable[Meeting]) -> Tally:
    how = Counter(meeting.how for meeting in met)
    return Tally(how[WON] + how[BYE], how[LOST] + how[MISSED], how[TIED])


def figures_of(result: Result) -> tuple[int, int] | None:
    """Return a result's figures, a's first: points destroyed, or games won; None without either."""
    if result.destroyed:
        return result.destroyed
    return result.games if result.by != FILE and any(result.games) else None
