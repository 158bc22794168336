"""The messages between gateways' machines and the collector over an MQTT broker: this protocol's
only description.

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
from host.base.json_values import parse

VERSION = 1
MOST_FRAMES = 64  # of a message
_UP, _DOWN = "<BII", "<BIQHB"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,40}", re.ASCII)
_MOST = 1 << 32
_TURNS = 2
_COUNTS = "gateways", "waiting", "dropped"  # of a state


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
    """A machine's report on itself: whether it is online, how many of its gateways hear boards, how
    many frames wait for the broker, how many it had to drop, and by how many seconds its clock is
    off (0: near enough; an older program does not say).
    """

    online: bool
    gateways: int
    waiting: int
    dropped: int
    clock_s: int = 0


GONE = MachineState(online=False, gateways=0, waiting=0, dropped=0)


def is_name(text: str) -> bool:
    """Whether ``text`` may name a hall or a machine: one level of a topic."""
    return bool(_NAME.fullmatch(text))


def topic(hall: str, *levels: str) -> str:
    """Return a topic of a hall."""
    return "/".join(("plusthree", hall, *levels))


def pack_up(session: int, number: int, frames: Sequence[bytes]) -> bytes:
    """Return the message of frames of 1 to ``usb.FRAME_MOST`` bytes, at most ``MOST_FRAMES``."""
    return struct.pack(_UP, VERSION, session, number) + b"".join(
        bytes([len(frame)]) + frame for frame in frames
    )


def unpack_up(payload: bytes) -> Up | None:
    """Return the arguments of ``pack_up``, None for an invalid message."""
    head_size = struct.calcsize(_UP)
    if len(payload) < head_size:
        return None
    version, session, number = struct.unpack_from(_UP, payload)
    if version != VERSION:
        return None
    received: list[bytes] = []
    rest = payload[head_size:]
    while rest:
        size, frame, rest = rest[0], rest[1 : 1 + rest[0]], rest[1 + rest[0] :]
        if not 1 <= size <= usb.FRAME_MOST or len(frame) < size:
            return None
        received.append(frame)
    return Up(session, number, tuple(received)) if len(received) <= MOST_FRAMES else None


def pack_down(down: Down) -> bytes:
    """Return the message of an advert."""
    return struct.pack(_DOWN, VERSION, *down[:-1]) + down.advert


def unpack_down(payload: bytes) -> Down | None:
    """Return the argument of ``pack_down``, None for an invalid message."""
    size = struct.calcsize(_DOWN)
    if not size < len(payload) <= size + usb.ADVERT_MOST or payload[0] != VERSION:
        return None
    down = Down(*struct.unpack_from(_DOWN, payload)[1:], payload[size:])
    return down if down.turn <= _TURNS else None


def pack_state(state: MachineState) -> bytes:
    """Return the message of a machine's state."""
    counts = {name: getattr(state, name) for name in _COUNTS}
    counts["clock_s"] = state.clock_s
    return json.dumps({"version": VERSION, "there": state.online, **counts}).encode()


def unpack_state(payload: bytes) -> MachineState | None:
    """Return the argument of ``pack_state``, None for an invalid message."""
    try:
        values = parse(payload)
        counts = [*(values[name] for name in _COUNTS), values.get("clock_s", 0)]
        if values["version"] != VERSION or not isinstance(values["there"], bool):
            return None
    except (ValueError, TypeError, LookupError, AttributeError):
        return None
    if not all(type(count) is int and 0 <= count < _MOST for count in counts):
        return None
    return MachineState(values["there"], *counts)
