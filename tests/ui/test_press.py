"""What a press comes to: seen in time, shown before a second's digits, stored in one write, told once that is done."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from solo import A, B, Solo

from firmware.core import events, intents
from firmware.core.journal import Journal
from firmware.ui.gestures import BUMP_MS, Gestures
from host.sim import stored_records
from host.sim.faces import drawn_faces, uncover

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


MODELS = ("feathers3", "feathers3-35", "lilygo")


class Pictures:
    """A board whose round has run for a minute; ``sent``: (uptime in ms, pixels) of each picture."""

    def __init__(self, model):
        self.board = Solo(model, drawn_faces())
        self.board.tell_time(7_200_000)
        self.board.pair(wait_s=120)
        self.board.run(180)
        assert self.board.desk(intents.SET_STARTER, 0)  # from then on names are shown
        uncover(self.board.app)
        self.board.run(1)
        self.sent = []
        self.glass = self.board.board.glass
        refresh = self.glass.display.refresh

        def counted():
            before = self.glass.bus.pixels_sent
            refresh()
            pixels = self.glass.bus.pixels_sent - before
            self.sent.append((self.board.board.clock.now_ms(), pixels))

        self.glass.display.refresh = counted

    def until_a_second_ends_in(self, left_ms):
        """Run until the clock's next second is so far away; return when that is (uptime)."""
        app = self.board.app
        while True:
            now_ms = self.board.now_ms
            if app.match.remaining_ms(now_ms) % 1000 == left_ms:
                del self.sent[:]
                return self.board.board.clock.now_ms() + left_ms + 1
            self.board.run(0.001)

    @property
    def box_px(self):
        box = self.board.app.face.canvas.boxes["key_1"]
        return box.width * box.height

    @property
    def clock_s(self):
        """The second that the digits show."""
        return self.board.app.face.canvas._clock[2]


@pytest.fixture(params=MODELS)
def seen(request):
    return Pictures(request.param)


@pytest.mark.parametrize("left_ms", (30, 45, 50))  # before, in and after a bump's time
def test_a_keys_echo_is_sent_before_the_second_that_ends_meanwhile(seen, left_ms):
    scan_ms = 20
    ends_ms = seen.until_a_second_ends_in(left_ms)
    pressed_ms, before_s = seen.board.board.clock.now_ms() + scan_ms, seen.clock_s
    seen.board.board.keys.turn(0, True)
    seen.board.run(0.1)
    echo, tick = seen.sent
    assert echo == (pressed_ms + BUMP_MS, seen.box_px)
    assert tick[0] <= max(ends_ms, pressed_ms + BUMP_MS) + 2 and seen.clock_s == before_s - 1


def test_a_second_that_ends_before_a_key_is_touched_waits_for_nobody(seen):
    ends_ms = seen.until_a_second_ends_in(5)
    seen.board.board.keys.turn(0, True)
    seen.board.run(0.1)
    tick, echo = seen.sent
    assert tick[0] == ends_ms and echo[1] == seen.box_px


def test_news_comes_before_the_second_that_ends_with_it(seen):
    seen.until_a_second_ends_in(1)
    before_s, board = seen.clock_s, seen.board
    board.loop.run_until_complete(board.rest(0.005))  # and no step meanwhile
    board.show_names(("Giulia B.", "Kenji T."))
    board.app.step()
    assert len(seen.sent) == 1 and seen.clock_s == before_s
    board.run(0.002)
    assert len(seen.sent) == 2 and seen.clock_s == before_s - 1


def test_a_clock_that_jumps_or_another_screen_is_one_picture(seen):
    before_s, board = seen.clock_s, seen.board
    assert board.app._ask(intents.Extend(board.now_ms, 0, 60), board.now_ms)
    board.app.step()
    assert len(seen.sent) == 1 and seen.clock_s >= before_s + 59


END_MS = 6000
TURNS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(1, 1500), st.booleans()), min_size=1, max_size=12
)


def edges_of(turns):
    """Return ``{ms: [(key, pressed)]}`` and when the screen changes, of keys turned in order."""
    at_ms, down, edges, locks = 0, set(), {}, set()
    for key, after_ms, locked in turns:
        at_ms += after_ms // 3
        edges.setdefault(at_ms, []).append((key, key not in down))
        down ^= {key}
        if locked:
            locks.add(at_ms)
    return edges, locks


def looked(turns, sleeps):
    """Return ``(ms, gesture)`` of a board that looks every ms, or ``sleeps`` until it must."""
    keys, (edges, locks), found, due_ms, looks = Gestures(), edges_of(turns), [], 0, 0
    for now_ms in range(END_MS):
        gesture = 0
        for key, pressed in edges.get(now_ms, ()):
            gesture = keys.feed(key, pressed, now_ms)
            found += [(now_ms, gesture)] if gesture else []
        if sleeps and now_ms < due_ms and now_ms not in edges:
            continue
        looks += 1
        gesture = keys.poll(now_ms)
        found += [(now_ms, gesture)] if gesture else []
        if now_ms in locks:
            keys.lock(now_ms)
        due_ms = keys.due_ms(now_ms) if keys.held else END_MS
        assert due_ms > now_ms
    return found, looks


@given(TURNS)
@example([(0, 1, False), (2, 1, False)])  # two holds end in one ms
def test_who_sleeps_sees_what_who_looks_every_millisecond_sees(turns):
    always, _ = looked(turns, False)
    slept, looks = looked(turns, True)
    assert slept == always
    assert looks < 50


def test_a_bump_ends_when_it_is_due():
    keys = Gestures()
    keys.feed(0, True, 100)
    assert keys.due_ms(100) == 130 and keys.down(130) == 0
    assert keys.due_ms(130) == 1100 and keys.poll(1100)
