"""Computes the screens' facts and words from the match. Pure.

Facts are written into a bytearray by the numbers in ``fact``, words into a list by those in
``word``.
"""

from firmware.core import acts, first_player, intents, luck, phases, play, team
from firmware.core.events import DestroyedCounted, PrizesCounted, StateTold, TurnTold
from firmware.core.match import JUDGE_IS_HERE
from firmware.ui import fact, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware.core.events import Rolled
    from firmware.core.types import Match, Pair
    from firmware.ui.types import Lines, Words

PASSING = 8  # the number of facts that time alone changes; they are passed as bits, then OLD
OLD = 1 << PASSING
SHAPES = ("\x01", "\x02")
_WARN_MS = 300000
_LAST_MS = 60000
_TELLS = 7  # text tell_1, the first about the score
_TURNS = 15  # text told_turn_a
_ROUNDS = 19  # text told_round
_TEAMS = 21  # text told_team
_SAID = 44  # text said_0
_CALLS = 51  # text said_7; the types of a call follow, from 1
_NONE = bytes(fact.COUNT)
_FLIPS_UNTIL = 255  # a count of flips that means: flip until tails


def entered(match: "Match") -> "Pair":
    """Return the first values for an entry of two numbers: one seat's entry, or all the cards."""
    told = match.pending_answer
    if isinstance(told, (PrizesCounted, DestroyedCounted)):
        return told.first, told.second
    return match.cards, match.cards


def clock(match: "Match", now_ms: int) -> int:
    """Return the first two facts as bits: 1 under five minutes, 2 under one."""
    if match.phase == phases.PREGAME:  # the last minute before the start
        assert match.start_ms is not None
        return 2 if now_ms >= match.start_ms + match.lost_ms - _LAST_MS else 0
    if match.phase != phases.PLAYING or hidden(match):
        return 0
    left_ms = match.remaining_ms(now_ms)
    assert left_ms is not None
    return (1 if left_ms <= _WARN_MS else 0) | (2 if left_ms <= _LAST_MS else 0)


def asked(match: "Match") -> int:
    """Return the seats, as bits, that may confirm the result now; the loser confirms first
    (docs/architecture.md, At the table).
    """
    if match.phase != phases.PROPOSED:
        return 0
    left = 3 & ~match.confirmed
    loser = 3 - match.outcome if 0 < match.outcome < 3 else 0
    return loser if loser & left else left


def passing(facts: bytearray, bits: int) -> None:
    """Write the facts that time alone changes; ``bits``: fact 0 is bit 0, and OLD the last."""
    for number in range(PASSING):
        facts[number] = bits >> number & 1
    facts[fact.OLD] = bits >> PASSING


def lasting(
    facts: bytearray, match: "Match", three: bool, pending: int = 0, ill: bool = False
) -> None:
    """Write the facts that only the match changes, and those of a draft as false.

    ``pending``: as in ``hand``; ``ill``: the generator of random numbers failed its tests.
    """
    clear(facts)
    facts[fact.THREE] = three
    facts[fact.KEYED] = True
    facts[fact.HALF_A] = pending & 1
    facts[fact.HALF_B] = pending >> 1 & 1
    facts[fact.VISIT] = pending >> 2
    _of_table(facts, match)
    _of_play(facts, match)
    _of_result(facts, match)
    _of_rules(facts, match)
    _of_luck(facts, match, ill)


def clear(facts: bytearray) -> None:
    """Set all facts to false."""
    facts[:] = _NONE


def _of_table(facts, match):
    idle = match.phase == phases.IDLE
    facts[fact.STOPPED] = match.phase == phases.FROZEN
    facts[fact.ENDED] = match.phase == phases.AGREED
    facts[fact.GIVEN] = bool(match.extension_s)
    unseen = 0 if idle or not match.extension_s else 3 & ~match.seen
    facts[fact.SEATED] = bool(match.table)
    facts[fact.IDLE] = idle
    facts[fact.MANY] = match.best_of > 1
    facts[fact.PAIR] = match.best_of == 2
    facts[fact.LONG] = match.best_of > 3
    facts[fact.TIE] = not match.elimination
    facts[fact.UNSEEN] = bool(unseen)
    facts[fact.UNSEEN_A] = unseen & 1
    facts[fact.UNSEEN_B] = unseen >> 1
    facts[fact.PRESENT_A] = match.present & 1
    facts[fact.PRESENT_B] = match.present >> 1 & 1
    facts[fact.CALLED] = match.call is not None
    facts[fact.HERE] = match.call == JUDGE_IS_HERE
    facts[fact.REASONED] = bool(match.call) and match.call < JUDGE_IS_HERE
    facts[fact.STARTLESS] = match.start_ms is None
    facts[fact.SAID] = bool(match.said)
    places = match.cap and phases.IDLE < match.phase <= phases.PREGAME
    facts[fact.UNPLACED] = places and not match.obstacle
    due = places and 0 < match.obstacle <= play.OBSTACLES
    facts[fact.PLACE_A] = due and not match.placing
    facts[fact.PLACE_B] = due and match.placing
    facts[fact.TIMED] = bool(match.said and match.said.next_round_s)


def _of_play(facts, match):
    missing = match.missing
    by = match.pending_answer.teller if match.pending_answer else 0
    facts[fact.BEGUN] = match.progress == 1
    facts[fact.TICKING] = match.phase == phases.PREGAME or runs(match) and not hidden(match)
    facts[fact.UNKNOWN] = bool(missing & (phases.SCORE | phases.STARTER))
    facts[fact.UNTURNED] = bool(missing & phases.TURN)
    facts[fact.PRIZES] = bool(missing & phases.PRIZES)
    facts[fact.DESTROYED] = bool(missing & phases.DESTROYED)
    facts[fact.TOLD_A] = by == 1
    facts[fact.TOLD_B] = by == 2
    facts[fact.COUNTED] = on = counted(match)
    if match.turning or match.phase == phases.OVERTIME or on:  # the next turn begins at once
        facts[fact.TURN_A] = side(match) == 0
        facts[fact.TURN_B] = side(match) == 1
    facts[fact.TURNING] = bool(match.turning)
    facts[fact.FINISHING] = match.turn == 0
    facts[fact.SETTING] = acts.pregame_left_ms(match, 0) is not None
    facts[fact.HIDDEN] = hidden(match)


def _of_result(facts, match):
    asks = asked(match)
    facts[fact.ASKED_A] = asks & 1
    facts[fact.ASKED_B] = asks >> 1
    facts[fact.SECTIONED] = bool(match.section)
    facts[fact.REFUSED] = match.claimed == 3
    facts[fact.RULED] = match.claimed == 2
    facts[fact.REOPENED] = match.claimed == 4 and bool(match.rules.SEATS)
    facts[fact.WANTED] = match.confirmed == 3 and match.phase == phases.PROPOSED


def _of_rules(facts, match):
    rules = match.rules
    decides = first_player.of(match)
    facts[fact.CARDS] = bool(match.cards)
    facts[fact.SCORED] = bool(match.cap)
    facts[fact.LEVELS] = intents.LEVEL_GAME in rules.PLAYS
    facts[fact.SHARED] = not rules.SEATS
    facts[fact.MORE] = bool(match.overtime[0])
    facts[fact.WON_A] = decides == 2
    facts[fact.WON_B] = decides == 1
    facts[fact.TOSS] = decides == first_player.TOSS
    facts[fact.FLIP] = decides == first_player.FLIP
    facts[fact.AGAIN] = match.drawn and decides == first_player.ASK and rules.FIRST[2:] == "d"
    facts[fact.TESTED] = _tested(rules)
    facts[fact.TEAM] = bool(match.team)
    for seat in range(4):
        facts[fact.OUT_1 + seat] = match.wiped >> seat & 1 if match.team else 0
        facts[fact.PILE_1 + seat] = bool(match.team and match.cards and team.piles(match)[seat])


def _of_luck(facts, match, ill):
    roll = match.roll if match.rolled in (1, 3) else None
    lucky = luck.lucky(match)
    alone = not (luck.needs(match, 0) or 0) & 2
    facts[fact.LUCKY] = lucky and not ill
    facts[fact.ILL] = lucky and bool(ill)
    facts[fact.COIN] = bool(luck.offered(match, 0))
    facts[fact.DIE] = bool(luck.offered(match, 1))
    for purpose in range(4):
        facts[fact.FIRST + purpose] = bool(luck.offered(match, 0, 1 + purpose))
    facts[fact.COMBAT] = bool(luck.offered(match, 2, 5))
    facts[fact.CONSENT_A] = alone or match.consent & 1
    facts[fact.CONSENT_B] = alone or match.consent >> 1 & 1
    if roll is None:
        return
    coin, many = not roll.randomizer, roll.flips
    facts[fact.ROLLED] = True
    facts[fact.DISPUTED] = match.rolled == 3
    facts[fact.HEADS] = coin and not many and roll.face == 1
    facts[fact.TAILS] = coin and not many and roll.face == 2
    facts[fact.ROLLED_DIE] = not coin
    facts[fact.FLIPS] = 0 < many < _FLIPS_UNTIL
    facts[fact.STREAK] = many == _FLIPS_UNTIL


def runs(match: "Match") -> bool:
    """Return whether the round's clock runs, in a Tiebreaker Game too, if time was not called."""
    if match.tiebreaker:
        return not match.called and match.start_ms is not None
    return match.phase == phases.PLAYING


def counted(match: "Match") -> bool:
    """Return whether turns are counted now, before time (``intents.COUNT_TURNS``)."""
    on = match.phase == phases.PLAYING and match.progress == 1 and match.policy & play.COUNTED
    return bool(on and match.rules.SEATS and not match.team)


def side(match: "Match") -> int | None:
    """Return the side (0, 1) whose turn it is or comes next, None if unknown."""
    seats = match.rules.SEATS
    if match.seat is None or not seats:
        return None
    return seats[match.seat] ^ match.first if match.team else seats[match.seat]


def team_seat(match: "Match", seat: int) -> str:
    """Return the name of a team's seat: 1A, 2B, 2A, 1B; 1 is the team that starts (rules D13)."""
    return "%d%s" % (1 + match.rules.SEATS[seat], "AB"[seat & 1])


def heads(flips: int) -> int:
    """Return how many bits of ``flips`` are set."""
    count = 0
    while flips:
        count += flips & 1
        flips >>= 1
    return count


def hidden(match: "Match") -> int:
    """Return 1 if the players do not see the time left, else 0."""
    return match.format >> 14 & 1


def _tested(rules):
    """Return whether a die needs both players' consent; such a text tests dice (P18 4.5.2)."""
    for row in rules.POLICY[0]:
        if row[0] & row[2] & 2:
            return True
    return False


def words(said: "Words", match: "Match", names: "Sequence[str]", recalled: "Lines") -> None:
    """Write the words of the match; ``names``: of both seats, ``recalled``: five lines.

    The view and the face write those of the board itself, of a code being entered and of a call's
    minutes.
    """
    for seat in range(2):
        name = names[seat ^ match.swapped]
        said[word.ONE + seat] = SHAPES[seat] + " " + name if name else SHAPES[seat]
    whose, by_team = side(match), match.team and match.rules.SEATS
    said[word.TO_PLAY] = "" if whose is None else said[word.ONE + whose]
    if by_team and whose is not None:
        assert match.seat is not None
        said[word.TO_PLAY] = SHAPES[whose] + " " + team_seat(match, match.seat)
    waits = match.pending_answer if by_team else None
    said[word.SEAT] = team_seat(match, waits.seat & 3) if isinstance(waits, TurnTold) else ""
    said[word.ANSWERING] = said[word.ONE if asked(match) & 1 else word.TWO]
    said[word.TABLE], said[word.ROUND] = match.table, match.round
    said[word.GAMES], said[word.GAMES_TOO] = match.games
    said[word.TURN], said[word.TURNS] = match.turn, match.overtime[0]
    if 0 < match.phase <= phases.PREGAME:
        said[word.TURN] = match.obstacle
    said[word.SECTION] = match.rules.SECTIONS[match.section - 1] if match.section else ""
    said[word.OUTCOME], said[word.TOLD] = match.outcome, _told(match, match.pending_answer)
    said[word.EXTENSION] = match.extension_s // 60
    said[word.GAME] = match.game + (match.progress == 2)
    said[word.MINUTES] = said[word.WHY] = 0
    if match.call and match.call < JUDGE_IS_HERE:
        said[word.WHY] = _CALLS + match.call
    for number in range(5):
        said[word.RECALLED + number] = recalled[number]
    if match.team and not recalled[4]:
        said[word.RECALLED + 4] = "%d+%d  2: %d+%d" % team.by_team(match)
    _rolled(said, match.roll)


def _rolled(said: "Words", roll: "Rolled | None") -> None:
    if roll is None:
        said[word.FACE] = ""
        return
    many, face = roll.flips, roll.face
    said[word.FACE] = face
    if 0 < many < _FLIPS_UNTIL:
        said[word.FACE] = heads(face)
        said[word.FLIPS] = many
        said[word.FLIPPED] = " ".join(["\x04" if face >> i & 1 else "\x05" for i in range(many)])


def _told(match, told):
    """Return the number of the text for one seat's answer, 0 for none."""
    if not match.phase and match.said:
        return _SAID + (match.said.message & 7)
    if isinstance(told, StateTold) and match.rules.SEATS:
        return _TELLS + 2 * (told.first + 2 * told.second) + (not told.started)
    if not isinstance(told, TurnTold):
        return 0
    next_one = not told.turning & 1
    if not match.rules.SEATS:
        return _ROUNDS + next_one
    if match.team:
        return _TEAMS + next_one
    return _TURNS + 2 * (told.seat & 1) + next_one
