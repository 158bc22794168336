"""Decoded frames as named tuples; ``firmware.core.frames`` is the protocol's one text.

They are plain tuples to the board's code, which folds them, and compare as such.
"""

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from firmware.core import frames

FrameBytes: TypeAlias = bytes | bytearray | memoryview


class FrameHead(NamedTuple):
    """Who sent a frame: the kind, the device, its epoch, and the frame's counter in that epoch."""

    kind: int
    device: int
    epoch: int
    counter: int


class BoardEvent(NamedTuple):
    """What one record says: a kind of ``firmware.core.events``, event time in ms, three numbers."""

    kind: int
    at_ms: int
    a: int
    b: int
    c: int


class Intent(NamedTuple):
    """What a down frame asks of a table: a kind of ``firmware.core.intents``, event time in ms,
    three numbers.
    """

    kind: int
    at_ms: int
    a: int
    b: int
    c: int


class Status(NamedTuple):
    """A STATUS frame: the zero's event time (0: none), phase, overtime turn, flags, news head."""

    zero_ms: int
    phase: int
    turn: int
    flags: int
    news_head: int


class Seal(NamedTuple):
    """A SEALED record: the first counter that it covers, and 7 bytes of the digest."""

    first: int
    digest: bytes


@dataclass(frozen=True)
class VerifiedFrame:
    """An authentic frame of a board: its head, and the generation and event whose key verifies it.

    ``event`` is the number of the event (the tournament), 0 before the board has joined one.
    """

    frame: bytes
    kind: int
    device: int
    generation: int
    event: int
    epoch: int
    counter: int


def head_of(frame: FrameBytes) -> FrameHead | None:
    """Return a frame's head, None for a foreign length or version."""
    head = frames.head(frame)
    return None if head is None else FrameHead(*head)


def event_of(record: FrameBytes) -> BoardEvent:
    """Return the event of a 24-byte record."""
    return BoardEvent(*frames.event_of(record))


def status_of(frame: FrameBytes) -> Status:
    """Return what a STATUS frame says."""
    return Status(*frames.status_of(frame))


def seal_of(record: FrameBytes) -> Seal:
    """Return what a SEALED record says."""
    first, digest = frames.seal_of(record)
    return Seal(first, bytes(digest))
