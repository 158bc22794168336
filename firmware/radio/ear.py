"""A table that listens to the beacon: its one radio scans and advertises in turn.

An nRF52840 cannot scan and advertise at once (circuitpython#6012), so an advert is sent once and
taken back, and in between the board listens for ``_SLICE_MS`` and rests for ``_PAUSE_MS``. A scan
cannot be asked whether it has heard something, and its iterator waits; but a scan that was stopped
gives what it has heard and ends (ScanResults.c). The sum is no multiple of what the host repeats
(docs/air.md).

What is new is advertised at once, each record in turn with the status, until a link or the beacon
acknowledges it. Where the host has all of it the board is silent, but for a heartbeat.
"""

import sys

from firmware.core import frames, listener
from firmware.core.beacon_receiver import BeaconReceiver
from firmware.core.clock_filter import ClockFilter
from firmware.radio import advert, advertiser, link

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Hearing, LinkPort, MakeHearing, Match, ProgramT, Sync

_SLICE_MS, _PAUSE_MS = 30, 67
_CHANNEL_S = 0.01  # listened to at a stretch: all three are heard in one slice
_SHOT_MS = 25  # from the start of an advert until it was certainly sent: 10 ms are by chance
_COPY_S = 0.02  # between its copies, the shortest that a chip can
_BEAT_SHOT_MS = 80  # three copies or more: the next comes late
_BUFFER = 200  # four adverts
_BEACON = 31  # bytes: an advert that is nothing else
_MANUFACTURER = 0xFF
_LEAST_DBM = -127
_SOONEST_MS = 500
_AIR_US = 2 * 376  # of an advert on a channel, twice (docs/air.md)
_BEAT_MS = 30000  # and as much again, by chance
_ASKING = (
    frames.JUDGE_WANTED | frames.NAMES_WANTED | frames.TIME_WANTED | frames.UNSENT
    | frames.IDENTIFYING
)  # fmt: skip


def _scan(adapter):
    """Begin a scan; return its iterator, None where the chip refuses."""
    try:
        return adapter.start_scan(
            # no constant: the chip takes none that is frozen into a build
            prefixes=bytes((3, 255, frames.COMPANY_ID & 255, frames.COMPANY_ID >> 8)),
            buffer_size=_BUFFER, interval=_CHANNEL_S, window=_CHANNEL_S,
            minimum_rssi=_LEAST_DBM, active=False,
        )  # fmt: skip
    except link.REFUSALS:
        adapter.stop_scan()


class Ear(link.Link):
    """A Link that hears the beacon once it is ``fit`` into a program."""

    def fit(self, program: "Hearing") -> None:
        """Stand before the ``program``'s Sync."""
        self.listener = listener.Listener(program.sync, program.match)
        program.sync.receive = self.listener.receive  # pyright: ignore[reportAttributeAccessIssue]  (for this one alone)
        self.hail = self.news
        self.interval_s = _COPY_S
        self.due_ms = self.turn_ms = 0
        self.entries = self.fires = None  # what is heard, and what is to be sent
        self.quiet = False
        if sys.implementation.name != "cpython":  # there many boards share what they are made of
            for kind in (link.Link, listener.Listener, BeaconReceiver, ClockFilter):
                kind.__init__ = None  # pyright: ignore[reportAttributeAccessIssue]  (as ``launch.let_go``)
            link.Link.advertise = link.Link.audible = Ear.fit = advertiser.frame = None  # pyright: ignore[reportAttributeAccessIssue]

    @property
    def audible(self) -> bool:
        """Return whether the radio works: it listens now, or a guest is connected."""
        return self.entries is not None or self.adapter.connected

    def poll(self, uptime_ms: int) -> None:
        """Go on with listening and sending, besides what a Link does."""
        link.Link.poll(self, uptime_ms)
        self.listener.steer(uptime_ms)
        if uptime_ms < self.due_ms:
            return
        adapter = self.adapter
        if self.entries is not None:
            adapter.stop_scan()
            for entry in self.entries:
                data = entry.advertisement_bytes
                if len(data) == _BEACON and data[1] == _MANUFACTURER:
                    self.listener.hear(data[4:], uptime_ms)
            self.entries = None
            self.due_ms = uptime_ms + _PAUSE_MS
        adapter.stop_advertising()
        if self.fires is not None:
            self.packed, self.fires = self.fires, None
            self.announce()
            self.packed = None  # so a Link's ``poll`` does not begin it again
            self.due_ms = uptime_ms + (_BEAT_SHOT_MS if self.quiet else _SHOT_MS)
        elif uptime_ms >= self.due_ms:
            self.due_ms = uptime_ms + _SLICE_MS
            self.entries = _scan(adapter)

    def receive(self) -> bytes | None:
        """Return the next frame the host wrote, or a piece of work, or None."""
        frame = link.Link.receive(self)
        return listener.WORK if frame is None and self.listener.receiver.busy else frame

    def news(
        self, sync: "Sync", port: "LinkPort", match: "Match", flags: int, uptime_ms: int
    ) -> bytes:
        """Return the frame to advertise, as ``advertiser.frame``."""
        ear, air = self.listener, sync.air
        if ear.receiver.index < 0:
            flags |= frames.ANCHOR_WANTED
        status = sync.status_frame(match, flags, uptime_ms)
        quiet = ear.settled() and not (status[12] | status[13] << 8) & _ASKING
        if uptime_ms >= self.turn_ms or self.quiet and not quiet:
            luck, pause_ms = sync.entropy(1)[0], _BEAT_MS
            if quiet:
                luck *= _BEAT_MS // 256
            else:
                pause_ms = max(_SOONEST_MS, ear.tick[3] * _AIR_US // 1000 if ear.tick else 0)
                status = sync.waiting and advertiser.news(sync.window, air) or status
            self.turn_ms, self.fires, self.due_ms = uptime_ms + pause_ms + luck, status, 0
        self.quiet, air[0] = quiet, self.turn_ms
        return status

    def advertise(self, frame: bytes, welcome: bool = True) -> None:
        """Send ``frame`` (24 bytes) once, if it is its turn."""
        if self.fires is frame:
            self.fires = advert.pack(frame)


def fitted(make: "MakeHearing[ProgramT]", board: object, *others: object) -> "ProgramT":
    """Return the program ``make(board, link, *others)``, which listens to a beacon."""
    air = link.opened(Ear)
    program = make(board, air, *others)
    air.fit(program)
    return program
