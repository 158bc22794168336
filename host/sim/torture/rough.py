"""The pure air at its worst, and with ears: bursts, flips, hours-old frames, and who sends them.

Troubles come and go by kind, for the hall (``HALL``) or for one table. Everything that was ever on
the air may have been taped by somebody.
"""

from __future__ import annotations

import collections
from asyncio import AbstractEventLoop
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from firmware.core import frames
from host.sim.pure import PureAir, PureLink
from host.sim.torture.plan import HALL

if TYPE_CHECKING:
    from host.sim.torture.types import Relay, Taped
    from host.sim.types import Later, PureLink


CALM_LOSS = 0.02
SUPERVISION_S = 4
_LOSS = {"burst": 0.97, "loss": 0.5}
_TAPED = 40_000  # the whole of a run: what was said in its first round may come back in its last
_COMMANDS = 300
_LATE_S = (0.2, 60)
_CHANCE = 0.25


class Dark:
    """What holds a board's link while the board is off."""

    live = False

    def __init__(self, address: int):
        self.address = address

    def end(self) -> None:
        """There is nothing to end."""

    def up(self, frame: bytes) -> None:
        """Nobody listens."""

    def vanish(self, later: Later) -> None:
        """There is nobody to find out."""


class RoughAir(PureAir):
    """``begin`` and ``end`` a kind of trouble; ``tape`` holds (up, address, frame) as sent."""

    def __init__(self, loop: AbstractEventLoop, seed: int):
        self._troubles: collections.Counter[tuple[str, int]] = collections.Counter()
        super().__init__(loop, seed, CALM_LOSS)
        self.relays: dict[int, Relay] = {}  # board's address -> Relay
        self.tape: collections.deque[Taped] = collections.deque(maxlen=_TAPED)
        self.commands: collections.deque[Taped] = collections.deque(
            maxlen=_COMMANDS
        )  # the same, of those worth the most

    @property
    def loss(self) -> float:
        """The chance that a frame is lost now."""
        return max([CALM_LOSS] + [p for kind, p in _LOSS.items() if self.has(kind)])

    # trouble

    def begin(self, kind: str, table: int = HALL) -> None:
        """Let a kind of trouble begin."""
        self._troubles[kind, table] += 1

    def end(self, kind: str, table: int = HALL) -> None:
        """Let it end, if it has not been ended with all others."""
        self._troubles[kind, table] -= self._troubles[kind, table] > 0

    def calm(self) -> None:
        """Let all trouble end."""
        self._troubles.clear()
        for relay in list(self.relays.values()):
            relay.stop()

    def has(self, kind: str, table: int = HALL) -> bool:
        """Whether a kind of trouble is on in the hall or at a table."""
        return self._troubles[kind, HALL] > 0 or self._troubles[kind, table] > 0

    # frames

    def carry(self, frame: bytes, address: int, up: bool, deliver: Callable[[bytes], None]) -> None:
        """As the pure air, and then some."""
        luck = self.luck
        self.tape.append((up, address, frame))
        if not up and frame[0] & 63 >= frames.FIRST_COMMAND:
            self.commands.append((up, address, frame))
        for _ in range(1 + (luck.random() < self.loss / 3) + self._twice(address)):
            if luck.random() >= self.loss:
                self._send(frame, address, up, deliver)

    def _twice(self, address):
        return self.has("twice", address) and self.luck.random() < _CHANCE

    def _send(self, frame, address, up, deliver):
        luck = self.luck
        delay_s = luck.uniform(0.008, 0.045)
        if self.has("flip", address) and luck.random() < _CHANCE:
            frame = flipped(frame, luck)
        if self.has("late", address) and luck.random() < _CHANCE:
            self.loop.call_later(luck.uniform(*_LATE_S), self.inject, up, address, frame)
            return
        self.loop.call_later(delay_s, deliver, frame)

    def hear(self, link: PureLink, frame: bytes) -> None:
        """As the pure air, taped; somebody may play it again far away, and late."""
        self.tape.append((True, link.address, frame))
        luck = self.luck
        if self.has("flip", link.address):
            self.tell(link.address, flipped(frame, luck))
        if link.address in self.relays:
            self.relays[link.address].hears(frame)
        if self.has("late", link.address):
            self.loop.call_later(luck.uniform(*_LATE_S), self.inject, True, link.address, frame)
        super().hear(link, frame)

    def inject(self, up: bool, address: int, frame: bytes) -> None:
        """Put a frame on the air, from whoever it is."""
        link = self.links.get(address)
        session = None if link is None else link.session
        if not up:
            if link is not None and session is not None and not isinstance(session, Dark):
                link.put(frame)
        elif session is not None and session.live and self.luck.random() < 0.5:
            session.up(frame)
        else:
            self.tell(address, frame)

    # boards that die

    def switch_off(self, address: int) -> None:
        """A board goes dark: the PC finds out after the supervision time."""
        link = self._board(address)
        session, link.session, link.advert = link.session, Dark(address), None
        link._inbox = []
        if session is not None:
            session.vanish(self._in_time)

    def _in_time(self, gone):
        self.loop.call_later(SUPERVISION_S, gone)

    def switch_on(self, address: int) -> None:
        """A board is back."""
        self._board(address).session = None

    def _board(self, address):
        link = self.links[address]
        assert isinstance(link, PureLink)
        return link


def flipped(frame: bytes, luck: Random) -> bytes:
    """Return ``frame`` with one bit the other way."""
    place = luck.randrange(8 * len(frame))
    changed = bytearray(frame)
    changed[place // 8] ^= 1 << place % 8
    return bytes(changed)
