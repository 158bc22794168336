"""Finds the key that signed a frame, by trying each known generation and event, likeliest first."""

from __future__ import annotations

import functools
import hashlib
import hmac
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from firmware.core import digest, frames
from host.archive import audit_log
from host.archive.decoded_frames import VerifiedFrame
from host.archive.roster import Roster

if TYPE_CHECKING:
    from firmware.core.types import Blocks

NO_EVENT = 0
_DERIVED = 8192  # keys cached: four per board in the largest hall; made-up epochs must not grow it


Refusal: TypeAlias = Literal["version", "board", "tag"]


class _Tag:
    """The tags of one stream key: HMAC (RFC 2104) with the key's two blocks hashed once.

    A host verifies some hundred frames per table and round; this takes a tenth of the time of
    ``signatures.verify`` and gives the same result.
    """

    def __init__(self, key: bytes):
        inner, outer = digest.blocks(key)
        self._inner, self._outer = hashlib.sha256(inner), hashlib.sha256(outer)

    def fits(self, frame: bytes) -> bool:
        """Return whether the frame's tag was made with the key, in constant time."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(frame[: frames.BODY])
        outer.update(inner.digest())
        return hmac.compare_digest(outer.digest()[: digest.TAG_SIZE], frame[frames.BODY :])


class _Likely(NamedTuple):
    """The key that verified a board's last frame."""

    generation: int
    event: int
    epoch: int
    tag: _Tag


class Keyring:
    """The keys of all provisioned boards, derived on demand from the 32-byte ``master``.

    ``audit_log`` is the audit log's key, ``nonces`` that of the host's nonces, ``beacons`` that of
    its beacons' chains.
    """

    def __init__(self, master: bytes, roster: Roster):
        self._roster = roster
        self.audit_log = audit_log.key_of(master)
        self.nonces = digest.hmac(master, b"nonces")
        self.beacons = digest.hmac(master, b"beacons")
        self._board_key = functools.lru_cache(4096)(functools.partial(frames.board_key, master))
        self._stream_key = functools.lru_cache(_DERIVED)(self._derive)
        self._tag = functools.lru_cache(_DERIVED)(self._derive_tag)
        self._blocks = functools.lru_cache(_DERIVED)(self._derive_blocks)
        self.refresh()

    def refresh(self) -> None:
        """Read boards and events again after one was added."""
        self._generations: dict[int, list[int]] = {}
        self._likely: dict[int, _Likely] = {}  # by device
        for board in self._roster.boards:
            self._generations.setdefault(board.device, []).insert(0, board.generation)
        self._events = [event.number for event in reversed(self._roster.events)] + [NO_EVENT]

    def _derive(
        self, device: int, generation: int, event: int, direction: int, epoch: int
    ) -> bytes:
        return frames.stream_key(self._board_key(device, generation), event, direction, epoch)

    def _derive_tag(self, device: int, generation: int, event: int, epoch: int) -> _Tag:
        return _Tag(self.stream(device, generation, event, frames.UP, epoch))

    def stream(self, device: int, generation: int, event: int, direction: int, epoch: int) -> bytes:
        """Return the 32-byte key of one direction (``frames.UP``/``DOWN``) of a board's epoch at an
        event.
        """
        return self._stream_key(device, generation, event, direction, epoch)

    def _derive_blocks(
        self, device: int, generation: int, event: int, direction: int, epoch: int
    ) -> Blocks:
        return digest.blocks(self.stream(device, generation, event, direction, epoch))

    def blocks(
        self, device: int, generation: int, event: int, direction: int, epoch: int
    ) -> Blocks:
        """Return the ``digest.blocks`` of that key, for ``frames.signed``."""
        return self._blocks(device, generation, event, direction, epoch)

    def board(self, device: int, generation: int) -> bytes:
        """Return the 32-byte key of a board itself."""
        return self._board_key(device, generation)

    def known(self, device: int) -> bool:
        """Whether the board was ever provisioned here."""
        return device in self._generations

    def verify(self, frame: bytes) -> VerifiedFrame | Refusal:
        """Return the VerifiedFrame, or the reason for its refusal."""
        head = frames.head(frame)
        if head is None:
            return "version"
        kind, device, epoch, counter = head
        if device not in self._generations:
            return "board"
        likely = self._likely.get(device)
        if likely is None or likely.epoch != epoch or not likely.tag.fits(frame):
            likely = self._signing_key(frame, device, epoch, likely)
            if likely is None:
                return "tag"
            self._likely[device] = likely
        place = likely.generation, likely.event, epoch, counter
        return VerifiedFrame(bytes(frame), kind, device, *place)

    def _signing_key(
        self, frame: bytes, device: int, epoch: int, likely: _Likely | None
    ) -> _Likely | None:
        """Return the key that signed ``frame``, None if no known key did."""
        for generation, event in self._candidates(device, likely):
            tag = self._tag(device, generation, event, epoch)
            if tag.fits(frame):
                return _Likely(generation, event, epoch, tag)
        return None

    def _candidates(self, device: int, likely: _Likely | None) -> Iterator[tuple[int, int]]:
        """Yield each generation and event whose key may have signed a board's frame, those of its
        last frame first.
        """
        last = (likely.generation, likely.event) if likely else None
        if last is not None:
            yield last
        for generation in self._generations[device]:
            for event in self._events:
                if (generation, event) != last:
                    yield generation, event
