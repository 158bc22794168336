"""Results that another program's file told (TOM, Cryodex): known before any board has said a word.

One notice holds a round as the file had it; the newest counts. What a table or staff say of a match
counts more: a file only fills what nobody else has told.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from firmware.core import intents
from host.archive.store import Archive
from host.base.json_values import Json, items, whole
from host.event.match_results import FILE, Result

TOLD = "told results"
_OUTCOMES = ("A", "B", "tie", "neither")

Pair = tuple[int, int]


@dataclass(frozen=True)
class ToldMatch:
    """A pairing's outcome (``neither``: both lose), points destroyed, tournament points and
    margins, where known.
    """

    pairing: int
    outcome: str
    destroyed: Pair | None = None
    points: Pair | None = None
    margin: Pair | None = None


@dataclass(frozen=True)
class ToldRound:
    """A round as a file (``source``) had it; ``finished``: every match had its result there.

    ``missed``: the numbers of players who missed the round with a loss.
    """

    round: int
    source: str
    finished: bool
    matches: tuple[ToldMatch, ...]
    missed: tuple[str, ...] = ()

    def result(self, one: ToldMatch) -> Result:
        """Return what a match came to; it has no time, as no board was there."""
        return Result(
            self.round, one.pairing, one.outcome, (0, 0), None, FILE, 0, False, one.destroyed,
            points=one.points or (None, None), margin=one.margin,
        )  # fmt: skip


class ToldRounds:
    """Every round that files have told of an archive's current event, as of when this was made."""

    def __init__(self, archive: Archive):
        every = archive.notices.read(TOLD, read)
        self._rounds = {one.round: one for one in every if one is not None}

    def get(self, round_number: int) -> ToldRound | None:
        """Return a round as the newest file has it, or None."""
        return self._rounds.get(round_number)

    def results(self, round_number: int) -> dict[int, Result]:
        """Return a round's Results by pairing number."""
        told = self.get(round_number)
        return {one.pairing: told.result(one) for one in told.matches} if told else {}

    def finished(self, round_number: int) -> bool:
        """Say whether a file told all of a round."""
        told = self.get(round_number)
        return told is not None and told.finished

    @property
    def begun(self) -> bool:
        """Whether anything was played before this program was asked."""
        return any(one.matches for one in self._rounds.values())


def keep(archive: Archive, told: ToldRound, unix_ms: int) -> None:
    """Store a round as a file has it, unless that is what is stored."""
    if ToldRounds(archive).get(told.round) != told:
        archive.notices.add(TOLD, json.dumps(asdict(told), sort_keys=True), told.source, unix_ms)


def read(told: Mapping[str, Json]) -> ToldRound | None:
    """Return the round in a notice, None where it makes no sense. Raises LookupError, TypeError,
    ValueError.
    """
    number, source, finished = told["round"], told["source"], told["finished"]
    matches, missed = told["matches"], told["missed"]
    if not isinstance(number, int) or not isinstance(source, str) or not isinstance(finished, bool):
        return None
    if not isinstance(matches, list) or not isinstance(missed, list):
        return None
    return ToldRound(number, source, finished, tuple(map(_match, matches)), tuple(_texts(missed)))


def _match(told: Json) -> ToldMatch:
    if not isinstance(told, dict) or told["outcome"] not in _OUTCOMES:
        raise ValueError("a match")
    pairing, outcome = told["pairing"], told["outcome"]
    if not isinstance(pairing, int) or not isinstance(outcome, str):
        raise ValueError("a match")
    pairs = (_pair(told[name]) for name in ("destroyed", "points", "margin"))
    return ToldMatch(pairing, outcome, *pairs)


def _pair(told: Json) -> Pair | None:
    if told is None:
        return None
    a, b = whole(*items(told))
    return a, b


def _texts(told: Iterable[Json]) -> list[str]:
    return [one for one in told if isinstance(one, str)]


def published(archive: Archive, number: int) -> bool:
    """Say whether a stored round was published here, or was over in the file that it came from."""
    last = archive.orders.last_round(intents.SET_ROUND)
    return last is not None and number <= last or ToldRounds(archive).finished(number)
