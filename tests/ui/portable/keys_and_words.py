"""Gestures and words, on every interpreter: what a finger means, what a line says."""

import io

from firmware.ui import gestures
from firmware.ui.font import ELLIPSIS, Font
from firmware.ui.gestures import BOTH, HOLD, PRESS, Gestures
from firmware.ui.table import fill

A, B, J = 0, 1, 2


def played(edges, polls=()):
    """Feed ``edges`` (key, pressed, ms) and poll at ``polls``; return the gestures."""
    keys, found = Gestures(), []
    moments = [(edge[2], 0, edge) for edge in edges] + [(at_ms, 1, None) for at_ms in polls]
    for at_ms, _, edge in sorted(moments, key=lambda moment: moment[:2]):
        gesture = keys.feed(*edge) if edge else keys.poll(at_ms)
        if gesture:
            found.append(gesture)
    return found


def test_a_press_is_told_when_the_key_comes_up():
    assert played([(A, True, 0), (A, False, 30)]) == [PRESS + A]
    assert played([(J, True, 0), (J, False, 999)]) == [PRESS + J]


def test_a_bump_is_nothing():
    assert played([(B, True, 0), (B, False, 29)]) == []


def test_a_hold_is_told_once_while_the_key_is_down():
    assert played([(B, True, 0), (B, False, 1500)], [500, 999, 1000, 1100]) == [HOLD + B]


def test_a_hold_nobody_polled_for_is_told_at_the_end():
    assert played([(A, True, 0), (A, False, 1200)]) == [HOLD + A]


def test_both_seats_keys_are_one_gesture_and_no_hold():
    edges = [(A, True, 0), (B, True, 400), (A, False, 2000), (B, False, 2000)]
    assert played(edges, [1000, 1399, 1400, 1500]) == [BOTH]


def test_the_judges_key_is_its_own():
    edges = [(J, True, 0), (A, True, 100), (A, False, 300), (J, False, 1200)]
    assert played(edges, [1000]) == [PRESS + A, HOLD + J]


def test_a_change_of_state_locks_the_seats_and_never_the_judge():
    keys = Gestures()
    keys.feed(A, True, 0)
    keys.feed(J, True, 0)
    keys.lock(50)
    assert keys.feed(A, False, 100) == 0
    assert keys.poll(1000) == HOLD + J
    keys.feed(J, False, 1100)
    keys.lock(2000)
    keys.feed(B, True, 2299)
    assert keys.feed(B, False, 2500) == 0
    keys.feed(B, True, 2600)
    assert keys.feed(B, False, 2700) == PRESS + B


def test_what_is_held_shows_after_the_bump():
    keys = Gestures()
    keys.feed(B, True, 100)
    assert keys.held
    assert (keys.down(129), keys.down(130)) == (-1, B)
    assert gestures.LOCK_MS == 300


def test_a_key_is_fresh_until_its_bump_is_over_or_a_screen_locks_it():
    keys = Gestures()
    assert not keys.fresh(0)
    keys.feed(B, True, 100)
    assert [keys.fresh(at_ms) for at_ms in (100, 129, 130)] == [True, True, False]
    keys.lock(110)
    assert not keys.fresh(111), "nothing of it will be shown"
    keys.feed(B, False, 112)
    assert not keys.fresh(113)


def test_a_look_is_due_as_the_bump_is_over_and_as_the_hold_is():
    keys = Gestures()
    keys.feed(B, True, 100)
    assert [keys.due_ms(at_ms) for at_ms in (101, 129, 130, 1099)] == [130, 130, 1100, 1100]
    assert keys.poll(1099) == 0 and keys.poll(1100) == HOLD + B
    assert keys.due_ms(1100) == 1100 + gestures.HOLD_MS


def test_a_look_is_due_for_the_key_whose_time_comes_first():
    keys = Gestures()
    keys.feed(A, True, 0)
    keys.feed(B, True, 400)
    assert [keys.due_ms(at_ms) for at_ms in (400, 430, 999, 1000)] == [430, 1000, 1000, 1400]
    assert keys.poll(1000) == 0 and keys.poll(1400) == BOTH


def test_a_template_is_filled():
    words = {"one": "òne", "table": 2048, "round": 0}
    said = [fill(one, words.__getitem__) for one in ("{one}: {table}-{round}!", "café ▲", "")]
    assert said == ["òne: 2048-0!", "café ▲", ""]


def test_a_line_is_shortened_to_its_place():
    wide = Font(io.BytesIO(bytes((12, 10, 1, 255, 2)) + bytes([10]) * 255))  # 10 px a letter
    assert wide.fitting("Giulia", 60) == "Giulia"
    assert wide.fitting("Giulia B.", 80) == "Giulia" + ELLIPSIS
    assert wide.fitting("x", 5) == ELLIPSIS
