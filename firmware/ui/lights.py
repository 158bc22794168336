"""The bar of pixels as data: what it says of the table's state, and in what rhythm (DESIGN §6).

Steady is fine, a slow blink is soon, segments are the turns after time, a strobe and then a slow
pulse is the judge, one pixel is done, dark is off. Never above 3 Hz. Pure.
"""

# red, green, blue by number: off, blue, sky, yellow, orange, white, green
COLOURS = bytes(
    (0, 0, 0, 0, 40, 90, 30, 80, 110, 120, 110, 20, 120, 50, 0, 120, 120, 120, 0, 60, 40)
)
_STEADY = 0
_BLINK = 1
_SEGMENTS = 2
_ONE = 3
# by phase: rhythm * 8 + colour; the last one is of the last five minutes
_STATES = bytes((0, 1, 9, 2, 13, 12, 20, 12, 13, 4, 4, 14, 30, 11))
_SOON = 13
_WHITE = 5
_STROBE_MS = 10000
PIXELS = 8
STEP_MS = 250


def bar(phase, soon, turn, called_ms, uptime_ms):
    """Return ``pixels lit * 8 + colour``; ``called_ms`` is since when a judge is called, or None."""
    if called_ms is not None:
        if uptime_ms - called_ms < _STROBE_MS:
            lit = uptime_ms // STEP_MS & 1  # 2 Hz
        else:
            lit = uptime_ms // 1000 % 3 == 0
        return PIXELS * 8 + _WHITE if lit else 0
    state = _STATES[_SOON if soon else phase]
    rhythm, colour = state >> 3, state & 7
    lit = PIXELS
    if rhythm == _BLINK and uptime_ms // 1000 & 1:
        lit = 0
    elif rhythm == _SEGMENTS:
        lit = 2 * turn
    elif rhythm == _ONE:
        lit = 1
    return lit * 8 + colour if lit and colour else 0


def colours(shown):
    """Return what the pixels show: three bytes each, the lit ones."""
    at = 3 * (shown & 7)
    return COLOURS[at : at + 3] * (shown >> 3)
