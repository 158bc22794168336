"""Numbers tables in walking order: staff walk the hall and hold J at each board in turn.

Each such board calls a judge; the host gives it the next number and lets it blink. Another board
with that number becomes a spare until the walk reaches it.
"""

from collections.abc import Iterator

from firmware.core import events, intents
from host.archive.orders import NewOrder
from host.archive.records import ArchivedRecord
from host.archive.roster import SPARE
from host.base.errors import UserError
from host.desk.station import Station

BLINK_S = 4


class TableNumbering:
    """A walk through the hall, from table number ``first`` on; ``numbered``: each numbered board's
    table, by device.

    Raises UserError while a round is played.
    """

    def __init__(self, station: Station, author: str, first: int):
        number = station.desk.round
        results = station.hall.results(number) if number is not None else {}
        if len(results) < len(station.desk.tables):
            raise UserError("tables are numbered before a round or after it, not in it")
        self._station, self._author, self._next = station, author, first
        self._seen = {call.id for call in self._calls()}
        self.numbered: dict[int, int] = {}

    def step(self) -> list[str]:
        """Number the boards at which J was held since the last step; return a line for each."""
        lines = list[str]()
        for call in self._calls():
            if call.id not in self._seen:
                self._seen.add(call.id)
                lines += self._number(call.device)
        return lines

    def _calls(self) -> Iterator[ArchivedRecord]:
        """Yield the records of all judge calls of the event."""
        archive = self._station.archive
        for entry in archive.records(archive.roster.current_event.number):
            if entry.kind == events.JUDGE_CALLED:
                yield entry

    def _number(self, device: int) -> list[str]:
        """Give a board the next number; return the line about it, none if it has one already."""
        roster = self._station.archive.roster
        if device in self.numbered or device not in roster.current_boards:
            return []
        table, other = self._next, roster.board_at(self._next)
        with self._station.archive.transaction():
            if other is not None and other.device != device:
                self._move(other.device, SPARE)
            self._move(device, table)
        self.numbered[device], self._next = table, table + 1
        self._station.refresh()
        collector = self._station.collector
        intent = intents.EndCall(collector.now_ms)
        number = self._station.desk.round or 0
        collector.add_order(NewOrder(number, table, intent, self._author, "walk"))
        collector.identify(device, BLINK_S)
        return [f"table {table}: board {device}"]

    def _move(self, device: int, table: int):
        station = self._station
        station.archive.roster.move(device, table, self._author, "walk", station.unix_ms)
