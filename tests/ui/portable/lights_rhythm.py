"""The bar's rhythms and the tones: none above 3 Hz, and each state its own."""

from firmware.core import events, phases
from firmware.ui import lights, tones

EVERY = list(range(13)) + [lights.SOON, lights.CALLED, lights.WAITING, lights.HERE, lights.LIT]


class Table:
    def __init__(self, phase=phases.PLAYING, call=None):
        self.phase, self.call = phase, call


def seen(state, turn=0, pixels=lights.PIXELS, for_ms=12000):
    return [lights.bar(state, turn, at_ms, pixels) for at_ms in range(0, for_ms, 50)]


def flashes(shown):
    return sum(1 for before, after in zip(shown, shown[1:]) if after and not before)


def test_nothing_flashes_above_three_hertz():
    for state in EVERY:
        for turn in range(4):
            for pixels in (1, lights.PIXELS):
                for from_step in range(0, 40, 4):
                    second = seen(state, turn, pixels)[5 * from_step // 4 : 5 * from_step // 4 + 21]
                    assert flashes(second) <= 3, (state, turn, pixels)


def test_a_call_strobes_ten_seconds_and_then_pulses():
    assert flashes(seen(lights.CALLED, for_ms=10000)) in (19, 20)
    assert flashes(seen(lights.WAITING)) == 3
    assert lights.standing(Table(call=0), for_ms=9999) == lights.CALLED
    assert lights.standing(Table(call=0), for_ms=10000) == lights.WAITING
    assert lights.standing(Table(call=128), for_ms=0) == lights.HERE
    assert lights.standing(Table(), lit=64) == lights.LIT
    assert lights.standing(Table(), soon=1) == lights.SOON


def test_states_are_told_apart_on_a_bar_and_on_one_pixel():
    assert seen(phases.IDLE) == [0] * 240
    assert len(set(seen(phases.PLAYING))) == 1
    assert flashes(seen(lights.SOON)) == 3
    assert [lights.bar(phases.OVERTIME, turn, 0) >> 4 for turn in (1, 2, 3)] == [2, 4, 6]
    for turn in (1, 2, 3):
        assert flashes([0] + seen(phases.OVERTIME, turn, 1, 3000)) == turn
    assert lights.bar(phases.AGREED, 0, 0) >> 4 == 1
    dim, bright = shown(lights.bar(phases.AGREED, 0, 0, 1), 1), shown(1 << 4 | 6, 1)
    assert sum(dim) * 4 < sum(bright)


def shown(bar, pixels):
    return bytes(lights.colours(bar, bytearray(b"\xff" * 3 * pixels)))


def test_colours_are_three_bytes_a_pixel_and_the_rest_is_dark():
    assert shown(0, 8) == bytes(24)
    assert shown(8 * 16 + 2, 8) == shown(1 * 16 + 2, 1) * 8
    assert shown(2 * 16 + 2, 8) == shown(1 * 16 + 2, 1) * 2 + bytes(18)


def test_every_tune_ends_and_none_beats_above_three_hertz():
    for kind in range(62):
        heard = [tones.tone(kind, at_ms) for at_ms in range(0, 4000, 10)]
        assert heard[-1] == tones.OVER
        for from_step in range(300):
            second = heard[from_step : from_step + 100]
            assert sum(1 for x, y in zip(second, second[1:]) if y > 0 and x <= 0) <= 3, kind
    assert tones.tone(events.CLOCK, 0) == tones.OVER
    assert tones.tone(0, 0) > 0
