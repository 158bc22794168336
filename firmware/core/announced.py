"""The result that a status announces once its match has ended (``frames.RESULT_ANNOUNCED``).

A board that listens to a beacon has one advert for its result, not one for each record that led to
it; the records follow. The status' first field is then no time, but 30 bits, from the low one on:

    2   who won, as they were paired: 1 A, 2 B, 3 a tie
    9   A's score as they were paired
    9   B's
    5   the round, modulo 32
    5   the milestone: how often the round has begun or ended at this table, modulo 32

Where the system counts points destroyed, a score is what counts as destroyed (``outcome.tally``) up
to 254; 256 more for the winner says that the loser has no ships left, and 511 is a score that is
unknown or larger. Elsewhere it is the games won, with 128 more for a winner who was entered by hand
after time, and 256 for one to whom a count awarded it (a narrow win). A beacon's acknowledgement
names the milestone (``beacon``).
"""

from firmware.core import outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Match

MOST = 32  # rounds and milestones are announced modulo this
UNKNOWN = 511
LARGEST = 254  # points destroyed that can be announced
BY_HAND = 128
NARROW = WHOLE = 256


def word(match: "Match", milestone: int) -> int:
    """Return the 30 bits that announce the result of a match that has ended."""
    won = match.outcome
    a, b = _score(match, 0), _score(match, 1)
    if match.swapped:  # announced as they were paired
        a, b = b, a
        won = 3 - won if won < outcome.TIE else won
    return milestone % MOST << 25 | match.round % MOST << 20 | b << 11 | a << 2 | won


def _score(match, seat):
    """Return a seat's score as it is announced."""
    won = match.outcome == seat + 1
    if match.cap:
        return _points(match, seat, won)
    score = min(match.games[seat], BY_HAND - 1)
    if won and match.claimed and match.called:
        score |= BY_HAND
    if won and match.award:
        score |= NARROW
    return score


def _points(match, seat, won):
    """Return the points that a seat destroyed, with WHOLE if it won as the loser has no ships."""
    both = outcome.tally(match)
    score = both[seat]
    if score is None or score > LARGEST:
        return UNKNOWN
    other = 1 - seat
    other_is_gone = outcome.gone(match) >> other & 1
    if not won or None in both or not other_is_gone:
        return score
    ruled_against_points = match.claimed and outcome.winner_of(both) != match.outcome  # pyright: ignore[reportArgumentType]  (both are known)
    return score if ruled_against_points else score | WHOLE
