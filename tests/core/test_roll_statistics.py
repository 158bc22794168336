"""Faces through a board's own path are even: how often, in pairs, in runs."""

import hashlib
import itertools
import random
from fractions import Fraction
from math import comb

import pytest

from firmware.core import intents, luck, seeds
from firmware.core.match import Match
from firmware.core.systems import xw15
from host.audit import p_values

SLICE, ALL = 100_002, 10_000_002
EACH = 200  # rolls of a match
LAGS = range(1, 17)
LEAST, MOST = 1e-4, 1 - 1e-4
RANDOMIZERS = {"coin": (0x20, 2), "d6": (0x21, 6), "d8": (0x52, 8)}


def faces(a, count):
    """Yield ``count`` faces over seeds drawn as a board draws them."""
    drawn = itertools.count()

    def entropy(size):
        return hashlib.shake_256(b"%d %d" % (a, next(drawn))).digest(size)

    match = Match(xw15)
    match.phase, match.policy, match.consent = 3, 3, 3
    match.rules = type("Free", (), {"POLICY": (((15, 63, 0, "", "", "", ""),), "")})
    for made in range(count):
        if made % EACH == 0:
            stands = seeds.Seeds()
            stands.test(entropy)
            for event in stands.draw((7, 5, 1, 12, 3)):
                stands.take(event)
            stands.parts[seeds.NONCE] = entropy(8)
            match.roll = None
        (rolled,) = luck.roll(match, intents.Roll(1, a & 15, a >> 4, 0), stands)
        match.roll = rolled
        yield rolled.face


@pytest.mark.parametrize("randomizer", RANDOMIZERS)
def test_rolls_are_even(randomizer, proving, printed):
    a, sides = RANDOMIZERS[randomizer]
    count = (ALL if proving else SLICE) // len(RANDOMIZERS)
    rolled = bytes(faces(a, count))
    found = {"faces": p_values.uniform([rolled.count(face) for face in range(1, sides + 1)])[1],
             "runs": p_values.runs(rolled, sides)[1],
             "serial": p_values.serial(rolled, sides)[1]}  # fmt: skip
    found |= {f"pairs {lag} apart": p_values.pairs(rolled, sides, lag)[1] for lag in LAGS}
    lines = [f"{name:>15}  p = {value:.4f}" for name, value in found.items()]
    printed(f"luck: {count} rolls of a {randomizer}", lines)
    assert all(LEAST <= value <= MOST for value in found.values()), found


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
