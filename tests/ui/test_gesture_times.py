"""A board that looks at held keys only when ``Gestures.due_ms`` says misses no gesture."""

from hypothesis import given
from hypothesis import strategies as st

from firmware.ui.gestures import Gestures

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
