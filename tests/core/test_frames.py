"""Frames and the events in them: packed and read again over the whole range, and what a key opens."""

import hashlib
import hmac
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.core import acts, digest, events, frames, intents, payload
from firmware.core.match import Match
from firmware.core.systems import p18
from host.collector import challenges
from host.event import record_bounds
from host.keys import signatures

U8, U16, U32 = st.integers(0, 255), st.integers(0, 65535), st.integers(0, 2**32 - 1)
KEYS = st.binary(min_size=32, max_size=32)


@given(KEYS, st.integers(0, 127), U16, U16, U16, st.tuples(U32, U8, U16, U16))
def test_a_record_holds_its_event(key, kind, device, epoch, counter, fields):
    at_ms, first, second, third = fields
    if kind >= frames.EXTENDED:
        fields = at_ms, kind, second, third  # its number stands there
    elif kind == frames.ESCAPE:
        fields = at_ms, first if first >> 6 != 1 else 0, second, third
    frame = signatures.sign(key, kind, device, epoch, counter, frames.plain(*fields))
    assert len(frame) == frames.SIZE and frames.head(frame) == (kind, device, epoch, counter)
    assert frames.fields(frame) == fields and signatures.verify(key, frame)
    known = kind in {one.kind for one in events.CLASSES}
    assert events.of_record(frame).kind == (kind if known else 0)
    assert not signatures.verify(bytes(x ^ 1 for x in key), frame)


@given(st.tuples(U32, st.integers(0, 31), st.integers(0, 7), U16, U16))
def test_a_status_comes_back(fields):
    assert frames.status_of(bytes(7) + frames.pack_status(*fields)) == fields


@given(
    U16,
    U16,
    U16,
    U8,
    U32,
    U32,
    st.integers(0, 15),
    st.integers(0, 7),
    st.integers(0, 1),
    st.binary(max_size=8),
)
def test_service_payloads_come_back(
    epoch, first, count, mask, at_ms, nonce, number, part, seat, eight
):
    assert frames.fetch_of(bytes(7) + frames.pack_fetch(epoch, first, count)) == (
        epoch, first, count,
    )  # fmt: skip
    assert frames.ack_of(bytes(7) + frames.pack_ack(epoch, first, mask, b""))[:3] == (
        epoch, first, mask,
    )  # fmt: skip
    assert frames.time_of(bytes(7) + frames.pack_time(at_ms, nonce)) == (at_ms, nonce)
    named = frames.name_of(bytes(7) + frames.pack_name(number, part, seat, eight))
    assert named == (number, part, seat, eight + bytes(8 - len(eight)))


@given(st.binary(max_size=40))
def test_any_bytes_are_a_frame_of_ours_or_have_no_head(data):
    ours = len(data) == frames.SIZE and data[0] >> 6 == frames.VERSION
    assert (frames.head(data) is not None) is ours


class _Asked(intents.Intent):
    kind = 127
    LAYOUT = "seat: 5, places: 7-8"


def test_a_kind_from_64_on_is_read_from_its_frame():
    message = _Asked(7, 1, 513)
    frame = signatures.sign(bytes(32), message.kind, 1, 1, 1, payload.pack(message))
    assert frames.head(frame)[0] == 127 and frame[0] & 63 == frames.ESCAPE
    assert payload.Kinds(_Asked, {}).unpack(127, frame, 7) == message


def test_a_challenge_is_a_score_to_every_board():
    refused = payload.pack(challenges.REFUSED_INTENT)
    frame = signatures.sign(bytes(32), intents.SET_SCORE, 1, 1, 1, refused)
    assert frames.head(frame)[0] == intents.SET_SCORE and challenges.is_challenge(frame)


def test_an_older_program_takes_none_of_these_for_something_else():
    """It reads the six bits alone: a score that its board refuses, ships that its host rejects."""
    for kind in range(frames.EXTENDED, 128):
        nine = signatures.sign(bytes(32), kind, 1, 1, 1, bytes(9))[7 : frames.BODY]
        match = Match(p18)
        match.apply(events.RoundSet(0, 1, 1, 1))
        assert acts.set_score(match, intents.unpack(intents.SET_SCORE, nine)) == ()
        match.apply(events.unpack(events.WIPED_OUT, nine))
        assert not record_bounds.plausible(match)


PLACES = st.tuples(
    st.integers(0, 65535), st.sampled_from((frames.UP, frames.DOWN)), st.integers(0, 65535)
)


def test_an_epochs_key_opens_no_other():
    keys = [frames.stream_key(bytes(32), 5, frames.DOWN, epoch) for epoch in range(300)]
    assert len(set(keys)) == 300
    signed = signatures.sign(keys[7], 8, 7, 7, 1, bytes(9))
    assert [n for n, key in enumerate(keys) if signatures.verify(key, signed)] == [7]


@given(st.lists(PLACES, min_size=2, max_size=6, unique=True))
def test_no_two_streams_share_a_key(places):
    for one, other in itertools.combinations(places, 2):
        assert frames.stream_key(bytes(32), *one) != frames.stream_key(bytes(32), *other)


@pytest.mark.parametrize(
    "other",
    ((6, frames.UP, 7), (5, frames.DOWN, 7), (5, frames.UP, 8)),
    ids=("event", "direction", "epoch"),
)
def test_one_thing_that_is_other_is_another_key(other):
    assert frames.stream_key(bytes(32), *other) != frames.stream_key(bytes(32), 5, frames.UP, 7)


@pytest.mark.parametrize(
    "other",
    ((bytes(32), 8, 1), (bytes(32), 7, 2), (bytes(31) + b"1", 7, 1)),
    ids=("device", "generation", "master"),
)
def test_no_board_and_no_generation_has_anothers_key(other):
    assert frames.board_key(*other) != frames.board_key(bytes(32), 7, 1)


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_hmac_is_the_standard_librarys(key, data):
    assert digest.hmac(key, data) == hmac.digest(key, data, "sha256")
    assert digest.sha256(data) == hashlib.sha256(data).digest()


@given(st.binary(max_size=12), st.binary(max_size=12))
def test_same_is_equality(left, right):
    assert digest.same(left, right) is (left == right) and digest.same(left, left)


CLASSES = [*events.CLASSES, *intents.CLASSES]


def name_of(one):
    return one.__name__


def camel(constant):
    return "".join(part.capitalize() for part in constant.split("_"))


@pytest.mark.parametrize("one", CLASSES, ids=name_of)
def test_a_message_is_made_of_all_its_fields_and_no_more(one):
    values = [_nothing(one, at) for at in range(len(_names(one)))]
    assert one(*values).values == values
    for wrong in (values[:-1], [*values, 0]):
        with pytest.raises(TypeError, match=", ".join(_names(one))):
            one(*wrong)


@pytest.mark.parametrize("one", CLASSES, ids=name_of)
def test_each_field_has_a_place_of_its_own(one):
    taken = 0
    for at, name in enumerate(payload.layout(one.LAYOUT).names):
        size = payload.layout(one.LAYOUT).fields[at][2]
        full = bytes([255] * size) if payload.layout(one.LAYOUT).fields[at][1] is None else size
        values = [
            full if other == at else _nothing(one, other) for other in range(len(_names(one)))
        ]
        message = one(*values)
        assert getattr(message, name) == full
        bits = int.from_bytes(payload.pack(message), "little")
        assert bits and not bits & taken
        taken |= bits
    assert taken < 1 << 72


def _names(one):
    return payload.layout(one.LAYOUT).names


def _nothing(one, at):
    _, low, most = payload.layout(one.LAYOUT).fields[at]
    return bytes(most) if low is None else 0


@pytest.mark.parametrize("module", [events, intents], ids=name_of)
def test_what_was_packed_is_unpacked(module):
    for one in module.CLASSES:
        for data in (bytes(9), bytes([255] * 9), bytes(range(1, 10)), bytes(range(247, 256))):
            message = module.unpack(one.kind, b"before" + data + b"behind", 6)
            assert type(message) is one
            assert message == module.unpack(one.kind, payload.pack(message))
            assert message.fits


@pytest.mark.parametrize("one", CLASSES, ids=name_of)
def test_what_does_not_fit_is_refused(one):
    for at, (_, low, most) in enumerate(payload.layout(one.LAYOUT).fields):
        for wrong in (-1, most + 1) if low is not None else (bytes(most + 1), bytes(most - 1)):
            values = [_nothing(one, other) for other in range(len(_names(one)))]
            values[at] = wrong
            with pytest.raises(ValueError):
                payload.pack(one(*values))


@pytest.mark.parametrize("module", [events, intents], ids=name_of)
def test_each_kind_has_one_class_of_its_name(module):
    kinds = {
        name: value
        for name, value in vars(module).items()
        if name.isupper() and isinstance(value, int) and not name.endswith("_BASE")
    }
    assert {camel(name): number for name, number in kinds.items()} == {
        one.__name__: one.kind for one in module.CLASSES
    }
    assert len({one.kind for one in module.CLASSES}) == len(module.CLASSES)


def test_every_kind_that_a_record_can_have_is_an_event():
    kinds = {one.kind for one in events.CLASSES}
    assert set(range(8, frames.EXTENDED)) <= kinds <= set(range(8, 128))


@pytest.mark.parametrize("one", CLASSES, ids=name_of)
def test_a_number_from_64_on_keeps_byte_4_for_itself(one):
    names = payload.layout(one.LAYOUT).names
    module = events if issubclass(one, events.Event) else intents
    full = module.unpack(one.kind, bytes([255] * payload.SIZE))
    assert one.kind < frames.EXTENDED or not payload.pack(full)[4], names


@pytest.mark.parametrize("message, written", [
    (events.GameWon(0x04030201, 1, 0x11, 3, 7, 0), "01020304 01 1103 0700"),
    (events.Resumed(1, 3, 0x01020304), "01000000 03 0403 0201"),
    (events.StateTold(1, 1, 7, 2, 0, 2, 1), "01000000 2f 0200 0100"),
    (events.TurnTold(1, 3, 1, 1, 4, 6, 1), "01000000 13 0104 0601"),
    (events.Rolled(1, 1, 2, 6, 8, 0x0203), "01000000 21 0608 0302"),
    (events.SeedStored(b"abcd", 4, b"efgh"), "61626364 04 6566 6768"),
    (events.Sealed(0x0102, b"abcdefg"), "02016162 63 6465 6667"),
    (intents.RuleResult(1, 2, 1, 1, 40, 100), "01000000 c2 2800 6400"),
    (intents.TakeBack(1, 3, 2, 5), "01000000 03 0200 0500"),
], ids=repr)  # fmt: skip
def test_vectors(message, written):
    assert payload.pack(message) == bytes.fromhex(written)


def test_values_compare_and_kinds_do():
    won = events.GameWon(1, 0, 2, 0, 0, 0)
    assert won == events.GameWon(1, 0, 2, 0, 0, 0) and won != events.GameWon(2, 0, 2, 0, 0, 0)
    assert hash(won) == hash(events.GameWon(1, 0, 2, 0, 0, 0))
    assert intents.ConfirmSeat(1, 0) != intents.SetStarter(1, 0)
    assert won != (events.GAME_WON,) and won is not None
    assert repr(won) == "GameWon(at_ms=1, seat=0, section=2, penalty=0, situation=0, phase=0)"


def test_another_time_leaves_the_rest():
    won = events.GameWon(1, 0, 2, 0, 0, 0)
    assert won.at(5) == events.GameWon(5, 0, 2, 0, 0, 0) and won.at_ms == 1
