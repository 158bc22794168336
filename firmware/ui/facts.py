"""What the screens may depend on, read off the match: bits, and the words of the templates. Pure.

The bits are in the order of ``facts.txt``; the words in that of ``text.LETTERS``.
"""

from firmware.core import luck, phases
from firmware.core.events import DESTROYED_COUNTED, PRIZES_COUNTED, STATE_TOLD, TURN_TOLD
from firmware.ui import text

HERE = 128  # a call that a judge has answered
PASSING = 8  # the bits that time alone changes
SHAPES = ("\x01", "\x02")
_WARN_MS = 300000
_LAST_MS = 60000
_TELLS = 7  # numbers of texts: what is told of the score, then of the turn
_TURNS = 15
_ROUNDS = 19
_TEAMS = 21
_SAID = 44
_CALLS = 51  # and the type of a call, from 1


def bits(truths):
    """Return the number whose bit i says whether truth i holds."""
    out = 0
    for i in range(len(truths)):
        if truths[i]:
            out |= 1 << i
    return out


def entered(match):
    """Return where the entry of two numbers begins: what one seat told, or as many as there are."""
    told = match.told
    if told and told[0] in (PRIZES_COUNTED, DESTROYED_COUNTED):
        return told[3:]
    return match.cards, match.cards


def clock(match, now_ms):
    """Return the first two facts: under five minutes, under one."""
    if match.phase != phases.PLAYING or hidden(match):
        return 0
    left_ms = match.remaining_ms(now_ms)
    return (1 if left_ms <= _WARN_MS else 0) | (2 if left_ms <= _LAST_MS else 0)


def asked(match):
    """Return the seats (bits) that may confirm the result now: the loser first (DESIGN §3)."""
    if match.phase != phases.PROPOSED:
        return 0
    left = 3 & ~match.confirmed
    loser = {1: 2, 2: 1}.get(match.outcome, 0)
    return loser if loser & left else left


def lasting(match, three, half=0, ill=False):
    """Return what changes with the match alone, from bit ``PASSING`` on.

    ``half``: the seat (1, 2) that alone asked for what both must ask; ``ill``: no luck here.
    """
    play = _of_play(match) << 12 | _of_result(match) << 23
    rest = _of_rules(match, half) << 36 | _of_rest(match, ill) << 54
    return (_of_table(match, three) | play | rest) << PASSING


def _of_table(match, three):
    idle = match.phase == phases.IDLE
    unseen = 0 if idle or not match.extension_s else 3 & ~match.seen
    return bits((
        three,
        True,
        match.table,
        idle,
        match.best_of > 1,
        not match.elimination,
        match.call is not None,
        unseen,
        unseen & 1,
        unseen & 2,
        match.present & 1,
        match.present & 2,
    ))


def _of_play(match):
    turning = match.turning or match.phase == phases.OVERTIME  # after time the next turn just begins
    known, told = match.seat is not None and turning, match.told
    by = told[2] >> 4 if told else 0
    return bits((
        match.progress == 1,
        match.phase == phases.PREGAME or match.phase == phases.PLAYING and not hidden(match),
        match.missing & (phases.SCORE | phases.STARTER),
        match.missing & phases.TURN,
        by == 1,
        by == 2,
        known and side(match) == 0,
        known and side(match) == 1,
        match.turn == 0,
        asked(match) & 1,
        asked(match) & 2,
    ))


def _of_result(match):
    roll, rolled = match.roll, match.rolled in (1, 3)
    coin = rolled and not roll[2] & 15
    return bits((
        match.section,
        match.claimed == 3,
        match.claimed == 2,
        match.missing & phases.PRIZES,
        luck.offered(match, 0),
        luck.offered(match, 1),
        match.consent & 1 or not (luck.needs(match, 0) or 0) & 2,
        match.consent & 2 or not (luck.needs(match, 0) or 0) & 2,
        rolled,
        match.rolled == 3,
        coin and roll[3] == 1,
        coin and roll[3] == 2,
        rolled and not coin,
    ))


def side(match):
    """Return whose turn it is or comes, as a side (0, 1), None where nobody knows."""
    seats = match.rules.SEATS
    if match.seat is None or not seats:
        return None
    return seats[match.seat] ^ match.first if match.team else seats[match.seat]


def team_seat(match, seat):
    """Return the name of a team's seat: 1A, 2B, 2A, 1B; 1 is the team that starts (RULES D13)."""
    return "%d%s" % (1 + match.rules.SEATS[seat], "AB"[seat & 1])


def heads(flips):
    """Return how many bits of ``flips`` are set."""
    count = 0
    while flips:
        count += flips & 1
        flips >>= 1
    return count



def hidden(match):
    """Whether the players do not see the time left."""
    return match.format >> 14 & 1


def _of_rules(match, half):
    shared = not match.rules.SEATS
    return bits((
        match.cards,
        shared,
        match.turning,
        match.missing & phases.DESTROYED,
        hidden(match),
        match.overtime[0],
        match.won == 0 and match.rules.FIRST[1:2] == "l",
        match.won == 1 and match.rules.FIRST[1:2] == "l",
        match.said,
        match.confirmed == 3,
        half == 1,
        half == 2,
        match.team,
        luck.offered(match, 0, 1),
        luck.offered(match, 0, 2),
        luck.offered(match, 0, 3),
        luck.offered(match, 0, 4),
        luck.offered(match, 2, 5),
    ))


def _of_rest(match, ill):
    rolled_many = match.roll[3] >> 8 if match.rolled in (1, 3) else 0
    return bits((
        match.call == HERE,
        False,
        luck.lucky(match) and not ill,
        rolled_many and rolled_many != 255,
        rolled_many == 255,
        False,
        False,
        False,
        False,
        False,
        False,
        match.said and match.said[3],
        match.rules.FIRST[:1] == "c",
        _tested(match.rules),
    )) | (match.team and match.wiped) << 14 | bool(ill and luck.lucky(match)) << 18 | (match.start_ms is None) << 19 | (match.claimed == 4 and bool(match.rules.SEATS)) << 20 | (1 if match.call and match.call < HERE else 0) << 21


def _tested(rules):
    """Whether a die needs both players' approval: then the text has tests for dice (P18 4.5.2)."""
    for row in rules.POLICY[0]:
        if row[0] & row[2] & 2:
            return True
    return False


def words(match, names, board, recalled):
    """Return the words of the templates.

    ``names`` are both seats', ``board`` is (device, code, battery), ``recalled`` five lines;
    the last two, a code being entered and the minutes of a call, are the face's and the view's.
    """
    both = [(SHAPES[i] + " " + names[i ^ match.swapped]).rstrip() for i in (0, 1)]
    to_play = "" if side(match) is None else both[side(match)]
    told = ""
    if match.team and match.rules.SEATS:
        if to_play:
            to_play = SHAPES[side(match)] + " " + team_seat(match, match.seat)
        told = team_seat(match, match.told[2] & 3) if match.told else ""
    answering = both[0] if asked(match) & 1 else both[1]
    games = "%d\x05%d" % (match.games[0], match.games[1])
    section = match.rules.SECTIONS[match.section - 1] if match.section else ""
    many, face = (match.roll[3] >> 8, match.roll[3] & 255) if match.roll else (0, "")
    if 0 < many < 255:
        flips = " ".join(["\x04" if face >> i & 1 else "\x05" for i in range(many)])
        recalled, face = recalled[:2] + [many, flips] + recalled[4:], heads(face)
    return [
        both[0], both[1], to_play, match.table, answering, match.round, games,
        match.turn, match.overtime[0], section, match.outcome, match.extension_s // 60,
        board[0], board[1], match.game + (match.progress == 2), face, "%s%%" % board[2],
        _told(match, match.told), 0, 0, told,
    ] + recalled + ["", 0, _CALLS + match.call if match.call and match.call < HERE else 0]  # fmt: skip


def _told(match, told):
    """Return the number of the text that says what one seat has told."""
    if not match.phase and match.said:
        return _SAID + (match.said[2] & 7)
    if told is None:
        return 0
    kind, _, a, b, c = told
    if not match.rules.SEATS:
        return _ROUNDS + (not b & 1)
    if match.team and kind == TURN_TOLD:
        return _TEAMS + (not b & 1)
    if kind == STATE_TOLD:
        return _TELLS + 2 * (b + 2 * c) + (not a & 1)
    return _TURNS + 2 * (a & 1) + (not b & 1)
