"""Every payload comes back as it was packed, and nothing foreign is read."""

import struct

from firmware.core import events, frames, payload

KEY = bytes(32)


def framed(payload, kind=2):
    return frames.sign(KEY, kind, 7, 3, 9, payload)


def test_payloads_come_back():
    for at_ms in (0, 1, 1 << 30, (1 << 32) - 1):
        record = framed(frames.plain(at_ms, 255, 65535, 1), 63)
        assert frames.fields(record) == (at_ms, 255, 65535, 1)
        told = events.SeedTold(struct.pack("<I", at_ms), 255, b"\xff\xff\x01\x00")
        assert events.of_record(record) == told
        assert frames.time_of(framed(frames.pack_time(at_ms, 0xFEDCBA98))) == (at_ms, 0xFEDCBA98)
        assert frames.status_of(framed(frames.pack_status(at_ms, 12, 7, 511, 65535))) == (
            at_ms,
            12,
            7,
            511,
            65535,
        )
    assert frames.name_of(framed(frames.pack_name(17, 2, 1, b"abc"))) == (
        1,
        2,
        1,
        b"abc" + bytes(5),
    )
    assert frames.fetch_of(framed(frames.pack_fetch(3, 65535, 16))) == (3, 65535, 16)
    assert frames.ack_of(framed(frames.pack_ack(3, 65535, 255, b"tags")))[:3] == (3, 65535, 255)
    sealed = events.sealed_over(17, bytes(7), b"tags")
    assert events.of_record(framed(payload.pack(sealed), events.SEALED)) == sealed
    assert sealed.first == 17 and len(sealed.digest) == 7


def test_every_frame_has_the_same_size():
    for nine in (
        frames.plain(1), frames.pack_time(1, 2), frames.pack_status(1, 2, 3, 4, 5),
        frames.pack_fetch(1, 2, 3),
        frames.pack_name(1, 2, 1, b""), frames.pack_ack(1, 2, 3, b""),
        payload.pack(events.sealed_over(1, b"", b"")),
    ):  # fmt: skip
        assert len(framed(nine)) == frames.SIZE


def test_numbers_that_do_not_fit_are_refused():
    for bad in ((-1,), (1 << 32,), (0, 256), (0, 0, 65536), (0, 0, 0, -1)):
        try:
            frames.plain(*bad)
        except ValueError:
            continue
        raise AssertionError(bad)


def test_foreign_versions_and_lengths_have_no_head():
    frame = framed(frames.plain(5))
    assert frames.head(frame) == (2, 7, 3, 9)
    assert (
        frames.head(frame[:-1]) is None
        and frames.head(frame + b"0") is None
        and frames.head(b"") is None
    )
    for version in (0, 2, 3):
        assert frames.head(bytes([frame[0] & 63 | version << 6]) + frame[1:]) is None


def test_any_changed_bit_spoils_the_tag():
    frame = framed(frames.plain(5))
    assert frames.verify(KEY, frame)
    for i in range(frames.SIZE):
        other = bytearray(frame)
        other[i] ^= 1 << i % 8
        assert not frames.verify(KEY, bytes(other))


def test_keys_differ_in_every_ingredient():
    keys = [
        frames.stream_key(KEY, event, way, epoch)
        for event in (0, 1)
        for way in (0, 1)
        for epoch in (1, 2)
    ]
    keys += [
        frames.board_key(KEY, device, generation) for device in (1, 2) for generation in (1, 2)
    ]
    assert len(set(keys)) == 12
