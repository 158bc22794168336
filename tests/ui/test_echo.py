"""What a key does is shown before the digits of a second, which take longest to draw."""

import pytest
from solo import Solo

from firmware.core import intents
from firmware.ui.gestures import BUMP_MS
from host.sim.faces import drawn_faces, uncover

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
