"""A match's result, as its players were paired, wherever they sat."""

from dataclasses import dataclass

from firmware.core import outcome

AGREED, RULED, TYPED = "agreed", "ruled", "code"
_BY_JUDGE = 2  # what RESULT_RULED leaves in ``claimed``
_OTHER_SEAT = {1: 2, 2: 1}


@dataclass(frozen=True)
class Result:
    """A match's result as its players were paired, wherever they sat: outcome ``A``, ``B`` or ``tie``, games won, section, and by whom."""

    round: int
    pairing: int
    outcome: str
    games: tuple[int, int]
    section: str | None
    by: str  # AGREED by both seats, RULED, or TYPED from a board's screen
    ended_ms: int
    incomplete: bool
    destroyed: tuple[int, int] | None = None  # points by A and by B, where the system counts them
    wiped: int = 0  # seats (bits) whose ships are all gone
    conceded: int | None = None  # a seat
    narrow: bool = False  # the last game was awarded by a count after time (D03 216)
    timed: bool = False  # time was called on it
    points: tuple[int | None, int | None] = (None, None)  # None where the text leaves them open


def of(match, at_ms, incomplete):
    """Return the Result of a match that ended at ``at_ms``."""
    by_seat = _paired if match.swapped else tuple
    won, games, destroyed, wiped, conceded, worth = by_seat((
        match.outcome, tuple(match.games), match.destroyed, match.wiped if match.cap else 0,
        match.conceded, outcome.points(match),
    ))  # fmt: skip
    return Result(
        match.round, match.pairing, outcome.NAMES[won], games, section_of(match),
        RULED if match.claimed == _BY_JUDGE else AGREED, at_ms, incomplete,
        destroyed, wiped, conceded, bool(match.award), bool(match.called), worth,
    )  # fmt: skip


def section_of(match):
    """Return the section that decides, None where there is none."""
    return match.rules.SECTIONS[match.section - 1] if match.section else None


def as_paired(match, told):
    """Return an outcome, seats (bits) or a pair by seat as the players were paired, wherever they sit."""
    if not match.swapped:
        return told
    return _OTHER_SEAT.get(told, told) if isinstance(told, int) else told[::-1]


def _paired(told):
    """Return what was told by seats as the players were paired: they had changed places."""
    won, games, destroyed, wiped, conceded, worth = told
    return (
        _OTHER_SEAT.get(won, won), games[::-1], destroyed and destroyed[::-1],
        _OTHER_SEAT.get(wiped, wiped), None if conceded is None else 1 - conceded, worth[::-1],
    )  # fmt: skip
