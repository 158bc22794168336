"""HMAC against RFC 4231, the protocol's test vectors, and payloads, on every interpreter."""

import struct
from binascii import hexlify

from firmware.core import digest, events, frames, payload

# key, data, HMAC-SHA256 (or its first bytes): RFC 4231, 4.2 to 4.8
RFC_4231 = (
    (b"\x0b" * 20, b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    (
        b"Jefe",
        b"what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    ),
    (
        b"\xaa" * 20,
        b"\xdd" * 50,
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
    ),
    (
        bytes(range(1, 26)),
        b"\xcd" * 50,
        "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
    ),
    (b"\x0c" * 20, b"Test With Truncation", "a3b6167473100ee06e0c796c2955552b"),
    (
        b"\xaa" * 131,
        b"Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ),
    (
        b"\xaa" * 131,
        b"This is a test using a larger than block-size key and a larger than block-size data. "
        b"The key needs to be hashed before being used by the HMAC algorithm.",
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
    ),
)


def signed(key, kind, device, epoch, counter, nine):
    return frames.signed(digest.blocks(key), kind, device, epoch, counter, nine)


def verified(key, frame):
    return frames.authentic(digest.blocks(key), frame)


def test_hmac_is_that_of_rfc_4231():
    for key, data, wanted in RFC_4231:
        assert hexlify(digest.hmac(key, data)).decode()[: len(wanted)] == wanted


def test_the_compare_looks_at_every_byte():
    assert digest.same(b"12345678", b"12345678") and not digest.same(b"1234567", b"12345678")
    for i in range(8):
        other = bytearray(b"12345678")
        other[i] ^= 1
        assert not digest.same(bytes(other), b"12345678")


def test_the_protocol_vectors():
    key = frames.board_key(bytes(range(32)), 7, 1)
    assert (
        hexlify(key).decode() == "19757be8055c22382d8e8c30612261d65f62136bdedfb5529c2355b5d4f7d039"
    )
    up = frames.stream_key(key, 5, frames.UP, 3)
    assert (
        hexlify(up).decode() == "dbe75f45a6f9bc571fb5bfe3f9c6df98d1c27e0964cb38dea1ccd3f52f8ced51"
    )
    record = signed(up, 38, 7, 3, 258, frames.plain(1000000, 1, 923, 0))
    assert hexlify(record).decode() == "6607000300020140420f00019b03000018afe750882b9800"
    nine = b"\x40\x42\x0f\x00\x00\x01\x02\x03\x04"
    extended = signed(up, 64, 7, 3, 259, nine)
    assert hexlify(extended).decode() == "5c07000300030140420f004001020304b5cd9dc83cd49472"
    assert frames.head(extended) == (64, 7, 3, 259)
    down = frames.stream_key(key, 5, frames.DOWN, 3)
    ack = signed(down, frames.ACK, 7, 3, 9, frames.pack_ack(3, 258, 0, record[16:]))
    assert hexlify(ack).decode() == "420700030009000300020100693a5a2ceff56acc221619a1"
    assert verified(up, record) and not verified(down, record)
    assert frames.head(record) == (38, 7, 3, 258)
    assert events.of_record(record) == events.OutcomeProposed(1000000, 1, 923, 0, 0)


KEY = bytes(32)


def framed(payload, kind=2):
    return signed(KEY, kind, 7, 3, 9, payload)


def test_payloads_come_back():
    for at_ms in (0, 1, 1 << 30, (1 << 32) - 1):
        record = framed(frames.plain(at_ms, 255, 65535, 1), 63)
        assert frames.fields(record) == (at_ms, 255, 65535, 1)
        told = events.SeedStored(struct.pack("<I", at_ms), 255, b"\xff\xff\x01\x00")
        assert events.of_record(record) == told
        assert frames.time_of(framed(frames.pack_time(at_ms, 0xFEDCBA98))) == (at_ms, 0xFEDCBA98)
        status = at_ms, 12, 7, 511, 65535
        assert frames.status_of(framed(frames.pack_status(*status))) == status
    named = frames.name_of(framed(frames.pack_name(17, 2, 1, b"abc")))
    assert named == (1, 2, 1, b"abc" + bytes(5))
    assert frames.fetch_of(framed(frames.pack_fetch(3, 65535, 16))) == (3, 65535, 16)
    assert frames.ack_of(framed(frames.pack_ack(3, 65535, 255, b"tags")))[:3] == (3, 65535, 255)
    sealed = events.Sealed(17, digest.sha256(b"tags")[:7])
    assert events.of_record(framed(payload.pack(sealed), events.SEALED)) == sealed
    assert sealed.first == 17 and len(sealed.digest) == 7


def test_numbers_that_do_not_fit_are_refused():
    for bad in ((-1,), (1 << 32,), (0, 256), (0, 0, 65536), (0, 0, 0, -1)):
        try:
            frames.plain(*bad)
        except ValueError:
            continue
        raise AssertionError(bad)


def test_any_changed_bit_spoils_the_tag():
    frame = framed(frames.plain(5))
    assert verified(KEY, frame)
    for i in range(frames.SIZE):
        other = bytearray(frame)
        other[i] ^= 1 << i % 8
        assert not verified(KEY, bytes(other))
