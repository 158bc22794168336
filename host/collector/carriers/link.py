"""One link to one board, from its making to its end, over any system's Bluetooth."""

import asyncio
import contextlib
import logging

from bleak import BleakClient

from firmware.core import frames
from host.collector.carriers import failure_words
from host.collector.carriers.deadline import within

STEP_S = 5.0  # subscribing, one write, hanging up
LOOK_S = 2.0  # a system may forget to say that a link has ended
_log = logging.getLogger(__name__)
ENDED = object()


class Failed(Exception):
    """A link could not be had or carried nothing; the message says why in a few words."""


class Link:
    """Carries frames between a board and ``told``; ``terms`` are the system's.

    ``told("opened")`` comes before the first ``told("received", frame)``.
    """

    def __init__(self, device, terms, told, backend=None, adapter=None):
        self._terms, self._told = terms, told
        self._outbox = asyncio.Queue()
        self.frames_up = self.frames_down = 0
        self.opened = self._gone = False
        self._narrow = False
        bluez = {"adapter": adapter} if adapter else {}
        self._client = BleakClient(
            device, lambda client: self._lost(), services=[frames.SERVICE_UUID],
            timeout=terms.connect_s, bluez=bluez, backend=backend,
        )  # fmt: skip

    def write(self, frame):
        """Have ``frame`` written behind those that wait."""
        self._outbox.put_nowait(frame)

    def close(self):
        """Have the link end when what waits is written."""
        self._outbox.put_nowait(ENDED)

    def _lost(self):
        self._gone = True
        self._outbox.put_nowait(ENDED)

    async def connect(self):
        """Make the link; raises Failed. Adapters make one at a time."""
        try:  # bleak's own limit comes first: a cancelled attempt leaks on Windows
            await within(self._terms.connect_s + STEP_S, self._client.connect())
            self._look()
        except Failed:
            raise
        except TimeoutError:
            raise Failed(failure_words.NO_ANSWER) from None
        except Exception as error:  # whatever a back end raises is one link's failure
            _log.debug("connect: %r", error)
            raise Failed(f"{type(error).__name__}: {error}".rstrip(": ")) from error

    def _look(self):
        """Look at what the board offers, as the system remembers it."""
        service = self._client.services.get_service(frames.SERVICE_UUID)
        down = service and service.get_characteristic(frames.DOWN_UUID)
        if not down or not service.get_characteristic(frames.UP_UUID):
            raise Failed(failure_words.NO_SERVICE)
        self._narrow = down.max_write_without_response_size < frames.SIZE

    async def carry(self):
        """Carry frames until either end hangs up; raises Failed when nothing came."""
        self.opened = True
        self._told("opened")  # before the first notification can come
        try:
            await within(STEP_S, self._client.start_notify(frames.UP_UUID, self._received))
            while (frame := await self._next()) is not ENDED:
                await within(STEP_S, self._write(frame))
                self.frames_down += 1
        except Exception as error:  # as in ``connect``
            _log.debug("carry: %r", error)
            if not self.frames_up:
                raise Failed(f"{type(error).__name__}: {error}".rstrip(": ")) from error
        if not self.frames_up:
            raise Failed(failure_words.NARROW if self._narrow else failure_words.NOTHING)

    def _received(self, _, data):
        self.frames_up += 1
        self._told("received", bytes(data))

    async def _write(self, frame):
        await self._client.write_gatt_char(frames.DOWN_UUID, frame, response=self._terms.respond)

    async def _next(self):
        """Return what to write next, or ENDED."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    return await self._outbox.get()
            if not self._client.is_connected:
                return ENDED

    async def hang_up(self):
        """End the link, and wait until the system has let go of it; raises nothing."""
        hung_up = self.opened and not self._gone
        try:
            await within(STEP_S, self._client.disconnect())
        except Exception as error:  # as in ``connect``
            _log.debug("hang up: %r", error)
        if hung_up and self._terms.linger_s:
            await asyncio.sleep(self._terms.linger_s)
