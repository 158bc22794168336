"""The teams of an event: name, affiliation, city and two members with a number each (D03 241-244).

A team plays under a number and a name of its own, as a player does; its members keep their
positions, A and B, for the whole event. If one of them drops, the team is out (D03 244).
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from host.archive.roster import Player
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.json_values import Json

NOTICE = "teams"


@dataclass(frozen=True)
class Team:
    """A team's number, name, affiliation (may be empty), city, and members A and B."""

    number: str
    name: str
    affiliation: str
    city: str
    a: Player
    b: Player


def store(archive: Archive, teams: Iterable[Team], author: str, unix_ms: int, begun: bool) -> None:
    """Store Teams; raises UserError for other members once ``begun``, or a member of two teams."""
    known = of(archive)
    whole = entered(known, teams, begun)
    if whole != known:
        value = {one.number: asdict(one) for one in whole.values()}
        archive.notices.add(NOTICE, json.dumps(value, sort_keys=True), author, unix_ms)


def entered(known: Mapping[str, Team], teams: Iterable[Team], begun: bool) -> dict[str, Team]:
    """Return the Teams by number once ``teams`` are entered among the ``known``; raises UserError
    for other members once ``begun``, or a member of two teams.
    """
    whole = dict(known)
    for one in teams:
        before = known.get(one.number)
        if begun and before is not None and _numbers(before) != _numbers(one):
            said = "team {team} has begun with other members: they would be another team (D03 243)"
            raise UserError(said, team=one.number)
        whole[one.number] = one
    seen: dict[str, str] = {}
    for one in whole.values():
        for number in _numbers(one):
            if number in seen:
                said = "player {player} stands in two teams, {a} and {b}"
                raise UserError(said, player=number, a=seen[number], b=one.number)
            seen[number] = one.number
    return whole


def of(archive: Archive) -> dict[str, Team]:
    """Return the event's Teams by number."""
    told = archive.notices.read(NOTICE, read)
    return dict(told[-1] or {}) if told else {}


def of_member(archive: Archive, who: str) -> Team | None:
    """Return the Team of the member with this number or whole name, None without one."""
    return including(of(archive).values(), who)


def including(teams: Iterable[Team], who: str) -> Team | None:
    """Return the one of ``teams`` with the member of this number or whole name, None without one:
    who drops or is disqualified takes that team out (D03 244).
    """
    sought = who.strip().casefold()
    for one in teams:
        for member in (one.a, one.b):
            if sought in (member.number.casefold(), member.name.casefold()):
                return one
    return None


def read(told: Mapping[str, Json]) -> dict[str, Team]:
    """Return the teams in a notice. Raises LookupError, TypeError."""
    return {number: _team(one) for number, one in told.items()}


def _team(told: Json) -> Team:
    if not isinstance(told, dict):
        raise TypeError("no team")
    texts = [str(told[name]) for name in ("number", "name", "affiliation", "city")]
    number, name, affiliation, city = texts
    return Team(number, name, affiliation, city, _member(told["a"]), _member(told["b"]))


def _member(told: Json) -> Player:
    if not isinstance(told, dict):
        raise TypeError("no member")
    return Player(str(told["number"]), str(told["name"]))


def _numbers(team: Team) -> tuple[str, str]:
    return team.a.number, team.b.number
