"""Results by hand, confirmations, rulings, and the two seats' answers when time is called."""

from firmware.core import events, intents, outcome, phases
from firmware.core.match import FIELDS, Match
from firmware.core.systems import d03, p18, xw15

START_MS = 600000
BO1 = 1 << 1
BO3 = 3 << 1


class Table:
    """A match being played; everything written of it is kept for a replay."""

    def __init__(self, rules=p18, bits=BO3, minutes=50):
        self.match, self.written, self.now_ms = Match(rules), [], 1000
        self.ask(intents.SET_ROUND, 1, 4, 9)
        self.ask(intents.SET_FORMAT, rules.NUMBER, bits, minutes)
        self.do(intents.SetStart(START_MS))
        self.room(0)

    def do(self, intent):
        happened = self.match.decide(intent, self.now_ms)
        for event in happened:
            self.match.apply(event)
        self.written += list(happened)
        return [event.kind for event in happened]

    def ask(self, kind, a=0, b=0, c=0):
        return self.do(intents.of_numbers(kind, self.now_ms, a, b, c))

    def room(self, minutes, seconds=0):
        self.now_ms = START_MS + (minutes * 60 + seconds) * 1000
        self.ask(intents.TICK)
        return self

    def replays(self):
        again = Match(self.match.rules)
        for event in self.written:
            again.apply(event)
        return state(again) == state(self.match)


def state(match):
    return [getattr(match, name) for name in FIELDS]


def test_the_loser_confirms_first():
    table = Table(bits=BO1)
    table.ask(intents.SET_STARTER, 0)
    table.room(5).ask(intents.WIN_GAME, 0)
    assert table.match.phase == phases.PROPOSED and table.match.outcome == 1
    assert table.ask(intents.CONFIRM_RESULT, 0) == []
    assert table.ask(intents.CONFIRM_RESULT, 1) == [events.RESULT_CONFIRMED]
    assert table.ask(intents.CONFIRM_RESULT, 1) == []
    assert table.ask(intents.CONFIRM_RESULT, 0) == [events.RESULT_CONFIRMED, events.MATCH_ENDED]
    assert table.match.phase == phases.AGREED and table.replays()


def test_of_a_tie_either_confirms_first():
    for first in (0, 1):
        table = Table()
        table.ask(intents.CLAIM_RESULT, outcome.TIE, 1, 1)
        assert table.ask(intents.CONFIRM_RESULT, first) == [events.RESULT_CONFIRMED]


def test_claims_agree_with_their_games():
    wrong = (
        (1, 0, 0),
        (1, 1, 1),
        (1, 0, 2),
        (1, 3, 0),
        (3, 1, 0),
        (3, 2, 2),
        (4, 1, 1),
        (0, 0, 0),
        (6, 0, 0),
    )
    for claimed in wrong:
        assert Table().ask(intents.CLAIM_RESULT, *claimed) == [], claimed
    for claimed in ((1, 2, 0), (1, 2, 1), (1, 1, 0), (2, 0, 1), (2, 1, 2), (3, 0, 0), (3, 1, 1)):
        table = Table()
        assert table.ask(intents.CLAIM_RESULT, *claimed) == [events.RESULT_CLAIMED], claimed
        assert (table.match.outcome, table.match.games) == (claimed[0], claimed[1:])
        assert table.match.phase == phases.PROPOSED and table.match.claimed == 1
    assert Table(bits=BO3 | 1).ask(intents.CLAIM_RESULT, 3, 1, 1) == []
    assert Table(bits=BO1).ask(intents.CLAIM_RESULT, 1, 2, 0) == []
    assert Table(xw15, BO1).ask(intents.CLAIM_RESULT, 1, 1, 0) == []


def test_a_refused_result_goes_to_a_judge_who_rules():
    table = Table()
    table.ask(intents.CLAIM_RESULT, 1, 2, 0)
    table.ask(intents.CONFIRM_RESULT, 1)
    assert table.ask(intents.REFUSE_RESULT, 0) == [events.RESULT_REFUSED]
    match = table.match
    assert (match.phase, match.outcome, match.claimed) == (phases.RESOLVING, outcome.ASK, 3)
    assert match.confirmed == 0
    assert table.ask(intents.CONFIRM_RESULT, 1) == []
    assert table.ask(intents.RULE_RESULT, 2, 1, 2) == [events.RESULT_RULED]
    assert (match.phase, match.outcome, match.games, match.claimed) == (
        phases.PROPOSED,
        2,
        (1, 2),
        2,
    )
    table.ask(intents.CONFIRM_RESULT, 0)
    table.ask(intents.CONFIRM_RESULT, 1)
    assert match.phase == phases.AGREED and table.replays()


def test_a_refused_result_may_be_claimed_anew():
    table = Table()
    table.ask(intents.CLAIM_RESULT, 1, 2, 0)
    table.ask(intents.REFUSE_RESULT, 1)
    assert table.ask(intents.CLAIM_RESULT, 2, 0, 2) == [events.RESULT_CLAIMED]
    assert table.match.games == (0, 2)


def test_what_the_text_leaves_open_is_not_claimed_past_the_judge():
    table = Table()
    table.room(50).ask(intents.TELL_STATE, 0, 0, 0)
    assert table.match.phase == phases.RESOLVING and table.match.outcome == outcome.ASK
    assert table.ask(intents.CLAIM_RESULT, 1, 1, 0) == []
    assert table.ask(intents.RULE_RESULT, 3, 0, 0) == [events.RESULT_RULED]


def test_a_claim_taken_back_lets_play_go_on():
    table = Table()
    table.ask(intents.SET_STARTER, 0)
    table.room(20).ask(intents.WIN_GAME, 1)
    table.ask(intents.CLAIM_RESULT, 2, 0, 2)
    table.ask(intents.REFUSE_RESULT, 0)
    assert table.ask(intents.REOPEN_RESULT, 3) == []
    assert table.ask(intents.REOPEN_RESULT, 0) == [events.RESULT_REOPENED]
    match = table.match
    assert (match.phase, match.games, match.outcome) == (phases.PLAYING, (0, 1), 0)
    assert table.ask(intents.SET_STARTER, 0) == [events.STARTER_SET] and match.game == 2


def test_time_passes_while_a_claim_waits():
    table = Table()
    table.ask(intents.SET_STARTER, 0)
    table.room(49).ask(intents.CLAIM_RESULT, 1, 1, 0)
    table.room(53)
    assert table.match.phase == phases.PROPOSED
    assert events.TIME_CALLED in table.ask(intents.REOPEN_RESULT, 0)
    assert table.match.phase == phases.TIME


def test_both_seats_reopen_within_a_minute():
    table = Table(bits=BO1)
    table.ask(intents.SET_STARTER, 0)
    table.room(5).ask(intents.WIN_GAME, 0)
    table.ask(intents.CONFIRM_RESULT, 1)
    table.ask(intents.CONFIRM_RESULT, 0)
    table.room(6)
    assert table.ask(intents.REOPEN_RESULT, 1) == []
    assert table.ask(intents.REOPEN_RESULT, 3) == [events.RESULT_REOPENED]
    assert table.match.phase == phases.RESOLVING and table.match.claimed == 4
    table.ask(intents.CLAIM_RESULT, 2, 0, 1)
    table.ask(intents.CONFIRM_RESULT, 0)
    table.ask(intents.CONFIRM_RESULT, 1)
    table.room(7, 1)
    assert table.ask(intents.REOPEN_RESULT, 3) == []
    assert table.ask(intents.REOPEN_RESULT, 0) == [events.RESULT_REOPENED]


def test_a_judge_supersedes_and_may_end_without_the_players():
    table = Table()
    assert table.ask(intents.RULE_RESULT, 1 | 128, 2, 0) == [
        events.RESULT_RULED,
        events.MATCH_ENDED,
    ]
    assert table.match.phase == phases.AGREED and table.match.outcome == 1
    assert table.ask(intents.RULE_RESULT, 2, 0, 2) == [events.RESULT_RULED]
    assert table.match.phase == phases.PROPOSED and table.match.confirmed == 0
    assert table.ask(intents.RULE_RESULT, 4, 0, 0) == [] and table.replays()


def test_a_judge_orders_a_tiebreaker_game_where_the_text_is_silent():
    table = Table(bits=BO3 | 1)
    table.ask(intents.SET_STARTER, 0)
    table.room(40).ask(intents.LEVEL_GAME)
    table.room(50)
    assert (table.match.phase, table.match.outcome) == (phases.RESOLVING, outcome.ASK)
    assert table.ask(intents.RULE_RESULT, outcome.TIEBREAKER) == [events.RESULT_RULED]
    assert table.match.phase == phases.TIEBREAKER
    table.ask(intents.SET_STARTER, 1)
    table.ask(intents.COUNT_PRIZES, 0, 6, 5)
    assert (table.match.phase, table.match.outcome, table.match.games) == (
        phases.PROPOSED,
        2,
        (0, 1),
    )
    assert table.replays()


def test_answers_at_zero_of_both_seats():
    table = Table().room(50)
    assert table.ask(intents.TELL_STATE, 1 | 1 << 4, 1, 0) == [events.STATE_TOLD]
    assert table.match.missing & phases.SCORE
    assert table.ask(intents.TELL_STATE, 1 | 1 << 4, 1, 0) == [events.STATE_TOLD]
    assert table.ask(intents.TELL_STATE, 1 | 2 << 4, 1, 0) == [events.STATE_TOLD]
    assert table.match.missing == phases.TURN and table.match.games == (1, 0)
    assert table.ask(intents.TELL_TURN, 1 | 2 << 4, 1) == [events.TURN_TOLD]
    assert table.match.phase == phases.TIME
    assert table.ask(intents.TELL_TURN, 1 | 1 << 4, 1) == [events.TURN_TOLD]
    assert (table.match.phase, table.match.turn, table.match.seat) == (phases.OVERTIME, 0, 1)
    assert table.replays()


def test_different_answers_go_to_a_judge():
    table = Table().room(50)
    table.ask(intents.TELL_STATE, 1 << 4, 1, 0)
    assert table.ask(intents.TELL_STATE, 2 << 4, 0, 1) == [events.STATE_TOLD, events.JUDGE_CALLED]
    assert table.match.phase == phases.TIME and table.match.call == 255
    table.ask(intents.END_CALL)
    assert table.match.pending_answer is None
    table.ask(intents.TELL_STATE, 3 << 4, 1, 0)
    assert table.match.phase == phases.PROPOSED and table.match.outcome == 1
    assert table.replays()


def test_points_of_a_result_by_hand_are_not_guessed():
    table = Table(xw15, BO1, 50)
    table.ask(intents.RULE_RESULT, 1, 1, 0)
    assert outcome.points(table.match) == (None, 0)
    table = Table(d03, BO1, 30)
    table.ask(intents.CLAIM_RESULT, 1, 1, 0)
    assert outcome.points(table.match) == (3, None)
    table = Table(d03, BO1, 30).room(30)
    table.ask(intents.CLAIM_RESULT, 1, 1, 0)
    assert outcome.points(table.match) == (None, None)
