"""Gateways hear each other's frames: what that tells of their delays, and what no liar can do."""

from hypothesis import given
from hypothesis import strategies as st

from host.collector.carriers.gateway_delays import ENOUGH, MOST_US, GatewayDelays

SLOT_US = 25_000


def frames_of(delays, sender, witnesses, count=40, first=0):
    """Have ``sender`` send; ``witnesses`` is {name: delay of the stamp in us, or a function}."""
    for number in range(first, first + count):
        frame, at_us = b"%s %d" % (sender.encode(), number), 1_000_000 + number * SLOT_US
        delays.note_asked(frame, sender, at_us)
        for witness, late_us in witnesses.items():
            late = late_us(number) if callable(late_us) else late_us
            delays.note_heard(frame, sender, witness, at_us + late, 1_000)


def test_the_least_of_many_is_the_delay():
    delays = GatewayDelays()
    frames_of(delays, "a", {"b": lambda number: 9_000 + number % 7 * 4_000})
    assert delays.delay_us("a") == 8_000 == delays.correction_us("a")
    assert delays.delay_us("b") is None and delays.correction_us("b") == 0


def test_a_few_frames_are_not_believed():
    delays = GatewayDelays()
    frames_of(delays, "a", {"b": 9_000}, ENOUGH - 1)
    assert delays.correction_us("a") == 0


def test_a_delay_that_is_over_is_forgotten():
    delays = GatewayDelays()
    frames_of(delays, "a", {"b": 4_000})
    frames_of(delays, "a", {"b": 15_000}, 3_000, 100)
    assert delays.delay_us("a") == 14_000


def test_a_frame_that_was_sent_twice_tells_nothing():
    delays = GatewayDelays()
    for number in range(40):
        delays.note_asked(b"key", "a", number * SLOT_US)
        delays.note_heard(b"key", "a", "b", number * SLOT_US + 5_000, 0)
    assert delays.delay_us("a") is None and not delays.liars("a")


@given(st.lists(st.integers(-500_000, 500_000), min_size=20, max_size=60), st.integers(0, 15_000))
def test_whatever_a_liar_says_one_honest_witness_holds_the_clocks(lies, delay_us):
    delays = GatewayDelays()
    frames_of(delays, "a", {"liar": lambda number: lies[number % len(lies)], "b": delay_us}, 60)
    assert 0 <= delays.correction_us("a") <= delay_us


@given(st.lists(st.integers(-500_000, 500_000), min_size=20, max_size=60))
def test_a_liar_alone_moves_them_by_no_more_than_the_bound(lies):
    delays = GatewayDelays()
    frames_of(delays, "a", {"liar": lambda number: lies[number % len(lies)]}, 60)
    assert 0 <= delays.correction_us("a") <= MOST_US


def test_what_is_heard_before_it_could_leave_is_a_lie_and_corrects_nothing():
    delays = GatewayDelays()
    frames_of(delays, "a", {"b": 9_000})
    frames_of(delays, "a", {"b": -30_000}, ENOUGH, 100)
    assert delays.liars("a") == ["b"] and delays.correction_us("a") == 0
    delays.forget("b")
    assert delays.liars("a") == []
