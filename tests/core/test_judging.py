"""A judge's last act since the code, as the journal tells it, and what takes it back."""

import pytest

from firmware.core import events as e
from firmware.core import intents, judging
from host.archive.decoded_frames import BoardEvent
from host.event.press_log import PlacedEvent, PressLog

CODE, WRONG = (e.CODE_ENTERED, 1, 0, 1, 0), (e.CODE_ENTERED, 1, 1, 0, 0)
ROUND = (e.ROUND_SET, 0, 1, 1, 1)
LOSS = (e.GAME_WON, 9, 0, 3 << 8, 0)


def sent(kind, refused=0):
    return (e.ANSWERED, 9, refused, 5, kind)


def last(*happened):
    return judging.last(
        PressLog([PlacedEvent((1, i), BoardEvent(*one)) for i, one in enumerate(happened)])
    )


@pytest.mark.parametrize(
    ("act", "found"),
    [
        ((e.EXTENDED, 9, 0, 60, 0), 2),
        ((e.FROZEN, 9, 3, 0, 0), 2),
        ((e.RESULT_RULED, 9, 129, 2, 0), 2),
        (LOSS, 2),
        ((e.GAME_WON, 9, 0, 0, 0), None),  # in play
        ((e.CONCEDED, 9, 0, 1 | 3 << 8, 0), 2),  # a penalty where points are counted
        ((e.CONCEDED, 9, 0, 1, 0), None),  # by the player
        ((e.ROLL_RULED, 9, 1, 0, 0), None),  # final (P28)
        ((e.TAKEN_BACK, 9, 0, 1, 2), None),
    ],
)
def test_the_last_act_of_the_visit_is_found(act, found):
    assert last(ROUND, CODE, act) == found
    assert last(ROUND, CODE, act, WRONG, (e.CALL_ENDED, 9, 0, 0, 0)) == found
    assert last(ROUND, act, CODE) is None, "of an earlier visit"


def test_an_end_that_both_seats_confirmed_is_none_of_the_judges():
    end = (e.MATCH_ENDED, 9, 0, 0, 0)
    assert last(ROUND, CODE, (e.RESULT_CONFIRMED, 9, 1, 0, 0), end) is None
    assert last(ROUND, (e.RESULT_CONFIRMED, 5, 1, 0, 0), CODE, end) == 3


def test_what_the_desk_sent_meanwhile_is_left_alone():
    mine = (e.EXTENDED, 7, 0, 60, 0)
    theirs = (e.STARTER_SET, 9, 0, 2, 0), LOSS, sent(intents.LOSE_GAME)
    assert last(ROUND, CODE, mine, *theirs) == 2
    assert last(ROUND, CODE, mine, sent(intents.EXTEND, refused=1)) == 2
    ruled = (e.RESULT_RULED, 9, 129, 2, 0), (e.MATCH_ENDED, 9, 0, 0, 0), sent(intents.RULE_RESULT)
    assert last(ROUND, CODE, mine, *ruled) == 2
    assert last(ROUND, CODE, mine, sent(intents.ARRIVE)) == 2
