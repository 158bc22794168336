"""What the program's own refreshes show, and what a second, a press and a screen cost on the wire."""

import pytest

from firmware.core import intents
from firmware.core.systems import p18
from firmware.ui import face
from firmware.ui.gestures import BUMP_MS
from host.sim import panel, prices
from host.sim.faces import FOLDER, drawn_faces, uncover
from host.sim.single_board import SingleBoard

MEASURED = "bytes that the real driver sent to the emulated panel; time: its SPI alone, no board"


@pytest.fixture(params=("feathers3", "feathers3-35", "lilygo"))
def running(request):
    """(model, a board whose round has run for ten minutes), drawn."""
    board = SingleBoard(request.param, p18, drawn_faces())
    board.ask(intents.SetRound(0, 3, 12, 1))
    board.ask(intents.SetFormat(0, 0, 3 << 1, 50))
    board.ask(intents.SetStart(board.now_ms + 130_000))
    board.run(729)  # nobody looks: nothing is drawn
    uncover(board.app)
    board.run(1)
    return request.param, board


def sent(board, seconds):
    """Let time pass; return how many bytes the program's refreshes took."""
    before = board.board.glass.bus.bytes_sent
    board.run(seconds)
    return board.board.glass.bus.bytes_sent - before


def test_pixels_of_a_second_a_press_and_a_screen(running, printed):
    model, board = running
    costs = prices.load().on(model)
    echo_ms = costs["key_scan_ms"] + BUMP_MS  # two equal readings, and a bump is no press

    def wire_ms(size):
        """Return how long so many bytes take on the wire."""
        return 8 * size / costs["spi_khz"]

    seconds = [sent(board, 1) for _ in range(60)]
    board.board.keys.turn(0, True)
    echo = sent(board, echo_ms / 1000)
    board.board.keys.turn(0, False)
    screen = sent(board, 0.2)
    mean = sum(seconds) / len(seconds)
    to_pixel_ms = echo_ms + wire_ms(echo)
    printed(f"pixels, {model} at {costs['spi_khz']} kHz ({MEASURED})", [
        f"a running second: {mean:.0f} bytes, at most {max(seconds)} = {wire_ms(max(seconds)):.1f} ms",
        f"a key's echo: {echo} bytes; button to pixel {to_pixel_ms:.1f} ms with scan and bump",
        f"a change of screen: {screen} bytes = {wire_ms(screen):.1f} ms",
    ])  # fmt: skip
    assert 0 < echo < screen
    assert wire_ms(max(seconds)) <= 120 and to_pixel_ms <= 60


PANELS = ("320x240", "480x320")


@pytest.fixture(params=PANELS)
def blank(request):
    """(panel, its number) of one that nothing was drawn on yet."""
    return panel.Panel(request.param), request.param


class Counted:
    """A board with a lit panel; counts the refreshes of each step and what they left out."""

    def __init__(self, model):
        self.board = SingleBoard(model, p18, drawn_faces())
        uncover(self.board.app)
        self.glass, self._step = self.board.board.glass, self.board.app.step
        self.refreshes, self.most, self.left_out = 0, 0, 0
        refresh = self.glass.display.refresh

        def counted():
            self.refreshes += 1
            return refresh()

        def step():
            before = self.refreshes
            due_ms = self._step()
            self.most = max(self.most, self.refreshes - before)
            shown = bytes(self.glass.bus.frame)
            refresh()
            self.left_out += shown != bytes(self.glass.bus.frame)
            return due_ms

        self.glass.display.refresh, self.board.app.step = counted, step


def test_a_panel_shows_nothing_before_the_program_refreshes_it(blank):
    import displayio
    import vectorio

    seen, _ = blank
    shade = displayio.Palette(1)
    shade[0] = 0xFFFFFF
    group = displayio.Group()
    group.append(vectorio.Rectangle(pixel_shader=shade, width=40, height=40, x=8, y=8))
    seen.display.root_group = group
    assert seen.image().getbbox() is None, "a group that is set only waits"
    seen.display.refresh()
    assert seen.image().getbbox() == (8, 8, 48, 48)


@pytest.mark.parametrize("error", (None, MemoryError()), ids=("no key", "crashed"))
def test_the_screens_without_a_table_come_out(blank, error):
    seen, name = blank
    face.tell(face.open_face(seen.display, name, "en", FOLDER), error)
    assert seen.image().getbbox() is not None


@pytest.mark.parametrize("model", ("feathers3", "feathers3-35", "lilygo"))
def test_every_picture_of_a_match_comes_out_with_one_refresh(model):
    seen = Counted(model)
    board = seen.board
    board.ask(intents.SetRound(0, 3, 12, 1))
    board.show_names(("Giulia B.", "Kenji T."))
    board.ask(intents.SetFormat(0, 0, 3 << 1, 50))
    board.ask(intents.SetStart(board.now_ms + 5_000))
    board.run(8)
    board.press(0, 1, 0, 0, 1, 1)
    board.hold(0)
    board.hold(1)
    board.ask(intents.Freeze(board.now_ms))
    board.run(3)
    board.ask(intents.Resume(board.now_ms))
    board.run(3)
    assert seen.left_out == 0, "drawn, and never refreshed"
    assert seen.most == 1


def test_a_second_in_which_nothing_changes_refreshes_nothing():
    seen = Counted("feathers3")
    seen.board.run(1)
    before = seen.refreshes
    seen.board.run(20)
    assert seen.refreshes == before
