"""The board's radio: a status advert while nobody is connected, and one link at a time.

The board never advertises while a link is open: with both, an ESP32-S3's controller asserts within
minutes to hours (NimBLE-Arduino #761), and the link itself carries every change (``core/sync``).

CircuitPython's sources say: a connection stops the advert. A notification waits while the queue's
five places are full, until the host takes one or the link is given up, which may last 32 s.
``PacketBuffer.write`` may wait for ever. So ``up`` is notified by value, and a ``PacketBuffer``
only says whether the host has subscribed and how much fits.

So no more frames are on their way than the queue holds. Neither time nor an acknowledgement proves
that a frame has left it, as the host may have heard that record as an advert. The answer to a time
question does, because questions are sent only here and in order. On espressif a PC's own
subscription to something else counts as one to ``up``, and notifications until ours are lost: so a
link carries only the question until it is answered.
"""

import _bleio

from firmware.core import frames
from firmware.radio import advertiser, service

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.radio.types import Declare, Kind

_KIND = 63  # of a frame's first byte
PLACES = 5  # of the chip's queue of notifications
_RECORDS = 3  # of them at the most: an answer may get lost, and questions need two
_ASKED_AFTER = 2  # records: its answer comes before the queue has run empty
SUBSCRIBE_MS = 8000  # a guest who does not subscribe is disconnected
NEVER_MS = (1 << 30) - 1  # the largest small integer
AGAIN_MS = 1000  # a refused advert is tried again so often: each try is on the air at once
MUTE_MS = 5000  # after so long a refusal is no passing one: out of memory, once many adverts began
# what check_nrf_error and check_nimble_error come to: the radio is busy, or has no room (for links)
REFUSALS = (_bleio.BluetoothError, OSError, ValueError, MemoryError)
# and what a radio raises that does not come on (Adapter.c)
FAILURES = REFUSALS + (RuntimeError,)  # noqa: RUF005  (boards have no [*a])
_BOND_WRITTEN_MS = 2000  # the chip writes a guest's key soon, its subscriptions 1 s later
_BOND_RAREST_MS = 300000


class Bonds:
    """The bonds of an adapter; creating this erases all of them (docs/board.md, Radio).

    Any guest may pair without the program being notified (Connection.c). With a bond CircuitPython
    starts its file service at boot (bluetooth.c), and in safe mode, where boot.py is skipped, that
    guest could read the board's key. Our host never pairs. Erasing wears the chip's flash, so it is
    not done each time that somebody pairs.
    """

    def __init__(self, adapter: "_bleio.Adapter"):
        self._adapter = adapter
        self._seen_ms: int | None = None
        self._erased_ms: int | None = None
        adapter.erase_bonding()

    def note(self, connection: "_bleio.Connection", uptime_ms: int) -> bool:
        """Return whether a connection's guest has paired; ``poll`` then erases the bond."""
        if not connection.paired:
            return False
        self._seen_ms = uptime_ms
        return True

    def poll(self, uptime_ms: int) -> None:
        """Erase bonds once the chip has written them, every five minutes at most."""
        if self._seen_ms is None or uptime_ms - self._seen_ms < _BOND_WRITTEN_MS:
            return
        if self._erased_ms is None or uptime_ms - self._erased_ms >= _BOND_RAREST_MS:
            self._seen_ms, self._erased_ms = None, uptime_ms
            self._adapter.erase_bonding()


class Link:
    """Advertises frames and carries them over one connection. ``ends()`` declares the service, as
    ``service.ends``. What a subclass (``scanning_link``) uses has a public name.
    """

    def __init__(self, adapter: "_bleio.Adapter", ends: "Declare"):
        self.adapter, self._ends = adapter, ends
        self._bonds = Bonds(adapter)
        self._down, self._up, self._watch = ends()
        self._packet = bytearray(frames.SIZE)
        self.interval_s = 0.0  # of adverts, not yet known
        self._shown: bytes | None = None
        self.packed: bytes | None = None
        self.advert_frame = advertiser.frame
        self._stale = False  # whether the advert is another one, or has ended
        self._guest = False
        self._open = True
        self.guests = 0  # how many have ever connected
        self.connected = False  # whether a connected central can receive a whole frame
        self._in_flight: list[int | None] = []  # what may still be queued: a nonce, or None
        self._answered = False  # whether the host has answered a time question on this link
        self._batch = 1  # how many frames the host of this link takes in one notification
        self._gathered = b""  # frames that the next notification will carry
        self.now_ms = self._since_ms = self._again_ms = 0
        self.refused_ms: int | None = None  # since when no advert began as it should
        self.entries = None  # of a scan, where one hears a beacon (``scanning_link``)
        self.due_ms = NEVER_MS  # uptime at which ``poll`` has more to do than usual

    def _room(self) -> int:
        """Return how many whole frames a notification can carry, 0 until somebody subscribes."""
        try:
            return self._watch.outgoing_packet_length // frames.SIZE
        except ValueError:  # nobody has subscribed (PacketBuffer.c)
            return 0

    def _guest_changed(self, guest, uptime_ms):
        """Begin anew as a guest has come, or is gone; the advert ends with either."""
        self._guest, self._since_ms = guest, uptime_ms
        self.guests += guest
        self._stale, self._again_ms = True, 0
        self._in_flight, self._answered = [], False
        self._batch, self._gathered = 1, b""

    def poll(self, uptime_ms: int) -> None:
        """Advertise while nobody is there; disconnect a guest who does not subscribe, or pairs."""
        self.now_ms = uptime_ms
        guest = self.adapter.connected
        if guest != self._guest:
            self._guest_changed(guest, uptime_ms)
        self.connected = guest and self._room() > 0
        if guest and not self._welcome(uptime_ms):
            self.drop()
        self._bonds.poll(uptime_ms)
        if guest:
            self.refused_ms = None
            if self.adapter.advertising:  # it had begun as the guest came
                self._stop()
            return
        is_out = self.adapter.advertising and not self._stale
        if self.refused_ms is not None and uptime_ms - self.refused_ms >= MUTE_MS:
            self.restart()
        elif self.packed and not is_out and uptime_ms >= self._again_ms:
            self.announce()

    def _welcome(self, uptime_ms: int) -> bool:
        """Return whether the guest may stay: only one, who subscribes in time and does not pair."""
        # espressif's tuple keeps a closed connection until the next one
        guests = [guest for guest in self.adapter.connections if guest.connected]
        if guests and self._bonds.note(guests[0], uptime_ms):
            return False
        if len(guests) > 1:
            return False
        return self.connected or uptime_ms - self._since_ms <= SUBSCRIBE_MS

    def announce(self) -> bool:
        """Restart the advert, unless a guest is connected; return whether it is out. If the chip
        accepts no more links (espressif counts some that it does not show), the board still
        advertises.
        """
        self._stale = True
        if self.adapter.connected:
            return False
        if self._start(self._open):
            self._stale, self.refused_ms, self.due_ms = False, None, NEVER_MS
            return True
        self._again_ms = self.due_ms = self.now_ms + AGAIN_MS
        if self.refused_ms is None:
            self.refused_ms = self.now_ms
        return self._open and self._start(connectable=False)

    def _start(self, connectable: bool) -> bool:
        if not (self.adapter.enabled and self._stop()):  # off, an advert is a hard fault
            return False
        try:
            self.adapter.start_advertising(
                self.packed, connectable=connectable, interval=self.interval_s
            )
        except REFUSALS:
            return False
        return True

    def _stop(self) -> bool:
        try:
            self.adapter.stop_advertising()
        except REFUSALS:
            return False
        return True

    def restart(self) -> None:
        """Switch the radio off and on, its memory and its service with it; an open link ends. If it
        does not come on, nothing is ``audible`` any more, and the watchdog resets the board.
        """
        old_ends, adapter = (self._down, self._watch), self.adapter  # ``_up`` holds no buffer
        self._stop()
        self._stale, self.refused_ms, self._again_ms = True, None, 0
        try:
            adapter.enabled = False
            adapter.enabled = True
            self._down, self._up, self._watch = self._ends()
        except FAILURES:
            return
        for end in old_ends:
            end.deinit()
        if self.packed:
            self.announce()

    @property
    def audible(self) -> bool:
        """Return whether the radio works: it sends an advert or hears, or a guest is connected."""
        adapter = self.adapter
        return adapter.advertising or self.entries is not None or adapter.connected

    def advertise(self, frame: bytes, welcome: bool = True) -> None:
        """Advertise ``frame`` (24 bytes) and no other any more; ``welcome``: connectable."""
        if frame != self._shown or welcome != self._open:
            self._shown, self._open = frame, welcome
            self.packed = advertiser.pack(frame)
            self.interval_s = self.interval_s or advertiser.interval_s(frame)  # its number stays
            self.announce()

    def receive(self) -> bytes | None:
        """Return the next frame the host wrote, or None."""
        if self._down.readinto(self._packet) == frames.SIZE:
            return bytes(self._packet)

    def send(self, frame: bytes) -> bool:
        """Queue ``frame`` for a notification, sent now or with the next ``flush``; return False if
        it has to wait for an answer of the host (``heard``).
        """
        if frame[0] & _KIND == frames.TIME_ASKED:
            self.flush()  # the answer proves that all before the question has left
            if not self.connected or len(self._in_flight) >= PLACES:
                return False
            self._gathered += frame
            return self._notify(frames.fields(frame)[0])
        if not (self.connected and self._answered and not self.full):
            return False
        self._gathered += frame
        most = min(self._batch, self._room())
        if len(self._gathered) >= frames.SIZE * most:
            return self._notify(None)
        return True

    def flush(self) -> None:
        """Notify what ``send`` has gathered."""
        if self._gathered and self.connected:
            self._notify(None)

    def _notify(self, nonce) -> bool:
        packet, self._gathered = self._gathered, b""
        try:
            self._up.value = packet  # pyright: ignore[reportAttributeAccessIssue]  (any bytes do)
        except REFUSALS:
            return False
        self._in_flight.append(nonce)  # None: no question
        return True

    @property
    def full(self) -> bool:
        """Return whether only questions can be sent until one of them is answered."""
        return self._in_flight.count(None) >= _RECORDS or len(self._in_flight) >= PLACES - 1

    @property
    def asks(self) -> bool:
        """Return whether a question is due: records are in flight, and no question is."""
        records = self._in_flight.count(None)
        return records >= _ASKED_AFTER and records == len(self._in_flight)

    def heard(self, frame: bytes) -> None:
        """Note an authentic ``frame`` of the host: an answer shows what has left the queue."""
        kind = frame[0] & _KIND
        if kind == frames.FETCH:
            self._batch = min(frames.batch_of(frame), frames.BATCH)
        if kind != frames.TIME:
            return
        _, nonce = frames.time_of(frame)
        if nonce in self._in_flight:
            self._answered = True
            self._in_flight = self._in_flight[self._in_flight.index(nonce) + 1 :]

    def drop(self) -> None:
        """Disconnect whoever is connected."""
        for connection in self.adapter.connections:
            if connection.connected:  # a closed one has no handle to disconnect: espressif panics
                connection.disconnect()


def open_link(kind: "type[Kind]") -> "Kind":
    """Return a ``kind`` of Link over the chip's radio."""
    return kind(_bleio.adapter, service.ends)
