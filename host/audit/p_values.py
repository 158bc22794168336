"""p-values: the probability that a fair randomizer gives a result at least as extreme.

The tail of chi-square is mpmath's incomplete gamma function. Each test returns None if there are
too few rolls for its approximation. Faces count from 1 to ``sides``.
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

import mpmath

LEAST_EXPECTED = 5  # rolls of each face, for a chi-square
LEAST = 20  # flips, for runs and for serial correlation

Test: TypeAlias = tuple[float, float] | None  # the statistic and its p-value


def chi_square_tail(value: float, freedom: int) -> float:
    """Return P(chi-square with ``freedom`` degrees of freedom >= ``value``)."""
    if value <= 0:
        return 1.0
    return float(mpmath.gammainc(freedom / 2, value / 2, regularized=True))


def two_sided(z: float) -> float:
    """Return P(|a standard normal number| >= |z|)."""
    return math.erfc(abs(z) / math.sqrt(2))


def uniform(counts: Sequence[int]) -> Test:
    """Return ``(chi-square, p)`` of the faces' counts against a uniform distribution."""
    expected = sum(counts) / len(counts)
    if expected < LEAST_EXPECTED:
        return None
    value = sum((count - expected) ** 2 for count in counts) / expected
    return value, chi_square_tail(value, len(counts) - 1)


def pairs(faces: Sequence[int], sides: int, lag: int = 1) -> Test:
    """Return ``(chi-square, p)`` of the pairs ``lag`` rolls apart against a uniform distribution.

    No roll is in two pairs, because pairs that share a roll are not independent: of each block of
    twice ``lag`` rolls the first half is paired with the second. An incomplete block is left out.
    """
    found: Counter[tuple[int, int]] = Counter()
    for start in range(0, len(faces) - 2 * lag + 1, 2 * lag):
        middle, end = start + lag, start + 2 * lag
        found.update(zip(faces[start:middle], faces[middle:end], strict=True))
    possible = range(1, sides + 1)
    return uniform([found[first, second] for first in possible for second in possible])


def runs(faces: Sequence[int], sides: int) -> Test:
    """Return ``(runs, p)``: how often a face differs from the previous one, against fair rolls."""
    if len(faces) < LEAST:
        return None
    changes = sum(face != next_face for face, next_face in zip(faces, faces[1:]))
    trials, share = len(faces) - 1, 1 - 1 / sides
    z = (changes - trials * share) / math.sqrt(trials * share * (1 - share))
    return changes + 1, two_sided(z)


def serial(faces: Sequence[int], sides: int) -> Test:
    """Return ``(correlation, p)`` of each roll with the next, about the mean of fair rolls."""
    if len(faces) < LEAST:
        return None
    mean, variance = (sides + 1) / 2, (sides * sides - 1) / 12
    products = sum((face - mean) * (next_face - mean) for face, next_face in zip(faces, faces[1:]))
    correlation = products / variance / (len(faces) - 1)
    return correlation, two_sided(correlation * math.sqrt(len(faces) - 1))


def holm(values: Sequence[float]) -> list[float]:
    """Return each p-value adjusted for their number (Holm 1979), in the order given, at most 1."""
    adjusted, largest = [0.0] * len(values), 0.0
    ascending = sorted(range(len(values)), key=lambda index: values[index])
    for before, index in enumerate(ascending):
        remaining = len(values) - before
        largest = max(largest, min(1.0, remaining * values[index]))
        adjusted[index] = largest
    return adjusted
