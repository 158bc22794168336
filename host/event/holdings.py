"""Tracks which records of each board are archived, and which are missing."""

from collections.abc import Iterable
from typing import NamedTuple

from firmware.core import events
from host.archive.records import ArchivedRecord, BoardKey, BootId, Position, RecordId
from host.event.unrevealed_seeds import UnrevealedSeeds

BOOTS = 256  # per board and event: records of earlier boots are not requested


class Run(NamedTuple):
    """A run of counters of one boot: the first, and how many."""

    first: int
    size: int


class Gap(NamedTuple):
    """Records that are missing: the boot, the first counter, and how many."""

    epoch: int
    first: int
    size: int


class ClosedBoot(NamedTuple):
    """The boot before another, and how many records it holds."""

    epoch: int
    size: int


class BootHoldings:
    """One boot of one board: all counters below ``below`` are held, and those in ``beyond``.

    ``boot_event`` is the number of the event under whose key its first record was signed.
    """

    def __init__(self) -> None:
        self.below = 0
        self.beyond: set[int] = set()
        self.boot_event: int | None = None
        self.before: ClosedBoot | None = None

    def add(self, counter: int) -> None:
        """Note a held counter."""
        if counter >= self.below:
            self.beyond.add(counter)
        while self.below in self.beyond:
            self.beyond.remove(self.below)
            self.below += 1

    def missing(self, below: int, withheld: Iterable[int] = ()) -> list[Run]:
        """Return the runs of counters below ``below`` that are neither held nor ``withheld``."""
        runs, first = [], self.below
        there = {counter for counter in (*self.beyond, *withheld) if self.below <= counter < below}
        # a board may claim any size, so do not iterate over it
        for counter in [*sorted(there), below]:
            if counter > first:
                runs.append(Run(first, counter - first))
            first = counter + 1
        return runs

    @property
    def seen(self) -> int:
        """1 + the highest counter held."""
        return max(self.beyond) + 1 if self.beyond else self.below


class Holdings:
    """The archive's records as counters, built from ``records`` and fed with each new one.

    ``lost`` holds the records that boards say they have lost.
    """

    def __init__(self, records: Iterable[ArchivedRecord] = ()):
        self._boots: dict[BootId, BootHoldings] = {}
        self._seeds: dict[BoardKey, UnrevealedSeeds] = {}
        self._asked: dict[BoardKey, tuple[tuple[int, int, int], list[Gap]]] = {}
        self.lost: set[RecordId] = set()
        for record in records:
            self.add(record)

    def add(self, record: ArchivedRecord) -> None:
        """Note an archived record."""
        self._asked.pop(record.board, None)
        boot = self.boot(*record.boot)
        boot.add(record.counter)
        self.unrevealed_seeds(*record.board).add(*record.position, record.frame)
        if record.counter == 0:
            boot.boot_event = record.event
        event = record.board_event
        if event.kind == events.EPOCH_CLOSED:
            boot.before = ClosedBoot(event.b, event.c)

    def boot(self, device: int, generation: int, epoch: int) -> BootHoldings:
        """Return a boot's BootHoldings, empty if nothing is held."""
        return self._boots.setdefault(BootId(device, generation, epoch), BootHoldings())

    def unrevealed_seeds(self, device: int, generation: int) -> UnrevealedSeeds:
        """Return the UnrevealedSeeds of a board."""
        return self._seeds.setdefault(BoardKey(device, generation), UnrevealedSeeds())

    def note_lost(self, device: int, generation: int, epoch: int, counter: int) -> None:
        """Note that the board has lost this record."""
        self._asked.pop(BoardKey(device, generation), None)
        self.lost.add(RecordId(device, generation, epoch, counter))
        self.boot(device, generation, epoch).add(counter)

    def lacks(self, device: int, generation: int, epoch: int, news_head: int) -> bool:
        """Whether records that a board has announced are missing, not counting withheld ones."""
        withheld = _of_boot(self.unrevealed_seeds(device, generation).withheld, epoch)
        return bool(self.boot(device, generation, epoch).missing(news_head, withheld))

    def gaps(
        self, device: int, generation: int, epoch: int, news_head: int, event: int
    ) -> list[Gap]:
        """Return the Gaps that a board at boot ``epoch`` still has to send.

        Earlier boots are included as far back as the board was at ``event``. The last answer for a
        board is kept: links and pages ask far more often than a record comes.
        """
        asked, board = (epoch, news_head, event), BoardKey(device, generation)
        known = self._asked.get(board)
        if known is None or known[0] != asked:
            known = self._asked[board] = asked, self._gaps(device, generation, *asked)
        return known[1]

    def _gaps(
        self, device: int, generation: int, epoch: int, news_head: int, event: int
    ) -> list[Gap]:
        boot = self.boot(device, generation, epoch)
        withheld = self.unrevealed_seeds(device, generation).withheld
        last = max(news_head, boot.seen)
        gaps = [Gap(epoch, *run) for run in boot.missing(last, _of_boot(withheld, epoch))]
        for _ in range(BOOTS):
            if boot.boot_event != event or boot.before is None or not boot.before.size:
                break
            older, size = boot.before
            if older >= epoch:
                break
            epoch, boot = older, self.boot(device, generation, older)
            earlier = boot.missing(size, _of_boot(withheld, epoch))
            gaps = [Gap(epoch, *run) for run in earlier] + gaps
        return gaps


def _of_boot(places: Iterable[Position], epoch: int) -> set[int]:
    return {place.counter for place in places if place.epoch == epoch}
