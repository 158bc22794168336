"""The p-values are those of the published tables, and even luck gets even ones."""

import random

import pytest

from host.audit import p_values

# value, degrees of freedom, tail: the usual table of critical values, three digits
TABLE = (
    (3.841, 1, 0.05), (6.635, 1, 0.01), (10.828, 1, 0.001), (11.070, 5, 0.05), (15.086, 5, 0.01),
    (20.515, 5, 0.001), (1.145, 5, 0.95), (14.067, 7, 0.05), (24.322, 7, 0.001), (49.802, 35, 0.05),
    (82.529, 63, 0.05), (293.248, 255, 0.05), (124.342, 100, 0.05), (0.554, 5, 0.99),
)  # fmt: skip


@pytest.mark.parametrize(("value", "freedom", "tail"), TABLE)
def test_chi_square_is_the_tables(value, freedom, tail):
    assert p_values.chi_square_tail(value, freedom) == pytest.approx(tail, rel=2e-3)


def test_the_normal_tails():
    for z, tail in ((1.95996, 0.05), (-2.57583, 0.01), (3.29053, 0.001), (0, 1)):
        assert p_values.two_sided(z) == pytest.approx(tail, rel=1e-4)


def test_holm_by_hand():
    assert p_values.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert p_values.holm([]) == [] and p_values.holm([0.9, 0.8]) == [1.0, 1.0]


@pytest.mark.parametrize("sides", (2, 6, 8))
def test_even_luck_gets_even_p_values(sides):
    luck = random.Random(sides)
    found = {name: [] for name in ("spread", "pairs", "runs", "serial")}
    for _ in range(200):
        faces = [luck.randrange(sides) + 1 for _ in range(1000)]
        found["spread"].append(
            p_values.uniform([faces.count(face) for face in range(1, sides + 1)])[1]
        )
        found["pairs"].append(p_values.pairs(faces, sides, 3)[1])
        found["runs"].append(p_values.runs(faces, sides)[1])
        found["serial"].append(p_values.serial(faces, sides)[1])
    for name, values in found.items():
        assert min(values) > 1e-4, name
        assert 60 <= sum(value < 0.5 for value in values) <= 140, name


def test_crooked_luck_does_not():
    luck = random.Random(1)
    faces = [luck.choice((1, 1, 1, 2, 2)) for _ in range(2000)]
    assert p_values.uniform([faces.count(1), faces.count(2)])[1] < 1e-6
    sticky = [1]
    for _ in range(2000):
        sticky.append(sticky[-1] if luck.random() < 0.6 else 3 - sticky[-1])
    assert p_values.runs(sticky, 2)[1] < 1e-6 and p_values.serial(sticky, 2)[1] < 1e-6
    assert p_values.pairs(sticky, 2)[1] < 1e-6


def test_few_rolls_say_nothing():
    assert p_values.uniform([3, 2]) is None and p_values.runs([1] * 9, 2) is None
    assert p_values.serial([1] * 9, 2) is None
