"""The health tests' cutoffs are those of SP 800-90B, and even bytes pass them."""

import random
from fractions import Fraction
from math import comb

import pytest

from firmware.core import seeds

BITS = 4  # of min-entropy a byte that are claimed
ALARM = Fraction(1, 2**30)


def critical(window, share):
    """Return CRITBINOM: the least count that is passed less often than ALARM, exactly."""
    total = Fraction(0)
    for count in range(window + 1):
        total += comb(window, count) * share**count * (1 - share) ** (window - count)
        if total >= 1 - ALARM:
            return count
    raise AssertionError


def test_the_cutoffs_are_the_standards():
    assert seeds.REPEATS == 1 + -(-30 // BITS)
    assert seeds.AGAIN == 1 + critical(seeds.WINDOW, Fraction(1, 2**BITS))


@pytest.mark.parametrize("seed", range(50))
def test_even_bytes_pass(seed):
    assert seeds.sound(random.Random(seed).randbytes(1088))


@pytest.mark.parametrize("bits", (0, 1, 2))
def test_bytes_with_far_less_than_is_claimed_fail(bits):
    luck = random.Random(bits)
    failed = sum(
        not seeds.sound(bytes(luck.randrange(1 << bits) for _ in range(1088))) for _ in range(50)
    )
    assert failed == 50
