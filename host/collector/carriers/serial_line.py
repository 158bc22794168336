"""A serial port of this PC, read and written by two threads: no call here waits for a device."""

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from host.collector.carriers.gateways import Gateway

# makers of boards that can be gateways: Adafruit; Espressif, for the others
_MAKERS = (0x239A, 0x303A)
_SECOND = "CDC2"  # CircuitPython's name of usb_cdc.data, where the system tells it
_BAUD = 115200  # any but 1200, which would reset the board into its loader
_WAIT_S = 0.2
_MOST = 4096


class Line(Protocol):
    """An open port."""

    def write(self, data: bytes, /) -> None:
        """Send ``data`` soon."""
        ...

    def close(self) -> None:
        """Close the port; nothing more is told of it."""
        ...


async def ports() -> list[str]:
    """Return the names of the serial ports that may be gateways'."""
    return await asyncio.to_thread(_ports)


def _ports() -> list[str]:
    from serial.tools import list_ports

    boards = [port for port in list_ports.comports() if port.vid in _MAKERS]
    return sorted(p.device for p in boards if not p.interface or _SECOND in p.interface)


class SerialLine:
    """The port called ``name``; its ``owner`` is told in the running event loop.

    OSError, ValueError: it cannot be opened (pyserial's SerialException is an OSError).
    """

    def __init__(self, name: str, owner: "Gateway"):
        import serial

        self._port = serial.Serial(
            name, _BAUD, timeout=_WAIT_S, write_timeout=_WAIT_S, exclusive=True
        )
        self._loop, self._owner = asyncio.get_running_loop(), owner
        self._open, self._waiting = True, queue.SimpleQueue[bytes | None]()
        for work in (self._read, self._drain):
            threading.Thread(target=self._guard, args=(work,), daemon=True).start()

    def write(self, data: bytes) -> None:
        """Send ``data`` soon."""
        self._waiting.put(data)

    def close(self) -> None:
        """Close the port; nothing more is told of it."""
        self._open = False
        self._waiting.put(None)
        self._port.cancel_read()

    def _guard(self, work: Callable[[], None]) -> None:
        """Run a thread's work; any error of the port means that it is gone."""
        try:
            work()
        except Exception:  # pyserial raises TypeError too, where another thread has closed
            self._tell(self._owner.lost)

    def _read(self) -> None:
        try:
            while self._open:
                data = self._port.read(min(max(1, self._port.in_waiting), _MOST))
                if data:
                    self._tell(self._owner.received, data)
        finally:
            self._open = False
            self._waiting.put(None)
            self._port.close()

    def _drain(self) -> None:
        while (data := self._waiting.get()) is not None:
            self._port.write(data)

    def _tell(self, what: Callable[..., None], *values: bytes) -> None:
        def say() -> None:
            if self._open or not values:  # a port that is lost is closed already
                what(*values)

        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(say)
