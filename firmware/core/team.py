"""Teams of two players: seats, prizes of two piles, who is out (D03 242-244 and appendix B).

A seat is a place in ``ORDER``, which is the order around the table and of play; the teams are named
after the starting one. Piles are four numbers in that order. Arguments are never changed. The text
does not cover a team match at time, so the match machine asks. A board loads this only for a team
match.
"""

from firmware.core import events, outcome, phases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core import intents
    from firmware.core.types import Events, Match, Piles

ORDER = ("1A", "2B", "2A", "1B")
TEAM = b"\x00\x01\x01\x00"  # of each seat
MATE = b"\x03\x02\x01\x00"  # the adjacent player of the same team
CONSTRUCTED = (3, 2, 3, 2)  # A sets out three, B two
LIMITED = (2, 2, 2, 2)
LISTED = 4  # "all four" ends the game, says Earning Prizes 3; Constructed has five


def following(seat: int, out: int) -> int | None:
    """Return the next seat that plays, with ``out`` as bits of seats; None when all are out."""
    for step in (1, 2, 3, 4):
        after = (seat + step) % 4
        if not out >> after & 1:
            return after
    return None


def leaves(match: "Match", intent: "intents.WipeOut") -> "Events":
    """One player is out: its seat is skipped from now on; if both are, the other team wins.

    ``seats`` is the seat's bit, ``match.wiped`` all that are out in this game (rules D16).
    """
    at_ms, bit = intent.at_ms, intent.seats
    if bit not in (1, 2, 4, 8) or match.wiped & bit or match.phase == phases.RESOLVING:
        return ()
    if not outcome.in_play(match):
        return ()
    seat, out, plays = (1, 2, 4, 8).index(bit), match.wiped | bit, outcome.playing(match)
    if plays == seat + 1 and not match.turning:
        plays = (following(seat, out) or 0) + 1
    wiped = events.WipedOut(at_ms, out, plays, 0)
    if not out >> MATE[seat] & 1:
        return (wiped,)
    return wiped, outcome.game_won(match, at_ms, 1 - (TEAM[seat] ^ match.first))


def left(piles: "Piles", team: int) -> int:
    """Return how many prizes a team has left, both piles together."""
    return sum([piles[seat] for seat in range(4) if TEAM[seat] == team])


def sources(piles: "Piles", seat: int) -> int:
    """Return the seats (bits) whose pile may give the prize that ``seat`` earns: own or mate's."""
    bits = 0
    for pile in (seat, MATE[seat]):
        if piles[pile]:
            bits |= 1 << pile
    return bits


def drawn(piles: "Piles", seat: int) -> "Piles | None":
    """Return the piles after one prize was drawn from the pile of ``seat``; None if it is empty."""
    if not piles[seat]:
        return None
    return tuple([piles[i] - (i == seat) for i in range(4)])


def leave(piles: "Piles", out: int, seat: int, deck: int) -> "tuple[Piles, int]":
    """Return ``(piles, out)`` after a player's last Pokemon is gone or its deck is empty.

    The team-mate sets out as many prizes as the leaver had, from the bottom of its ``deck`` (cards
    it holds), or is out too when it has not enough.
    """
    mate = MATE[seat]
    out |= 1 << seat
    if out >> mate & 1:
        return piles, out
    if deck < piles[seat]:
        return piles, out | 1 << mate
    moved = [piles[i] + (piles[seat] if i == mate else 0) for i in range(4)]
    moved[seat] = 0
    return tuple(moved), out


def result(
    piles: "Piles", out: int, gone: int = 0, total: int = 4, wanted: int | None = None
) -> str | None:
    """Return ``"1"``, ``"2"``, ``"ask"`` or None while the game goes on.

    ``gone``: teams (bits) with a member who withdrew, dropped or was disqualified. ``total``: the
    prizes a team set out; ``wanted``: how many win, a setting without a silent default. Where the
    text contradicts itself (four drawn of five), or both teams end at once: ask.
    """
    won, asked = 0, False
    for team in (0, 1):
        both = 9 if team == 0 else 6
        if gone >> team & 1 or out & both == both:
            won |= 2 >> team
        had = total - left(piles, team)
        if had >= (total if wanted is None else wanted):
            won |= 1 << team
        elif wanted is None and had == LISTED:
            asked = True
    if won == 3 or asked and not won:
        return "ask"
    return (None, "1", "2")[won]
