"""The common part of all doubles of ``_bleio``: small types, errors and a port's limits.

An nRF52840's is a gateway's, and has no link. Read in CircuitPython 10.2.1,
``ports/espressif/common-hal/_bleio``. The doubles are that port's; a check that is stricter in
nordic's is theirs, too. What a radio runs into in time was reported of the ESP32-S3 and its NimBLE;
the reports are in the contract of the chip (host/sim/chip/contract.toml).
"""

from __future__ import annotations

import random
import uuid
from dataclasses import dataclass

from host.boards.models import MODELS

AGREED_S = 0.06  # after connecting, until a central is listed: two events, for the MTU
NO_ROOM = "Nimble out of memory"  # a MemoryError: no free link, or no memory left (__init__.c:94)
RADIO, BOARD = "radio", "board"  # what has to be restarted for a deaf radio to be heard again


class BluetoothError(Exception):
    """The radio refused an operation."""


class RoleError(BluetoothError):
    """The operation belongs to the other role, client or server."""


class SecurityError(BluetoothError):
    """The link's security level does not allow the operation."""


class Hung(BaseException):
    """The chip hangs, spins or faults here: no program catches this, only the watchdog ends it."""


class UUID:
    """A 16-bit or 128-bit UUID from an int, a string or 16 bytes (little-endian)."""

    def __init__(self, value: int | str | bytes):
        self.uuid16 = value if isinstance(value, int) else None
        self.size = 128 if self.uuid16 is None else 16
        if self.uuid16 is not None:
            self._value = uuid.UUID(f"0000{value:04x}-0000-1000-8000-00805f9b34fb")
        elif isinstance(value, str):
            self._value = uuid.UUID(value)
        else:
            self._value = uuid.UUID(bytes=bytes(value)[::-1])

    @property
    def uuid128(self) -> bytes:
        """Return the 16 bytes, little-endian."""
        return self._value.bytes[::-1]

    def __str__(self) -> str:
        return str(self._value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UUID) and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)


class Address:
    """A radio address of 6 bytes, little-endian, and its type."""

    PUBLIC, RANDOM_STATIC, RANDOM_PRIVATE_RESOLVABLE, RANDOM_PRIVATE_NON_RESOLVABLE = range(4)

    def __init__(self, address: bytes, address_type: int = RANDOM_STATIC):
        self.address_bytes, self.type = bytes(address), address_type

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Address) and self.address_bytes == other.address_bytes

    def __hash__(self) -> int:
        return hash(self.address_bytes)


class Attribute:
    """Security modes of an attribute."""

    NO_ACCESS, OPEN, ENCRYPT_NO_MITM, ENCRYPT_WITH_MITM = 0x00, 0x11, 0x21, 0x31
    LESC_ENCRYPT_WITH_MITM, SIGNED_NO_MITM, SIGNED_WITH_MITM = 0x41, 0x12, 0x22


@dataclass(frozen=True)
class Port:
    """One port's radio.

    ``adverts``: how many may begin until every further one raises MemoryError, until the radio is
    restarted; None: any number. ``both_s``: the least and the most seconds of advertising with a
    link open after which the controller asserts; None: never.
    """

    adverts: int | None
    both_s: tuple[float, float] | None


NORDIC = Port(None, None)
# Nobody has counted the adverts of circuitpython#10007: fewer than a long day needs. Ten minutes to
# two hours are those of NimBLE-Arduino #761. ``plusthree board bringup --soak`` measures both.
ESPRESSIF = Port(2000, (600.0, 7200.0))
ESPRESSIF_BOARDS = tuple(model.board_id for model in MODELS.values())  # tables


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
        """Note whether it advertises with a link open; Hung once the controller asserts."""
        if self._left_s is None:  # it never asserts
            return
        if self._since_s is not None:
            self._left_s -= now_s - self._since_s
        self._since_s = now_s if both else None
        if self._left_s <= 0:
            raise Hung("the controller asserts: it advertised with a link open")

    def drops_next(self) -> bool:
        """Draw whether a notification is silently lost."""
        return bool(self.drops) and self._luck.random() < self.drops
