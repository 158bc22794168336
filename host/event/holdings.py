"""Tracks which records of each board are archived, and which are missing.

Whoever has a board's key can sign records with any counters. So the cost of a new record does not
depend on how many there are, and only a limited number of gaps is listed.
"""

import bisect
import itertools
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from firmware.core import events
from host.archive.records import ArchivedRecord, Position, RecordId
from host.event.unrevealed_seeds import UnrevealedSeeds

BOOTS = 256  # per board and event; records of earlier boots are not requested
MOST_RUNS = 32  # of missing records that are listed of a boot: the first
_MOST_GAPS = 512  # listed of a board, in whole boots: the last


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
    """One boot of one board: the counters that are held, as runs.

    ``boot_event`` is the number of the event under whose key its first record was signed.
    """

    def __init__(self) -> None:
        # each run's first counter, and 1 + its last; the first run begins at 0 and may be empty
        self._starts, self._ends = [0], [0]
        # the last arguments of ``gaps``, and its answer
        self._cached_gaps: tuple[tuple[int, int, Sequence[int]], list[Gap]] | None = None
        self.boot_event: int | None = None
        self.before: ClosedBoot | None = None

    def __contains__(self, counter: int) -> bool:
        return counter < self._ends[bisect.bisect_right(self._starts, counter) - 1]

    def add(self, counter: int) -> None:
        """Note a held counter: it joins two runs, extends one, or begins one."""
        if counter in self:
            return
        self._cached_gaps = None
        after = bisect.bisect_right(self._starts, counter)  # the index of the first run after it
        follows_a_run = self._ends[after - 1] == counter
        precedes_a_run = self._starts[after : after + 1] == [counter + 1]
        if follows_a_run and precedes_a_run:
            del self._ends[after - 1], self._starts[after]  # what parted the two runs
        elif follows_a_run:
            self._ends[after - 1] = counter + 1
        elif precedes_a_run:
            self._starts[after] = counter
        else:
            self._starts.insert(after, counter)
            self._ends.insert(after, counter + 1)

    def whole_below(self, below: int) -> bool:
        """Whether every counter below ``below`` is held."""
        return self._ends[0] >= below

    def missing(self, below: int, withheld: Sequence[int] = ()) -> list[Run]:
        """Return the runs of counters below ``below`` that are neither held nor ``withheld``, the
        first ``MOST_RUNS`` of them; ``withheld`` is sorted.
        """
        runs: list[Run] = []
        # a hole reaches from the end of one run of held counters to the start of the next
        for hole, next_start in zip(self._ends, [*self._starts[1:], below], strict=True):
            if hole >= below or len(runs) >= MOST_RUNS:
                break
            runs += _without(hole, min(next_start, below), withheld)
        return runs[:MOST_RUNS]

    def gaps(self, epoch: int, below: int, withheld: Sequence[int]) -> list[Gap]:
        """Return what is ``missing`` as the Gaps of this boot; the last answer is cached."""
        query = epoch, below, withheld
        answered, gaps = self._cached_gaps or (None, [])
        if answered != query:
            gaps = [Gap(epoch, *run) for run in self.missing(below, withheld)]
            self._cached_gaps = query, gaps
        return gaps

    def pass_over(self, below: int) -> None:
        """Note that no record below ``below`` will come: another archive has them."""
        self._cached_gaps = None
        after = bisect.bisect_right(self._starts, below)  # the index of the first run after it
        end = max(below, self._ends[after - 1])
        self._starts[:after], self._ends[:after] = [0], [end]  # one run instead of all before

    @property
    def seen(self) -> int:
        """1 + the highest counter held."""
        return self._ends[-1]


def _without(first: int, below: int, withheld: Sequence[int]) -> list[Run]:
    """Return the runs from ``first`` to before ``below`` that are left without ``withheld``."""
    runs = []
    inside = slice(bisect.bisect_left(withheld, first), bisect.bisect_left(withheld, below))
    for run_end in [*withheld[inside], below]:
        if run_end > first:
            runs.append(Run(first, run_end - first))
        first = run_end + 1
    return runs


class Holdings:
    """The archive's records as counters, built from ``records`` and fed with each new one.

    ``lost`` holds the records that boards report as lost. ``own()`` returns the numbers of the
    archive's events, by default all numbers.
    """

    def __init__(
        self,
        records: Iterable[ArchivedRecord] = (),
        own: Callable[[], Collection[int]] = lambda: range(1 << 16),
    ):
        self._own = own
        # by the fields of a BootId or a BoardKey; plain tuples, as links and pages look up often
        self._boots: dict[tuple[int, int, int], BootHoldings] = {}
        self._seeds: dict[tuple[int, int], UnrevealedSeeds] = {}
        # by the board: what was last asked of it, and the answer
        self._gap_cache: dict[tuple[int, int], tuple[tuple[int, int, int], list[Gap]]] = {}
        self.lost: set[RecordId] = set()
        for record in records:
            self.add(record)

    def add(self, record: ArchivedRecord) -> None:
        """Note an archived record."""
        board = record.board
        self._gap_cache.pop(board, None)
        boot = self.boot(*record.boot)
        if record.came_from_another(self._own()):
            boot.pass_over(record.counter)
        boot.add(record.counter)
        self.unrevealed_seeds(*board).add(record.epoch, record.counter, record.frame)
        if record.counter == 0:
            boot.boot_event = record.event
        if record.kind == events.EPOCH_CLOSED:
            event = record.board_event
            assert isinstance(event, events.EpochClosed)
            boot.before = ClosedBoot(event.epoch, event.records)

    def holds(self, record: RecordId) -> bool:
        """Return whether a record is archived."""
        boot = self._boots.get(record.boot)
        return boot is not None and record.counter in boot and record not in self.lost

    def boot(self, device: int, generation: int, epoch: int) -> BootHoldings:
        """Return a boot's BootHoldings, empty if nothing is held."""
        key = device, generation, epoch
        boot = self._boots.get(key)
        if boot is None:
            boot = self._boots[key] = BootHoldings()
        return boot

    def unrevealed_seeds(self, device: int, generation: int) -> UnrevealedSeeds:
        """Return the UnrevealedSeeds of a board."""
        board = device, generation
        seeds = self._seeds.get(board)
        if seeds is None:
            seeds = self._seeds[board] = UnrevealedSeeds()
        return seeds

    def note_lost(self, device: int, generation: int, epoch: int, counter: int) -> None:
        """Note that the board has lost this record."""
        self._gap_cache.pop((device, generation), None)
        self.lost.add(RecordId(device, generation, epoch, counter))
        self.boot(device, generation, epoch).add(counter)

    def lacks(self, device: int, generation: int, epoch: int, news_head: int) -> bool:
        """Whether records that a board has announced are missing, not counting withheld ones."""
        boot = self.boot(device, generation, epoch)
        if boot.whole_below(news_head):  # the usual case
            return False
        withheld = _by_boot(self.unrevealed_seeds(device, generation).withheld)
        return bool(boot.missing(news_head, withheld.get(epoch, ())))

    def gaps(
        self, device: int, generation: int, epoch: int, news_head: int, event: int
    ) -> list[Gap]:
        """Return the Gaps that a board at boot ``epoch`` still has to send.

        Earlier boots are included as far back as the board was at ``event``. The last answer for a
        board is cached: links and pages ask far more often than records arrive.
        """
        query, board = (epoch, news_head, event), (device, generation)
        answered, gaps = self._gap_cache.get(board, (None, []))
        if answered != query:
            gaps = self._gaps(device, generation, *query)
            self._gap_cache[board] = query, gaps
        return gaps

    def _gaps(
        self, device: int, generation: int, epoch: int, news_head: int, event: int
    ) -> list[Gap]:
        boot = self.boot(device, generation, epoch)
        withheld = _by_boot(self.unrevealed_seeds(device, generation).withheld)
        last = max(news_head, boot.seen)
        by_boot = [boot.gaps(epoch, last, withheld.get(epoch, ()))]  # the newest boot first
        for _ in range(BOOTS):
            if boot.boot_event != event or boot.before is None or not boot.before.size:
                break
            older, size = boot.before
            if older >= epoch or sum(map(len, by_boot)) >= _MOST_GAPS:
                break
            epoch, boot = older, self.boot(device, generation, older)
            by_boot.append(boot.gaps(epoch, size, withheld.get(epoch, ())))
        return list(itertools.chain.from_iterable(reversed(by_boot)))


def _by_boot(positions: Iterable[Position]) -> dict[int, list[int]]:
    """Return sorted counters by epoch."""
    by_epoch: dict[int, list[int]] = {}
    for epoch, counter in sorted(positions):
        by_epoch.setdefault(epoch, []).append(counter)
    return by_epoch
