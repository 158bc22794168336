"""The squads of an event (XW15), as the players handed them in: totals, ships, obstacles.

A list is stored before the event begins and never changes (Formazione delle Squadriglie Escalation:
the same squads and the same three obstacles for the whole event); late entrants may add theirs.
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


def same_faction(first: SquadList, second: SquadList) -> bool:
    """Whether two players have the same faction: a mirror match (rules X6)."""
    return first.faction.strip().casefold() == second.faction.strip().casefold()


def store(
    archive: Archive, lists: Mapping[str, SquadList], author: str, unix_ms: int, begun: bool
) -> None:
    """Store SquadLists by player number; raises UserError for a changed list once ``begun``."""
    known = of(archive)
    fresh = {number: squads for number, squads in lists.items() if known.get(number) != squads}
    changed = sorted(fresh.keys() & known.keys())
    if begun and changed:
        text = (
            "the event has begun: player {player} has a squad list already, and it stays for the"
            " whole event"
        )
        raise UserError(text, player=changed[0])
    if fresh:
        value = {number: vars(squads) for number, squads in fresh.items()}
        archive.notices.add(NOTICE, json.dumps(value, sort_keys=True), author, unix_ms)


def of(archive: Archive) -> dict[str, SquadList]:
    """Return the SquadList of each player who has one, by number."""
    by_number: dict[str, SquadList] = {}
    for lists in archive.notices.read(NOTICE, read):
        by_number.update(lists or {})
    return by_number


def read(facts: Mapping[str, Json]) -> dict[str, SquadList]:
    """Return the lists in a notice. Raises LookupError, TypeError, ValueError."""
    return {number: _list(squads) for number, squads in facts.items()}


def _list(facts: Json) -> SquadList:
    if not isinstance(facts, dict) or not isinstance(facts["faction"], str):
        raise TypeError("no squad list")
    ships = tuple(tuple(whole(*items(squad))) for squad in items(facts["ships"]))
    if not ships:
        raise ValueError("no squads")
    return SquadList(facts["faction"], ships, tuple(map(str, items(facts["obstacles"]))))


def for_boards(archive: Archive, round_number: int, now_ms: int) -> dict[int, Intent]:
    """Return the SET_SQUADS of each match of a stored round by its pairing's number: totals, and
    whether it is a mirror match. The board shows who decides the initiative (X4), and that players
    of the same faction choose ID colours (X6).

    There is none in a system without squads, or while one of the two lists is missing. The totals
    are in the order of the pairing, wherever the players sit.
    """
    form = archive.roster.format_of(round_number)
    if form is None:
        return {}
    rules = catalogue.rules_of(event_systems.of(archive), form.system)
    if rules is None or not rules.CAPS:
        return {}
    lists, by_pairing = of(archive), {}
    for pairing in archive.roster.pairings_of(round_number):
        first = lists.get(pairing.a.number)
        second = lists.get(pairing.b.number) if pairing.b else None
        if first is not None and second is not None:
            mirror = same_faction(first, second)
            a, b = (sum(squad.flown_in(round_number)) for squad in (first, second))
            by_pairing[pairing.pairing] = intents.SetSquads(now_ms, int(mirror), 0, a, b)
    return by_pairing
