"""The content of the hall's beacon, from the desk's orders and the archive: the host's side of
``firmware/core/listener.py``.
"""

from firmware.core import announced, beacon, frames, intents, phases
from host.archive.decoded_frames import status_of
from host.archive.records import ArchivedRecord
from host.collector.beacon_sender import BeaconSender, Command, HallState
from host.desk import room_stop
from host.desk.announcements import Announcements
from host.desk.station import Station
from host.event import roll_policy

_COUNTER_MS = 4000  # counters last three days of an event; later starts go over links only
_COUNTER_MOST = 65535
_RECALL_MS = 120_000  # a board that is not heard by then is off, or out of range
_BURST_MS = 4000  # time after a result in which more are expected


class HallBeacon:
    """Gives ``sender`` the round, start and results of a ``station``. Times are event time in ms.

    A start at least ``beacon.AHEAD_MS`` away is also broadcast as a command, besides the order to
    each table; the board's record of the start settles that order. After its own start the host
    recalls all boards, until it has heard each of them.
    """

    def __init__(self, station: Station, sender: BeaconSender):
        self._station, self.sender = station, sender
        self._announcements = Announcements(station)
        self._start: tuple[int, int] | None = None  # the round and start of the last command
        self._counter = 0
        self._awaited: set[int] = set()  # tables with a board whose result is not on the disk
        # tables with a recalled board that is not heard yet; None: no recall begun
        self._unheard: set[int] | None = None
        self._until_ms = 0  # end of the recall
        self._burst_ms = 0  # end of the time in which more results are expected
        self._forged_devices: set[int] = set()  # those that heard forged frames
        station.collector.enable_beacon(sender.anchor, self._handle_status)
        station.listeners.append(self._handle_records)

    @property
    def forged_at(self) -> list[int]:
        """The tables whose boards report forged frames of this chain; spares are left out."""
        boards = self._station.archive.roster.current_boards
        tables = (boards[device].table for device in self._forged_devices if device in boards)
        return sorted(table for table in tables if table > 0)

    def _handle_status(self, status, now_ms):
        """Process what a STATUS reports about the beacon."""
        self.sender.heard.note(status, now_ms)
        device, flags = beacon.u16(status, 1), status_of(status).flags
        if flags & frames.BEACON_FORGED:
            self._forged_devices.add(device)
        else:
            self._forged_devices.discard(device)

    def update(self, now_ms: int) -> None:
        """Give the sender the round, the start and the acknowledgements; call this several times a
        second.
        """
        desk = self._station.desk
        number, start_ms = desk.round, desk.start_ms
        if number is None:
            return
        if number != self.sender.hall.round:
            self._begin(number, now_ms)
        for table, milestone in self._announcements.store(now_ms):
            self.sender.acknowledge(table, milestone % announced.MOST)
            self._awaited.discard(table)
            self._burst_ms = now_ms + _BURST_MS
        self._acknowledge_recalled(now_ms)
        self.sender.set_hall(self._hall_state(number, start_ms, now_ms))
        if start_ms is not None and self._start != (number, start_ms):
            self._start = number, start_ms
            self._broadcast(number, intents.SetStart(start_ms), now_ms)

    def _begin(self, number, now_ms):
        """Begin a newly published round; the first one also begins the recall."""
        roster = self._station.archive.roster
        tables = [
            table for table in self._station.desk.tables if roster.board_at(table) is not None
        ]
        self.sender.set_hall(self._hall_state(number, None, now_ms), tables)
        self._awaited = set(tables)
        if self._unheard is None:
            self._unheard, self._until_ms = set(tables), now_ms + _RECALL_MS
        for table in tables:
            self._acknowledge_archived(table)

    def _hall_state(self, number, start_ms, now_ms):
        """Return the HallState of this moment."""
        unheard = len(self._unheard or ()) if now_ms < self._until_ms else 0
        return HallState(
            round=number, state=self._beacon_state(start_ms, now_ms), start_ms=start_ms or 0,
            tables=len(self._station.desk.tables), awaited=len(self._awaited), unheard=unheard,
            switches=roll_policy.halls(self._station.archive),
            recalling=unheard > 0 and now_ms >= self._burst_ms,
        )  # fmt: skip

    def _beacon_state(self, start_ms, now_ms):
        if start_ms is None or start_ms > now_ms:
            return beacon.PUBLISHED
        return beacon.STOPPED if room_stop.holding(self._station) else beacon.RUNNING

    def _acknowledge_recalled(self, now_ms):
        """Acknowledge the tables whose boards have answered the recall."""
        if not self._unheard or now_ms >= self._until_ms:
            return
        for status in self._station.collector.statuses.values():
            if status.heard_ms is not None and status.table in self._unheard:
                self._unheard.remove(status.table)
                self.sender.acknowledge(status.table, beacon.HEARD)

    def _broadcast(self, number, intent, now_ms):
        """Broadcast a command if it can reach boards in time.

        Counters follow the clock, so they rise across a restart without being stored.
        """
        counter = max(self._counter, now_ms // _COUNTER_MS) + 1
        if intent.at_ms < now_ms + beacon.AHEAD_MS or counter > _COUNTER_MOST:
            return
        self._counter = counter
        self.sender.add_command(Command(self._counter, number, intent), now_ms)

    def _handle_records(self, entries: list[ArchivedRecord]):
        """Process newly archived records."""
        statuses = self._station.collector.statuses
        devices = {entry.device for entry in entries} & statuses.keys()
        for table in {statuses[device].table for device in devices}:
            self._acknowledge_archived(table)

    def _acknowledge_archived(self, table):
        """Acknowledge a table's last milestone once all announced records of its board are
        archived.
        """
        fold = self._station.hall.fold_at(table)
        board = self._station.archive.roster.board_at(table)
        if fold is None or board is None or fold.match.round != self.sender.hall.round:
            return
        status = self._station.collector.statuses.get(board.device)
        complete = status is not None and not self._station.collector.missing(status)
        if complete and not fold.waiting and fold.milestones:
            milestone = fold.milestones % announced.MOST
            self.sender.acknowledge(table, milestone | beacon.WHOLE)
            if fold.match.phase == phases.AGREED:
                self._awaited.discard(table)
