"""The squads of an event (XW15), as their players handed them in: totals, ships, obstacles.

A list is stored before the event begins and stays (Formazione delle Squadriglie Escalation: the
same squads and the same three obstacles for the whole event); who enters late may follow.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from firmware.core import intents
from firmware.core.intents import Intent
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.json_values import Json, items, whole
from host.event import event_systems
from host.systems import catalogue

NOTICE = "squads"


@dataclass(frozen=True)
class SquadList:
    """A player's faction, the points of each ship in each of the four squads, and obstacles."""

    faction: str
    ships: tuple[tuple[int, ...], ...]
    obstacles: tuple[str, ...] = ()

    def flown_in(self, round_number: int) -> tuple[int, ...]:
        """Return the points of each ship flown in a round; rounds after the last have its squad."""
        return self.ships[min(round_number, len(self.ships)) - 1]

    @property
    def totals(self) -> tuple[int, ...]:
        """Each squad's points, the first round's first."""
        return tuple(map(sum, self.ships))


def same_faction(one: SquadList, other: SquadList) -> bool:
    """Whether two players fly for the same faction: a mirror match (rules X6)."""
    return one.faction.strip().casefold() == other.faction.strip().casefold()


def store(
    archive: Archive, lists: Mapping[str, SquadList], author: str, unix_ms: int, begun: bool
) -> None:
    """Store SquadLists by player number; raises UserError for another list once ``begun``."""
    known = of(archive)
    fresh = {number: one for number, one in lists.items() if known.get(number) != one}
    changed = sorted(fresh.keys() & known.keys())
    if begun and changed:
        said = (
            "the event has begun: player {player} has a squad list already, and it stays for the"
            " whole event"
        )
        raise UserError(said, player=changed[0])
    if fresh:
        value = {number: vars(one) for number, one in fresh.items()}
        archive.notices.add(NOTICE, json.dumps(value, sort_keys=True), author, unix_ms)


def of(archive: Archive) -> dict[str, SquadList]:
    """Return the SquadList of each player who has one, by number."""
    found: dict[str, SquadList] = {}
    for lists in archive.notices.read(NOTICE, read):
        found.update(lists or {})
    return found


def read(told: Mapping[str, Json]) -> dict[str, SquadList]:
    """Return the lists in a notice. Raises LookupError, TypeError, ValueError."""
    return {number: _list(one) for number, one in told.items()}


def _list(told: Json) -> SquadList:
    if not isinstance(told, dict) or not isinstance(told["faction"], str):
        raise TypeError("no squad list")
    ships = tuple(tuple(whole(*items(one))) for one in items(told["ships"]))
    if not ships:
        raise ValueError("no squads")
    return SquadList(told["faction"], ships, tuple(map(str, items(told["obstacles"]))))


def for_boards(archive: Archive, round_number: int, now_ms: int) -> dict[int, Intent]:
    """Return the SET_SQUADS of each match of a stored round by its pairing's number: totals, and
    whether it is a mirror match. The board says who decides the initiative (X4), and that players
    of the same faction choose ID colours (X6).

    There is none under a system without squads, nor while one of the two lists lacks. The totals
    are those of the players as paired, wherever they sit.
    """
    form = archive.roster.format_of(round_number)
    if form is None:
        return {}
    _, rules = catalogue.numbered(event_systems.of(archive), form.system)
    if rules is None or not rules.CAPS:
        return {}
    lists, told = of(archive), {}
    for one in archive.roster.pairings_of(round_number):
        first = lists.get(one.a.number)
        second = lists.get(one.b.number) if one.b else None
        if first is not None and second is not None:
            mirror = same_faction(first, second)
            a, b = (sum(squad.flown_in(round_number)) for squad in (first, second))
            told[one.pairing] = intents.SetSquads(now_ms, int(mirror), 0, a, b)
    return told
