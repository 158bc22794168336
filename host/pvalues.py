"""How likely even luck brings what was counted: p-values, without a library of statistics.

Sums and continued fractions are those of the incomplete gamma function (Abramowitz and Stegun,
6.5.29 and 6.5.31); tests compare them with published tables. Each function returns None where there are too
few rolls for its approximation.
"""

import math

LEAST_EXPECTED = 5  # rolls of each face, for a chi-square
LEAST = 20  # flips, for runs and for serial correlation
_STEPS = 10_000
_TINY = 1e-300


def chi_square_tail(value, freedom):
    """Return the chance that a chi-square of so many degrees of freedom is at least ``value``."""
    a, x = freedom / 2, value / 2
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        for n in range(1, _STEPS):
            term *= x / (a + n)
            total += term
            if term < total * 1e-16:
                break
        return max(0.0, 1 - scale * total)
    b = x + 1 - a
    c, d = 1 / _TINY, 1 / b
    fraction = d
    for n in range(1, _STEPS):
        step = -n * (n - a)
        b += 2
        d = 1 / (step * d + b or _TINY)
        c = b + step / c or _TINY
        fraction *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return scale * fraction


def two_sided(z):
    """Return the chance that a standard normal number is at least so far from 0."""
    return math.erfc(abs(z) / math.sqrt(2))


def spread(counts):
    """Return ``(chi-square, p)`` of how often each face came, against all equally often."""
    expected = sum(counts) / len(counts)
    if expected < LEAST_EXPECTED:
        return None
    value = sum((count - expected) ** 2 for count in counts) / expected
    return value, chi_square_tail(value, len(counts) - 1)


def pairs(faces, sides, lag=1):
    """Return ``(chi-square, p)`` of the pairs that lie ``lag`` apart, against all equally often.

    No roll is in two pairs, because pairs that share one are not independent.
    """
    counts = [0] * (sides * sides)
    for start in range(0, len(faces) - 2 * lag + 1, 2 * lag):
        for at in range(start, start + lag):
            counts[(faces[at] - 1) * sides + faces[at + lag] - 1] += 1
    return spread(counts)


def runs(faces, sides):
    """Return ``(runs, p)``: how often a face differs from the one before, against even luck."""
    if len(faces) < LEAST:
        return None
    changes = sum(one != other for one, other in zip(faces, faces[1:]))
    trials, share = len(faces) - 1, 1 - 1 / sides
    z = (changes - trials * share) / math.sqrt(trials * share * (1 - share))
    return changes + 1, two_sided(z)


def serial(faces, sides):
    """Return ``(correlation, p)`` of each roll with the next one, about the mean of even luck."""
    if len(faces) < LEAST:
        return None
    mean, variance = (sides + 1) / 2, (sides * sides - 1) / 12
    products = sum((one - mean) * (other - mean) for one, other in zip(faces, faces[1:]))
    correlation = products / variance / (len(faces) - 1)
    return correlation, two_sided(correlation * math.sqrt(len(faces) - 1))


def holm(values):
    """Return each p-value made up for their number (Holm 1979), in the order given, at most 1."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    out, worst = [0.0] * len(values), 0.0
    for rank, i in enumerate(order):
        worst = max(worst, min(1.0, (len(values) - rank) * values[i]))
        out[i] = worst
    return out
