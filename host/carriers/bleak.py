"""The host's Bluetooth: bleak's scanner and clients under the sans-IO Collector.

It hears status adverts, holds up to four links (an adapter has 3-7), makes them one at a time as
every back end must, and carries frames. What to do is the Collector's word alone: ``heard``,
``opened``, ``received`` and ``closed`` tell it, ``poll`` returns what to do next and ``due_ms``
when to ask again. Only bleak's public API is used, so that the virtual radio differs by its
``backend=`` classes.
"""

import asyncio
import contextlib
import logging

from bleak import BleakClient, BleakScanner
from bleak.exc import (
    BleakBluetoothNotAvailableError,
    BleakBluetoothNotAvailableReason,
    BleakError,
)

from firmware.core import frames

LINKS = 4
KNOWN = 6000
CONNECT_S = 10.0
STEP_S = 5.0  # subscribing, one write, hanging up
SILENCE_S = 60.0  # a scan can die without a word
_log = logging.getLogger(__name__)
_LINK_ERRORS = (BleakError, TimeoutError, OSError, EOFError)
_WHY = BleakBluetoothNotAvailableReason
_HELP = {
    _WHY.NO_BLUETOOTH: "No Bluetooth adapter was found: plug one in",
    _WHY.NO_BLE_CENTRAL_ROLE: "This Bluetooth adapter cannot talk to boards: use another one",
    _WHY.POWERED_OFF: "Bluetooth is off: switch it on",
    _WHY.DENIED_BY_USER: "The system does not let this program use Bluetooth: allow it",
    _WHY.DENIED_BY_SYSTEM: "The system does not let this program use Bluetooth: allow it",
}
_NO_HELP = "Bluetooth does not answer: check that it is installed, switched on and allowed"


class BluetoothMissing(Exception):
    """There is no radio to use; the message is one sentence for the organiser."""


def _sentence(error):
    reason = getattr(error, "reason", None)
    return f"{_HELP.get(reason, _NO_HELP)}; what was collected so far stays usable."


class BleakCarrier:
    """Drives ``collector`` over the system's Bluetooth.

    ``now_ms()`` is the host's event time. ``backends`` is a (scanner, client) pair of bleak backend
    classes, or None each for the system's own. ``report(sentence)`` is told of trouble on the way.
    """

    def __init__(self, collector, now_ms, backends=(None, None), report=lambda sentence: None):
        self._collector, self._now_ms, self._report = collector, now_ms, report
        self._backends = backends
        self._devices, self._links, self._tasks = {}, {}, {}
        self._one = asyncio.Lock()
        self._room = asyncio.Semaphore(LINKS)
        self._nudged = self._ending = False
        self._timer = asyncio.get_running_loop().call_later(0, lambda: None)
        self._failure = None
        self._heard_s = 0.0
        self._doing = {"connect": self._open, "write": self._write, "disconnect": self._close}
        self.frames_up = self.frames_down = self.connections = 0

    async def run(self):
        """Carry until cancelled; raises BluetoothMissing if there is no radio to begin with.

        What the Collector raises (a full disk) ends it too: nothing may go on unarchived.
        """
        loop = asyncio.get_running_loop()
        self._failure = loop.create_future()
        scanner = BleakScanner(self._heard, backend=self._backends[0])
        await self._scan(scanner)
        try:
            self._pump()
            while not self._failure.done():
                await asyncio.wait([self._failure], timeout=SILENCE_S / 4)
                if loop.time() - self._heard_s > SILENCE_S:
                    await self._rescan(scanner)
                if asyncio.current_task().cancelling():
                    return  # wait_for before Python 3.12 can swallow a cancellation
            self._failure.result()
        finally:
            await self._stop(scanner)

    async def _scan(self, scanner):
        self._heard_s = asyncio.get_running_loop().time()
        try:
            await scanner.start()
        except (BleakError, OSError) as error:
            raise BluetoothMissing(_sentence(error)) from error

    async def _rescan(self, scanner):
        with contextlib.suppress(*_LINK_ERRORS):
            await scanner.stop()
        try:
            await self._scan(scanner)
        except BluetoothMissing as error:
            self._report(str(error))

    async def _stop(self, scanner):
        self._ending = True
        self._timer.cancel()
        tasks = list(self._tasks.values())
        for address in self._links:
            self._close(address)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with contextlib.suppress(*_LINK_ERRORS):
            await scanner.stop()

    def _heard(self, device, advertisement):
        frame = advertisement.manufacturer_data.get(frames.COMPANY_ID)
        if frame is not None:
            self._heard_s = asyncio.get_running_loop().time()
            self._devices.pop(device.address, None)
            self._devices[device.address] = device
            if len(self._devices) > KNOWN:  # anybody can advertise
                del self._devices[next(iter(self._devices))]
            self._tell(self._collector.heard, device.address, bytes(frame), self._now_ms())

    def _received(self, address, data):
        self.frames_up += 1
        self._tell(self._collector.received, address, bytes(data), self._now_ms())

    def _tell(self, note, *said):
        """Tell the Collector, and ask it soon, once for all that has come in together."""
        with self._watched():
            note(*said)
        if not self._nudged:
            self._nudged = True
            asyncio.get_running_loop().call_soon(self._pump)

    def _pump(self):
        """Do what the Collector wants, and come back when it is due."""
        self._nudged = False
        self._timer.cancel()
        if self._ending:
            return
        with self._watched():
            now_ms = self._now_ms()
            for action in self._collector.poll(now_ms):
                self._doing[action[0]](*action[1:])
            wait_s = max(1, self._collector.due_ms(now_ms) - now_ms) / 1000
            self._timer = asyncio.get_running_loop().call_later(wait_s, self._pump)

    @contextlib.contextmanager
    def _watched(self):
        """Let an error in a callback, where bleak would swallow it, end ``run``."""
        try:
            yield
        except Exception as error:
            if not self._failure.done():
                self._failure.set_exception(error)

    def _open(self, address):
        if address not in self._tasks and not self._ending:
            task = asyncio.get_running_loop().create_task(self._hold(address))
            self._tasks[address] = task
            task.add_done_callback(lambda done: self._ended(address))

    def _ended(self, address):
        self._tasks.pop(address, None)
        self._links.pop(address, None)
        self._tell(self._collector.closed, address)

    def _write(self, address, frame):
        if address in self._links:
            self._links[address].put_nowait(frame)

    def _close(self, address):
        self._write(address, None)

    async def _hold(self, address):
        """Keep one link from its making to its end."""
        async with self._room:
            outbox = asyncio.Queue()
            client = BleakClient(
                self._devices.get(address, address), lambda client: outbox.put_nowait(None),
                services=[frames.SERVICE_UUID], timeout=CONNECT_S, backend=self._backends[1],
            )
            try:
                await self._talk(client, address, outbox)
            except _LINK_ERRORS as error:
                _log.debug("%s: %s", address, error or type(error).__name__)
            finally:
                with contextlib.suppress(*_LINK_ERRORS):
                    async with asyncio.timeout(STEP_S):
                        await client.disconnect()

    async def _talk(self, client, address, outbox):
        async with self._one, asyncio.timeout(CONNECT_S + STEP_S):
            await client.connect()
        if self._ending:
            return
        self._links[address] = outbox
        self.connections += 1
        self._tell(self._collector.opened, address)  # before the first notification can come
        async with asyncio.timeout(STEP_S):
            await client.start_notify(frames.UP_UUID, lambda _, data: self._received(address, data))
        while (frame := await outbox.get()) is not None:
            async with asyncio.timeout(STEP_S):
                await client.write_gatt_char(frames.DOWN_UUID, frame, response=False)
            self.frames_down += 1
