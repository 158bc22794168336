"""What the hall's beacon says, from the desk's orders and the archive: the host's side of
``firmware/core/listener.py``.
"""

from firmware.core import announced, beacon, frames, intents, phases
from host.archive.records import ArchivedRecord
from host.collector.beacon_sender import BeaconSender, Command, HallState
from host.desk import room_stop
from host.desk.announcements import Announcements
from host.desk.station import Station
from host.event import roll_policy

_COUNTER_MS = 4000  # so its counters outlast three days of an event; then starts go by links alone
_COUNTER_MOST = 65535
_RECALL_MS = 120_000  # a board that has not spoken by then is off, or too far away
_BURST_MS = 4000  # so long after a result more are expected


class HallBeacon:
    """Tells ``sender`` of a ``station``'s round, start and results. Times are event time in ms.

    A start at least ``beacon.AHEAD_MS`` away goes out as a command, besides the orders to each
    table, which a board settles by the record that it has set it. A host that has begun recalls
    all boards until it has heard them.
    """

    def __init__(self, station: Station, sender: BeaconSender):
        self._station, self.sender = station, sender
        self._announcements = Announcements(station)
        self._start: tuple[int, int] | None = None  # the round and the start that was told last
        self._counter = 0
        self._awaited: set[int] = set()  # tables with a board whose result is not on the disk
        self._unheard: set[int] | None = None  # tables with a board that is recalled; None: to come
        self._until_ms = 0
        self._burst_ms = 0  # until when more results are expected
        self._forged_devices: set[int] = set()  # devices
        station.collector.tell_of_beacon(sender.anchor, self._note)
        station.listeners.append(self._take)

    @property
    def forged_at(self) -> list[int]:
        """The tables whose boards have heard forged frames of this chain, as they told it; spares
        hear what tables hear.
        """
        boards = self._station.archive.roster.current_boards
        tables = (boards[one].table for one in self._forged_devices if one in boards)
        return sorted(table for table in tables if table > 0)

    def _note(self, status, now_ms):
        """Take what a STATUS says of the beacon."""
        self.sender.heard.note(status, now_ms)
        device = beacon.u16(status, 1)
        if frames.status_of(status)[3] & frames.BEACON_FORGED:
            self._forged_devices.add(device)
        else:
            self._forged_devices.discard(device)

    def update(self, now_ms: int) -> None:
        """Tell how things stand now; to be called several times a second."""
        desk = self._station.desk
        number, start_ms = desk.round, desk.start_ms
        if number is None:
            return
        if number != self.sender.hall.round:
            self._begin(number, now_ms)
        for table, milestone in self._announcements.store(now_ms):
            self._acknowledge(table, milestone % announced.MOST)
            self._awaited.discard(table)
            self._burst_ms = now_ms + _BURST_MS
        self._hear(now_ms)
        self.sender.tell(self._told(number, start_ms, now_ms))
        if start_ms is not None and self._start != (number, start_ms):
            self._start = number, start_ms
            self._command(number, intents.SetStart(start_ms), now_ms)

    def _begin(self, number, now_ms):
        roster = self._station.archive.roster
        tables = [one for one in self._station.desk.tables if roster.board_at(one) is not None]
        self.sender.tell(self._told(number, None, now_ms), tables)
        self._awaited = set(tables)
        if self._unheard is None:
            self._unheard, self._until_ms = set(tables), now_ms + _RECALL_MS
        for table in tables:
            self._archived(table)

    def _told(self, number, start_ms, now_ms):
        unheard = self._unheard if now_ms < self._until_ms else None
        words = bool(unheard) and now_ms >= self._burst_ms
        return HallState(
            number, self._state(start_ms, now_ms), len(self._station.desk.tables), start_ms or 0,
            roll_policy.halls(self._station.archive), len(self._awaited), len(unheard or ()), words,
        )  # fmt: skip

    def _state(self, start_ms, now_ms):
        if start_ms is None or start_ms > now_ms:
            return beacon.PUBLISHED
        return beacon.STOPPED if room_stop.holding(self._station) else beacon.RUNNING

    def _hear(self, now_ms):
        """Acknowledge who has answered the recall."""
        if self._unheard and now_ms < self._until_ms:
            statuses = self._station.collector.statuses.values()
            heard = {one.table for one in statuses if one.heard_ms is not None} & self._unheard
            self._unheard -= heard
            for table in heard:
                self._acknowledge(table, beacon.HEARD)

    def _command(self, number, intent, now_ms):
        """Broadcast a command, unless boards could not learn of it in time.

        Counters follow the clock, so they rise over a restart and nothing is stored.
        """
        counter = max(self._counter, now_ms // _COUNTER_MS) + 1
        if intent.at_ms < now_ms + beacon.AHEAD_MS or counter > _COUNTER_MOST:
            return
        self._counter = counter
        self.sender.add_command(Command(self._counter, number, intent), now_ms)

    def _take(self, entries: list[ArchivedRecord]):
        statuses = self._station.collector.statuses
        devices = {entry.device for entry in entries} & statuses.keys()
        for table in {statuses[device].table for device in devices}:
            self._archived(table)

    def _archived(self, table):
        """Tell of a table's last milestone once all that its board has told of it is archived."""
        fold = self._station.hall.fold_at(table)
        board = self._station.archive.roster.board_at(table)
        if fold is None or board is None or fold.match.round != self.sender.hall.round:
            return
        status = self._station.collector.statuses.get(board.device)
        whole = status is not None and not self._station.collector.missing(status)
        if whole and not fold.waiting and fold.milestones:
            self._acknowledge(table, fold.milestones % announced.MOST | beacon.WHOLE)
            if fold.match.phase == phases.AGREED:
                self._awaited.discard(table)

    def _acknowledge(self, table, what):
        self.sender.acknowledge(table, what)
