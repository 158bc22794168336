"""The beacon: broadcast frames of 27 bytes, the whole manufacturer data of an advert without flags.

Down to all boards of a hall at once, authenticated by delayed disclosure of keys (TESLA, RFC 4082).
They are told from the 24-byte frames (``frames``) by their length. Little-endian::

    byte  0      version (2 bits, high) and kind (6 bits)
    byte  1- 2   group tag: the first 2 bytes of SHA-256(group key, byte 0, bytes 3-26)
    byte  3- 4   interval whose key signs the frame: that in which it is sent, or an earlier one; of
                 a KEY, whose key it discloses. These are a number's low 16 bits, that is five and a
                 half hours; a board knows the time to less than an interval
    byte  5-18   body; of an ACKED 5-20
    byte 19-26   HMAC-SHA256 over byte 0 and bytes 3-18 under the interval's MAC key, first 8 bytes;
                 of an ACKED byte 21-26, over byte 0 and bytes 3-20, first 6 bytes

The group tag only filters junk: every board has the group key. Bodies:

    TICK     u32 event time at which it is to be sent, u8 round, u8 state (low 2 bits), ``RECALL``
             and the share of tables whose result is awaited, or in a recall any word (high 5 bits,
             of ``SHARES``), u16 tables in the hall, u32 the round's start (0: none set), u8 policy
             switches, u8 the last command's counter, its low byte
    ACKED    u8 round, u8 what is acknowledged, u16 first table, 12 bytes: bit i (byte i / 8, from
             the low bit) is table first + i. With ``ALL`` as the first table: every table of the
             hall but the six of which the u16 numbers follow (0: none). What: the milestone
             (``announced``), whose result is on the host's disk, with ``WHOLE`` every record up to
             it, too; or ``HEARD``: the host has heard the board since it recalls all
    COMMAND  u16 counter, u8 desk intent (``intents``), u8 round (0: any), its 9 bytes of payload,
             u8 0. At least 5 s lie between its first sending and its ``at_ms``
    TIMES    three times u16 device and u16 counter of a STATUS (0, 0: none), and a u16: of each of
             the three, 5 bits from the low one on. The host heard that STATUS first so many times
             ``HEARD_MS`` before the end of the frame's interval, or a little earlier, by less than
             one more. So it answers a question that was asked when the STATUS was sent first
    KEY      byte 5-20 the key of that interval, 21-26 zero. It has no MAC: its hashes lead to the
             last key that is known

A chain is a row of 16-byte keys, made from the last one down: key i = the first 16 bytes of
SHA-256("chain", key i + 1). So a key proves those before it and tells nothing of those after it.
The MAC key of interval i is SHA-256("mac", key i), because no key may serve two purposes (RFC 4082,
3.4). Interval i lasts from ``start + i * length`` on, and its key is disclosed from the beginning
of interval i + ``DELAY`` on. A board takes a frame only while that is still to come by the latest
event time that is possible (RFC 4082, 3.5: the *safe* condition); it knows that time only from the
host's answers to its own questions, as adverts can be delayed by anybody.

The more tables an ACKED has room for, the sooner a burst of results is known; hence its short MAC.
Nobody can try one before its key is known, and a board tries ten an interval at the most: 2^48 of
them, which a false one takes, are more than two hundred thousand years.

An anchor tells a board of a chain: u32 start, u16 length of an interval in ms, u16 index, 8 bytes
group key, 16 bytes the key of that index. It comes in four down frames ``ANCHOR`` under the board's
own key: u8 the part (low 2 bits) and a batch (the rest), 8 bytes of the anchor, masked like a
NAME's (``frames.mask_name``), as the group key is for boards alone. Parts of two anchors are never
put together: the host gives another batch to each. What is zero above stays zero in this version; a
frame with anything else there is dropped, as it may mean what this board cannot know. Everything
here is as of version 1 of the broadcast.

The air is divided in time. A cycle of ``CYCLE_MS`` of event time begins with the ``PART_MS`` in
which the host sends and every board listens; in the rest boards send and gateways listen. Else a
thousand boards that have results to tell would drown what acknowledges them.

A board acts on no ``STOPPED`` and on no switches of a TICK: a table's own may differ from the
hall's, so both reach it as orders over a connection.

Test vectors (hexadecimal), for the group key 00 01 … 07 and the chain whose key 5 is 10 11 … 1f:

    key 3          c6e9dd23cb3ef39ff3f346cff21cac18
    MAC key 3      0967e3c2d9ba41da9a99fc7cb265083e
                   1143fea38a7c721f1b17bbd8bd829e4a
    TICK           at 2000, round 3, RUNNING, 1000 tables, start 60000, switches 8, command 2
                   413b800300d00700000302e80360ea0000080274260ba3c2cf98a2
    COMMAND        2, of round 3: SET_START at 60000
                   43a745030002000b0360ea000000000000000024747da5e2ff7eb0
    KEY 3          449ccb0300c6e9dd23cb3ef39ff3f346cff21cac18000000000000
"""

import struct

from firmware.core import digest, intents, payload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware.core.types import Blocks, Bytes, Command, Intent, Tick

VERSION = 1
SIZE = 27
GROUP = 1  # where these begin
INTERVAL = 3
BODY = 5
TAG = 19
ACKED_TAG = 21
ANCHOR = 6  # among the down kinds of ``frames``
ANCHOR_SIZE = 32
PARTS = 4  # of an anchor
PART = 8  # bytes of it
BATCHES = 64
KEY_SIZE = 16
GROUP_SIZE = 8
INTERVAL_MS = 300
DELAY = 2  # intervals until a key is disclosed
AHEAD_MS = 5000  # a command is given at least so long before it takes effect
BLOCK = 96  # tables in one ACKED
MOST_BUT = 6
ALL = 0xFFFF
WHOLE = 128
HEARD = 64
CYCLE_MS = 200
PART_MS = 60

TICK = 1
ACKED = 2
COMMAND = 3
KEY = 4
TIMES = 5
HEARD_MS = 64
LONGEST = 31  # times HEARD_MS ago

# states of the hall in a TICK
IDLE = 0  # no round
PUBLISHED = 1
RUNNING = 2
STOPPED = 3  # the whole room
RECALL = 4  # beside one of them: boards not acknowledged as ``HEARD`` are to speak
SHARES = 31

# What the intents are about that may be broadcast. Of one topic the command with the highest
# counter counts, so their order on the air does not matter.
_TOPICS = {
    intents.SET_START: 1, intents.FREEZE: 2, intents.RESUME: 2, intents.EXTEND: 3,
    intents.SET_POLICY: 4, intents.SAY: 5,
}  # fmt: skip
TOPICS = 5
_TICK = "<IBBHIBB"
_COMMAND = "<HBB9sB"
_ANCHOR = "<IHH8s16s"
_MARK = b"chain"


def topic(kind: int) -> int:
    """Return the topic (from 1) of a desk intent, 0 of one that is never broadcast."""
    return _TOPICS.get(kind, 0)


def walker(key: "Bytes") -> bytearray:
    """Return a buffer with a key, its bytes from 5 on, that ``step_back`` leads to earlier keys."""
    return bytearray(_MARK) + key


def step_back(buffer: bytearray) -> None:
    """Lead a ``walker`` from key i to key i - 1."""
    struct.pack_into("16s", buffer, len(_MARK), digest.sha256(buffer))


def mac_key(key: "Bytes") -> bytes:
    """Return the 32-byte MAC key of the interval whose chain key is ``key``."""
    return digest.sha256(b"mac" + key)


def u16(frame: "Bytes", at: int, near: int = 32767) -> int:
    """Return the number around ``near`` of which a frame has the low 16 bits at byte ``at``."""
    low = frame[at] | frame[at + 1] << 8
    wraps = (near - low + 32768) // 65536
    return low + wraps * 65536


def group_tag(group: "Bytes", frame: "Bytes") -> int:
    """Return the group tag (u16) that belongs to a frame."""
    made = digest.new_sha256(group)
    made.update(frame[:1])
    made.update(frame[3:])
    return u16(made.digest(), 0)


def kind_of(frame: "Bytes") -> int:
    """Return the kind of a frame of this version, 0 of anything else."""
    if len(frame) != SIZE or frame[0] >> 6 != VERSION:
        return 0
    kind = frame[0] & 63
    if kind == KEY:
        return 0 if any(frame[BODY + KEY_SIZE :]) else KEY
    if kind == COMMAND and (frame[TAG - 1] or not topic(frame[7])):
        return 0
    return kind if TICK <= kind <= COMMAND or kind == TIMES else 0


def verify(key_blocks: "Blocks", frame: bytes) -> bool:
    """Return whether a frame's MAC is of the MAC key whose ``digest.blocks`` are ``key_blocks``."""
    end = ACKED_TAG if frame[0] & 63 == ACKED else TAG
    tag = digest.mac(key_blocks, frame[:1] + frame[3:end])
    return digest.same(tag[: SIZE - end], frame[end:])


def sign(key: "Bytes", group: "Bytes", kind: int, interval: int, body: "Bytes") -> bytes:
    """Return the frame with this body, and its MAC; ``key`` is the chain's of that interval."""
    frame = struct.pack("<BHH", VERSION << 6 | kind, 0, interval) + body
    tag = digest.hmac(mac_key(key), frame[:1] + frame[3:])
    return _tag(group, (frame + tag)[:SIZE])  # after an ACKED's longer body less of the tag fits


def disclose(key: "Bytes", group: "Bytes", interval: int) -> bytes:
    """Return the KEY frame of an interval."""
    frame = struct.pack("<BHH", VERSION << 6 | KEY, 0, interval) + key
    return _tag(group, frame + bytes(SIZE - BODY - KEY_SIZE))


def _tag(group, frame):
    return frame[:1] + struct.pack("<H", group_tag(group, frame)) + frame[3:]


def pack_tick(tick: "Tick") -> bytes:
    """Return the body of a TICK: sent_ms, round, state, tables, start_ms, switches, command."""
    return struct.pack(_TICK, *tick)


def tick_of(frame: "Bytes") -> "Tick":
    """Return what ``pack_tick`` took."""
    return struct.unpack_from(_TICK, frame, BODY)


def pack_command(counter: int, round_number: int, intent: "Intent") -> bytes:
    """Return the body of a COMMAND; ValueError if its intent is never broadcast."""
    if not topic(intent.kind):
        raise ValueError("kind")
    packed = payload.pack(intent)
    return struct.pack(_COMMAND, counter, intent.kind, round_number, packed, 0)


def command_of(frame: "Bytes") -> "Command":
    """Return the counter, the round and the intent of a COMMAND."""
    counter, kind, round_number, packed, _ = struct.unpack_from(_COMMAND, frame, BODY)
    return counter, round_number, intents.unpack(kind, packed)


def pack_acked(round_number: int, what: int, first: int, bits: int) -> bytes:
    """Return the body of an ACKED; bit i of ``bits`` is table ``first`` + i, i below ``BLOCK``."""
    return struct.pack("<BBH", round_number, what, first) + bits.to_bytes(BLOCK // 8, "little")


def pack_all(round_number: int, what: int, but: "Sequence[int]") -> bytes:
    """Return the body of an ACKED of every table ``but`` these, ``MOST_BUT`` at most."""
    none = [0] * (MOST_BUT - len(but))
    return struct.pack("<BBH6H", round_number, what, ALL, *but, *none)


def acks(frame: "Bytes", table: int) -> bool:
    """Return whether an ACKED is about ``table``."""
    first, *others = struct.unpack_from("<7H", frame, 7)
    if first == ALL:
        return table not in others  # all but these
    at = table - first
    return 0 <= at < BLOCK and bool(frame[9 + at // 8] >> at % 8 & 1)


def id_of(status: bytes) -> bytes:
    """Return the four bytes by which TIMES names a STATUS frame: device and counter."""
    return status[1:3] + status[5:7]


def pack_times(heard: "Sequence[tuple[bytes, int]]") -> bytes:
    """Return the body of TIMES: of up to three STATUS ``(asked, so many HEARD_MS ago)``."""
    ago = 0
    for place, (_, passed) in enumerate(heard):
        ago |= passed << 5 * place
    return struct.pack("<12sH", b"".join([asked for asked, _ in heard]), ago)


def ago_of(frame: "Bytes", question: bytes) -> int:
    """Return how many ``HEARD_MS`` ago TIMES says the STATUS was heard, -1 if it does not."""
    for place in range(3):
        at = BODY + 4 * place
        if frame[at : at + 4] == question:
            return u16(frame, TAG - 2) >> 5 * place & LONGEST
    return -1


def pack_anchor(start_ms: int, index: int, group: bytes, key: bytes) -> bytes:
    """Return the 32 bytes of an anchor at the key of ``index``."""
    return struct.pack(_ANCHOR, start_ms, INTERVAL_MS, index, group, key)


def anchor_of(anchor: "Bytes") -> "tuple[int, int, int, bytes, bytes]":
    """Return ``(start_ms, interval_ms, index, group key, key)`` of an anchor."""
    return struct.unpack(_ANCHOR, anchor)


def pack_part(anchor: "Bytes", part: int, batch: int) -> bytes:
    """Return the payload of an anchor's part (0 to 3), before it is masked."""
    return bytes((part | batch % BATCHES << 2,)) + anchor[PART * part : PART * (part + 1)]
