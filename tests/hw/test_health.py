"""The health of random bytes: good ones pass, each kind of bad one is seen."""

import random

import pytest

from host.boards.bringup import self_test


def good(seed):
    return bytearray(random.Random(seed).randbytes(self_test.RANDOM_BYTES))


@pytest.mark.parametrize("seed", range(50))
def test_good_bytes_pass(seed):
    assert self_test.fault_of_random(bytes(good(seed))) == ""


GOOD = bytes(good(1))
BAD = {
    "too short": (b"\x01\x02", "instead of"),
    "stuck": (GOOD[:100] + b"\x07" * 6 + GOOD[106:], "in a row"),
    "a byte too frequent": (bytes(GOOD[0] if at < 512 and at % 16 == 0 else one for at, one in enumerate(GOOD)), "times in 512"),
    "lopsided bits": (bytes(one | 8 if at % 4 == 3 else one for at, one in enumerate(good(3))), "are ones"),
    "a counter": (bytes(range(256)) * 16, "evenly"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_bad_bytes_are_seen(kind):
    data, said = BAD[kind]
    assert said in self_test.fault_of_random(data)
