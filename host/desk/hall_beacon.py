"""What the hall's beacon says, from the desk's orders and the archive: the host's side of
``firmware/core/listener.py``.
"""

from firmware.core import beacon, intents, phases
from host.archive.records import ArchivedRecord
from host.collector.beacon_sender import BeaconSender, Command, HallState
from host.desk import room_stop
from host.desk.station import Station
from host.event import roll_policy

_COUNTER_MS = 4000  # so its counters outlast three days of an event; then starts go by links alone
_COUNTER_MOST = 65535


class HallBeacon:
    """Tells ``sender`` of a ``station``'s round, start and results. Times are event time in ms.

    A start at least ``beacon.AHEAD_MS`` away goes out as a command, besides the orders to each
    table, which a board settles by the record that it has set it.
    """

    def __init__(self, station: Station, sender: BeaconSender):
        self._station, self.sender = station, sender
        self._start: tuple[int, int] | None = None  # the round and the start that was told last
        self._counter = 0
        station.collector.tell_of_beacon(sender.anchor)
        station.listeners.append(self._take)

    def update(self, now_ms: int) -> None:
        """Tell how things stand now; to be called several times a second."""
        desk = self._station.desk
        number, start_ms = desk.round, desk.start_ms
        if number is None:
            return
        told = HallState(
            number,
            self._state(start_ms, now_ms),
            len(desk.tables),
            start_ms or 0,
            roll_policy.halls(self._station.archive),
        )
        if number != self.sender.hall.round:
            self.sender.tell(told)
            for table in desk.tables:
                self._acknowledge(table)
        self.sender.tell(told)
        if start_ms is not None and self._start != (number, start_ms):
            self._start = number, start_ms
            self._command(number, (intents.SET_START, start_ms, 0, 0, 0), now_ms)

    def _state(self, start_ms, now_ms):
        if start_ms is None or start_ms > now_ms:
            return beacon.PUBLISHED
        return beacon.STOPPED if room_stop.holding(self._station) else beacon.RUNNING

    def _command(self, number, intent, now_ms):
        """Broadcast a command, unless boards could not learn of it in time.

        Counters follow the clock, so they rise over a restart and nothing is stored.
        """
        counter = max(self._counter, now_ms // _COUNTER_MS) + 1
        if intent[1] < now_ms + beacon.AHEAD_MS or counter > _COUNTER_MOST:
            return
        self._counter = counter
        self.sender.add_command(Command(self._counter, number, intent), now_ms)

    def _take(self, entries: list[ArchivedRecord]):
        statuses = self._station.collector.statuses
        devices = {entry.device for entry in entries} & statuses.keys()
        for table in {statuses[device].table for device in devices}:
            self._acknowledge(table)

    def _acknowledge(self, table):
        """Tell of a table's result once all that its board has told of it is archived."""
        fold = self._station.hall.fold_at(table)
        board = self._station.archive.roster.board_at(table)
        if fold is None or board is None or fold.match.phase != phases.AGREED:
            return
        status = self._station.collector.statuses.get(board.device)
        whole = status is not None and not self._station.collector.missing(status)
        if whole and not fold.waiting and fold.match.round == self.sender.hall.round:
            self.sender.acknowledge(table, fold.ends & 255)
