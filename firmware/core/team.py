"""Teams of two players: seats, prizes of two piles, who is out (D03 242-244 and appendix B).

A seat is a place in ``ORDER``, which is the order around the table and of play; the teams are named
after the starting one. Piles are four numbers in that order. Arguments are never changed. The text
does not cover a team match at time, so the match machine asks.
"""

from firmware.core import events, outcome, phases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core import intents
    from firmware.core.types import Events, Match, Pair, Piles

ORDER = ("1A", "2B", "2A", "1B")
TEAM = b"\x00\x01\x01\x00"  # of each seat
MATE = b"\x03\x02\x01\x00"  # the adjacent player of the same team
_SEATS = (0b1001, 0b0110)  # of each team, as bits
CONSTRUCTED = (3, 2, 3, 2)  # A sets out three, B two
LIMITED = (2, 2, 2, 2)
PILES = 8  # as ``teller`` of a PRIZES_COUNTED: it tells the four piles
LISTED = 4  # "all four" ends the game, says Earning Prizes 3; Constructed has five


def following(seat: int, out: int) -> int | None:
    """Return the next seat that plays, with ``out`` as bits of seats; None when all are out."""
    for step in (1, 2, 3, 4):
        after = (seat + step) % 4
        if not out >> after & 1:
            return after
    return None


def drop(match: "Match", intent: "intents.Intent") -> "Events":
    """One player is out: its seat is skipped from now on; if both are, the other team wins.
    ``seats`` is the seat's bit, ``match.wiped`` all that are out in this game (rules D16).
    """
    at_ms, bit = intent.at_ms, intent.seats
    if bit not in (1, 2, 4, 8) or match.wiped & bit or match.phase == phases.RESOLVING:
        return ()
    if not outcome.in_play(match):
        return ()
    seat, out = (1, 2, 4, 8).index(bit), match.wiped | bit
    playing = outcome.playing(match)
    if match.seat == seat and not match.turning:  # the next turn is another's
        next_seat = following(seat, out) or 0
        playing = next_seat + 1
    wiped = events.WipedOut(at_ms, out, playing, 0)
    mate_is_out = out >> MATE[seat] & 1
    if not mate_is_out:
        return (wiped,)
    loser = TEAM[seat] ^ match.first  # as a side: team 0 has the side that starts
    return wiped, outcome.game_won(match, at_ms, 1 - loser)


def count(piles: "Piles", team: int) -> int:
    """Return how many prizes a team has left, both piles together."""
    return sum([piles[seat] for seat in range(4) if TEAM[seat] == team])


def pack(piles: "Piles") -> "Pair":
    """Return the two numbers of a PRIZES_COUNTED: of a team each, its A's pile in the low byte."""
    one_a, two_b, two_a, one_b = piles
    return one_a | one_b << 8, two_a | two_b << 8


def unpack(first: int, second: int) -> "Piles":
    """Return the piles that ``pack`` took."""
    return first & 255, second >> 8, second & 255, first >> 8


def piles(match: "Match") -> "Piles":
    """Return the piles of the game in progress. The prizes of a player who is out count as the
    partner's, who has set out as many from under the deck, unless both are out (rules D16).
    """
    found = list(match.piles or (LIMITED if match.limited else CONSTRUCTED))
    for seat in range(4):
        mate = MATE[seat]
        if match.wiped >> seat & 1 and not match.wiped >> mate & 1:
            found[mate] += found[seat]
            found[seat] = 0
    return tuple(found)


def take(match: "Match", intent: "intents.Intent") -> "Events":
    """A player or the partner draws a prize; only a pile that has some gives one (rules D14). A
    team's last prize wins. After the fourth of five a judge decides: the text names both numbers.
    """
    seat, at_ms = intent.seat, intent.at_ms
    if seat > 3 or not match.team or not match.cards:
        return ()
    if match.progress != phases.IN_PROGRESS:
        return ()
    after = drawn(piles(match), seat)
    if after is None or not outcome.in_play(match):
        return ()
    first, second = pack(after)
    happened = (events.PrizesCounted(at_ms, PILES, first, second),)
    winner = result(after, match.wiped)
    if winner in ("1", "2"):
        side = (int(winner) - 1) ^ match.first
        return happened + (outcome.game_won(match, at_ms, side),)
    taken = match.cards - count(after, TEAM[seat])
    if taken == LISTED:
        return happened + (events.JudgeCalled(at_ms, 0),)
    return happened


def drawn(piles: "Piles", seat: int) -> "Piles | None":
    """Return the piles after one prize was drawn from the pile of ``seat``; None if it is empty."""
    if not piles[seat]:
        return None
    left = list(piles)
    left[seat] -= 1
    return tuple(left)


def result(piles: "Piles", out: int) -> str | None:
    """Return ``"1"`` or ``"2"``, None while the game goes on, ``"ask"`` of both teams at once."""
    won = [False, False]
    for team in (0, 1):
        seats = _SEATS[team]
        if (out & seats) == seats:
            won[1 - team] = True
        if not count(piles, team):
            won[team] = True
    if won[0] and won[1]:
        return "ask"
    if won[0]:
        return "1"
    return "2" if won[1] else None
