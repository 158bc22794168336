"""The players' keys: obstacles in turn, turns, games, counts, concessions, answers at zero."""

from firmware.core import acts, events, intents, outcome, phases, team

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Answer, Events, Match

OBSTACLES = 6  # where ships are set up, three from each player
COUNTED = 16  # of a table's switches (SET_POLICY): turns are counted before time


def confirm_seat(match: "Match", intent: intents.Intent) -> "Events":
    """A seat is confirmed, once; SWAP: before the round both change places, and confirm again."""
    at_ms, seat = intent.at_ms, intent.seat
    if seat == acts.SWAP and match.phase <= phases.PREGAME:
        return (events.SeatConfirmed(at_ms, seat, 1 - match.swapped),)
    if seat > 1 or match.present >> seat & 1:
        return ()
    return (events.SeatConfirmed(at_ms, seat, match.swapped),)


def set_starter(match: "Match", intent: intents.Intent) -> "Events":
    """The next game starts: the first, or the one after a decided game (rules P12). In a team match
    ``seat`` is the side that starts: its A plays first (rules D13).
    """
    at_ms, seat = intent.at_ms, intent.seat
    if match.progress == phases.IN_PROGRESS:
        return ()
    if match.progress != phases.GAME_OVER:
        return (events.StarterSet(at_ms, seat, match.game),)
    started = (events.StarterSet(at_ms, seat, match.game + 1),)
    if match.adjusted == (0, 0):
        return started
    return (events.PrizesAdjusted(at_ms, 0, 0),) + started  # a penalty is for one game


def _seats(match: "Match") -> int:
    """How many seats take turns: four in a team match, two, or one if turns belong to both."""
    if match.team:
        return len(match.rules.SEATS)
    return 2 if match.rules.SEATS else 1


def _plays(match: "Match", seat: int) -> bool:
    """Return whether a seat takes turns; one that is out in a team match does not."""
    is_out = match.team and match.wiped >> seat & 1
    return seat < _seats(match) and not is_out


def start_turn(match: "Match", intent: intents.Intent) -> "Events":
    """A turn starts in the game in progress; any seat may that is not out."""
    seat = intent.seat
    if not _plays(match, seat) or match.turning or match.progress == phases.GAME_OVER:
        return ()
    needs_starter = match.game > 1 or match.tiebreaker
    if match.progress == phases.NOT_BEGUN and needs_starter:
        return ()
    return (events.TurnStarted(intent.at_ms, seat),)


def end_turn(match: "Match", intent: intents.Intent) -> "Events":
    """The turn in progress ends; after time it counts, and the last one ends the game."""
    if not match.turning:
        return ()
    turn, situation = match.turn, match.situation
    if match.phase in (phases.OVERTIME, phases.FINISHING):
        if turn < match.overtime_turns:
            turn += 1
        else:
            situation = phases.LAST
    assert match.seat is not None
    if match.team:  # a player who is out is skipped (rules D16)
        next_seat = team.following(match.seat, match.wiped)
    else:
        next_seat = (match.seat + 1) % _seats(match)
    return (events.TurnEnded(intent.at_ms, next_seat, turn, situation),)


def place_obstacle(match: "Match", intent: intents.Intent) -> "Events":
    """Ships are set up, and the players place six obstacles in turn (rules X24). First ``seat``
    says that it has the initiative and begins, then that its obstacle is placed.
    """
    seat, obstacle = intent.seat, match.obstacle
    if not match.cap or obstacle > OBSTACLES:
        return ()
    if obstacle == 0:
        return (events.TurnEnded(intent.at_ms, seat, 1, 0),)
    if seat != match.placing:
        return ()
    return (events.TurnEnded(intent.at_ms, 1 - seat, obstacle + 1, 0),)


def count_turns(match: "Match", intent: intents.Intent) -> "Events":
    """Both seats have turns counted before time, too, or no longer."""
    if intent.by != 3 or match.team or not match.rules.SEATS:
        return ()
    return (events.PolicySet(intent.at_ms, match.policy ^ COUNTED),)


def win_game(match: "Match", intent: intents.Intent) -> "Events":
    """One side wins the current game, or the Tiebreaker Game."""
    if not outcome.in_play(match):
        return ()
    return (outcome.game_won(match, intent.at_ms, intent.seat),)


def level_game(match: "Match", intent: intents.Intent) -> "Events":
    """Both complete a win condition at once."""
    if not outcome.in_play(match):
        return ()
    return (level(match, intent.at_ms),)


def level(match: "Match", at_ms: int) -> events.Event:
    """Return the event of the current game ending level; the tree says whether another follows."""
    if match.called:
        return events.GameLevelled(at_ms, phases.TIED, phases.NOT_BEGUN)
    plays_on = outcome.row(match, phases.EVEN)[0] == "o"
    if not plays_on:
        return events.GameLevelled(at_ms, phases.EVEN, phases.NOT_BEGUN)
    if outcome.all_played(match):
        return events.GameLevelled(at_ms, phases.WON, phases.NOT_BEGUN)
    return events.GameLevelled(at_ms, 0, phases.GAME_OVER)


def count_prizes(match: "Match", intent: intents.Intent) -> "Events":
    """Prize cards remaining, each in range; a Tiebreaker Game has one first prize."""
    first, second, most = intent.first, intent.second, match.cards
    if not 0 <= first <= most or not 0 <= second <= most:
        return ()
    if match.tiebreaker and first < most and second < most:
        return ()  # both cannot have taken it
    answer = events.PrizesCounted(intent.at_ms, intent.teller, first, second)
    return _agree(match, answer, events.PrizesCounted(intent.at_ms, 0, first, second))


def count_destroyed(match: "Match", intent: intents.Intent) -> "Events":
    """Squad points destroyed by each side, each at most the round's cap."""
    first, second = intent.first, intent.second
    if not 0 <= first <= match.cap or not 0 <= second <= match.cap:
        return ()
    answer = events.DestroyedCounted(intent.at_ms, intent.teller, first, second)
    return _agree(match, answer, events.DestroyedCounted(intent.at_ms, 0, first, second))


def wipe_out(match: "Match", intent: intents.Intent) -> "Events":
    """All ships of one side, or of both (bits), are gone; in a team match one player is out."""
    if match.team:
        return team.drop(match, intent)
    if intent.seats not in (1, 2, 3) or not match.cap:
        return ()
    if match.wiped or match.conceded is not None:
        return ()
    if match.phase == phases.RESOLVING and not match.missing & phases.DESTROYED:
        return ()
    return (events.WipedOut(intent.at_ms, intent.seats, outcome.playing(match), phases.WIPED),)


def concede(match: "Match", intent: intents.Intent) -> "Events":
    """One side concedes the match, at any time before its end; this also ends a freeze."""
    return _concede(match, intent, 0)


def _concede(match, intent, penalty):
    """Return the events of ``intent.seat`` losing the match; ``penalty`` as in CONCEDED."""
    _, section = outcome.row(match, phases.EXTRA if match.called else phases.LEFT)
    if match.phase == phases.PLAY_ON:
        section = match.section
    before = acts.resume(match, intent) if match.phase == phases.FROZEN else ()
    return before + (events.Conceded(intent.at_ms, intent.seat, section, penalty, phases.LEFT),)


def lose_game(match: "Match", intent: intents.Intent) -> "Events":
    """A judge's penalty: a seat loses the current game, or else the next one; a freeze ends.

    Before the round that round still begins as planned. While the score is asked, the penalty
    counts as soon as it is told. The event carries the penalty, so that the players' take-back
    leaves it in force (``takeback``). Where nobody wins games, the match is lost as by conceding.
    """
    loser, penalty = intent.seat, intent.why + 1
    if penalty > 255:
        return ()
    if intents.WIN_GAME not in match.rules.PLAYS:
        return _concede(match, intent, penalty)
    before = acts.resume(match, intent) if match.phase == phases.FROZEN else ()
    if not losable(match):
        return ()
    if match.progress == phases.GAME_OVER:  # the next game begins, to be lost
        before += (events.StarterSet(intent.at_ms, 1 - loser, match.game + 1),)
    ahead = match.copy()
    for event in before:
        ahead.apply(event)
    won = outcome.game_won(ahead, intent.at_ms, 1 - loser)
    won.penalty = penalty
    if not won.situation and ahead.phase <= phases.PREGAME:
        won.phase = ahead.phase
    return before + (won,)


def losable(match: "Match") -> bool:
    """Return whether there is a game to lose: one in progress, or one to come."""
    if match.phase == phases.RESOLVING:
        return bool(match.missing & phases.PRIZES)
    if match.missing & phases.SCORE and match.pending_penalty is None:
        return True  # it counts once the score is told
    return match.progress == phases.GAME_OVER or match.tiebreaker or outcome.in_play(match)


def _agree(match: "Match", answer: "Answer", settled: "Answer") -> "Events":
    """Keep one seat's ``answer`` until the other's: the same settles it, another calls a judge."""
    teller, pending = answer.teller & 3, match.pending_answer
    if teller not in (1, 2):  # both seats or nobody in particular
        return (settled,)
    if pending is None or pending.kind != answer.kind or (pending.teller & 3) == teller:
        return (answer,)  # the other seat has not answered this
    others_answer = pending.at(answer.at_ms)  # as if this seat had given it now: to be compared
    others_answer.teller = answer.teller
    if others_answer == answer:
        return (settled,)
    return answer, events.JudgeCalled(answer.at_ms, DIFFERENT)


DIFFERENT = 255  # a call the board makes itself: the two answers at zero differ


def after_time(match: "Match", turning: int) -> tuple[int, int, int]:
    """Return (phase, turn, situation) after time; ``turning`` 1: a turn is in progress. That turn
    has the number 0, the first one after it 1. A system without turns after time finishes the one
    in progress, or stops at once (rules D5).
    """
    has_turns = match.overtime_turns > 0
    phase = phases.OVERTIME if has_turns else match.rules.AFTER
    if turning:
        return phase, 0, 0
    if has_turns:
        return phase, 1, 0
    return phase, 0, phases.LAST


def tell_state(match: "Match", intent: intents.Intent) -> "Events":
    """At time: the games won so far, and whether the next one's starter is determined."""
    at_ms, started, first, second = intent.at_ms, intent.started, intent.first, intent.second
    most, played, need = max(first, second), first + second, match.best_of // 2 + 1
    is_known = match.progress or match.pressed
    if is_known and not match.missing & phases.SCORE:
        return ()
    if most > need - started or played > match.best_of - started:
        return ()  # no match has such a score, or has it and begins a game
    if most == need or played == match.best_of:
        situation = phases.WON
    elif started:
        situation = 0 if match.rules.ASKED & phases.TURN else phases.LAST
    else:
        situation = phases.BETWEEN if played else phases.UNSTARTED
    answer = events.StateTold(at_ms, started, 0, intent.teller, 0, first, second)
    settled = events.StateTold(at_ms, started, situation, 0, 0, first, second)
    return _agree(match, answer, settled)


def tell_turn(match: "Match", intent: intents.Intent) -> "Events":
    """At time: whose turn is in progress, or who plays next."""
    at_ms, seat, turning = intent.at_ms, intent.seat, intent.turning & 1
    if match.missing != phases.TURN or not _plays(match, seat):
        return ()
    phase, turn, situation = after_time(match, turning)
    answer = events.TurnTold(at_ms, seat, intent.teller, turning, 0, 0, 0)
    settled = events.TurnTold(at_ms, seat, 0, turning, turn, phase, situation)
    return _agree(match, answer, settled)
