"""Faces are as likely as each other, and come from the given bytes alone."""

import collections
import random

import pytest

from firmware.core.chance import Chance


def shares(sides, rolls, seed):
    chance = Chance(random.Random(seed).randbytes)
    return collections.Counter(chance.face(sides) for _ in range(rolls))


# the 99.99 % point of chi-square with sides - 1 degrees of freedom
@pytest.mark.parametrize(("sides", "limit"), [(2, 15.2), (3, 18.5), (6, 25.8), (20, 50.8)])
def test_no_face_is_favoured(sides, limit):
    rolls = 3000 * sides
    counts = shares(sides, rolls, seed=sides)
    assert sorted(counts) == list(range(1, sides + 1))
    assert sum((count - 3000) ** 2 / 3000 for count in counts.values()) < limit


def test_a_large_die_shows_no_step_where_a_remainder_would_begin():
    counts = shares(200, 40000, seed=1)  # a byte modulo 200 would double the first 56 faces
    low = sum(counts[face] for face in range(1, 57)) / 56
    high = sum(counts[face] for face in range(57, 201)) / 144
    assert abs(low / high - 1) < 0.06


def test_the_same_bytes_give_the_same_faces():
    assert shares(6, 50, seed=3) == shares(6, 50, seed=3)
