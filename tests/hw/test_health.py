"""The health of random bytes: good ones pass, each kind of bad one is seen."""

import random

import pytest

from host.boards.bringup import self_test


def good(seed):
    return bytearray(random.Random(seed).randbytes(self_test.RANDOM_BYTES))


@pytest.mark.parametrize("seed", range(50))
def test_good_bytes_pass(seed):
    assert self_test.fault_of_random(bytes(good(seed))) == ""


def test_a_short_answer_is_no_pass():
    assert "instead of" in self_test.fault_of_random(b"\x01\x02")


def test_a_stuck_generator_is_seen():
    data = good(1)
    data[100:106] = b"\x07" * 6
    assert "in a row" in self_test.fault_of_random(bytes(data))


def test_a_byte_too_frequent_is_seen():
    data = good(2)
    data[0:512:16] = bytes([data[0]]) * 32
    assert "times in 512" in self_test.fault_of_random(bytes(data))


def test_lopsided_bits_are_seen():
    data = bytes(byte | 8 if index % 4 == 3 else byte for index, byte in enumerate(good(3)))
    assert "are ones" in self_test.fault_of_random(data)


def test_a_counter_is_seen():
    assert "evenly" in self_test.fault_of_random(bytes(range(256)) * 16)
