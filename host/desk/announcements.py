"""Takes the results that boards announce in their statuses onto the disk."""

from collections import Counter

from firmware.core import announced, phases
from host.archive.decoded_frames import VerifiedFrame
from host.archive.records import BoardKey
from host.collector.board_status import BoardStatus
from host.desk.station import Station
from host.event import announced_results
from host.event.announced_results import WITHDRAWN, Announcement

MOST = 64  # notices of a board in a round; whoever has its key must not fill the disk
_REFUSED = "result"  # the reason under which refused announcements are counted
_SILENT = phases.IDLE, phases.AGREED  # a status in these takes no result back


class Announcements:
    """Stores a ``station``'s announced results; times are event time in ms.

    A refused one is counted once among the collector's refused frames, and never raises.
    """

    def __init__(self, station: Station):
        self._station = station
        self._reload()

    def _reload(self) -> None:
        archive = self._station.archive
        self._event = archive.roster.event
        every = [one for one in announced_results.every(archive) if one is not None]
        self._stored = announced_results.newest(every)
        self._notices = Counter((one.board, one.round) for one in every)
        self._refused: dict[int, int] = {}  # by device: the last word that was refused

    def store(self, now_ms: int) -> list[tuple[int, int]]:
        """Store what was announced since the last call, all in one transaction.

        Returns table and milestone (modulo 32) of every announcement that was heard since then and
        is on the disk now, of those that were there before, too. If storing fails, all of them are
        tried again at the next call.
        """
        collector = self._station.collector
        if not collector.announcing:
            return []
        if self._station.archive.roster.event != self._event:
            self._reload()
        number = self._station.desk.round
        if number is None:
            return []
        heard = [one for one in map(collector.statuses.get, collector.announcing) if one]
        fresh = [one for status in heard if (one := self._taken(status, number, now_ms))]
        if fresh:
            self._keep(fresh)
        collector.announcing.clear()
        return sorted(
            (status.table, announced.read(status.announced)[4])
            for status in heard
            if status.announced is not None and self._known(status, number)
        )

    def _keep(self, fresh: list[Announcement]) -> None:
        """Store announcements in one transaction, and have them count from then on."""
        station = self._station
        with station.archive.transaction():
            for one in fresh:
                announced_results.store(station.archive, one, station.hall.announced_result(one))
        self._stored |= announced_results.newest(fresh)
        self._notices.update((one.board, one.round) for one in fresh)
        station.announce(fresh)

    def _known(self, status: BoardStatus, number: int) -> bool:
        """Whether just this result is stored."""
        before = self._stored.get((_key(status), number))
        return before is not None and before.word is not None and before.word == status.announced

    def _taken(self, status: BoardStatus, number: int, now_ms: int) -> Announcement | None:
        """Return what has to be stored of a status, None for nothing."""
        before = self._stored.get((_key(status), number))
        if status.announced is None:
            standing = before is not None and before.won != WITHDRAWN
            if not standing or status.phase in _SILENT:
                return None
        elif self._known(status, number):
            return None
        crowded = self._notices[_key(status), number] >= MOST
        one = None if crowded else self._read(status, number, now_ms)
        if one is None and self._refused.get(status.device) != status.announced:
            self._station.collector.refused[status.device, _REFUSED] += 1
        if one is None and status.announced is not None:
            self._refused[status.device] = status.announced
        return one

    def _read(self, status: BoardStatus, number: int, now_ms: int) -> Announcement | None:
        """Return a status' announcement if it fits what is played at its table, or None."""
        verified = status.frame and self._station.keyring.verify(status.frame)
        roster = self._station.archive.roster
        if not isinstance(verified, VerifiedFrame) or verified.event != roster.current_event.number:
            return None
        pairing = roster.pairing_at(number, status.table)
        if pairing is None or pairing.b is None:
            return None
        one = announced_results.of_status(verified, (number, pairing.pairing, status.table), now_ms)
        told = status.announced
        if told is None:
            return one
        if announced.read(told)[3] != number % announced.MOST:
            return None
        return one if self._station.hall.announced_result(one) is not None else None


def _key(status: BoardStatus) -> BoardKey:
    return BoardKey(status.device, status.generation)
