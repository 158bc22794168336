"""The assembled host: archive, keys, folds, collector and desk, without a radio."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Self

from host.archive import master_key, places
from host.archive.records import ArchivedRecord, BoardKey
from host.archive.store import Archive, Connect
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.collector.alarms import Alarm
from host.collector.collector import MOST_CONNECTIONS, Collector
from host.desk import troubles
from host.desk.board_departures import Departures
from host.desk.desk import Desk
from host.desk.hall_plan import HallPlan
from host.desk.troubles import Troubles
from host.event import event_log
from host.event.announced_results import Announcement
from host.event.fold import Hall
from host.event.nonces import Nonces
from host.event.roll_policy import Rejoined
from host.keys.keyring import Keyring
from host.systems.rules import Catalogue

if TYPE_CHECKING:
    from host.desk.board_handing import Handing
    from host.desk.clock_check import ClockCheck


class Station:
    """The host of one archive. ``master`` (32 bytes) is by default read from beside the archive.

    Raises UserError if the archive or its key cannot be opened. A carrier drives ``collector``.
    ``listeners`` are called with newly archived and folded records, ``result_listeners`` with the
    devices whose announced results were just stored. ``links``: the maximum of simultaneous
    connections; ``connect`` and ``after``: see Archive.

    ``beacon``: the sentence about the gateways that send the hall's beacon, None without any;
    ``beacon_on``: the organiser's switch, None if nothing sends a beacon. ``clock_check`` compares
    the PC's clock with the event's time, None if that does not come from the PC's clock.
    ``planned_origin_unix_ms``: the Unix time of event time 0 for an event that is still to begin.
    ``systems``: the organiser's own systems given at the start; ``plan``: the layout of the hall
    for an event that begins here. ``handing`` hands boards on to other events that are served, None
    if there are none.
    """

    def __init__(
        self,
        path: places.Place,
        master: bytes | None = None,
        links: int = MOST_CONNECTIONS,
        connect: Connect | None = None,
        after: int | None = None,
    ):
        self.archive = Archive(path, connect, after=after)
        self.listeners: list[Callable[[list[ArchivedRecord]], None]] = []
        self.result_listeners: list[Callable[[set[int]], None]] = []
        self.beacon: Sentence | None = None
        self.beacon_on: bool | None = None
        self.clock_check: ClockCheck | None = None
        self.planned_origin_unix_ms = 0
        self.systems: Catalogue = {}
        self.plan: HallPlan | None = None
        self.handing: Handing | None = None
        try:
            master = master_key.load(master_key.path_of(path)) if master is None else master
            self.keyring = Keyring(master, self.archive.roster)
            self.archive.audit_log.begin(self.keyring.audit_log)
            self.collector = Collector(
                self.archive, self.keyring, links=links, stored=self._on_stored
            )
            self.hall = Hall(self.archive, self.collector.lost)
            self._rejoined = Rejoined(self.archive, self.collector)
            self._departures = Departures(self.archive)
            self._departures.begin()
            self.collector.refresh()
            self.nonces = Nonces(self.archive, self.collector, self.keyring.nonces)
        except BaseException:
            self.archive.close()
            raise
        self.desk = Desk(self.collector, self.archive, self.hall)
        self.troubles = Troubles(self.collector, self.desk)
        self._warned: set[int] = set()  # devices
        self._warn(self.hall.boards)

    @property
    def origin_unix_ms(self) -> int:
        """The Unix time of event time 0, in ms."""
        event = self.archive.roster.event
        return event.origin_unix_ms if event else self.planned_origin_unix_ms

    @property
    def unix_ms(self) -> int:
        """The Unix time in ms, computed from the event's origin."""
        return self.origin_unix_ms + self.collector.now_ms

    def _on_stored(self, entries: list[ArchivedRecord]):
        """Process newly archived records."""
        self.hall.take(entries)
        self._warn({entry.board for entry in entries})
        self.nonces.take(entries)
        self._rejoined.take(entries)
        if self._departures.take(entries):
            self.refresh()
            if self.handing is not None:
                self.handing.complete()
        for listen in self.listeners:
            listen(entries)

    def _warn(self, boards: Collection[BoardKey]):
        """Add an alarm, once, for each of ``boards`` that has signed invalid records."""
        invalid = {board.device for board in boards if self.hall.invalid_at(board)}
        for device in sorted(invalid - self._warned):
            self._warned.add(device)
            sentence = Sentence(
                "signed records that make no sense: they count for nothing, and a judge must look"
                " at its table"
            )
            self.collector.alarms.append(Alarm(self.collector.now_ms, device, sentence))

    def announce(self, stored: Sequence[Announcement]) -> None:
        """Count announcements that are on the disk now as results, and call the listeners."""
        self.hall.announce(stored)
        for listen in self.result_listeners:
            listen({announcement.board.device for announcement in stored})

    def switch_beacon(self, on: bool, author: str) -> None:
        """Switch the hall's beacon, and log that. Raises UserError if nothing sends a beacon."""
        if self.beacon_on is None:
            raise UserError("there is no beacon here: plusthree serve sends it")
        self.archive.notices.add(event_log.BEACON[on], "{}", author, self.unix_ms)
        self.beacon_on = on

    def accept_foreign_changes(self, author: str) -> Sentence:
        """Accept the rows that another program has written, and log that; return a sentence for
        the user. Raises UserError if there are none, or if they change more than the set-up.
        """
        log = self.archive.audit_log
        self.archive.backend.poll_writers()
        if not log.foreign:
            raise UserError("no other program has changed the archive: nothing is asked")
        if not log.believable:
            raise UserError(troubles.changed_row(log.foreign, False))
        with log.accept_foreign() as rows:
            facts = json.dumps({"rows": rows})
            self.archive.notices.add(event_log.BELIEVED, facts, author, self.unix_ms)
        self.refresh()
        self.troubles.end(troubles.ARCHIVE)
        return Sentence("taken as right: {rows}", rows=rows)

    def answer_clock(self, passed: bool, author: str) -> Sentence:
        """Answer the question about the PC's clock: whether the time has ``passed``. Return a
        sentence for the user. Raises UserError without a question.
        """
        if self.clock_check is None:
            raise UserError("this event's time is not read from this PC's clock")
        return self.clock_check.answer(passed, author)

    def refresh(self) -> None:
        """Read the roster again after a board, an event or a round was added."""
        self.collector.refresh()
        self.hall.reload()
        self._warn(self.hall.boards)
        self.nonces.reload()

    def close(self, ended: bool = False) -> None:
        """Close the archive, and seal its audit log if the event is over. ``ended``: a person has
        ended the program, so that no standby takes over.
        """
        # suppressed: the disk is full, or this program is fenced
        with contextlib.suppress(sqlite3.Error, UserError):
            self.archive.audit_log.close_event()
        (self.archive.shut_down if ended else self.archive.close)()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object):
        self.close(ended=failure[:1] == (None,))


class AtStation:
    """Base of classes that work on a Station: its archive, its desk and its time."""

    def __init__(self, station: Station):
        self.station = station

    @property
    def archive(self) -> Archive:
        """The Station's archive."""
        return self.station.archive

    @property
    def desk(self) -> Desk:
        """The Station's desk."""
        return self.station.desk

    @property
    def now_ms(self) -> int:
        """The event time in ms."""
        return self.station.collector.now_ms

    @property
    def unix_ms(self) -> int:
        """The Unix time in ms, computed from the event's origin."""
        return self.station.origin_unix_ms + self.now_ms
