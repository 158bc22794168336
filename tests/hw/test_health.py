"""The health of random bytes: good ones pass, each kind of bad one is seen."""

import random

import pytest

from host.boards.bringup import entropy_health as health


def good(seed):
    return bytearray(random.Random(seed).randbytes(health.SIZE))


@pytest.mark.parametrize("seed", range(50))
def test_good_bytes_pass(seed):
    assert health.fault(bytes(good(seed))) == ""


def test_a_short_answer_is_no_pass():
    assert "instead of" in health.fault(b"\x01\x02")


def test_a_stuck_generator_is_seen():
    data = good(1)
    data[100:106] = b"\x07" * 6
    assert "in a row" in health.fault(bytes(data))


def test_a_byte_too_frequent_is_seen():
    data = good(2)
    data[0:512:16] = bytes([data[0]]) * 32
    assert "times in 512" in health.fault(bytes(data))


def test_lopsided_bits_are_seen():
    data = bytes(byte | 8 if index % 4 == 3 else byte for index, byte in enumerate(good(3)))
    assert "are ones" in health.fault(data)


def test_a_counter_is_seen():
    assert "evenly" in health.fault(bytes(range(256)) * 16)
