"""Presses taken back and a judge's last act: what is undone with them, what stands, where the past is closed."""

import random

import pytest
from lucky import Lucky

from firmware.core import events as e
from firmware.core import intents, takeback
from firmware.core.systems import p18
from host.event.turn_times import PlacedEvent, PressLog

SET, START, TURN, OVER, WON = (e.ROUND_SET, e.STARTER_SET, e.TURN_STARTED, e.TURN_ENDED, e.GAME_WON)


class Log:
    """A match as a Journal gives it, its records in boot 1."""

    first = 0

    def __init__(self, happened):
        self.every = happened
        self.end = len(happened)

    def kind(self, place):
        return self.every[place].kind

    def event_at(self, place):
        return self.every[place]

    def order(self, place):
        return at(place)


def at(counter):
    return 1 << 16 | counter


def entries(*happened):
    return Log([e.of_numbers(one, 0) if isinstance(one, int) else one for one in happened])


def back(counter):
    return e.TakenBack(0, 3, 1, counter)


def kinds(told):
    return [told.kind(place) for place in takeback.in_force(told)]


def test_a_press_and_all_pressed_since_are_undone():
    assert kinds(entries(SET, START, TURN, OVER, back(2))) == [SET, START, e.TAKEN_BACK]


def test_what_a_judge_did_and_luck_stand():
    told = entries(SET, START, TURN, e.EXTENDED, e.ROLLED, e.JUDGE_CALLED, back(1))
    assert kinds(told) == [SET, e.EXTENDED, e.ROLLED, e.JUDGE_CALLED, e.TAKEN_BACK]


def test_a_game_lost_by_a_penalty_is_no_press():
    loss = e.GameWon(0, 1, 0, 1, 0, 0)
    told = entries(SET, START, loss, START, back(1))
    assert kinds(told) == [SET, WON, e.TAKEN_BACK]
    assert takeback.presses(entries(SET, START, loss)) == [1]
    assert takeback.order_of(entries(SET, START, loss), 0) == at(1)


def test_a_penalty_that_a_judge_takes_back_goes_with_the_start_of_its_own_game():
    loss, start = e.GameWon(7, 1, 0, 1, 0, 0), e.StarterSet(7, 0, 2)
    assert kinds(entries(SET, START, loss, e.PREGAME_BEGUN, back(2))) == [SET, START, e.TAKEN_BACK]
    assert kinds(entries(SET, start, loss, back(2))) == [SET, e.TAKEN_BACK]
    assert kinds(entries(SET, loss, start, loss, back(3))) == [SET, WON, e.TAKEN_BACK]


def test_what_follows_of_itself_is_said_again():
    standing = kinds(entries(SET, START, e.TIME_CALLED, e.OUTCOME_PROPOSED, back(1)))
    assert standing == [SET, e.TAKEN_BACK]
    assert e.TIME_CALLED in kinds(entries(SET, START, e.TIME_CALLED, TURN, back(3)))


def test_the_last_press_that_stands_is_next():
    told = entries(SET, START, TURN, OVER, back(3))
    assert takeback.order_of(told, 0) == at(2)
    assert takeback.order_of(told, at(1)) == at(1)
    assert takeback.order_of(told, at(3)) is None, "taken back already"
    assert takeback.order_of(entries(SET), 0) is None


def test_nothing_is_taken_back_over_a_ruling_a_freeze_or_an_end():
    for wall in (e.FROZEN, e.RESULT_RULED, e.MATCH_ENDED, e.RESULT_REOPENED):
        assert takeback.order_of(entries(SET, START, wall), 0) is None
    assert takeback.order_of(entries(SET, START, e.FROZEN, e.RESUMED, WON), 0) == at(4)


def test_the_last_ten_presses_are_kept_for_the_judge():
    told = entries(SET, *[TURN, OVER] * 9)
    assert takeback.presses(told) == list(range(9, 19))


def test_however_often_it_is_taken_back_each_press_is_looked_at_once():
    some = random.Random(5)
    for _ in range(300):
        happened = [
            back(some.randrange(30))
            if some.random() < 0.3
            else some.choice((TURN, WON, e.EXTENDED))
            for _ in range(25)
        ]
        log = entries(*happened)
        undone = [
            (event.counter, place)
            for place, event in enumerate(log.every)
            if isinstance(event, e.TakenBack)
        ]
        stands = [
            place for place, event in enumerate(log.every)
            if event.kind not in (TURN, WON) or not any(first <= place < end for first, end in undone)
        ]  # fmt: skip
        assert list(takeback.in_force(log)) == stands
        presses = [place for place in stands if log.kind(place) in (TURN, WON)]
        assert takeback.presses(log) == presses[-10:]
        assert takeback.order_of(log, 0) == (at(presses[-1]) if presses else None)


def test_a_press_that_was_taken_back_does_not_come_back_with_a_reset():
    board = Lucky(rules=p18).begin()
    board.now_ms += 60_000
    board.ask(intents.SET_STARTER, 0)
    assert board.ask(intents.WIN_GAME, 1) and board.match.score == (0, 1)
    assert board.ask(intents.TAKE_BACK, 0) and board.match.score == (0, 0)
    board.boot()
    assert board.match.score == (0, 0)


CODE, WRONG = e.CodeEntered(1, 0, 1), e.CodeEntered(1, 1, 0)
ROUND = e.RoundSet(0, 1, 1, 1)
LOSS = e.GameWon(9, 0, 0, 3, 0, 0)


def sent(kind, refused=0):
    return e.Answered(9, refused, 5, kind, 0)


def last(*happened):
    return takeback.last_act(PressLog([PlacedEvent((1, i), one) for i, one in enumerate(happened)]))


@pytest.mark.parametrize(("act", "found"), [
    (e.Extended(9, 0, 60), 2),
    (e.Frozen(9, 3), 2),
    (e.ResultRuled(9, 1, 1, 2, 0), 2),
    (LOSS, 2),
    (e.GameWon(9, 0, 0, 0, 0, 0), None),  # in play
    (e.Conceded(9, 0, 1, 3, 0), 2),  # a penalty where points are counted
    (e.Conceded(9, 0, 1, 0, 0), None),  # by the player
    (e.RollRuled(9, 1, 0), None),  # final (P28)
    (e.TakenBack(9, 0, 1, 2), None),
])  # fmt: skip
def test_the_last_act_of_the_visit_is_found(act, found):
    assert last(ROUND, CODE, act) == found
    assert last(ROUND, CODE, act, WRONG, e.CallEnded(9)) == found
    assert last(ROUND, act, CODE) is None, "of an earlier visit"


def test_an_end_that_both_seats_confirmed_is_none_of_the_judges():
    end = e.MatchEnded(9)
    assert last(ROUND, CODE, e.ResultConfirmed(9, 1), end) is None
    assert last(ROUND, e.ResultConfirmed(5, 1), CODE, end) == 3


def test_what_the_desk_sent_meanwhile_is_left_alone():
    mine = e.Extended(7, 0, 60)
    theirs = e.StarterSet(9, 0, 2), LOSS, sent(intents.LOSE_GAME)
    assert last(ROUND, CODE, mine, *theirs) == 2
    assert last(ROUND, CODE, mine, sent(intents.EXTEND, refused=1)) == 2
    ruled = e.ResultRuled(9, 1, 1, 2, 0), e.MatchEnded(9), sent(intents.RULE_RESULT)
    assert last(ROUND, CODE, mine, *ruled) == 2
    assert last(ROUND, CODE, mine, sent(intents.ARRIVE)) == 2
