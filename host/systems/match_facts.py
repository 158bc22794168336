"""Facts of a match in a format: phase names, number of games, usual length of a round, margins.

Runs under MicroPython too, like the match cases.
"""

from firmware.core import intents, outcome

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from firmware.core.match import Match
    from host.systems.rules import Rules

PHASES = (
    "idle", "seated", "pregame", "playing", "frozen", "time", "overtime", "finishing",
    "resolving", "play_on", "tiebreaker", "proposed", "agreed",
)  # fmt: skip


def best_of(bits: int, rules: "Rules") -> int:
    """Return the most games of a match from FORMAT_SET's ``bits``, as ``Match.best_of`` does."""
    low = bits >> 1 & 3
    high = 0 if rules.CAPS else bits >> 8 & 3  # with caps these bits are the round
    return high << 2 | low


def games_bits(count: int, rules: "Rules") -> int:
    """Return the bits for at most ``count`` games. Raises ValueError if there are none.

    The built-in systems have single games and best of three; an organiser's own has up to fifteen.
    Of an even number all games are played.
    """
    own = hasattr(rules, "source") and not rules.CAPS
    if count not in (range(1, 16) if own else (1, 3)):
        known = "bo1 to bo15" if own else "bo1 or bo3"
        raise ValueError(f"best_of {count} cannot be: {known}")
    low, high = count & 3, count >> 2  # as ``best_of`` reads them
    return high << 8 | low << 1


def is_format(bits: int, rules: "Rules") -> bool:
    """Return whether FORMAT_SET's ``bits`` are a format that a system can play."""
    try:
        games_bits(best_of(bits, rules), rules)
    except ValueError:
        return False
    overtime_index, cap_index, turns = bits >> 4 & 7, bits >> 8 & 3, bits >> 10 & 15
    if overtime_index >= max(1, len(rules.OVERTIME)):
        return False
    if turns > 1 and intents.START_TURN not in rules.PLAYS:  # 1: no turns at all
        return False
    if rules.CAPS and cap_index >= len(rules.CAPS):
        return False
    return not is_team(bits) or len(rules.SEATS) > 3


def points_cap(bits: int, rules: "Rules") -> int:
    """Return a squad's points in a format (FORMAT_SET's ``bits``), 0 if the system has none."""
    return rules.CAPS[bits >> 8 & 3] if rules.CAPS else 0


def is_elimination(bits: int) -> bool:
    """Return whether a format (FORMAT_SET's ``bits``) is of an elimination round."""
    return bool(bits & 1)


def has_narrow_win(bits: int, rules: "Rules") -> bool:
    """Return whether a game that is awarded by a count at time is worth other points than one that
    was won, in a format (FORMAT_SET's ``bits``) without points destroyed (D03 216).
    """
    place = 2 * is_elimination(bits) + (best_of(bits, rules) > 1)
    if rules.CAPS or is_team(bits) or place >= len(rules.POINTS):
        return False
    win, narrow, *_ = rules.POINTS[place]
    return narrow != win


def is_limited(bits: int) -> bool:
    """Return whether decks are built from what is opened at the event (FORMAT_SET's ``bits``)."""
    return bool(bits >> 3 & 1)


def is_team(bits: int) -> bool:
    """Return whether a format (FORMAT_SET's ``bits``) is of team matches."""
    return bool(bits >> 7 & 1)


def counts_turns(bits: int, rules: "Rules") -> bool:
    """Return whether a board can count turns before time: the two players take them by turns."""
    return bool(rules.SEATS) and not is_team(bits)


def usual_minutes(bits: int, rules: "Rules") -> int:
    """Return a round's usual minutes in a format (FORMAT_SET's ``bits``).

    ``MINUTES`` has one number for each cap; or pairs, for constructed and limited decks: of one
    game, of several, and where the system has teams, of theirs.
    """
    if rules.CAPS:
        return rules.MINUTES[bits >> 8 & 3]
    if is_team(bits) and len(rules.MINUTES) > 4:
        constructed, limited = rules.MINUTES[4:6]
    elif best_of(bits, rules) > 1:
        constructed, limited = rules.MINUTES[2:4]
    else:
        constructed, limited = rules.MINUTES[0:2]
    return limited if is_limited(bits) else constructed


def margins_of(match: "Match") -> "tuple[int, int] | None":
    """Return both margins of victory, or None before they are known (rules X12-X14)."""
    is_won, is_tied = match.outcome in (1, 2), match.outcome == outcome.TIE
    if not match.cap or not (is_won or is_tied):
        return None
    first, second = outcome.tally(match)
    if first is None or second is None:
        return None
    return match.cap + first - second, match.cap + second - first
