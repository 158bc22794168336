"""Decoded frames as named tuples; ``firmware.core.frames`` specifies the protocol.

A record's event is of the board's own classes (``firmware.core.events``).
"""

from typing import NamedTuple, TypeAlias

from firmware.core import announced, frames

FrameBytes: TypeAlias = bytes | bytearray | memoryview


class FrameHead(NamedTuple):
    """A frame's header: its kind, the sending device, its epoch, and the counter in that epoch."""

    kind: int
    device: int
    epoch: int
    counter: int


class Status(NamedTuple):
    """A STATUS frame: the zero's event time (0: none) or a result (``frames.RESULT_ANNOUNCED``),
    phase, overtime turn, flags, news head.
    """

    zero_ms: int
    phase: int
    turn: int
    flags: int
    news_head: int


class AnnouncedResult(NamedTuple):
    """The result in a status: who won (1 A, 2 B, 3 a tie) and both scores, as they were paired;
    round and milestone modulo ``announced.MOST``.
    """

    won: int
    a_score: int
    b_score: int
    round: int
    milestone: int


class VerifiedFrame(NamedTuple):
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
    """Return a frame's header, None for another length or version."""
    head = frames.head(frame)
    return None if head is None else FrameHead(*head)


def status_of(frame: FrameBytes) -> Status:
    """Decode a STATUS frame."""
    return Status(*frames.status_of(frame))


def announced_result(word: int) -> AnnouncedResult:
    """Decode the first field of a status with ``RESULT_ANNOUNCED`` (its bits: ``announced``)."""
    a, b = word >> 2 & announced.UNKNOWN, word >> 11 & announced.UNKNOWN
    return AnnouncedResult(word & 3, a, b, word >> 20 & 31, word >> 25 & 31)
