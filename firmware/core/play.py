"""The events of the players' keys: turns, games, counts, concessions, and answers at zero."""

from firmware.core import acts, events, intents, outcome, phases, team

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Event, Events, Intent, Match

COUNTED = 16  # of a table's switches (SET_POLICY): turns are counted before time


def _two(seat):
    return 0 <= seat < 2


def confirm_seat(match: "Match", intent: "Intent") -> "Events":
    """A seat is confirmed, once; 2: the players change places before the round, both confirm
    again.
    """
    _, at, a, _, _ = intent
    if a == 2 and match.phase <= phases.PREGAME:
        return ((events.SEAT_CONFIRMED, at, a, 0, 1 - match.swapped),)
    if not _two(a) or match.present >> a & 1:
        return ()
    return ((events.SEAT_CONFIRMED, at, a, 0, match.swapped),)


def set_starter(match: "Match", intent: "Intent") -> "Events":
    """The next game starts: the first, or the one after a decided game (rules P12).

    In a team match ``a`` is the side that starts: its A plays first (rules D13).
    """
    _, at, a, _, _ = intent
    if not _two(a) or match.progress == 1:
        return ()
    if match.progress != 2:
        return ((events.STARTER_SET, at, a, match.game, 0),)
    started = ((events.STARTER_SET, at, a, match.game + 1, 0),)
    if match.adjusted == (0, 0):
        return started
    return ((events.PRIZES_ADJUSTED, at, 0, 0, 0),) + started  # a penalty is for one game


def _seats(match: "Match") -> int:
    """How many seats take turns: four in a team match, two, or one if turns belong to both."""
    return max(1, len(match.rules.SEATS) if match.team else min(2, len(match.rules.SEATS)))


def _after(match: "Match", seat: int) -> int:
    """Return who plays after ``seat``; a team's player who is out is skipped (rules D16)."""
    if not match.team:
        return (seat + 1) % _seats(match)
    return team.following(seat, match.wiped)  # pyright: ignore[reportReturnType]  (some are in)


def _out(match, seat):
    return match.team and match.wiped >> seat & 1


def start_turn(match: "Match", intent: "Intent") -> "Events":
    """A turn starts in the game in progress; any seat may that is not out."""
    _, at, a, _, _ = intent
    if a >= _seats(match) or _out(match, a) or match.turning or match.progress == 2:
        return ()
    if not match.progress and (match.game > 1 or match.phase == phases.TIEBREAKER):
        return ()
    return ((events.TURN_STARTED, at, a, 0, 0),)


def end_turn(match: "Match", intent: "Intent") -> "Events":
    """The turn in progress ends; after time it counts, and the last one ends the game."""
    _, at, _, _, _ = intent
    if not match.turning:
        return ()
    turn = match.turn
    situation = match.situation
    if match.phase in (phases.OVERTIME, phases.FINISHING):
        if turn < match.overtime[0]:
            turn += 1
        else:
            situation = phases.LAST
    assert match.seat is not None
    return ((events.TURN_ENDED, at, _after(match, match.seat), turn, situation),)


def count_turns(match: "Match", intent: "Intent") -> "Events":
    """Turns are counted before time, too, or no longer: both seats or a judge want it so."""
    _, at, a, _, _ = intent
    if a != 3 or match.team or not match.rules.SEATS:
        return ()
    return ((events.POLICY_SET, at, match.policy ^ COUNTED, 0, 0),)


def win_game(match: "Match", intent: "Intent") -> "Events":
    """One side wins the current game, or the Tiebreaker Game."""
    _, at, a, _, _ = intent
    if not _two(a) or not outcome.in_play(match):
        return ()
    return (outcome.game_won(match, at, a),)


def level_game(match: "Match", intent: "Intent") -> "Events":
    """Both complete a win condition at once."""
    _, at, _, _, _ = intent
    if not outcome.in_play(match):
        return ()
    return (levelled(match, at),)


def levelled(match: "Match", at_ms: int) -> "Event":
    """Return the event of the current game ending level; if the tree continues play, the next game
    follows.
    """
    situation = phases.TIED if match.called else phases.EVEN
    if not match.called and outcome.row(match, phases.EVEN)[0] == "o":
        situation = phases.WON if outcome.all_played(match) else 2 << 8
    return (events.GAME_LEVELLED, at_ms, 0, 0, situation)


def count_prizes(match: "Match", intent: "Intent") -> "Events":
    """Prize cards remaining, each in range; a Tiebreaker Game has one first prize."""
    _, at, _, b, c = intent
    most = match.cards
    if not 0 <= b <= most or not 0 <= c <= most:
        return ()
    if match.phase == phases.TIEBREAKER and b < most and c < most:
        return ()
    return _agreed(match, events.PRIZES_COUNTED, intent, (events.PRIZES_COUNTED, at, 0, b, c))


def count_destroyed(match: "Match", intent: "Intent") -> "Events":
    """Squad points destroyed by each side, each at most the round's cap."""
    _, at, _, b, c = intent
    if not 0 <= b <= match.cap or not 0 <= c <= match.cap:
        return ()
    told = (events.DESTROYED_COUNTED, at, 0, b, c)
    return _agreed(match, events.DESTROYED_COUNTED, intent, told)


def wipe_out(match: "Match", intent: "Intent") -> "Events":
    """All ships of one side, or of both (bits), are gone; in a team match one player is out."""
    _, at, a, _, _ = intent
    if match.team:
        return team.leaves(match, intent)
    resolving = match.phase == phases.RESOLVING
    if a not in (1, 2, 3) or match.wiped or resolving and not match.missing & phases.DESTROYED:
        return ()
    if match.conceded is not None or not match.cap:
        return ()
    return ((events.WIPED_OUT, at, a, outcome.playing(match), phases.WIPED),)


def concede(match: "Match", intent: "Intent") -> "Events":
    """One side concedes the match, at any time before its end; this also ends a freeze."""
    _, at, a, _, _ = intent
    if not _two(a):
        return ()
    section = outcome.row(match, phases.LEFT)[1]
    if match.phase == phases.PLAY_ON:
        section = match.section
    elif match.called:
        section = outcome.row(match, phases.EXTRA)[1]
    first = ()
    if match.phase == phases.FROZEN:
        first = acts.resume(match, intent)
    return first + ((events.CONCEDED, at, a, section, phases.LEFT),)


def lose_game(match: "Match", intent: "Intent") -> "Events":
    """A judge's penalty: the current game is lost, or the next one; this also ends a freeze.

    The event tells the penalty, so that the players' take-back leaves it in force (``takeback``).
    Where nobody wins games, the match is lost as by conceding.
    """
    _, at, a, b, _ = intent
    if a > 1 or b > 254:
        return ()
    if intents.WIN_GAME not in match.rules.PLAYS:
        told = concede(match, intent)
        kind, at, lost, section, situation = told[-1]
        return told[:-1] + ((kind, at, lost, section | b + 1 << 8, situation),)
    first = acts.resume(match, intent) if match.phase == phases.FROZEN else ()
    if match.progress == 2:
        first += ((events.STARTER_SET, at, 1 - a, match.game + 1, 0),)
    elif not outcome.in_play(match):
        return ()
    ahead = match.copy()
    for event in first:
        ahead.apply(event)
    kind, at, won, section, situation = outcome.game_won(ahead, at, 1 - a)
    return first + ((kind, at, won, section | b + 1 << 8, situation),)


def _agreed(match: "Match", kind: int, intent: "Intent", told: "Event") -> "Events":
    """A seat's answer waits for the other's; equal answers count, different ones call a judge."""
    _, at, a, b, c = intent
    who = a >> 4 & 3
    before = match.pending_answer
    if who in (0, 3):
        return (told,)
    mine = (kind, at, a, b, c)
    if before is None or before[0] != kind or before[2] >> 4 & 3 == who:
        return (mine,)
    if before[2] & 15 == a & 15 and before[3:] == (b, c):
        return (told,)
    return (mine, (events.JUDGE_CALLED, at, DIFFERENT, 0, 0))


DIFFERENT = 255  # a call the board makes itself: the two answers at zero differ


def after(match: "Match", turning: int) -> tuple[int, int, int]:
    """Return (phase, turn, situation) after time: a turn in progress is 0, the next one is 1.

    A system without turns after time finishes the one in progress, or stops at once (rules D5).
    """
    turns = match.overtime[0]
    phase = phases.OVERTIME if turns else match.rules.AFTER
    if turning or turns:
        return phase, 0 if turning else 1, 0
    return phase, 0, phases.LAST


def tell_state(match: "Match", intent: "Intent") -> "Events":
    """The games won so far, and whether the next one's starter is determined."""
    _, at, a, b, c = intent
    started = a & 1
    need = match.best_of // 2 + 1
    if not match.missing & phases.SCORE and (match.progress or match.pressed):
        return ()
    if max(b, c) > need - started or b + c > match.best_of - started:
        return ()
    situation = 0 if match.rules.ASKED & phases.TURN else phases.LAST
    if max(b, c) == need or b + c == match.best_of:
        situation = phases.WON
    elif not started:
        situation = phases.BETWEEN if b + c else phases.UNSTARTED
    told = (events.STATE_TOLD, at, started | situation << 1, b, c)
    return _agreed(match, events.STATE_TOLD, intent, told)


def tell_turn(match: "Match", intent: "Intent") -> "Events":
    """Whose turn is in progress, or who plays next."""
    _, at, a, b, _ = intent
    if match.missing != phases.TURN or (a & 15) >= _seats(match) or _out(match, a & 15):
        return ()
    phase, turn, situation = after(match, b & 1)
    told = (events.TURN_TOLD, at, a & 15, b & 1 | turn << 8, phase | situation << 8)
    return _agreed(match, events.TURN_TOLD, (0, at, a, b & 1, 0), told)
