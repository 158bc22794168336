"""One connection to one board, from start to end, over any system's Bluetooth."""

import asyncio
import contextlib
import logging

from bleak import BleakClient
from bleak.args.bluez import BlueZClientArgs
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import BaseBleakClient
from bleak.backends.device import BLEDevice

from firmware.core import frames
from host.base.tasks import within
from host.collector.carriers import failure_words
from host.collector.carriers.json_lines import Tell
from host.collector.carriers.platforms import Quirks

STEP_S = 5.0  # for subscribing, for one write, for disconnecting
LOOK_S = 2.0  # a system may forget to report that a connection has ended
_log = logging.getLogger(__name__)


class ConnectionFailed(Exception):
    """A connection could not be made or carried nothing; the message is a short reason."""


class Connection:
    """Carries frames between a board and ``tell``; ``quirks`` are the system's.

    ``device`` is bleak's, or an address.
    ``tell("opened")`` comes before the first ``tell("received", frame)``.
    """

    def __init__(
        self,
        device: BLEDevice | str,
        quirks: Quirks,
        tell: Tell,
        backend: type[BaseBleakClient] | None = None,
        adapter: str | None = None,
    ):
        self._quirks, self._tell = quirks, tell
        self._outbox: asyncio.Queue[bytes | None] = asyncio.Queue()  # None ends the connection
        self.frames_up = self.frames_down = 0
        self.opened = self._gone = False
        self._narrow = False
        bluez: BlueZClientArgs = {"adapter": adapter} if adapter else {}
        self._client = BleakClient(
            device, lambda client: self._on_lost(), services=[frames.SERVICE_UUID],
            timeout=quirks.connect_s, bluez=bluez, backend=backend,
        )  # fmt: skip

    def write(self, frame: bytes) -> None:
        """Queue ``frame`` for writing."""
        self._outbox.put_nowait(frame)

    def close(self) -> None:
        """End the connection when what is queued is written."""
        self._outbox.put_nowait(None)

    def _on_lost(self):
        self._gone = True
        self._outbox.put_nowait(None)

    @property
    def linked(self) -> bool:
        """Whether the board has answered; its services may still be unknown."""
        return self._client.is_connected

    async def connect(self) -> None:
        """Make the connection; raises ConnectionFailed. Adapters make one at a time."""
        try:  # bleak's own limit must come first: a cancelled attempt leaks on Windows
            await within(self._quirks.connect_s + STEP_S, self._client.connect())
            self._check_services()
        except ConnectionFailed:
            raise
        except TimeoutError:
            raise ConnectionFailed(failure_words.NO_ANSWER) from None
        except Exception as error:  # any error of a back end is this connection's failure
            _log.debug("connect: %r", error)
            raise ConnectionFailed(f"{type(error).__name__}: {error}".rstrip(": ")) from error

    def _check_services(self):
        """Check the board's services, as the system remembers them."""
        service = self._client.services.get_service(frames.SERVICE_UUID)
        down = service.get_characteristic(frames.DOWN_UUID) if service else None
        if not service or not down or not service.get_characteristic(frames.UP_UUID):
            raise ConnectionFailed(failure_words.NO_SERVICE)
        self._narrow = down.max_write_without_response_size < frames.SIZE

    async def carry(self) -> None:
        """Carry frames until either end disconnects; raises ConnectionFailed if none came."""
        self.opened = True
        self._tell("opened")  # before the first notification can arrive
        try:
            await within(STEP_S, self._client.start_notify(frames.UP_UUID, self._on_notification))
            while (frame := await self._next()) is not None:
                await within(STEP_S, self._write(frame))
                self.frames_down += 1
        except Exception as error:  # as in ``connect``
            _log.debug("carry: %r", error)
            if not self.frames_up:
                raise ConnectionFailed(f"{type(error).__name__}: {error}".rstrip(": ")) from error
        if not self.frames_up:
            raise ConnectionFailed(failure_words.NARROW if self._narrow else failure_words.NOTHING)

    def _on_notification(self, _: BleakGATTCharacteristic, data: bytearray):
        for start in range(0, len(data), frames.SIZE):
            self.frames_up += 1
            self._tell("received", bytes(data[start : start + frames.SIZE]))

    async def _write(self, frame: bytes):
        await self._client.write_gatt_char(frames.DOWN_UUID, frame, response=self._quirks.respond)

    async def _next(self) -> bytes | None:
        """Return what to write next, None at the end."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    return await self._outbox.get()
            if not self._client.is_connected:
                return None

    async def hang_up(self) -> None:
        """Disconnect, and wait until the system has released the connection; raises nothing."""
        hung_up = self.opened and not self._gone
        try:
            await within(STEP_S, self._client.disconnect())
        except Exception as error:  # as in ``connect``
            _log.debug("hang up: %r", error)
        if hung_up and self._quirks.linger_s:
            await asyncio.sleep(self._quirks.linger_s)
