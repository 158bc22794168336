"""The results and commitments of the rounds, cached for a few seconds: in a large hall many players
look at once, and reading all rounds takes as long as a hundred other answers.
"""

import functools
from collections.abc import Mapping, Sequence

from host.archive.roster import Event
from host.archive.store import Archive
from host.desk.station import Station
from host.event import scores, seed_periods
from host.event.imported_results import published
from host.event.scores import Round
from host.event.seed_periods import Commitment
from host.tournament import final_places, match_records, ranking
from host.tournament.match_records import Meeting, Tally
from host.tournament.ranking import Ranking, Share
from host.tournament.rule_packs import Pack

KEPT_MS = 5000
COMMITMENTS_KEPT_MS = 3000


class Results:
    """The published ``rounds`` up to one of them, under a rule pack."""

    def __init__(self, rounds: Sequence[Round], pack: Pack | None):
        self.rounds, self.pack = rounds, pack

    @functools.cached_property
    def meetings(self) -> Mapping[str, list[Meeting]]:
        """Every player's rounds, by number."""
        return match_records.meetings(self.rounds)

    @functools.cached_property
    def tallies(self) -> Mapping[str, Tally]:
        """How many matches every player won, lost and tied, by number."""
        return match_records.tallies(self.rounds)

    @functools.cached_property
    def standings(self) -> Ranking:
        """The standings after the last of the rounds; raises UserError if a pack is needed."""
        return final_places.standings(self.rounds, self.pack)

    @functools.cached_property
    def points(self) -> Mapping[str, Share]:
        """Every player's points, by number; none where no rules define them."""
        return ranking.points(self.rounds, self.pack)


_Key = tuple[Event | None, int | None, str]


class RecentResults:
    """Reads a Station's Results, at most every ``KEPT_MS`` while the archive changes."""

    def __init__(self, station: Station):
        self._station = station
        # when they were read, and the archive's count of changes then
        self._cache: dict[_Key, tuple[int, int, Results]] = {}

    def until(self, number: int | None, pack: Pack | None, now_ms: int) -> Results:
        """Return the Results up to a round (None: all that are published)."""
        archive = self._station.archive
        event = archive.roster.event
        key = event, number, pack.name if pack else ""
        if key in self._cache:
            read_ms, changes, cached = self._cache[key]
            if changes == archive.changes or 0 <= now_ms - read_ms < KEPT_MS:
                return cached
        rounds = [
            scores.round_of(archive, self._station.hall, each)
            for each in archive.roster.rounds
            if (number is None or each <= number) and published(archive, each)
        ]
        fresh = Results(rounds, pack)
        self._cache = {kept: entry for kept, entry in self._cache.items() if kept[0] == event}
        self._cache[key] = now_ms, archive.changes, fresh
        return fresh


class RecentCommitments:
    """Reads the commitments of an archive's rounds, each at most every ``COMMITMENTS_KEPT_MS``."""

    def __init__(self, archive: Archive):
        self._archive = archive
        self._cache: dict[tuple[int, int], tuple[int, Mapping[int, list[Commitment]]]] = {}

    def of_round(self, number: int, now_ms: int) -> Mapping[int, list[Commitment]]:
        """Return a round's commitments by table, at the event time ``now_ms``."""
        key = self._archive.roster.current_event.number, number
        read_ms, by_table = self._cache.get(key, (None, {}))
        if read_ms is None or not 0 <= now_ms - read_ms < COMMITMENTS_KEPT_MS:
            by_table = seed_periods.commitments(self._archive, number)
            self._cache[key] = now_ms, by_table
        return by_table
