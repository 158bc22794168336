"""Packing and unpacking are inverse over the whole range of every field."""

from hypothesis import given
from hypothesis import strategies as st

from firmware.core import events, frames

U8, U16, U32 = st.integers(0, 255), st.integers(0, 65535), st.integers(0, 2**32 - 1)
KEYS = st.binary(min_size=32, max_size=32)


@given(KEYS, st.integers(0, 63), U16, U16, U16, st.tuples(U32, U8, U16, U16))
def test_a_record_holds_its_event(key, kind, device, epoch, counter, fields):
    frame = frames.sign(key, kind, device, epoch, counter, frames.plain(*fields))
    assert len(frame) == frames.SIZE and frames.head(frame) == (kind, device, epoch, counter)
    assert frames.fields(frame) == fields and frames.verify(key, frame)
    assert events.of_record(frame).kind == (kind if kind >= frames.FIRST_RECORD else 0)
    assert not frames.verify(bytes(x ^ 1 for x in key), frame)


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
        epoch,
        first,
        count,
    )
    assert frames.ack_of(bytes(7) + frames.pack_ack(epoch, first, mask, b""))[:3] == (
        epoch,
        first,
        mask,
    )
    assert frames.time_of(bytes(7) + frames.pack_time(at_ms, nonce)) == (at_ms, nonce)
    named = frames.name_of(bytes(7) + frames.pack_name(number, part, seat, eight))
    assert named == (number, part, seat, eight + bytes(8 - len(eight)))


@given(st.binary(max_size=40))
def test_any_bytes_are_a_frame_of_ours_or_have_no_head(data):
    ours = len(data) == frames.SIZE and data[0] >> 6 == frames.VERSION
    assert (frames.head(data) is not None) is ours
