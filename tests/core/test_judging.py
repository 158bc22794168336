"""A judge's last act since the code, as the journal tells it, and what takes it back."""

import pytest

from firmware.core import events as e
from firmware.core import intents, takeback
from host.event.turn_times import PlacedEvent, PressLog

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
