"""What a radio runs into in time, as it was reported of the ESP32-S3 and its NimBLE.

Each double of an adapter has one ``RadioFaults``, and tells it of every advert and link; a test
brings about the rest. The reports are in the contract of the chip (host/sim/chip/contract.toml).
"""

from __future__ import annotations

import random

from host.sim.bleio.names import Hung
from host.sim.bleio.port import NO_ROOM, Port

RADIO, BOARD = "radio", "board"  # what has to be restarted for a deaf radio to be heard again


class RadioFaults:
    """The faults of one adapter on ``port``; ``seed`` draws when its controller asserts.

    ``adverts_left``: how many adverts may begin until the host stack's memory is used up, None
    where it never is. ``deaf``: RADIO or BOARD while nothing goes out or comes in although no call
    fails, "" otherwise. ``drops`` (0-1): the share of notifications that are silently lost.
    ``dies_next``: the next connection that is found open is gone before the program's next call.
    """

    def __init__(self, port: Port, seed: str):
        self._port, self._luck = port, random.Random(f"radio {seed}")
        self.deaf, self.drops, self.dies_next = "", 0.0, False
        self._since_s: float | None = None  # since when it advertises with a link open
        self.restarts = 0
        self._renew()

    def _renew(self):
        self.adverts_left = self._port.adverts
        self._since_s = None
        self._left_s = self._luck.uniform(*self._port.both_s) if self._port.both_s else None

    def restart(self) -> None:
        """Note that the radio was switched off and on."""
        self.restarts += 1
        self.deaf = "" if self.deaf == RADIO else self.deaf
        self._renew()

    def begin_advert(self) -> None:
        """Note that an advert begins; MemoryError once the memory is used up."""
        if self.adverts_left is not None:
            if self.adverts_left <= 0:
                raise MemoryError(NO_ROOM)
            self.adverts_left -= 1

    def check(self, both: bool, now_s: float) -> None:
        """Note whether it advertises with a link open; names.Hung once the controller asserts."""
        if self._left_s is None:
            return
        if self._since_s is not None:
            self._left_s -= now_s - self._since_s
        self._since_s = now_s if both else None
        if self._left_s <= 0:
            raise Hung("the controller asserts: it advertised with a link open")

    def drops_next(self) -> bool:
        """Draw whether a notification is silently lost."""
        return bool(self.drops) and self._luck.random() < self.drops
