"""Keeps pages up to date: the state as last sent, and its deltas.

``step`` is called every ``EVERY_S`` and sends all changes since, a table's changes as one. It
compares the whole state once a second and after an act. In between it only checks boards with news
and the orders, so a quiet room costs nothing.
"""

from collections.abc import Iterable
from typing import NamedTuple, cast

from host.archive.records import ArchivedRecord
from host.desk.station import Station
from host.web import needs, views
from host.web.cards import CallCard, Part, Parts, TableCard
from host.web.snapshot import OrderSheet, Snapshot
from host.web.streams import Streams, pack

EVERY_S = 0.05
_LOOK_MS = 1000
# the sections for which comparing the whole state finds removed parts, too
_OF_BOARDS = ("tables", "calls", "expected", "boards", "rounds")


class _Mark(NamedTuple):
    """The parts of a status that pages show; if they differ, the status is news."""

    frame: bytes | None
    flags: int
    table: int
    linked: bool
    silent: bool


class ChangeFeed:
    """Keeps ``streams`` up to date with a Station."""

    def __init__(self, station: Station, streams: Streams):
        self._station, self.streams = station, streams
        self._dirty: set[int] = set()  # devices
        self._marks: dict[int, _Mark] = {}  # by device
        self._touched = False
        self._looked_ms = station.collector.now_ms
        station.listeners.append(self._on_stored)
        station.result_listeners.append(self._on_announced)
        self.reload()

    def reload(self) -> None:
        """Read everything again, as after an event was opened."""
        archive = self._station.archive
        self._snapshot = Snapshot(self._station, OrderSheet(archive.orders))
        self._parts = self._snapshot.whole(self._station.collector.now_ms)
        self._changes, self._event = archive.changes, archive.roster.event
        self.streams.restart()

    def touch(self) -> None:
        """Compare the whole state at the next step, as after an act."""
        self._touched = True

    def _on_stored(self, records: Iterable[ArchivedRecord]):
        self._snapshot.versions.take(records)
        self._dirty |= {record.device for record in records}

    def _on_announced(self, devices: set[int]):
        self._dirty |= devices

    @property
    def hidden(self) -> bool:
        """Whether the current round's clock is hidden from players, and so from viewers."""
        card = self._parts["round", None]
        return isinstance(card, dict) and bool(card["hidden"])

    def state(self, view: str, now_ms: int) -> dict[str, Part]:
        """Return the whole state for a view."""
        return {"now_ms": now_ms, **views.nest(view, self._parts, self.hidden)}

    @property
    def tables(self) -> dict[str, TableCard]:
        """The tables of the published round as staff see them, by their number as text."""
        # the snapshot made this section's values with ``tablecard.card``
        return {
            key: cast(TableCard, card)
            for (section, key), card in self._parts.items()
            if section == "tables" and key is not None
        }

    @property
    def calls(self) -> dict[str, CallCard]:
        """The open calls, by the table's number as text."""
        calls = {key: card["call"] for key, card in self.tables.items()}
        return {key: call for key, call in calls.items() if call is not None}

    def message(self, view: str, now_ms: int) -> bytes:
        """Return the whole state as a stream's message."""
        return pack("state", self.state(view, now_ms), self.streams.mark)

    def step(self, now_ms: int) -> int:
        """Send every page what has changed; return how many parts did."""
        changed = self._news(now_ms)
        if changed:
            self._send(changed, now_ms)
        return len(changed)

    def _news(self, now_ms: int) -> Parts:
        """Return ``{path: value}`` of the parts that differ, None for removed ones.

        While another program's rows are not accepted, the pages get only that trouble.
        """
        if self._station.archive.audit_log.foreign:
            self._touched = True
            return self._differing(self._snapshot.troubles(now_ms))
        devices = self._take_news(now_ms)
        changes_before, self._changes = self._changes, self._station.archive.changes
        if self._touched or now_ms - self._looked_ms >= _LOOK_MS:
            self._touched, self._looked_ms = False, now_ms
            if self._station.archive.roster.event != self._event:
                self.reload()
                return {}
            fresh = self._orders() | self._snapshot.whole(now_ms)
            for path in self._parts:
                if path[0] in _OF_BOARDS and path not in fresh:
                    fresh[path] = None
            return self._differing(fresh)
        fresh = self._orders() if self._changes != changes_before else {}
        if devices:
            statuses = self._station.collector.statuses
            tables = {statuses[device].table for device in devices if device in statuses}
            fresh |= self._snapshot.of_tables(tables, now_ms)
            fresh |= self._snapshot.of_boards(devices, now_ms)
        return self._differing(fresh)

    def _differing(self, fresh: Parts) -> Parts:
        """Return the parts that differ from those sent last."""
        return {path: value for path, value in fresh.items() if self._parts.get(path) != value}

    def _take_news(self, now_ms: int) -> set[int]:
        """Return the devices with new records or statuses, and clear them."""
        devices, self._dirty = self._dirty, set()
        for device, status in self._station.collector.statuses.items():
            mark = _Mark(
                status.frame,
                status.flags,
                status.table,
                status.linked,
                needs.silent(status, now_ms),
            )
            if self._marks.get(device) != mark:
                self._marks[device] = mark
                devices.add(device)
        return devices

    def _orders(self) -> Parts:
        changed = self._snapshot.orders.update()
        return {("orders", str(key)): self._snapshot.orders.cards.get(key) for key in changed}

    def _send(self, changed: Parts, now_ms: int):
        """Take over the changed parts, and send each view what it sees of them."""
        was_hidden = self.hidden  # computed from the parts
        before = {path: self._parts.get(path) for path in changed}
        for (section, key), value in changed.items():
            if key is not None and value is None:  # one of many is gone; a single section stays
                self._parts.pop((section, key), None)
            else:
                self._parts[section, key] = value
        if self.hidden != was_hidden:  # everything that viewers may see has changed
            self.streams.restart()
            return
        deltas = {view: views.delta(view, before, changed, was_hidden) for view in views.VIEWS}
        self.streams.send(
            {view: {"now_ms": now_ms, "set": news} for view, news in deltas.items() if news}
        )
