"""What is typed for the whole hall: messages, drafts, sound, coins and dice; and the last
presses.
"""

import pytest

from firmware.core import draft, events, intents, payload
from firmware.core.ledger import Ledger
from firmware.core.systems import p18

pytestmark = pytest.mark.archives


def asked(venue):
    return [payload.numbers(order.intent)[1:] for order in venue.archive.orders.all if order.kind in (
        intents.SAY, intents.SET_POLICY, intents.SET_DRAFT)]  # fmt: skip


def test_a_message_with_the_next_rounds_time_reaches_every_board(venue, console):
    assert console.run("say pairings 10") == ["say: asked of 2 tables"]
    venue.drain()
    said = [board.match.said for board in venue.boards]
    assert {(one.message, one.next_round_s) for one in said} == {(6, 600)}
    assert [line.split(": ", 1)[1] for line in console.news()] == ["say: done", "say: done"]


def test_sound_and_luck_are_switched_each_without_the_other(venue, console):
    console.run("sound all on")
    console.run("luck 1 on")
    venue.drain()
    assert [board.match.policy for board in venue.boards] == [9, 8]
    console.run("luck 1 barred")
    console.run("sound 1 off")
    venue.drain()
    assert [board.match.policy for board in venue.boards] == [4, 8]


def test_a_board_is_asked_to_conduct_a_draft_to_build_and_to_end(venue, console):
    for line in (
        "draft 1 rochester 8 3",
        "draft 1 rochester 7 1 3",
        "draft 2 booster 8 3",
        "draft 1 build",
        "draft 1 end",
    ):
        assert console.run(line)[0].startswith("draft: asked of table")
    assert asked(venue) == [
        (draft.SET, 0 | 8 << 1 | 3 << 5, 4000), (draft.SET, 7 << 1 | 1 << 5, 3000),
        (draft.SET, 1 | 8 << 1 | 3 << 5, 0), (draft.BUILT, 0, 0), (draft.ENDED, 0, 0),
    ]  # fmt: skip
    ledger = Ledger(None, p18, None)
    (event,) = ledger.ask(venue.archive.orders.all[0].intent, 5)
    assert event == events.Drafted(5, draft.SET, 8 << 1 | 3 << 5, 4000)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("say hello", "'hello' is none of next seats"),
        ("say lunch 2000", "minutes: must be a whole number from 0 to 1092; say: say next|"),
        ("sound all loud", "'loud' is none of on off"),
        ("luck 9 on", "table 9 has no board"),
        ("draft 1 rochester", "how many packs: draft 1 rochester 8 3, or draft 1 booster pod1 3"),
        ("draft 1 booster 9 3", "a Booster pod 2-8"),
        ("draft 1 rochester 8 1 90", "1-3 groups and a pick clock"),
        ("presses 7", "of table 7 nothing was heard yet"),
    ],
)
def test_a_slip_is_answered_and_does_nothing(venue, console, line, words):
    (told,) = console.run(line)
    assert told.startswith("not done: ") and words in told
    assert asked(venue) == []


def test_a_judge_reads_the_last_ten_presses_with_their_times(venue, console):
    venue.begin()
    board = venue.boards[0]
    assert console.run("presses 1") == ["table 1: no press stands"]
    for kind, a in ((intents.SET_STARTER, 1), (intents.START_TURN, 1), (intents.END_TURN, 1)):
        assert board.ask(venue.air.now_ms, kind, a)
        venue.air.run(20_000)
    venue.drain()
    said = [line.split(": ", 1)[1] for line in console.run("presses 1")]
    assert said == [
        "the turn is over, Given0 Family (▲) is next", "Given1 Family (●)'s turn begins",
        "Given1 Family (●) starts game 1",
    ]  # fmt: skip
    assert (
        console.run("presses 1")[0].startswith("0:2")
        and " into the round: " in console.run("presses 1")[0]
    )
    for _ in range(6):
        assert board.ask(venue.air.now_ms, intents.START_TURN, 0) and board.ask(
            venue.air.now_ms, intents.END_TURN
        )
    venue.drain()
    assert len(console.run("presses 1")) == 10
