"""Each player's matches, round by round, and how many of them were won, lost and tied.

Only the Swiss rounds count, as for points, or all rounds if there is no Swiss one. A bye counts as
won *(ours)*, and so does a round that the organiser counts as one; a missed round that a file or
the organiser counts as a loss is lost.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from host.archive.roster import Player
from host.event.match_results import FILE, Result
from host.event.scores import Round
from host.tournament.elimination import swiss_of

WON, LOST, TIED, BYE, MISSED, OPEN = "won", "lost", "tied", "bye", "missed", "open"
_A = {"A": WON, "B": LOST, "tie": TIED, "neither": LOST}
_B = {"A": LOST, "B": WON, "tie": TIED, "neither": LOST}
_PLACES = {WON: 0, BYE: 0, LOST: 1, MISSED: 1, TIED: 2}


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
                by_number.setdefault(a.number, []).append(Meeting(played.number, None, None, BYE))
                continue
            own, other = _figures(result)
            for player, opponent, words, shown in ((a, b, _A, own), (b, a, _B, other)):
                how = words[result.outcome] if result else OPEN
                met = Meeting(played.number, pairing.table, opponent, how, shown)
                by_number.setdefault(player.number, []).append(met)
        absent = dict.fromkeys(played.missed, MISSED)
        absent |= {each.player.number: BYE if each.bye else MISSED for each in played.counted}
        for number, how in absent.items():
            by_number.setdefault(number, []).append(Meeting(played.number, None, None, how))
    return by_number


def tallies(rounds: Sequence[Round]) -> dict[str, Tally]:
    """Return every player's Tally by number."""
    counted = swiss_of(rounds) or rounds
    return {number: _tally(met) for number, met in meetings(counted).items()}


def _tally(met: Iterable[Meeting]) -> Tally:
    counts = [0, 0, 0]
    for meeting in met:
        if meeting.how in _PLACES:
            counts[_PLACES[meeting.how]] += 1
    return Tally(*counts)


def _figures(result: Result | None) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    """Return a result's figures from the view of each player."""
    if result is None:
        return None, None
    games = result.games if result.by != FILE and any(result.games) else None
    shown = result.destroyed or games
    return (None, None) if shown is None else (shown, (shown[1], shown[0]))
