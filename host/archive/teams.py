"""The teams of an event: name, affiliation, city and two members with a number each (D03 241-244).

A team plays under a number and a name of its own, as a player does; its members keep their
positions, A and B, for the whole event. If one of them drops, the team is out (D03 244).
"""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass

from host.archive.people import same_name
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


class OtherName(UserError):
    """A number that is ``before`` in this event, and that a list gives to ``after``."""

    number = before = after = ""


def store(
    archive: Archive,
    teams: Iterable[Team],
    author: str,
    unix_ms: int,
    begun: bool,
    renamed: Collection[str] = (),
) -> None:
    """Store Teams; raises UserError for other members once ``begun``, or a member of two teams.

    ``renamed``: the numbers whose new names were confirmed; without that no name changes then, and
    OtherName is raised.
    """
    known, teams = of(archive), list(teams)
    if begun:
        _require_names([*archive.roster.players.values(), *known.values()], teams, renamed)
        _require_names(_members(known.values()), _members(teams), renamed)
    whole = entered(known, teams, begun)
    if whole != known:
        value = {one.number: asdict(one) for one in whole.values()}
        archive.notices.add(NOTICE, json.dumps(value, sort_keys=True), author, unix_ms)


def _members(teams: Iterable[Team]) -> list[Player]:
    return [member for one in teams for member in (one.a, one.b)]


def _require_names(
    known: Iterable[Player | Team], told: Iterable[Player | Team], renamed: Collection[str]
) -> None:
    """Raise UserError where a number is known with another name."""
    names = {one.number: one.name for one in known}
    for one in told:
        before = names.get(one.number, one.name)
        if one.number not in renamed and not same_name(before, one.name):
            said = (
                "number {number} is {before} in this event, and {after} has it in the file: give"
                " {after} another number, or, if both are one whose name was corrected, add"
                " --rename {number}"
            )
            other = OtherName(said, number=one.number, before=before, after=one.name)
            other.number, other.before, other.after = one.number, before, one.name
            raise other


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
