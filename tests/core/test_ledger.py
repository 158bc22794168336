"""What a table's ledger asks for and when, what it begins over with, what it refuses."""

import pytest
from lucky import Lucky

from firmware.core import events, intents, phases
from firmware.core.systems import d03, p18, xw15


def test_a_table_begun_over_keeps_nothing_of_the_match_before():
    board = Lucky(rules=d03).begin()
    assert board.roll() and board.match.phase
    board.ledger.restart(xw15)
    ledger = board.ledger
    assert ledger.match.rules is xw15 and ledger.match.phase == phases.IDLE
    assert ledger.seeds is None and ledger.draft is None
    assert ledger.due_ms == 0, "it is asked at once"


def test_what_is_not_legal_has_no_events():
    board = Lucky(rules=p18)
    assert board.ledger.ask(intents.Resume(board.now_ms), board.now_ms) == ()


@pytest.mark.parametrize("rules", (p18, d03), ids=("without luck", "with luck"))
def test_a_table_asks_for_nothing_before_its_next_moment(rules):
    board = Lucky(rules=rules)
    assert board.ledger.tick(board.now_ms) == () and board.ledger.due_ms is None
    board.begin()
    start_ms = board.match.start_ms
    for moment_ms in (start_ms, start_ms + 60_000):  # then the clock is kept each minute
        assert board.ledger.due_ms == moment_ms > board.now_ms
        decide, board.match.decide = board.match.decide, None  # it is not even asked
        assert board.ledger.tick(moment_ms - 1) == ()
        board.match.decide = decide
        assert board.ledger.due_ms == moment_ms
        board.now_ms = moment_ms
        assert board.ledger.tick(moment_ms)
        board.tick()


def test_a_match_that_were_due_for_ever_would_leave_the_board_a_millisecond():
    board = Lucky(rules=p18).begin()
    board.ledger.match.due_ms = lambda now_ms: now_ms
    board.ledger.due_ms = 0
    assert board.ledger.tick(board.now_ms) == ()
    assert board.ledger.due_ms == board.now_ms + 1


def parts_of(board):
    """Tick as the App does, a part at a time; return what each part that did something brought."""
    parts = []
    while True:
        happened = board.ledger.tick(board.now_ms, False)
        if not happened and board.ledger.due_ms != 0:
            return parts
        parts.append([(event.kind, event.part) for event in happened])


def test_a_seed_is_drawn_at_once_and_the_generator_asked_once():
    board, asked = Lucky(), []
    even, board.entropy = board.entropy, lambda size: asked.append(size) or even(size)
    board.ledger.record(board.ledger.ask(intents.SetRound(board.now_ms, 1, 12, 3), board.now_ms))
    parts = parts_of(board)
    said = [(events.SEED_STORED, part) for part in (4, 5, 6, 7, 0, 1, 2)]
    assert [part for part in parts if part] == [said] and len(parts) <= 2, "a block may end first"
    assert asked == [1088]
    board.now_ms += 1000
    assert parts_of(board) == [] and len(asked) == 1, "that was all"


@pytest.mark.parametrize("before", range(21))
def test_a_seed_that_stands_takes_no_room_after_a_reset(before):
    board = Lucky().begin()
    board.journal.append(*[events.Clock(board.now_ms, 0)] * before)
    board.boot()
    held = board.journal.counter
    parts_of(board)
    assert board.ledger.seeds.committed and board.journal.counter == held


def test_without_its_whole_commitment_nothing_is_rolled():
    board = Lucky().begin()
    del board.ledger.seeds.parts[2]
    assert board.roll() is None


def test_the_bar_on_rolls_is_told_anew_with_the_next_round_at_its_time():
    board = Lucky()
    board.begin(1)
    board.ask(intents.SET_POLICY, 4)
    for kind in (intents.CLEAR_ROUND, intents.SET_ROUND):
        happened = board.ask(kind, 2, 12, 3)
        assert happened[1:] == (events.PolicySet(happened[0].at_ms, 4),)
    assert happened[0].at_ms == board.now_ms


def test_after_a_long_outage_time_comes_before_luck():
    board = Lucky().begin()
    board.now_ms = board.match.zero_ms + 1000
    board.boot()
    assert board.ledger.tick(board.now_ms)[0].kind != events.SEED_STORED
    board.tick()
    assert board.match.called and board.ledger.seeds.committed


def test_a_nonce_or_a_roll_without_a_seed_comes_to_nothing():
    board = Lucky(rules=p18).begin()
    assert board.ask(intents.SET_NONCE, 1, 7, 7) == ()
    assert board.ask(intents.ROLL, 16) == ()


def test_a_press_that_is_not_there_is_not_taken_back():
    board = Lucky(rules=p18)
    assert board.ask(intents.TAKE_BACK, 0) == (), "nor at a table without a match"
    board.begin()
    assert board.ask(intents.TAKE_BACK, 0) == ()
    board.now_ms += 60_000
    assert board.ask(intents.SET_STARTER, 0) and board.ask(intents.CLEAR_ROUND)
    assert board.ask(intents.TAKE_BACK, 0) == (), "nor one of a round that was taken off"


def test_after_what_happened_the_table_is_asked_at_once():
    board = Lucky(rules=p18).begin()
    assert board.ledger.due_ms > board.now_ms
    board.ledger.record((events.JudgeCalled(board.now_ms, 1),))
    assert board.ledger.due_ms == 0


def test_one_press_is_taken_back_by_its_own_name():
    board = Lucky(rules=p18).begin()
    board.now_ms += 60_000
    board.ask(intents.SET_STARTER, 0)
    epoch, counter = board.journal.epoch, board.journal.counter
    board.ask(intents.WIN_GAME, 1)
    (taken,) = board.ask(intents.TAKE_BACK, 2, epoch, counter)[:1]
    assert taken == events.TakenBack(board.now_ms, 2, epoch, counter)
    assert board.match.score == (0, 0)
