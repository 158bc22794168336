"""The bar's rhythms, on every interpreter: none above 3 Hz, and each state its own."""

from firmware.core import phases
from firmware.ui import lights


def seen(phase, soon=0, turn=0, called_ms=None, from_ms=0, for_ms=12000):
    """Return what the bar shows every 50 ms."""
    return [
        lights.bar(phase, soon, turn, called_ms, at_ms) for at_ms in range(from_ms, from_ms + for_ms, 50)
    ]


def flashes(shown):
    """Return how often it lights up."""
    return sum(1 for before, after in zip(shown, shown[1:]) if after and not before)


def test_nothing_flashes_above_three_hertz():
    for phase in range(13):
        for soon in (0, 1):
            assert flashes(seen(phase, soon)) <= 3 * 12, phase
    assert 18 <= flashes(seen(phases.PLAYING, called_ms=0, for_ms=10000)) <= 20


def test_a_call_strobes_ten_seconds_and_then_pulses():
    assert flashes(seen(phases.PLAYING, called_ms=0, from_ms=10000)) in (3, 4)
    assert max(seen(phases.IDLE, called_ms=0)) == 8 * lights.PIXELS + 5


def test_states_are_told_apart():
    assert seen(phases.IDLE) == [0] * 240
    assert len(set(seen(phases.PLAYING))) == 1
    assert flashes(seen(phases.PLAYING, soon=1)) == 5
    assert [lights.bar(phases.OVERTIME, 0, turn, None, 0) >> 3 for turn in (1, 2, 3)] == [2, 4, 6]
    assert lights.bar(phases.AGREED, 0, 0, None, 0) >> 3 == 1


def test_colours_are_three_bytes_a_pixel():
    assert lights.colours(0) == b""
    assert len(lights.colours(8 * 8 + 2)) == 24
