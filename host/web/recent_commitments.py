"""The commitments of a round as of a few seconds ago: many players look at them at once, and
reading them takes as long as a hundred other answers.
"""

from collections.abc import Mapping

from host.archive.store import Archive
from host.event import reigns
from host.event.reigns import Commitment

KEPT_MS = 3000


class RecentCommitments:
    """Reads the commitments of an archive's rounds, each at most every ``KEPT_MS``."""

    def __init__(self, archive: Archive):
        self._archive = archive
        self._read: dict[tuple[int, int], tuple[int, Mapping[int, list[Commitment]]]] = {}

    def of_round(self, number: int, now_ms: int) -> Mapping[int, list[Commitment]]:
        """Return a round's commitments by table, at the event time ``now_ms``."""
        key = self._archive.roster.current_event.number, number
        known = self._read.get(key)
        if known is None or not 0 <= now_ms - known[0] < KEPT_MS:
            known = self._read[key] = now_ms, reigns.commitments(self._archive, number)
        return known[1]
