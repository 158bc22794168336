"""Byte stuffing and the USB messages of a gateway, on every interpreter."""

from binascii import hexlify, unhexlify

from firmware.core import usb

# the paper's blocks, and what lies at their limits: data, encoded
PAIRS = (
    ("", "01"),
    ("00", "0101"),
    ("0000", "010101"),
    ("001100", "01021101"),
    ("11220033", "0311220233"),
    ("11223344", "0511223344"),
    ("11000000", "0211010101"),
)
ADDRESS = b"\x07\x01\x02\x03\x04\xc5"
# kind, counter, values of the body
MESSAGES = (
    (usb.HELLO, 0, (1, 8, 536870911, ADDRESS)),
    (usb.HEARD, 1, (65536, -71, ADDRESS, bytes(24))),
    (usb.PLACES, 2, (7, 255, 3)),
    (usb.PONG, 3, (513, 70000, 4000000000, 12)),
    (usb.PING, 4, (513,)),
    (usb.SEND, 5, (70000, 90, bytes(range(31)))),
    (usb.SLICES, 255, (60,)),
)


def test_pairs_of_the_definition():
    for plain, stuffed in PAIRS:
        assert usb.stuff(unhexlify(plain)) == unhexlify(stuffed)
        assert usb.unstuff(unhexlify(stuffed)) == unhexlify(plain)


def test_long_blocks():
    run = bytes(range(1, 255))
    assert usb.stuff(run) == b"\xff" + run
    assert usb.stuff(run + b"\xff") == b"\xff" + run + b"\x02\xff"
    assert usb.stuff(b"\x00" + run) == b"\x01\xff" + run
    for data in (run, run + b"\xff", b"\x00" + run, run + b"\x00", run + run + b"\x00\x01"):
        assert usb.unstuff(usb.stuff(data)) == data


def test_what_is_not_stuffed():
    for stuffed in ("", "00", "02", "0311", "031100", "0211000211"):
        assert usb.unstuff(unhexlify(stuffed)) is None


def test_the_protocols_vector():
    assert hexlify(usb.pack(usb.PING, 7, 0x0201)) == b"0941070102aca6b6f000"


def test_messages_there_and_back():
    wire, told = b"\x99\x00" + b"".join(usb.pack(k, c, *v) for k, c, v in MESSAGES), []
    splitter = usb.Splitter()
    for at in range(0, len(wire), 5):
        told += splitter.feed(wire[at : at + 5])
    assert tuple(told) == MESSAGES and splitter.refused == 1
    assert splitter.missed == 249  # from 5 to 255


def test_one_wrong_bit_is_refused():
    good = usb.pack(*((usb.HEARD, 1) + MESSAGES[1][2]))[:-1]
    for place in range(len(good)):
        bad = bytearray(good)
        bad[place] ^= 4
        assert usb.unpack(bad) is None
    assert usb.unpack(good) == MESSAGES[1]


def test_bodies_of_a_wrong_length():
    for kind, values in ((usb.SEND, (1, 2, b"")), (usb.SEND, (1, 2, bytes(32)))):
        try:
            usb.pack(kind, 0, *values)
        except ValueError:
            continue
        raise AssertionError("it was packed")


def test_ticks_wrap():
    assert usb.since_ms(3, usb.later(3, -10)) == 10 and usb.later(0, -1) == (1 << 29) - 1
    assert usb.since_ms((1 << 29) - 1, 0) == -1 and usb.since_ms(0, (1 << 29) - 1) == 1
