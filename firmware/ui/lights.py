"""The bar of pixels as data: the rhythm and colour of each table state (docs/architecture.md, At
the table).

Steady is fine, a slow blink is soon, segments are the turns after time (on one pixel: as many
flashes), a strobe and then a slow pulse is the judge, one dim pixel is done, dark is off. Never
above 3 Hz. Pure.
"""

from firmware.core.match import JUDGE_IS_HERE, Match

# red, green, blue by number: off, blue, sky, yellow, orange, white, green, dim green, purple
COLOURS = bytes((
    0, 0, 0, 0, 40, 90, 30, 80, 110, 120, 110, 20, 120, 50, 0, 120, 120, 120, 0, 60, 40,
    0, 12, 8, 90, 40, 75,
))  # fmt: skip
# a state's rhythm and colour: first the thirteen phases, then the rest
_STATES = bytes((
    0, 0,  0, 1,  1, 1,  0, 2,  0, 8,  1, 4,  3, 4,  1, 4,  5, 5,  0, 4,  3, 4,  1, 6,  2, 7,
    1, 3,  4, 5,  5, 5,  0, 5,  4, 1,  0, 0,
))  # fmt: skip
# WAITING: the call is older than ten seconds; LIT: the desk identifies the board
SOON, CALLED, WAITING, HERE, LIT = range(13, 18)
# a rhythm: twelve steps of 250 ms as bits, the first lowest: steady, blink, done (one pixel of the
# bar), segments (two pixels, or one flash, for each turn), strobe (2 Hz, of LIT, too), pulse
_RHYTHMS = (0xFFF, 0x03F, 0xFFF, 0xFFF, 0x555, 0x00F)
_DONE, _SEGMENTS = 2, 3
_FLASHES = 0x555
STROBE_MS = 10000
PIXELS = 8
STEP_MS, STEPS = 250, 12


def standing(match: Match, lit: int = False, soon: int = False, for_ms: int = 0) -> int:
    """Return the state that the lights show; ``for_ms`` is the time since a judge was called."""
    if lit:
        return LIT
    if match.call == JUDGE_IS_HERE:
        return HERE
    if match.call is not None:
        return CALLED if for_ms < STROBE_MS else WAITING
    return SOON if soon else match.phase


def moves(state: int, pixels: int) -> bool:
    """Return whether the lights of a state change by themselves."""
    rhythm = _STATES[2 * state]
    return _RHYTHMS[rhythm] != 0xFFF or (rhythm == _SEGMENTS and pixels == 1)


def bar(state: int, turn: int, uptime_ms: int, pixels: int = PIXELS) -> int:
    """Return ``pixels lit * 16 + colour``, 0 for dark, of a bar or of one pixel at a moment."""
    rhythm, colour = _STATES[2 * state], _STATES[2 * state + 1]
    pattern, lit = _RHYTHMS[rhythm], pixels
    if rhythm == _SEGMENTS:
        lit = min(pixels, 2 * turn)
        if pixels == 1:
            pattern = _FLASHES % (1 << 2 * turn)  # as many flashes as turns: the lowest bits
    elif rhythm == _DONE:
        lit = 1
    step = uptime_ms // STEP_MS % STEPS
    is_lit = colour and pattern >> step & 1
    return lit * 16 + colour if is_lit else 0


def colours(shown: int, pixels: bytearray) -> bytearray:
    """Write what ``bar`` returned as three bytes a pixel, the lit ones first; return ``pixels``."""
    lit, colour = shown >> 4, shown & 15
    for i in range(len(pixels)):
        pixels[i] = COLOURS[3 * colour + i % 3] if i < 3 * lit else 0
    return pixels
