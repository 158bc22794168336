"""The pure air with faults: loss, bursts, bit flips, delays of up to a minute, and replayed frames.

A fault applies to the whole venue (``WHOLE_VENUE``) or to one table. All frames are captured for
the attackers.
"""

from __future__ import annotations

import collections
from asyncio import AbstractEventLoop
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from firmware.core import frames
from host.sim.pure import PureAir, PureLink
from host.sim.torture.fault_plan import WHOLE_VENUE

if TYPE_CHECKING:
    from host.sim.torture.types import CapturedFrame, Impostor, Relay
    from host.sim.types import Later, PureLink


CALM_LOSS = 0.02
_LOSS = {"burst": 0.97, "loss": 0.5}
_CAPTURED = 40_000  # a whole run, so that a frame of the first round may be replayed in the last
_COMMANDS = 300
_LATE_S = (0.2, 60)
_CHANCE = 0.25


class OffSession:
    """Takes the place of a board's session while the board is off."""

    live = False

    def __init__(self, address: int):
        self.address = address

    def end(self) -> None:
        """Do nothing."""

    def up(self, frame: bytes) -> None:
        """Do nothing."""

    def vanish(self, later: Later) -> None:
        """Do nothing."""


class FaultyAir(PureAir):
    """PureAir whose faults ``begin`` and ``end``; ``captured`` holds (up, address, frame) as
    sent.
    """

    def __init__(self, loop: AbstractEventLoop, seed: int):
        super().__init__(loop, seed, CALM_LOSS)
        self._active: dict[str, collections.Counter[int]] = {}  # by kind: active faults by table
        self.relays: dict[int, Relay] = {}  # board's address -> Relay
        self.censors: dict[int, Impostor] = {}  # the same, of who keeps the board's frames back
        self.captured: collections.deque[CapturedFrame] = collections.deque(maxlen=_CAPTURED)
        # the same, commands only
        self.commands: collections.deque[CapturedFrame] = collections.deque(maxlen=_COMMANDS)

    # faults

    def begin(self, kind: str, table: int = WHOLE_VENUE) -> None:
        """Start a kind of fault."""
        self._active.setdefault(kind, collections.Counter())[table] += 1
        self._set_loss()

    def end(self, kind: str, table: int = WHOLE_VENUE) -> None:
        """End one fault of that kind, unless ``end_all`` has already ended it."""
        if self._active.get(kind, {}).get(table):
            self._active[kind][table] -= 1
        self._set_loss()

    def end_all(self) -> None:
        """End all faults."""
        self._active.clear()
        self._set_loss()
        for relay in list(self.relays.values()):
            relay.stop()

    def has(self, kind: str, table: int = WHOLE_VENUE) -> bool:
        """Return whether a kind of fault is active in the venue or at a table."""
        tables = self._active.get(kind)  # none for most kinds, most of the time
        return tables is not None and (tables[WHOLE_VENUE] > 0 or tables[table] > 0)

    def _set_loss(self):
        """Set how probably a frame is lost, by the faults that are active."""
        active = [loss for kind, loss in _LOSS.items() if self.has(kind)]
        self.loss = max([CALM_LOSS, *active])

    # frames

    def carry(self, frame: bytes, address: int, up: bool, deliver: Callable[[bytes], None]) -> None:
        """Deliver as the pure air does, with the active faults."""
        luck = self.luck
        if up and self._is_kept_back(address, frame):
            return
        self.captured.append((up, address, frame))
        if not up and frame[0] & 63 >= frames.FIRST_COMMAND:
            self.commands.append((up, address, frame))
        copies = 1
        if luck.random() < self.loss / 3:
            copies += 1
        if self.has("twice", address) and luck.random() < _CHANCE:
            copies += 1
        for _ in range(copies):
            if luck.random() >= self.loss:
                self._send(frame, address, up, deliver)

    def _is_kept_back(self, address, frame):
        censor = self.censors.get(address)
        return censor is not None and not censor.passes(frame)

    def _send(self, frame, address, up, deliver):
        luck = self.luck
        delay_s = luck.uniform(0.008, 0.045)
        if self.has("flip", address) and luck.random() < _CHANCE:
            frame = flip_bit(frame, luck)
        if self.has("late", address) and luck.random() < _CHANCE:
            self.loop.call_later(luck.uniform(*_LATE_S), self.inject, up, address, frame)
            return
        self.loop.call_later(delay_s, deliver, frame)

    def hear(self, link: PureLink, frame: bytes) -> None:
        """Deliver an advert as the pure air does, with the active faults and relays."""
        if self._is_kept_back(link.address, frame):
            return
        self.captured.append((True, link.address, frame))
        luck = self.luck
        if self.has("flip", link.address):
            self.tell(link.address, flip_bit(frame, luck))
        if link.address in self.relays:
            self.relays[link.address].repeat_advert(frame)
        if self.has("late", link.address):
            self.loop.call_later(luck.uniform(*_LATE_S), self.inject, True, link.address, frame)
        super().hear(link, frame)

    def inject(self, up: bool, address: int, frame: bytes) -> None:
        """Put a frame on the air, whoever made it: ``up`` as if from the board at ``address``,
        else to it.
        """
        link = self.links.get(address)
        session = None if link is None else link.session
        if not up:
            if link is not None and session is not None and not isinstance(session, OffSession):
                link.put(frame)
        elif session is not None and session.live and self.luck.random() < 0.5:
            session.up(frame)  # by chance over its connection, else as an advert
        else:
            self.tell(address, frame)

    # boards that go off

    def switch_off(self, address: int) -> None:
        """A board goes off; the PC notices after the supervision time-out."""
        link = self._board(address)
        session, link.session, link.advert = link.session, OffSession(address), None
        link._inbox = []
        if session is not None:
            session.vanish(self._after_supervision)

    def switch_on(self, address: int) -> None:
        """A board is on again."""
        self._board(address).session = None

    def _board(self, address):
        link = self.links[address]
        assert isinstance(link, PureLink)
        return link


def flip_bit(frame: bytes, luck: Random) -> bytes:
    """Return ``frame`` with one random bit inverted."""
    byte, bit = divmod(luck.randrange(8 * len(frame)), 8)
    changed = bytearray(frame)
    changed[byte] ^= 1 << bit
    return bytes(changed)
