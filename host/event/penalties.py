"""The register of penalties: who was penalised, how and why, in every round of the event.

One notice is one penalty; another one withdraws it. What a level does to a game or match is a
judge's own act (a game loss is one at the table); the register says it (P18's penalties, D03 213).
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from host.archive.store import Archive
from host.base.json_values import Json, is_moment, is_number

GIVEN, WITHDRAWN = "penalty", "penalty withdrawn"
LEVELS = ("caution", "warning", "prizes", "game_loss", "match_loss", "disqualification")
CATEGORIES = ("play", "tardy", "slow", "deck", "conduct", "cheating", "other")


@dataclass(frozen=True)
class Penalty:
    """A penalty: ``id`` of its notice, the player, where it was given (``table`` 0: at none), its
    level and category as words above, the judge, and when (event ms).
    """

    id: int
    round: int
    table: int
    seat: int
    player: str
    level: str
    category: str
    reason: str
    by: str
    at_ms: int


def give(archive: Archive, told: Penalty) -> None:
    """Store a penalty; its ``id`` is that of the new notice."""
    facts = asdict(told)
    del facts["id"]
    _store(archive, GIVEN, facts, told.by, told.at_ms)


def withdraw(archive: Archive, number: int, by: str, reason: str, at_ms: int) -> None:
    """Store that the penalty of an id is withdrawn."""
    _store(archive, WITHDRAWN, {"penalty": number, "reason": reason}, by, at_ms)


def _store(archive: Archive, what: str, facts: Mapping[str, Json], by: str, at_ms: int) -> None:
    unix_ms = archive.roster.current_event.origin_unix_ms + at_ms
    archive.notices.add(what, json.dumps(facts, sort_keys=True), by, unix_ms)


def every(archive: Archive) -> list[Penalty]:
    """Return every penalty of the event, withdrawn ones too, oldest first."""
    notices = archive.notices
    told = zip(notices.rows(GIVEN), notices.read(GIVEN, read_given), strict=True)
    return [replace(one, id=row) for (row, _), one in told if one is not None]


def standing(archive: Archive) -> list[Penalty]:
    """Return the penalties that are in force, oldest first."""
    gone = set(archive.notices.read(WITHDRAWN, read_withdrawn))
    return [one for one in every(archive) if one.id not in gone]


def read_withdrawn(told: Mapping[str, Json]) -> int | None:
    """Return the id of the penalty in a notice, None if invalid. Raises LookupError."""
    number, reason = told["penalty"], told["reason"]
    return number if is_number(number) and isinstance(reason, str) else None


def read_given(told: Mapping[str, Json]) -> Penalty | None:
    """Return the penalty in a notice, whose id it does not say (0), None if it makes no sense.

    Raises LookupError, and TypeError for a fact that no penalty has.
    """
    texts = [told[name] for name in ("player", "level", "category", "reason", "by")]
    if not all(isinstance(one, str) for one in texts) or not is_moment(told["at_ms"]):
        return None
    if not all(is_number(told[name]) for name in ("round", "table", "seat")):
        return None
    made = Penalty(**{**told, "id": 0})  # pyright: ignore[reportArgumentType] (checked above)
    known = made.level in LEVELS and made.category in CATEGORIES and made.seat in (0, 1)
    return made if known else None
