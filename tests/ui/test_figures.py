"""What a second, a press and a change of screen cost in pixels and on the wire."""

import pytest

from firmware.core import intents
from firmware.core.systems import p18
from firmware.ui.gestures import BUMP_MS
from host.sim import prices
from host.sim.faces import drawn_faces, uncover
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
