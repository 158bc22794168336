"""The register of penalties: who was penalised, how and why, in every round of the event.

A notice is a penalty, or withdraws one. A field that older notices lack needs its default in
``read_given``, and no step of ``schema.py``. What a level does to a game or match is an act of the
judge (a game loss at the table); the register only records it (P18's penalties, D03 213).
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from host.archive.store import Archive
from host.base.json_values import Json, filled, is_number

GIVEN, WITHDRAWN = "penalty", "penalty withdrawn"
LEVELS = ("caution", "warning", "prizes", "game_loss", "match_loss", "disqualification")
CATEGORIES = ("play", "tardy", "slow", "deck", "conduct", "cheating", "other")


@dataclass(frozen=True)
class Penalty:
    """A penalty: the ``id`` of its notice, the player, where it was given (``table`` 0: at none),
    its level and category as words above, the judge, and when (event ms).
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


def give(archive: Archive, penalty: Penalty) -> None:
    """Store a penalty; its ``id`` is that of the new notice."""
    facts = asdict(penalty)
    del facts["id"]
    archive.notices.add_facts(GIVEN, facts, penalty.by, penalty.at_ms)


def withdraw(archive: Archive, number: int, by: str, reason: str, at_ms: int) -> None:
    """Store that the penalty of an id is withdrawn."""
    archive.notices.add_facts(WITHDRAWN, {"penalty": number, "reason": reason}, by, at_ms)


def every(archive: Archive) -> list[Penalty]:
    """Return every penalty of the event, withdrawn ones too, oldest first."""
    notices = archive.notices
    entries = zip(notices.rows(GIVEN), notices.read(GIVEN, read_given), strict=True)
    return [replace(penalty, id=row) for (row, _), penalty in entries if penalty is not None]


def standing(archive: Archive) -> list[Penalty]:
    """Return the penalties in force, oldest first."""
    withdrawn = set(archive.notices.read(WITHDRAWN, read_withdrawn))
    return [penalty for penalty in every(archive) if penalty.id not in withdrawn]


def read_withdrawn(facts: Mapping[str, Json]) -> int | None:
    """Return the id of the penalty in a notice, None if invalid. Raises LookupError."""
    number, reason = facts["penalty"], facts["reason"]
    return number if is_number(number) and isinstance(reason, str) else None


def read_given(facts: Mapping[str, Json]) -> Penalty | None:
    """Return the penalty in a notice, with the id 0, None if it is invalid.

    Raises LookupError, TypeError.
    """
    penalty = filled(Penalty, {**facts, "id": 0})
    known = penalty.level in LEVELS and penalty.category in CATEGORIES and penalty.seat in (0, 1)
    return penalty if known else None
