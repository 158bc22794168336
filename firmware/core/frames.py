"""The protocol: a signed frame of 24 bytes, the same in flash, on the air, on USB, in the archive.

Little-endian::

    byte  0      version (2 bits, high) and kind (6 bits); kinds from 64 on: see below
    byte  1- 2   device id
    byte  3- 4   epoch: the boot count of the board, which sends (up) or is addressed (down)
    byte  5- 6   counter: never repeats within one device, key generation, epoch and stream
    byte  7-15   payload: u32 time (ms since the event's origin), and five bytes of fields
    byte 16-23   HMAC-SHA256 over bytes 0-15 under the stream's key, first 8 bytes

Up (from a board) and down (to a board) have separate tables of kinds. Up 1-7 only inform and are
not journalled: ``STATUS`` and ``TIME_ASKED`` (payload: u32 nonce, rest 0), which share one strictly
rising counter. Up 8-63 are journal records, one event each (``events``). Down 1-7 maintain the
connection: ``TIME``, ``ACK``, ``NAME``, ``FETCH``, ``IDENTIFY``, and 6, ``ANCHOR`` (``beacon``,
for boards that listen to a beacon). Down 8-31, and those from 64 on, carry the desk intent
(``intents``) of the same number, with absolute values. All down frames to a board's epoch share one
rising counter of the host. A board accepts an intent only if its counter exceeds that of every
intent before, ``FETCH`` and ``IDENTIFY`` only if it exceeds that of every frame before; other
frames may arrive repeatedly and in any order.

Since 2026-11-30 both tables go on from 64 to 127. The six bits of such a frame are ``ESCAPE``, and
its kind is byte 11, where no field of its class lies. An older board refuses it, and answers, as a
SET_SCORE that no table can have; an older host keeps and acknowledges it, and sets it aside, as a
WIPED_OUT that no table can have. A newer one refuses (UNKNOWN) or sets aside what it does not know.

Where the fields of an event or intent lie, its class says (``payload``). The other payloads:

    STATUS  u32 the time of zero (0: none), or a result (``announced``) if its flag is set,
            u8 phase (low 5 bits) and overtime turn (high 3),
            u16 flags, u16 news head: 1 + the counter of the last record that is news
    TIME    u32 event time at the moment of the answer, u8 0, u32 the nonce of the question
    ACK     u16 epoch, u16 first counter, u8 mask (bit i: first+1+i too), u32 digest: the first
            4 bytes of SHA-256 over the acknowledged tags in counter order
    NAME    u8 round (low 4 bits), part (bits 4-6) and seat (bit 7), 8 bytes of that part: parts
            0-2 together are 20 bytes of Latin-1, padded with 0, and the player's number as u32;
            the 8 bytes are encrypted (``mask_name``)
    IDENTIFY  u32 0, u8 0, u16 the number of seconds, u16 0
    FETCH   u16 epoch, u16 first counter, u16 count, u8 the most frames that the host takes in
            one notification from then on (0: one), u16 0
    SEED_STORED  has no time: 4 bytes, u8 the number of a part of the seed, commitment or nonce, 4
            bytes more (``seeds``). The four parts of the seed are sent only after the match
    SET_NONCE  a is the commitment's first byte; time, b and c are the host's nonce
    SEALED  u16 first counter covered, 7 bytes: the first 7 of SHA-256(previous seal's 7 bytes
            and the tags from there on); covers its epoch from ``first`` to its own counter - 1.
            An epoch's first seal follows seven zero bytes and begins at 0, every later one
            begins after the seal before

Keys: ``board_key`` = HMAC(master, "board" device generation); ``stream_key`` = HMAC(board key,
"stream" event direction epoch). Until a board has joined an event, its event is 0; a reset does not
change it. Names are encrypted with HMAC(``stream_key`` of event 0 and direction 2, the frame's
first 7 bytes): its counter never repeats. The EVENT_JOINED caused by a JOIN_EVENT
and every answer to it are signed under event 0. A board accepts down frames under its event and
under event 0, so that it can be moved from another event. Frames of an unknown version or length
are dropped. A notification carries one frame; since 2026-11-29 up to four whole ones, one after
the other, if a FETCH over the same link has said so and the MTU allows it. Everything here is as of
version 1.

Test vectors (hexadecimal), for the master key 00 01 … 1f, device 7, generation 1, event 5:

    board key      19757be8055c22382d8e8c30612261d6
                   5f62136bdedfb5529c2355b5d4f7d039
    up key, epoch 3
                   dbe75f45a6f9bc571fb5bfe3f9c6df98
                   d1c27e0964cb38dea1ccd3f52f8ced51
    record: kind 38, counter 258, at 1000000, a 1, b 923, c 0
                   6607000300020140420f00019b03000018afe750882b9800
    ACK of that record, counter 9
                   420700030009000300020100693a5a2ceff56acc221619a1
    record: kind 64, counter 259, at 1000000, bytes 12-15 01 02 03 04
                   5c07000300030140420f004001020304b5cd9dc83cd49472
"""

import struct

from firmware.core import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Blocks, Bytes, Head, Pair

VERSION = 1
SIZE = 24
BODY = 16
COMPANY_ID = 0xFFFF  # the Bluetooth SIG's id for tests; a product must replace it
SERVICE_UUID = "72840001-f359-4dd0-b4b6-c0d678cdc321"
DOWN_UUID = "72840002-f359-4dd0-b4b6-c0d678cdc321"  # written, one frame a packet
UP_UUID = "72840003-f359-4dd0-b4b6-c0d678cdc321"  # notified, up to ``BATCH`` frames a packet
BATCH = 4
UP = 0
DOWN = 1
_NAMES = 2  # in place of a direction, for keys of their own; ``code`` has 3 and 4

STATUS = 1
TIME_ASKED = 2
FIRST_RECORD = 8

TIME = 1
ACK = 2
NAME = 3
FETCH = 4
IDENTIFY = 5
FIRST_COMMAND = 8

ESCAPE = 28  # up WIPED_OUT, whose byte 11 is 15 at the most, and down SET_SCORE, whose is 3
EXTENDED = 64  # the first kind that is written in byte 11
_KIND_AT = 11

# status flags
JUDGE_WANTED = 1
RESULT_WAITING = 2
CLOCK_UNCERTAIN = 4
BATTERY_LOW = 8
NAMES_WANTED = 16
TIME_WANTED = 32
CLOCK_FROZEN = 64
IDENTIFYING = 128
SHUT = 512  # the board accepts no connection now
ANCHOR_WANTED = 1024  # the board listens to the beacon, and knows no chain
# since 2026-11-26: the match has ended, and the first field is its result (``announced``)
RESULT_ANNOUNCED = 2048
# since 2026-11-27: a frame of this beacon's chain had the group tag and a wrong MAC
BEACON_FORGED = 4096
UNSENT = 256  # records are not yet acknowledged, so a connection is useful

_HEAD = "<BHHH"
_PLAIN = "<IBHH"


def board_key(master: bytes, device: int, generation: int) -> bytes:
    """Return a board's 32-byte key (docs/architecture.md, Trust and keys)."""
    return digest.hmac(master, b"board" + struct.pack("<HH", device, generation))


def stream_key(key: bytes, event: int, direction: int, epoch: int) -> bytes:
    """Return the 32-byte key of a direction (``UP``/``DOWN``) of a board's epoch at an event."""
    return digest.hmac(key, b"stream" + struct.pack("<HBH", event, direction, epoch))


def plain(at_ms: int, a: int = 0, b: int = 0, c: int = 0) -> bytes:
    """Return the common 9-byte payload. Raises ValueError if a number does not fit."""
    if not (0 <= at_ms < 1 << 32 and 0 <= a < 256 and 0 <= b < 65536 and 0 <= c < 65536):
        raise ValueError("payload")
    return struct.pack(_PLAIN, at_ms, a, b, c)


def signed(
    key_blocks: "Blocks", kind: int, device: int, epoch: int, counter: int, packed: "Bytes"
) -> bytes:
    """Return the 24-byte frame of a packed payload under the key of ``digest.blocks``."""
    body = struct.pack(_HEAD, first_byte(kind), device, epoch, counter) + packed
    if kind >= EXTENDED:
        body = body[:_KIND_AT] + bytes([kind]) + body[_KIND_AT + 1 :]
    return body + digest.mac(key_blocks, body)[: digest.TAG_SIZE]


def first_byte(kind: int) -> int:
    """Return byte 0 of a frame of a kind."""
    return VERSION << 6 | (ESCAPE if kind >= EXTENDED else kind)


def kind_of(frame: "Bytes", at: int = 0) -> int:
    """Return the kind of the frame or record that begins at ``at``, whatever its version."""
    kind = frame[at] & 63
    if kind == ESCAPE and frame[at + _KIND_AT] >> 6 == 1:
        return frame[at + _KIND_AT]
    return kind


def authentic(key_blocks: "Blocks", frame: bytes) -> bool:
    """Return whether the frame's tag was made with the key whose blocks are ``key_blocks``."""
    return digest.same(digest.mac(key_blocks, frame[:BODY])[: digest.TAG_SIZE], frame[BODY:])


def head(frame: "Bytes") -> "Head | None":
    """Return ``(kind, device, epoch, counter)``, or None for an unknown length or version."""
    if len(frame) != SIZE or frame[0] >> 6 != VERSION:
        return None
    kind, device, epoch, counter = struct.unpack_from(_HEAD, frame)
    kind &= 63
    return kind if kind != ESCAPE else kind_of(frame), device, epoch, counter


def fields(frame: bytes, at: int = 7) -> tuple[int, int, int, int]:
    """Return the common payload ``(at_ms, a, b, c)`` that begins at ``at`` in a frame."""
    return struct.unpack_from(_PLAIN, frame, at)


def pack_status(zero_ms: int, phase: int, turn: int, flags: int, news_head: int) -> bytes:
    """Return a STATUS payload."""
    return struct.pack("<IBHH", zero_ms, phase | turn << 5, flags, news_head)


def status_of(frame: "Bytes") -> tuple[int, int, int, int, int]:
    """Return ``(zero_ms, phase, turn, flags, news_head)`` of a STATUS frame."""
    zero_ms, phase, flags, news_head = struct.unpack("<IBHH", frame[7:BODY])
    return zero_ms, phase & 31, phase >> 5, flags, news_head


def pack_ack(epoch: int, first: int, mask: int, tags: bytes) -> bytes:
    """Return an ACK payload; ``tags``: those of the acknowledged records in counter order."""
    return struct.pack("<HHB", epoch, first, mask) + digest.sha256(tags)[:4]


def pack_time(at_ms: int, nonce: int) -> bytes:
    """Return the TIME payload that answers a TIME_ASKED with ``nonce``."""
    return plain(at_ms, 0, nonce & 65535, nonce >> 16)


def time_of(frame: bytes) -> "Pair":
    """Return ``(at_ms, nonce)`` of a TIME frame."""
    at_ms, _, low, high = fields(frame)
    return at_ms, low | high << 16


def pack_name(round_number: int, part: int, seat: int, piece: bytes) -> bytes:
    """Return the payload of one part (up to 8 bytes) of a player's name and number."""
    first = (round_number & 15) | part << 4 | seat << 7
    return bytes([first]) + piece + bytes(8 - len(piece))


def name_of(frame: bytes) -> tuple[int, int, int, bytes]:
    """Return ``(round modulo 16, part, seat, 8 bytes)`` of a NAME frame."""
    first = frame[7]
    return first & 15, first >> 4 & 7, first >> 7, frame[8:BODY]


def mask_name(key: bytes, frame: bytes, piece: bytes) -> bytes:
    """Encrypt or decrypt (the same operation) a NAME's 8 bytes of text; ``frame`` has its head."""
    _, _, epoch, _ = head(frame)  # pyright: ignore[reportGeneralTypeIssues]  (its head was accepted)
    mask = digest.hmac(stream_key(key, 0, _NAMES, epoch), frame[:7])
    return bytes([mask[i] ^ piece[i] for i in range(8)])


def pack_fetch(epoch: int, first: int, count: int, batch: int = BATCH) -> bytes:
    """Return a FETCH payload; up to ``batch`` frames may come in one notification."""
    return struct.pack("<HHHB", epoch, first, count, batch) + bytes(2)


def fetch_of(frame: bytes) -> tuple[int, int, int]:
    """Return ``(epoch, first, count)`` of a FETCH frame."""
    return struct.unpack_from("<HHH", frame, 7)


def batch_of(frame: bytes) -> int:
    """Return how many frames the host of a FETCH frame takes in one notification."""
    return frame[13] or 1


def ack_of(frame: bytes) -> tuple[int, int, int, bytes]:
    """Return ``(epoch, first, mask, digest)`` of an ACK frame."""
    return struct.unpack("<HHB", frame[7:12]) + (frame[12:BODY],)
