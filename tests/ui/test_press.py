"""What a press comes to: stored in one write, and told only once that is done."""

import pytest
from solo import A, B, Solo

from firmware.core import events, intents
from firmware.core.journal import Journal
from host.sim import stored_records

SOUNDS = 8
WRITE_MS, FIRST_MS = 55, 200  # of one copy on a Feather; of a call's first tone
KEYS = 4 * 1  # a short press of the first seat's key


@pytest.fixture
def running():
    board = Solo()
    board.tell_time(7_200_000)
    board.pair()
    board.run(160)
    return board


def out_of_memory(*what):
    """Ask for one act, and fail at the next."""
    yield intents.CallJudge(0, 1)
    raise MemoryError


def stored(board):
    """Return the kinds of the events that a board's next life would find."""
    journal = Journal(board.store, board.app.journal.device, board.app.journal.key)
    journal.recover()
    return [events.of_record(record).kind for _, record in stored_records.walk(journal.ring, 0)]


def test_nobody_hears_of_a_press_before_it_is_stored(running):
    assert running.desk(intents.SET_POLICY, SOUNDS)
    ring, play, told = running.app.journal.ring, running.app.view.play_tone, []

    def spy(match, kind):
        told.append((kind, ring.dirty))
        play(match, kind)

    running.app.view.play_tone = spy
    running.press(A, B)
    running.press(A, A, B)
    assert len(told) > 1 and [kind for kind, dirty in told if dirty] == []


def test_a_press_that_comes_to_two_acts_is_written_to_each_copy_once(running):
    app, store = running.app, running.board.store
    write, writes = store.write, []
    store.write = lambda copy, block, data: (writes.append(copy), write(copy, block, data))
    app.hand.intents_for = lambda *what: [intents.SetStarter(0, 0), intents.CallJudge(0, 1)]
    before = len(stored(running))
    app._gesture(KEYS, running.board.clock.now_ms(), running.now_ms)
    assert writes == [0, 1] and len(stored(running)) == before + 2


def test_an_error_amid_a_press_leaves_no_later_event_unstored(running):
    app = running.app
    app.hand.intents_for = out_of_memory
    before = len(stored(running))
    with pytest.raises(MemoryError):
        app._gesture(KEYS, running.board.clock.now_ms(), running.now_ms)
    assert len(stored(running)) == before, "nobody was told"
    app.journal.append(events.Clock(running.now_ms, 0))
    assert stored(running)[-1] == events.CLOCK


def test_a_tone_is_as_long_however_long_the_flash_takes(running):
    """It begins when the press is stored, and is not reckoned from before."""
    assert running.desk(intents.SET_POLICY, SOUNDS)
    app, clock, lost_ms = running.app, running.board.clock, [0]
    write, now_ms = running.board.store.write, clock.now_ms
    clock.now_ms = lambda: now_ms() + lost_ms[0]

    def slow(copy, block, data):
        write(copy, block, data)
        lost_ms[0] += WRITE_MS

    running.board.store.write = slow
    app.hand.intents_for = lambda *what: [intents.CallJudge(0, 1)]
    app._gesture(KEYS, clock.now_ms(), running.now_ms)
    app.view.sound(clock.now_ms() + FIRST_MS - 1)
    assert running.board.sound.tones, "the first tone goes on"
    app.view.sound(clock.now_ms() + FIRST_MS)
    assert not running.board.sound.tones[-1]
