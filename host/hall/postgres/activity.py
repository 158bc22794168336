"""Whether anybody else can have changed anything: by the numbers of transactions, which no client
gives itself.

``pg_current_snapshot`` says which are over. Unlike a trigger or a NOTIFY it misses no change of a
row, a schema or a right; it tells of other databases of the server, too.
"""

from typing import NamedTuple

_MOST = 64  # that are listed one by one


class Snapshot(NamedTuple):
    """The transactions that are over: those below ``below`` that are not ``running``."""

    below: int
    running: frozenset[int]


def parse(text: str) -> Snapshot:
    """Return a Snapshot as the server writes it, ``xmin:xmax:xip,xip``."""
    _, below, running = text.split(":")
    return Snapshot(int(below), frozenset(map(int, filter(None, running.split(",")))))


class Activity:
    """What is over since ``before`` (a snapshot's text) that this program did not do itself."""

    def __init__(self, before: str):
        self._before = parse(before)
        self._own: set[int] = set()

    def own(self, transaction: str) -> None:
        """Note a transaction of this program's."""
        self._own.add(int(transaction))

    def others(self, now: str) -> list[int]:
        """Return the transactions of others that are over since the last call, the first of them
        where they are many.
        """
        before, after = self._before, parse(now)
        self._before = after
        # all numbers since, or so many that _MOST are left without those that run and our own
        enough = _MOST + len(after.running) + len(self._own)
        since = range(before.below, min(after.below, before.below + enough))
        over = before.running.union(since) - after.running - self._own
        self._own = {transaction for transaction in self._own if transaction >= after.below}
        return sorted(over)[:_MOST]
