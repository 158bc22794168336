"""The draft on a board's Python: the three printed examples, and a pod's clock."""

from firmware.core import events, intents
from firmware.core.draft import (
    BEGUN,
    BUILDING,
    BUILT,
    DRAWN,
    LAYING,
    MISSED,
    OPENED,
    PICKING,
    REVIEW,
    SET,
    TAKEN,
    Draft,
    active_seat,
    is_clockwise,
    picking_seat,
)  # fmt: skip


def order(seats, cards, active=1, clockwise=True):
    return [picking_seat(seats, active, clockwise, index) for index in range(cards)]


def test_the_printed_examples():
    assert order(8, 20) == [1, 2, 3, 4, 5, 6, 7, 8, 8, 7, 6, 5, 4, 3, 2, 1, 1, 2, 3, 4]
    assert order(7, 20) == [1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1, 1, 2, 3, 4, 5, 6]
    assert order(8, 20, 8, False) == [8, 7, 6, 5, 4, 3, 2, 1, 1, 2, 3, 4, 5, 6, 7, 8, 8, 7, 6, 5]


def test_the_active_player_by_group():
    assert [active_seat(7, 1, pack) for pack in range(1, 8)] == [1, 2, 3, 4, 5, 6, 7]
    assert [active_seat(7, 2, pack) for pack in range(1, 8)] == [7, 6, 5, 4, 3, 2, 1]
    assert [active_seat(7, 3, pack) for pack in range(1, 8)] == [1, 2, 3, 4, 5, 6, 7]
    assert [is_clockwise(group) for group in (1, 2, 3)] == [True, False, True]


def ask(draft, now_ms, step, b=0, c=0):
    happened = draft.decide(intents.Conduct(now_ms, step, b, c), now_ms)
    for event in happened:
        draft.apply(event)
    return happened


def tick(draft, now_ms):
    happened = draft.decide(intents.Tick(now_ms), now_ms)
    for event in happened:
        draft.apply(event)
    return happened


def test_a_missed_pick_takes_the_oldest_card():
    draft = Draft()
    ask(draft, 0, SET, 8 << 1 | 3 << 5, 3000)
    ask(draft, 1000, OPENED, 20)
    assert draft.phase == REVIEW and not tick(draft, 30999)
    assert tick(draft, 31007)[0] == events.Drafted(31000, BEGUN, 0, 0)
    assert draft.phase == PICKING and draft.seat == 1
    assert ask(draft, 32000, TAKEN, 0, 1)[0] == events.Drafted(32000, TAKEN, 1, 1)
    assert tick(draft, 35000)[0] == events.Drafted(35000, MISSED, 2, 2)
    assert draft.seat == 3 and draft.remaining_ms(36000) == 2000


def test_a_reset_halts_the_pick():
    draft = Draft()
    ask(draft, 0, SET, 8 << 1 | 3 << 5, 3000)
    ask(draft, 1000, OPENED, 20)
    tick(draft, 31000)
    draft.apply(events.Booted(40000, 0, 0, 0))
    assert draft.due_ms is None and draft.remaining_ms(99000) == 3000


def test_a_whole_draft():
    draft = Draft()
    ask(draft, 0, SET, 7 << 1 | 1 << 5, 3000)
    now = 0
    for pack in range(1, 8):
        assert draft.phase == LAYING and draft.active == pack
        ask(draft, now, OPENED, 2)
        now += 30000
        tick(draft, now)
        now += 3000
        tick(draft, now)
        now += 3000
        tick(draft, now)
    assert draft.phase == DRAWN
    ask(draft, now, BUILT)
    assert draft.phase == BUILDING and draft.remaining_ms(now) == 1800000
