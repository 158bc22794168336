"""Results from another program's file (TOM, Cryodex), as far as no board has reported any.

One notice holds a round of the file; the newest counts. A result from a table or from staff takes
precedence: a file only fills the gaps.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from firmware.core import intents
from host.archive.store import Archive
from host.base.json_values import Json, items, whole
from host.event.match_results import FILE, Result

NOTICE = "told results"
_OUTCOMES = ("A", "B", "tie", "neither")

Pair = tuple[int, int]


@dataclass(frozen=True)
class ImportedMatch:
    """A pairing's outcome (``neither``: both lose), points destroyed, tournament points and
    margins, where known.
    """

    pairing: int
    outcome: str
    destroyed: Pair | None = None
    points: Pair | None = None
    margin: Pair | None = None


@dataclass(frozen=True)
class ImportedRound:
    """A round in the file ``source``; ``finished``: every match had its result there.

    ``missed``: the numbers of players who missed the round with a loss.
    """

    round: int
    source: str
    finished: bool
    matches: tuple[ImportedMatch, ...]
    missed: tuple[str, ...] = ()

    def result(self, match: ImportedMatch) -> Result:
        """Return the Result of a match; it has no time, as it was played without a board."""
        return Result(
            self.round, match.pairing, match.outcome, games=(0, 0), section=None, by=FILE,
            ended_ms=0, incomplete=False, destroyed=match.destroyed,
            points=match.points or (None, None), margin=match.margin,
        )  # fmt: skip


class ImportedRounds:
    """The rounds of an archive's current event that files have, read once from the archive."""

    def __init__(self, archive: Archive):
        stored = archive.notices.read(NOTICE, read)
        self._rounds = {each.round: each for each in stored if each is not None}

    def get(self, round_number: int) -> ImportedRound | None:
        """Return a round as the newest file has it, or None."""
        return self._rounds.get(round_number)

    def results(self, round_number: int) -> dict[int, Result]:
        """Return a round's Results by pairing number."""
        stored = self.get(round_number)
        return {match.pairing: stored.result(match) for match in stored.matches} if stored else {}

    def finished(self, round_number: int) -> bool:
        """Return whether a file has all results of a round."""
        stored = self.get(round_number)
        return stored is not None and stored.finished

    @property
    def begun(self) -> bool:
        """Whether anything was played before this program took over."""
        return any(stored.matches for stored in self._rounds.values())


def keep(archive: Archive, file_round: ImportedRound, unix_ms: int) -> None:
    """Store a file's round, unless it is stored already."""
    if ImportedRounds(archive).get(file_round.round) != file_round:
        archive.notices.add(
            NOTICE, json.dumps(asdict(file_round), sort_keys=True), file_round.source, unix_ms
        )


def read(facts: Mapping[str, Json]) -> ImportedRound | None:
    """Return the round in a notice, None if it is invalid. Raises LookupError, TypeError,
    ValueError.
    """
    number, source, finished = facts["round"], facts["source"], facts["finished"]
    matches, missed = facts["matches"], facts["missed"]
    if not isinstance(number, int) or not isinstance(source, str) or not isinstance(finished, bool):
        return None
    if not isinstance(matches, list) or not isinstance(missed, list):
        return None
    return ImportedRound(
        number, source, finished, tuple(map(_match, matches)), tuple(_texts(missed))
    )


def _match(facts: Json) -> ImportedMatch:
    if not isinstance(facts, dict) or facts["outcome"] not in _OUTCOMES:
        raise ValueError("a match")
    pairing, outcome = facts["pairing"], facts["outcome"]
    if not isinstance(pairing, int) or not isinstance(outcome, str):
        raise ValueError("a match")
    pairs = (_pair(facts[name]) for name in ("destroyed", "points", "margin"))
    return ImportedMatch(pairing, outcome, *pairs)


def _pair(value: Json) -> Pair | None:
    if value is None:
        return None
    a, b = whole(*items(value))
    return a, b


def _texts(values: Iterable[Json]) -> list[str]:
    return [value for value in values if isinstance(value, str)]


def published(archive: Archive, number: int) -> bool:
    """Return whether a stored round was published here, or was finished in the file it came
    from.
    """
    last = archive.orders.last_round(intents.SET_ROUND)
    if last is not None and number <= last:
        return True
    return ImportedRounds(archive).finished(number)
