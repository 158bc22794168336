"""Results imported from another program's file (TOM, Cryodex).

One notice holds a round as the file had it; the newest counts. What a table or staff report of a
match counts more: a file only fills what nobody else has reported.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from firmware.core import intents
from host.archive.store import Archive
from host.base.json_values import Json, items, whole
from host.event.match_results import FILE, Result

NOTICE = "told results"  # its kind in archives
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
    """A round as a file (``source``) had it; ``finished``: every match had its result there.

    ``missed``: the numbers of players who missed the round with a loss.
    """

    round: int
    source: str
    finished: bool
    matches: tuple[ImportedMatch, ...]
    missed: tuple[str, ...] = ()

    def result(self, one: ImportedMatch) -> Result:
        """Return what a match came to; it has no time, as no board was there."""
        return Result(
            self.round, one.pairing, one.outcome, (0, 0), None, FILE, 0, False, one.destroyed,
            points=one.points or (None, None), margin=one.margin,
        )  # fmt: skip


class ImportedRounds:
    """Every round that files report of an archive's current event, as of when this was made."""

    def __init__(self, archive: Archive):
        every = archive.notices.read(NOTICE, read)
        self._rounds = {one.round: one for one in every if one is not None}

    def get(self, round_number: int) -> ImportedRound | None:
        """Return a round as the newest file has it, or None."""
        return self._rounds.get(round_number)

    def results(self, round_number: int) -> dict[int, Result]:
        """Return a round's Results by pairing number."""
        imported = self.get(round_number)
        return {one.pairing: imported.result(one) for one in imported.matches} if imported else {}

    def finished(self, round_number: int) -> bool:
        """Say whether a file had all of a round."""
        imported = self.get(round_number)
        return imported is not None and imported.finished

    @property
    def begun(self) -> bool:
        """Whether anything was played before this program was asked."""
        return any(one.matches for one in self._rounds.values())


def keep(archive: Archive, imported: ImportedRound, unix_ms: int) -> None:
    """Store a round as a file has it, unless that is what is stored."""
    if ImportedRounds(archive).get(imported.round) != imported:
        text = json.dumps(asdict(imported), sort_keys=True)
        archive.notices.add(NOTICE, text, imported.source, unix_ms)


def read(stored: Mapping[str, Json]) -> ImportedRound | None:
    """Return the round in a notice, None where it makes no sense. Raises LookupError, TypeError,
    ValueError.
    """
    number, source, finished = stored["round"], stored["source"], stored["finished"]
    matches, missed = stored["matches"], stored["missed"]
    if not isinstance(number, int) or not isinstance(source, str) or not isinstance(finished, bool):
        return None
    if not isinstance(matches, list) or not isinstance(missed, list):
        return None
    return ImportedRound(
        number, source, finished, tuple(map(_match, matches)), tuple(_texts(missed))
    )


def _match(stored: Json) -> ImportedMatch:
    if not isinstance(stored, dict) or stored["outcome"] not in _OUTCOMES:
        raise ValueError("a match")
    pairing, outcome = stored["pairing"], stored["outcome"]
    if not isinstance(pairing, int) or not isinstance(outcome, str):
        raise ValueError("a match")
    pairs = (_pair(stored[name]) for name in ("destroyed", "points", "margin"))
    return ImportedMatch(pairing, outcome, *pairs)


def _pair(stored: Json) -> Pair | None:
    if stored is None:
        return None
    a, b = whole(*items(stored))
    return a, b


def _texts(stored: Iterable[Json]) -> list[str]:
    return [one for one in stored if isinstance(one, str)]


def published(archive: Archive, number: int) -> bool:
    """Say whether a stored round was published here, or was over in the file that it came from."""
    last = archive.orders.last_round(intents.SET_ROUND)
    return last is not None and number <= last or ImportedRounds(archive).finished(number)
