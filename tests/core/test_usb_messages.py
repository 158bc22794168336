"""Laws of the gateway's USB messages: any bytes are survived, whole messages are never lost."""

from hypothesis import given
from hypothesis import strategies as st

from firmware.core import usb

ADDRESSES = st.binary(min_size=6, max_size=6)
TICKS = st.integers(0, (1 << 29) - 1)
MESSAGES = st.one_of(
    st.tuples(st.just(usb.PING), st.integers(0, 65535)),
    st.tuples(st.just(usb.SLICES), st.integers(0, 65535)),
    st.tuples(
        st.just(usb.HEARD),
        TICKS,
        st.integers(-128, 127),
        ADDRESSES,
        st.binary(min_size=1, max_size=usb.FRAME_MOST),
    ),
    st.tuples(
        st.just(usb.SEND),
        TICKS,
        st.integers(0, 65535),
        st.binary(min_size=1, max_size=usb.ADVERT_MOST),
    ),
)


@given(st.binary(max_size=1000))
def test_stuffing_is_undone_and_leaves_no_zero(data):
    stuffed = usb.stuff(data)
    assert 0 not in stuffed and usb.unstuff(stuffed) == data
    assert len(stuffed) <= len(data) + len(data) // 254 + 1


@given(st.binary(max_size=300))
def test_any_bytes_are_decoded_or_refused(data):
    plain = usb.unstuff(data)
    assert plain is None or (0 not in data and len(plain) < len(data))


@given(MESSAGES, st.integers(0, 1000))
def test_a_message_comes_back(message, counter):
    kind, *values = message
    wire = usb.pack(kind, counter, *values)
    assert len(wire) <= usb.LONGEST and wire.index(0) == len(wire) - 1
    assert usb.unpack(wire[:-1]) == (kind, counter & 0xFF, tuple(values))


@given(st.lists(MESSAGES, max_size=6), st.binary(max_size=200), st.data())
def test_whole_messages_behind_any_garbage_all_arrive_however_they_are_cut(sent, garbage, data):
    wire = garbage + b"\0" + b"".join(usb.pack(m[0], i, *m[1:]) for i, m in enumerate(sent))
    splitter, told = usb.Splitter(), []
    while wire:
        size = data.draw(st.integers(1, len(wire)))
        told += splitter.feed(wire[:size])
        wire = wire[size:]
    assert [(kind, *values) for kind, _, values in told[-len(sent) :] if sent] == sent


@given(st.binary(max_size=400))
def test_no_bytes_raise_or_fill_memory(data):
    splitter = usb.Splitter()
    splitter.feed(data)
    assert splitter.refused <= data.count(0) and len(splitter._held) == usb.LONGEST
