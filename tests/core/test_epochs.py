"""What a key opens: the frames of one epoch, event and direction, and nothing else."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.core import frames

PLACES = st.tuples(
    st.integers(0, 65535), st.sampled_from((frames.UP, frames.DOWN)), st.integers(0, 65535)
)


def test_an_epochs_key_opens_no_other():
    keys = [frames.stream_key(bytes(32), 5, frames.DOWN, epoch) for epoch in range(300)]
    assert len(set(keys)) == 300
    signed = frames.sign(keys[7], 8, 7, 7, 1, bytes(9))
    assert [n for n, key in enumerate(keys) if frames.verify(key, signed)] == [7]


@given(st.lists(PLACES, min_size=2, max_size=6, unique=True))
def test_no_two_streams_share_a_key(places):
    for one, other in itertools.combinations(places, 2):
        assert frames.stream_key(bytes(32), *one) != frames.stream_key(bytes(32), *other)


@pytest.mark.parametrize(
    "other",
    ((6, frames.UP, 7), (5, frames.DOWN, 7), (5, frames.UP, 8)),
    ids=("event", "direction", "epoch"),
)
def test_one_thing_that_is_other_is_another_key(other):
    assert frames.stream_key(bytes(32), *other) != frames.stream_key(bytes(32), 5, frames.UP, 7)


@pytest.mark.parametrize(
    "other",
    ((bytes(32), 8, 1), (bytes(32), 7, 2), (bytes(31) + b"1", 7, 1)),
    ids=("device", "generation", "master"),
)
def test_no_board_and_no_generation_has_anothers_key(other):
    assert frames.board_key(*other) != frames.board_key(bytes(32), 7, 1)
