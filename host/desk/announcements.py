"""Stores the results that boards announce in their statuses."""

from collections import Counter

from firmware.core import announced, phases
from host.archive.decoded_frames import VerifiedFrame, announced_result
from host.collector.board_status import BoardStatus
from host.desk.station import Station
from host.event import announced_results
from host.event.announced_results import WITHDRAWN, Announcement

MOST = 64  # notices of a board in a round, so that the thief of a key cannot fill the disk
_REFUSED = "result"  # the reason that refused announcements are counted under
_RESULTLESS = phases.IDLE, phases.AGREED  # phases in which a status without a result withdraws none


class Announcements:
    """Stores a ``station``'s announced results; times are event time in ms.

    A refused announcement is counted once among the collector's refused frames, and never raises.
    """

    def __init__(self, station: Station):
        self._station = station
        self._reload()

    def _reload(self) -> None:
        """Begin with the announcements that are stored for the archive's current event."""
        archive = self._station.archive
        self._event = archive.roster.event
        stored = [each for each in announced_results.every(archive) if each is not None]
        self._stored = announced_results.newest(stored)
        # how many are stored of each board in each round
        self._counts = Counter((each.board, each.round) for each in stored)
        # by device: the word of the last result that was refused
        self._refused: dict[int, int] = {}

    def store(self, now_ms: int) -> list[tuple[int, int]]:
        """Store the results announced since the last call, in one transaction.

        Return table and milestone (modulo 32) of every announcement since then that is on the disk
        now, also of those stored earlier. If storing fails, the next call tries all of them again.
        """
        collector = self._station.collector
        if not collector.announcing:
            return []
        if self._station.archive.roster.event != self._event:
            self._reload()
        number = self._station.desk.round
        if number is None:
            return []
        heard = [status for status in map(collector.statuses.get, collector.announcing) if status]
        read = [self._to_store(status, number, now_ms) for status in heard]
        new = [announcement for announcement in read if announcement is not None]
        if new:
            self._store(new)
        collector.announcing.clear()
        return sorted(
            (status.table, announced_result(status.announced).milestone)
            for status in heard
            if status.announced is not None and self._is_stored(status, number)
        )

    def _store(self, new: list[Announcement]) -> None:
        """Store announcements in one transaction; from then on they count as results."""
        station = self._station
        with station.archive.transaction():
            for each in new:
                announced_results.store(station.archive, each, station.hall.announced_result(each))
        self._stored |= announced_results.newest(new)
        self._counts.update((each.board, each.round) for each in new)
        station.announce(new)

    def _is_stored(self, status: BoardStatus, number: int) -> bool:
        """Whether exactly the result that a status announces is stored."""
        stored = self._stored.get((status.key, number))
        return stored is not None and stored.word is not None and stored.word == status.announced

    def _withdraws(self, status: BoardStatus, number: int) -> bool:
        """Whether a status without a result withdraws the stored one."""
        stored = self._stored.get((status.key, number))
        has_result = stored is not None and stored.won != WITHDRAWN
        return has_result and status.phase not in _RESULTLESS

    def _to_store(self, status: BoardStatus, number: int, now_ms: int) -> Announcement | None:
        """Return a status' announcement if it is new, else None; count a refused one."""
        if status.announced is None:
            new = self._withdraws(status, number)
        else:
            new = not self._is_stored(status, number)
        if not new:
            return None
        too_many = self._counts[status.key, number] >= MOST
        found = None if too_many else self._read(status, number, now_ms)
        if found is None:
            self._count_refused(status)
        return found

    def _count_refused(self, status: BoardStatus) -> None:
        """Count a refused announcement, once while the board repeats it."""
        if self._refused.get(status.device) != status.announced:
            self._station.collector.refused[status.device, _REFUSED] += 1
        if status.announced is not None:
            self._refused[status.device] = status.announced

    def _read(self, status: BoardStatus, number: int, now_ms: int) -> Announcement | None:
        """Return a status' announcement if it is valid for the match at its table, else None."""
        verified = status.frame and self._station.keyring.verify(status.frame)
        roster = self._station.archive.roster
        if not isinstance(verified, VerifiedFrame) or verified.event != roster.current_event.number:
            return None
        pairing = roster.pairing_at(number, status.table)
        if pairing is None or pairing.b is None:
            return None
        match = number, pairing.pairing, status.table
        found = announced_results.of_status(verified, match, now_ms)
        word = status.announced
        if word is None:
            return found
        if announced_result(word).round != number % announced.MOST:
            return None
        return found if self._station.hall.announced_result(found) is not None else None
