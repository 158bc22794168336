"""What gateways' machines and the collector say over an MQTT broker: this protocol's one text.

    plusthree/HALL/up/MACHINE      QoS 1   frames that the machine's gateways have heard
    plusthree/HALL/state/MACHINE   QoS 1, kept   JSON twice a second; the will says that it is gone
    plusthree/HALL/down            QoS 0   an advert for every gateway to send

    up     version u8, session u32, number u32, then each frame: size u8, bytes
    down   version u8, epoch u32, Unix ms u64 at which to begin, span_ms u16, turn u8 (0 or 1: every
           other gateway of a machine sends, 2: all of them), advert of 1-31 bytes

Little-endian. A session is one start of a machine's program; its numbers rise by one from 0, so a
gap shows what a broker has dropped. A machine forwards blindly: nothing here is authenticated but
by the tag inside a board's frame. The epoch is the collector's fencing epoch; a machine sends
nothing of an earlier one than it has seen. Version 1.
"""

import json
import re
import struct
from collections.abc import Sequence
from typing import NamedTuple

from firmware.core import usb
from host.base.json_values import parsed

VERSION = 1
MOST_FRAMES = 64  # of a message
_UP, _DOWN = "<BII", "<BIQHB"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,40}", re.ASCII)
_MOST = 1 << 32
_TURNS = 2


class Up(NamedTuple):
    """Frames of a machine."""

    session: int
    number: int
    frames: tuple[bytes, ...]


class Down(NamedTuple):
    """An advert to send."""

    epoch: int
    unix_ms: int
    span_ms: int
    turn: int
    advert: bytes


class MachineState(NamedTuple):
    """What a machine says of itself: whether it is there, its gateways that hear, the frames that
    wait for the broker, and those that it had to drop.
    """

    there: bool
    gateways: int
    waiting: int
    dropped: int


GONE = MachineState(False, 0, 0, 0)


def is_name(text: str) -> bool:
    """Whether ``text`` may name a hall or a machine: one level of a topic."""
    return bool(_NAME.fullmatch(text))


def topic(hall: str, *levels: str) -> str:
    """Return a topic of a hall."""
    return "/".join(("plusthree", hall, *levels))


def pack_up(session: int, number: int, frames: Sequence[bytes]) -> bytes:
    """Return the message of frames of 1 to ``usb.FRAME_MOST`` bytes, at most ``MOST_FRAMES``."""
    return struct.pack(_UP, VERSION, session, number) + b"".join(
        bytes([len(one)]) + one for one in frames
    )


def unpack_up(payload: bytes) -> Up | None:
    """Return what ``pack_up`` was given, None for what is no such message."""
    at = struct.calcsize(_UP)
    if len(payload) < at:
        return None
    version, session, number = struct.unpack_from(_UP, payload)
    found: list[bytes] = []
    while at < len(payload):
        size = payload[at]
        one = payload[at + 1 : at + 1 + size]
        if not 1 <= size <= usb.FRAME_MOST or len(one) != size or len(found) == MOST_FRAMES:
            return None
        found.append(one)
        at += 1 + size
    return Up(session, number, tuple(found)) if version == VERSION else None


def pack_down(down: Down) -> bytes:
    """Return the message of an advert."""
    return struct.pack(_DOWN, VERSION, *down[:-1]) + down.advert


def unpack_down(payload: bytes) -> Down | None:
    """Return what ``pack_down`` was given, None for what is no such message."""
    size = struct.calcsize(_DOWN)
    if not size < len(payload) <= size + usb.ADVERT_MOST or payload[0] != VERSION:
        return None
    found = Down(*struct.unpack_from(_DOWN, payload)[1:], payload[size:])
    return found if found.turn <= _TURNS else None


def pack_state(state: MachineState) -> bytes:
    """Return the message of a machine's state."""
    return json.dumps({"version": VERSION, **state._asdict()}).encode()


def unpack_state(payload: bytes) -> MachineState | None:
    """Return what ``pack_state`` was given, None for what is no such message."""
    try:
        told = parsed(payload)
        counts = [told[name] for name in ("gateways", "waiting", "dropped")]
        if told["version"] != VERSION or not isinstance(told["there"], bool):
            return None
    except (ValueError, TypeError, LookupError):
        return None
    if not all(type(one) is int and 0 <= one < _MOST for one in counts):
        return None
    return MachineState(told["there"], *counts)
