"""``usb_cdc``: the serial line between a chip's program and a PC, with the queues of TinyUSB.

Read in CircuitPython's ``shared-module/usb_cdc/Serial.c`` and TinyUSB's ``cdc_device.c``. The
queues here hold 64 bytes, the least that TinyUSB is built with; chips have more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from host.sim.chip.natives import module

if TYPE_CHECKING:
    from host.sim.chip.types import Chip, Modules

QUEUE = 64  # bytes each way; a packet of full-speed USB
_PACKET_US = 1000  # a PC asks each millisecond
_TURN_US = 100  # of a loop that waits


class Cable:
    """The PC's end. ``opened``: a program there has the port open; ``reading``: and reads it."""

    def __init__(self, chip: Chip):
        self._chip = chip
        self.opened, self.reading = False, True
        self._down, self._queue, self._up = bytearray(), bytearray(), bytearray()
        self._moved_us = 0

    def write(self, data: bytes) -> None:
        """Send ``data`` to the board; bytes without room there wait here."""
        self._down += data

    def read(self) -> bytes:
        """Return and remove the bytes that have come from the board."""
        self._move()
        data, self._up = bytes(self._up), bytearray()
        return data

    # the board's end

    @property
    def waiting(self) -> int:
        """How many bytes the board can read now."""
        return min(len(self._down), QUEUE)

    def taken(self, size: int) -> bytes:
        """Return and remove up to ``size`` of them."""
        data = bytes(self._down[: min(size, QUEUE)])
        del self._down[: len(data)]
        return data

    def put(self, data: bytes) -> int:
        """Queue as many bytes as fit; return their number. A closed port drops its oldest."""
        self._move()
        if not self.opened:
            self._queue = (self._queue + data)[-QUEUE:]
            return len(data)
        room = QUEUE - len(self._queue)
        self._queue += data[:room]
        return min(room, len(data))

    def reset(self) -> None:
        """Empty the queues: the board has begun anew, or the cable was pulled."""
        self._down, self._queue = bytearray(), bytearray()

    def _move(self):
        """Let the PC fetch the packets for which there was time."""
        packets = (self._chip.now_us - self._moved_us) // _PACKET_US
        self._moved_us += packets * _PACKET_US
        if self.opened and self.reading:
            self._up += self._queue[: packets * QUEUE]
            del self._queue[: packets * QUEUE]


class Serial:
    """``usb_cdc.data`` of one VM."""

    def __init__(self, chip: Chip, cable: Cable):
        self._chip, self._cable = chip, cable
        self.timeout: float | None = None
        self.write_timeout: float | None = None

    @property
    def connected(self) -> bool:
        """Whether a PC is there and its program has the port open (DTR)."""
        return self._chip.usb and self._cable.opened

    @property
    def in_waiting(self) -> int:
        """How many bytes can be read."""
        return self._cable.waiting

    def readinto(self, buffer: bytearray) -> int:
        """Fill ``buffer`` as far as ``timeout`` allows: None waits until it is full."""
        data = bytearray(self._cable.taken(len(buffer)))
        end_us = self._end_us(self.timeout)
        while len(data) < len(buffer) and self._chip.now_us <= end_us:
            self._chip.pass_us(_TURN_US)
            data += self._cable.taken(len(buffer) - len(data))
        buffer[: len(data)] = data
        return len(data)

    def write(self, data: bytes) -> int:
        """Queue ``data`` as far as ``write_timeout`` allows: None waits until the PC has read."""
        done = self._cable.put(bytes(data))
        end_us = self._end_us(self.write_timeout)
        while done < len(data) and self._chip.now_us <= end_us:
            self._chip.pass_us(_TURN_US)
            done += self._cable.put(bytes(data[done:]))
        return done

    def _end_us(self, limit_s):
        """Return until when to wait for a limit: None is for ever, and 0 not at all."""
        if limit_s is None:
            return float("inf")
        return self._chip.now_us + limit_s * 1_000_000 if limit_s else -1


def modules(chip: Chip, cable: Cable) -> Modules:
    """Return ``usb_cdc`` for one VM of ``chip``."""

    def enable(*, console: bool = True, data: bool = False) -> None:
        if chip.usb_up:
            raise RuntimeError("Cannot change USB devices now")
        chip.usb_devices -= {"console", "data"}
        chip.usb_devices |= {name for name, on in (("console", console), ("data", data)) if on}

    line = Serial(chip, cable) if chip.usb_up and "data" in chip.usb_devices else None
    return {
        "usb_cdc": module(
            "usb_cdc",
            enable=enable,
            disable=lambda: enable(console=False),
            data=line,
            Serial=Serial,
        )
    }
