"""A seed's parts: what is committed to, what counts, what a roll is made of."""

from binascii import hexlify

from firmware.core import digest, events, intents, payload, seeds

PLACE = (7, 5, 3, 12, 1)


def even(size):
    """Return bytes without a pattern that the health tests know."""
    out = b""
    while len(out) < size:
        out += digest.sha256(b"%d" % len(out))
    return out[:size]


def stream():
    """Return a generator that goes on where it stopped."""
    taken = [0]

    def entropy(size):
        taken[0] += size
        return even(taken[0])[taken[0] - size :]

    return entropy


def proven(entropy, entries=()):
    fresh = seeds.Seeds()
    for event in entries:
        fresh.take(event)
    fresh.test(entropy)
    return fresh


def drawn():
    fresh = proven(even)
    for event in fresh.drawn(PLACE):
        fresh.take(event)
    return fresh


def test_a_seed_is_drawn_with_its_commitment_after_it():
    fresh = proven(stream())
    told = fresh.drawn(PLACE)
    assert [event.kind for event in told] == [events.SEED_TOLD] * 7
    assert [event.part for event in told] == [4, 5, 6, 7, 0, 1, 2]
    for event in told:
        assert not fresh.whole
        fresh.take(event)
    assert fresh.whole and fresh.open and fresh.drawn(PLACE) == ()
    assert fresh.seed == digest.sha256(even(1088)[1024:])
    said = b"".join([payload.eight(event) for event in told[4:]])
    assert said == seeds.commitment(PLACE, fresh.seed) and len(said) == 24


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


def test_a_nonce_counts_once_and_only_for_its_commitment():
    stands = drawn()
    first = stands.parts[0][0]
    nonce = intents.SetNonce(b"\1\2\3\4", first, b"\5\6\7\x08")
    assert stands.nonce(intents.SetNonce(nonce.early, first ^ 1, nonce.late)) == ()
    (taken,) = stands.nonce(nonce)
    assert payload.eight(taken) == bytes(range(1, 9)) and taken.part == seeds.NONCE
    stands.take(taken)
    assert stands.nonce(nonce) == () and stands.before() == ()
    with_it = [stands.begin(1, 0, 1).face(256) for _ in range(2)]
    assert with_it == [seeds.chance(stands.seed, bytes(range(1, 9)), 1, 16).face(256)] * 2


def test_that_there_was_no_nonce_is_final():
    stands = drawn()
    (none,) = stands.before()
    assert none == events.SeedTold(bytes(4), seeds.NONE, bytes(4))
    stands.take(none)
    assert stands.before() == () and not stands.open
    assert stands.nonce(intents.SetNonce(b"none", stands.parts[0][0], b"more")) == ()
    assert stands.begin(1, 0, 1).face(256) == seeds.chance(stands.seed, b"", 1, 16).face(256)


def test_what_a_power_cut_left_of_a_seed_is_worth_nothing():
    left = list(proven(even).drawn(PLACE))
    for cut in range(7):
        again = proven(even, left[:cut])
        assert not again.whole
        for event in again.drawn(PLACE):
            again.take(event)
        assert again.whole
    assert proven(even, left).whole
    assert not proven(even, left + [events.MatchEnded(1)]).whole


def test_a_generator_that_fails_is_never_used():
    def broken(size):
        raise RuntimeError("no radio")

    def stuck(size):
        return b"\x55" * size

    def short(size):
        return even(size - 1)

    def leaning(size):
        return bytes([byte if i % 5 else 9 for i, byte in enumerate(even(size))])

    for entropy in (broken, stuck, short, leaning, lambda size: b""):
        ill = proven(entropy)
        (said,) = ill.drawn(PLACE)
        assert said == events.SeedTold(bytes(4), seeds.ILL, bytes(4))
        ill.take(said)
        assert ill.ill and not ill.whole and ill.drawn(PLACE) == ()
    assert not proven(even).ill


def test_no_memory_is_not_taken_for_a_broken_generator():
    def full(size):
        raise MemoryError

    try:
        said = proven(full).drawn(PLACE)
    except MemoryError:
        return
    raise AssertionError("told as " + str(said))


def test_each_kind_of_roll_has_its_count_and_each_roll_its_id():
    stands = drawn()
    first = "%02X%02X" % (stands.parts[0][0], stands.parts[0][1])
    labels = []
    for number, (randomizer, purpose) in enumerate(((0, 1), (0, 2), (0, 2), (1, 2), (0, 2))):
        rolled = events.Rolled(1, randomizer, purpose, 1, 0, number + 1)
        stands.take(rolled)
        labels.append(stands.named(rolled))
    assert labels == ["#%d %s-%d" % (n, first, i + 1) for i, n in enumerate((1, 1, 2, 1, 3))]


def test_the_two_tests_count_right():
    assert seeds.measured(b"")[0] == 0 and seeds.measured(b"abbbcc")[0] == 3
    assert seeds.measured(b"aba")[1] == 2
    late = b"x" + bytes(range(256)) * 2 + b"x" * 5  # the second window begins with another byte
    assert seeds.measured(late)[1] == 3 and seeds.measured(late[512:])[1] == 1
    run = seeds.REPEATS
    assert seeds.sound(even(100) + b"\x00" * (run - 1)) and not seeds.sound(
        even(100) + b"\x00" * run
    )
