"""A gateway's loop body: what the radio hears goes to the PC, what the PC wants goes on the air.

It forwards blindly and holds no key. On nordic scanning and advertising exclude each other, so
both take turns. As CircuitPython's sources say, a scan's iterator waits until something is heard,
so each scan has a ``timeout``; an entry has no time stamp, so it gets one when it is read; a scan
that failed on espressif counts as running until it is stopped.
"""

import time

import _bleio

from firmware.core import usb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Bytes
    from firmware.gateway.types import Port, Send, Ticks

SCAN_MS = 60  # until the PC says otherwise
_SHORTEST_MS, _LONGEST_MS = 20, 1000  # of a scan
_CHANNEL_S = 0.02  # listened to at a stretch: all three are heard in one scan
_REPEAT_S = 0.02  # between copies, the shortest that a chip can
_BUFFER = 4096  # bytes of adverts that wait while the program does something else: 80 of them
_LEAST_DBM = -127
_HELLO_MS = 1000
_FLUSHES = 10  # of the port's queue between two scans
_PAUSE_MS = 100  # after a refusal of the radio
REFUSALS = (_bleio.BluetoothError, OSError, ValueError, MemoryError)
_MANUFACTURER = 0xFF
_WAITING = 4096  # bytes for the PC, a third of a second of the fullest air
_KEPT = 256  # of them for what is more than an advert: room that adverts leave
PLACES = 8  # for adverts that the PC wants sent
_SOONEST_MS = 10000  # nothing is planned for later than that
_LONGEST_SEND_MS = 1000  # of one SEND: nothing is heard meanwhile


def _frame_in(data: "Bytes") -> "Bytes | None":
    """Return our frame in the ``data`` of an advert, or None (Core Specification 3 C 11)."""
    at = 0  # of an entry: its length, its type, its data
    while at + 4 <= len(data):
        end = at + 1 + data[at]
        if data[at + 1] == _MANUFACTURER and data[at] > 3 and end <= len(data):
            if data[at + 2] | data[at + 3] << 8 == usb.COMPANY_ID:
                return data[at + 4 : end]
        if end == at + 1:
            return None
        at = end
    return None


class Outbox:
    """Whole messages that wait to be written to the PC, as much as ``usb_cdc`` has room for at a
    time; limited, as a PC that has the port open and does not read must not stop the gateway.
    """

    def __init__(self):
        self._waiting: list[bytes] = []
        self._size = self._written = 0  # bytes of all, and those of the first that are written

    @property
    def empty(self) -> bool:
        """Return whether nothing waits."""
        return not self._waiting

    def put(self, message: bytes, leave: int = 0) -> bool:
        """Take ``message`` if so many bytes stay free behind it; return whether it was taken."""
        if self._size + len(message) + leave > _WAITING:
            return False
        self._waiting.append(message)
        self._size += len(message)
        return True

    def drain(self, port: "Port") -> bool:
        """Write what ``port`` has room for; return whether it took any of it."""
        before = self._size
        while self._waiting:
            rest = self._waiting[0][self._written :]
            written = port.write(rest) or 0
            self._size -= written
            if written < len(rest):
                self._written += written
                break
            self._waiting.pop(0)
            self._written = 0
        return self._size < before

    def clear(self) -> None:
        """Forget all of it, and end the message of which a part is written."""
        self._waiting, self._size, self._written = [b"\x00"], 1, 0


class Sends:
    """At most ``PLACES`` adverts to be sent, each at its time. ``late`` counts those whose time was
    past or is far off.
    """

    def __init__(self):
        self._waiting: list[Send] = []
        self.late = 0
        self.newest = 0  # the counter of the last one taken

    @property
    def free(self) -> int:
        """Return how many more are taken."""
        return PLACES - len(self._waiting)

    def take(self, counter: int, send: "Send", ticks: int) -> None:
        """Take ``send``: (ticks, span in ms, advert), or count it as late, also without a place."""
        self.newest = counter
        start, span_ms, advert = send
        span_ms = min(span_ms, _LONGEST_SEND_MS)
        left_ms = usb.since_ms(start, ticks)
        in_time = -span_ms < left_ms <= _SOONEST_MS  # one that has begun is sent for its rest
        if not self.free or not in_time:
            self.late += 1
        else:
            self._waiting.append((start, span_ms, advert))

    def left_ms(self, ticks: int) -> int:
        """Return the ms until the next one, 0 where it is due, ``_SOONEST_MS`` without any."""
        starts = [usb.since_ms(start, ticks) for start, _, _ in self._waiting]
        return max(0, min(starts + [_SOONEST_MS]))

    def pop(self, ticks: int) -> "Send | None":
        """Return the next one with the span that is left of it; None: its time has passed."""
        first = min(self._waiting, key=lambda send: usb.since_ms(send[0], ticks))
        self._waiting.remove(first)
        start, span_ms, advert = first
        span_ms += min(0, usb.since_ms(start, ticks))
        if span_ms <= 0:
            self.late += 1
            return None
        return start, span_ms, advert

    def clear(self) -> None:
        """Forget all: the PC that wanted them is gone."""
        self._waiting = []


class Relay:
    """Relays between ``adapter`` and ``port``; ``ticks_ms()`` is the chip's counter. ``heard``
    counts adverts of boards, ``lost`` those that the PC took too slowly, ``failures`` what the
    radio refused.
    """

    def __init__(self, adapter: "_bleio.Adapter", port: "Port", ticks_ms: "Ticks"):
        self._adapter, self._port, self._ticks_ms = adapter, port, ticks_ms
        port.timeout = port.write_timeout = 0  # the default, None, blocks for ever
        self._input = bytearray(64)
        self._outbox, self._sends = Outbox(), Sends()
        self._splitter, self._counter = usb.Splitter(), 0
        # made here: the chip wants them in the heap (shared-bindings/_bleio/Adapter.c)
        company = usb.COMPANY_ID & 0xFF, usb.COMPANY_ID >> 8
        self._prefixes = bytes((3, _MANUFACTURER) + company)
        self._scan_ms = SCAN_MS
        self._pinged: int | None = None  # ticks of the last PING
        self._hello: int | None = None
        self._places = ()  # the last PLACES sent to the PC
        self.heard = self.lost = self.failures = 0
        self._handlers = {usb.PING: self._ping, usb.SEND: self._send, usb.SLICES: self._slice}

    @property
    def attended(self) -> bool:
        """Return whether a PC is there and has spoken lately."""
        return self._pinged is not None

    def step(self) -> None:
        """Read, answer, then send what is due or listen for a while."""
        self._attend()
        for _ in range(_FLUSHES):
            if self._outbox.empty:
                break
            self._rest(1)  # until the PC asks again
            if not self._outbox.drain(self._port):
                break
        left_ms = self._sends.left_ms(self._ticks_ms())
        if left_ms < _SHORTEST_MS and self._sends.free < PLACES:
            self._on_air()
        else:
            self._listen(min(left_ms, self._scan_ms))

    def _attend(self):
        """Serve the port: in every step, and after each advert that was heard."""
        if not self._port.connected:
            self._forget()
            return
        while self._port.in_waiting:
            size = self._port.readinto(self._input)
            for kind, counter, values in self._splitter.feed(memoryview(self._input)[:size]):
                if kind in self._handlers:
                    self._handlers[kind](counter, *values)
        ticks = self._ticks_ms()
        if self._pinged is not None and usb.since_ms(ticks, self._pinged) > usb.GONE_MS:
            self._forget()
        if self._pinged is None:
            if self._hello is None or usb.since_ms(ticks, self._hello) >= _HELLO_MS:
                self._introduce(ticks)
        elif self._places != (self._sends.free, self._sends.newest, self._sends.late & 0xFFFF):
            self._places = self._sends.free, self._sends.newest, self._sends.late & 0xFFFF
            self._put(usb.PLACES, *self._places)
        self._outbox.drain(self._port)

    def _forget(self):
        """The PC is gone: what it wanted and what it should read is of no use any more."""
        if self._pinged is not None:
            self._pinged, self._places, self._scan_ms = None, (), SCAN_MS
            self._sends.clear()
            self._outbox.clear()

    def _introduce(self, ticks):
        """Say who this is, from a clean start: what nobody read is old."""
        self._hello = ticks
        self._outbox.clear()
        address = self._adapter.address.address_bytes
        self._put(usb.HELLO, usb.VERSION, PLACES, ticks, address)

    def _put(self, kind, *values):
        if self._outbox.put(usb.pack(kind, self._counter, *values)):
            self._counter += 1

    # what the PC says

    def _ping(self, counter, nonce):
        ticks = self._ticks_ms()
        if self._pinged is None:
            self._introduce(ticks)
        self._pinged = ticks
        counts = self.heard & 0xFFFFFFFF, self.lost & 0xFFFFFFFF
        self._put(usb.PONG, nonce, ticks, *counts)

    def _send(self, counter, start, span_ms, data):
        if self.attended:
            self._sends.take(counter, (start, span_ms, data), self._ticks_ms())

    def _slice(self, counter, scan_ms):
        self._scan_ms = min(max(scan_ms, _SHORTEST_MS), _LONGEST_MS)

    # the air

    def _on_air(self):
        """Send the next advert from its time on, until its span is over."""
        self._rest(self._sends.left_ms(self._ticks_ms()))
        send = self._sends.pop(self._ticks_ms())
        if send is None:
            return
        _, span_ms, advert = send
        try:
            self._adapter.start_advertising(advert, connectable=False, interval=_REPEAT_S)
        except REFUSALS:
            self.failures += 1
            return
        self._rest(span_ms)
        self._adapter.stop_advertising()

    def _listen(self, span_ms):
        """Scan for ``span_ms``, rounded down to what the chip counts in; pass on what comes."""
        span_ms -= span_ms % 10
        if span_ms < _SHORTEST_MS:
            self._rest(span_ms)
            return
        try:
            entries = self._adapter.start_scan(
                prefixes=self._prefixes, buffer_size=_BUFFER, timeout=span_ms / 1000,
                interval=_CHANNEL_S, window=_CHANNEL_S, minimum_rssi=_LEAST_DBM, active=False,
            )  # fmt: skip
        except REFUSALS:
            self.failures += 1
            self._adapter.stop_scan()
            self._rest(_PAUSE_MS)
            return
        for entry in entries:
            self._pass_on(entry)
            self._attend()
            if self._sends.left_ms(self._ticks_ms()) < _SHORTEST_MS:
                self._adapter.stop_scan()  # what is in its buffer still comes

    def _pass_on(self, entry):
        frame = _frame_in(entry.advertisement_bytes)
        if frame is None:
            return
        self.heard += 1
        if not self.attended:
            return
        message = usb.pack(
            usb.HEARD, self._counter, self._ticks_ms(), entry.rssi, entry.address.address_bytes,
            frame,
        )  # fmt: skip
        if self._outbox.put(message, _KEPT):
            self._counter += 1
        else:
            self.lost += 1

    def _rest(self, pause_ms):
        time.sleep(max(0, pause_ms) / 1000)
