"""Every face as often as any other: over all bytes that a source can give, one and two at
a time.
"""

from firmware.core.seeds import Chance

RANDOMIZERS = (2, 6, 8)  # coin, die, X-Wing's dice


class Dry(Exception):
    """The source has no byte left: all it gave were thrown away."""


def counted(sides, sources):
    """Return how often each face came, and how many sources gave none."""
    counts, none = [0] * (sides + 1), 0
    for given in sources:

        def source(attempt):
            if attempt:
                raise Dry
            return given

        try:
            counts[Chance(source).face(sides)] += 1
        except Dry:
            none += 1
    return counts, none


def pairs():
    for first in range(256):
        for second in range(256):
            yield bytes((first, second))


def test_over_all_256_bytes_every_face_comes_equally_often():
    for sides in RANDOMIZERS:
        counts, none = counted(sides, [bytes((byte,)) for byte in range(256)])
        assert counts == [0] + [256 // sides] * sides, sides
        assert none == 256 % sides


def test_over_all_65536_pairs_of_bytes_every_face_comes_equally_often():
    for sides in RANDOMIZERS:
        counts, none = counted(sides, pairs())
        assert none == (256 % sides) ** 2
        assert counts == [0] + [(65536 - none) // sides] * sides, sides


def test_over_all_256_bytes_no_die_of_any_size_has_a_favourite():
    for sides in range(2, 257, 11):
        counts, _ = counted(sides, [bytes((byte,)) for byte in range(256)])
        assert counts == [0] + [256 // sides] * sides, sides


def test_bytes_are_taken_in_order_and_then_the_next_attempts():
    asked = []

    def source(attempt):
        asked.append(attempt)
        return bytes((6 * attempt, 255, 6 * attempt + 1))

    chance = Chance(source)
    assert [chance.face(6) for _ in range(5)] == [1, 2, 1, 2, 1]
    assert asked == [0, 1, 2]


def test_a_die_needs_two_sides():
    for sides in (0, 1, 257):
        try:
            Chance(lambda attempt: b"\x01").face(sides)
        except ValueError:
            continue
        raise AssertionError(sides)
