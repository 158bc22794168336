"""Every face comes as often as any other, over all bytes that a source can give."""

from binascii import hexlify

from firmware.core import digest, seeds
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


PLACE = (7, 5, 3, 12, 1)


def even(size):
    """Return bytes without a pattern that the health tests know."""
    out = b""
    while len(out) < size:
        out += digest.sha256(b"%d" % len(out))
    return out[:size]


def test_the_commitment_and_a_roll_by_hand():
    seed = bytes(range(32))
    body = b"plusthree seed\x07\x00\x05\x00\x03\x0c\x00\x01\x00" + seed
    assert seeds.commitment(PLACE, seed) == digest.sha256(body)[:24]
    # nonce, roll 2, a coin for a card's effect, attempt 0
    block = digest.hmac(seed, b"NONCE...\x02\x00\x20\x00\x00")
    assert hexlify(block[:8]) == b"9558dbea9588887b"
    chance = seeds.chance(seed, b"NONCE...", 2, 0x20)
    assert [chance.face(256) for _ in range(32)] == [byte + 1 for byte in block]
    assert chance.face(256) == digest.hmac(seed, b"NONCE...\x02\x00\x20\x01\x00")[0] + 1


def test_the_two_tests_count_right():
    assert seeds.measure(b"")[0] == 0 and seeds.measure(b"abbbcc")[0] == 3
    assert seeds.measure(b"aba")[1] == 2
    late = b"x" + bytes(range(256)) * 2 + b"x" * 5  # the second window begins with another byte
    assert seeds.measure(late)[1] == 3 and seeds.measure(late[512:])[1] == 1
    run = seeds.REPEATS
    assert seeds.sound(even(100) + b"\x00" * (run - 1))
    assert not seeds.sound(even(100) + b"\x00" * run)
