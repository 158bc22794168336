"""A match's result, as its players were paired, wherever they sat."""

from dataclasses import dataclass
from typing import NamedTuple, TypeVar, overload

from firmware.core import outcome
from firmware.core.match import Match
from host.systems.match_facts import margins_of

AGREED, RULED, TYPED, PAPER, FILE = "agreed", "ruled", "code", "paper", "file"
ANNOUNCED = "announced"  # by its board's status: records to come
_BY_JUDGE = 2  # the value of ``claimed`` after RESULT_RULED
_OTHER_SEAT = {1: 2, 2: 1}

EachT = TypeVar("EachT")


class ClaimedResult(NamedTuple):
    """A result of a match as somebody claims it: ``A``, ``B`` or ``tie``, and the games won by A
    and by B.
    """

    outcome: str
    games: tuple[int, int]


@dataclass(frozen=True)
class Result:
    """A match's result as its players were paired, wherever they sat.

    ``outcome`` is ``A``, ``B`` or ``tie``; ``games`` those won by A and by B; ``section`` what
    decided. A file of TOM may say ``neither`` (both lose), and has no games: they are 0 and 0.
    """

    round: int
    pairing: int
    outcome: str
    games: tuple[int, int]
    section: str | None
    by: str  # AGREED by both seats, RULED, ANNOUNCED, TYPED from a screen, from PAPER or a FILE
    ended_ms: int
    incomplete: bool
    destroyed: tuple[int, int] | None = None  # points by A and by B, if the system counts them
    wiped: int = 0  # seats (bits) whose ships are all destroyed
    conceded: int | None = None  # a seat
    narrow: bool = False  # the last game was awarded by a count after time (D03 216)
    timed: bool = False  # time was called on it
    points: tuple[int | None, int | None] = (None, None)  # None if the rules do not define them
    author: str = ""  # who typed it from paper, and why
    reason: str = ""
    against: ClaimedResult | None = None  # the board's differing result: a judge must decide
    margin: tuple[int, int] | None = None  # of victory, where the system counts one (XW15)
    unscored: bool = False  # by a code, which cannot say the points that the standings count


def score_of(result: Result) -> str:
    """Return the main figures of a Result: points destroyed, else games won; "" if a file had
    neither, or a code no points.
    """
    if result.destroyed is not None:
        a, b = result.destroyed
    elif result.unscored or result.by == FILE and not any(result.games):
        return ""
    else:
        a, b = result.games
    return f"{a}–{b}"


def result_of(match: Match, at_ms: int, incomplete: bool) -> Result:
    """Return the Result of a match that ended at ``at_ms`` (event time in ms)."""
    games, destroyed, points = match.games, match.destroyed, outcome.points(match)
    margin, conceded = margins_of(match), match.conceded
    if match.swapped and conceded is not None:
        conceded = 1 - conceded
    return Result(
        round=match.round,
        pairing=match.pairing,
        outcome=name_of(as_paired(match, match.outcome)),
        games=as_paired(match, (games[0], games[1])),
        section=section_of(match),
        by=RULED if match.claimed == _BY_JUDGE else AGREED,
        ended_ms=at_ms,
        incomplete=incomplete,
        destroyed=None if destroyed is None else as_paired(match, destroyed),
        wiped=as_paired(match, match.wiped) if match.cap else 0,
        conceded=conceded,
        narrow=bool(match.award),
        timed=bool(match.called),
        points=as_paired(match, (points[0], points[1])),
        margin=None if margin is None else as_paired(match, margin),
    )


def name_of(number: int) -> str:
    """Return the word for an outcome's number. Raises LookupError for 0, no outcome."""
    name = outcome.NAMES[number]
    if name is None:
        raise LookupError("no outcome")
    return name


def section_of(match: Match) -> str | None:
    """Return the deciding section, or None."""
    return match.rules.SECTIONS[match.section - 1] if match.section else None


@overload
def as_paired(match: Match, each: int) -> int:
    """Convert an outcome or seats (bits)."""


@overload
def as_paired(match: Match, each: tuple[EachT, EachT]) -> tuple[EachT, EachT]:
    """Convert a pair by seat."""


def as_paired(match: Match, each: int | tuple[EachT, EachT]) -> int | tuple[EachT, EachT]:
    """Return an outcome, seats (bits) or a pair by seat in the order in which the players were
    paired.
    """
    if not match.swapped:
        return each
    if isinstance(each, int):
        return _OTHER_SEAT.get(each, each)
    return each[1], each[0]
