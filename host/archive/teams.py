"""The teams of an event: name, affiliation, city and two members with a number each (D03 241-244).

A team plays under a number and a name of its own, as a player does; its members keep their
positions, A and B, for the whole event. If one of them drops, the team is out (D03 244).
"""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass

from host.archive.people import People, Person, same_name
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

    ``renamed``: the numbers whose new names were confirmed; once ``begun``, any other new name
    raises OtherName.
    """
    known, teams = of(archive), list(teams)
    if begun:
        _require_names([*archive.roster.players.values(), *known.values()], teams, renamed)
        _require_names(_members(known.values()), _members(teams), renamed)
    whole = with_entered(known, teams, begun)
    if whole != known:
        value = {team.number: asdict(team) for team in whole.values()}
        archive.notices.add(NOTICE, json.dumps(value, sort_keys=True), author, unix_ms)


def _members(teams: Iterable[Team]) -> list[Player]:
    return [member for team in teams for member in (team.a, team.b)]


def _require_names(
    known: Iterable[Player | Team], entries: Iterable[Player | Team], renamed: Collection[str]
) -> None:
    """Raise UserError where a number is known with another name."""
    names = {entry.number: entry.name for entry in known}
    for entry in entries:
        before = names.get(entry.number, entry.name)
        if entry.number not in renamed and not same_name(before, entry.name):
            message = (
                "number {number} is {before} in this event, and {after} has it in the file: give"
                " {after} another number, or, if both are one whose name was corrected, add"
                " --rename {number}"
            )
            other = OtherName(message, number=entry.number, before=before, after=entry.name)
            other.number, other.before, other.after = entry.number, before, entry.name
            raise other


def with_entered(known: Mapping[str, Team], teams: Iterable[Team], begun: bool) -> dict[str, Team]:
    """Return the Teams by number once ``teams`` are entered among the ``known``; raises UserError
    for other members once ``begun``, or a member of two teams.
    """
    whole = dict(known)
    for team in teams:
        before = known.get(team.number)
        if begun and before is not None and _numbers(before) != _numbers(team):
            message = (
                "team {team} has begun with other members: they would be another team (D03 243)"
            )
            raise UserError(message, team=team.number)
        whole[team.number] = team
    require_one_team_each(whole.values())
    return whole


def require_one_team_each(teams: Iterable[Team]) -> None:
    """Raise UserError for a member of two teams."""
    team_of: dict[str, str] = {}
    for team in teams:
        for number in _numbers(team):
            if number in team_of:
                message = "player {player} stands in two teams, {a} and {b}"
                raise UserError(message, player=number, a=team_of[number], b=team.number)
            team_of[number] = team.number


def of(archive: Archive) -> dict[str, Team]:
    """Return the event's Teams by number."""
    notices = archive.notices.read(NOTICE, read)
    return dict(notices[-1] or {}) if notices else {}


def find(archive: Archive, who: str) -> Person:
    """Return the Person with this number; else the team of the member with this number or whole
    name; else whom ``People.find`` finds. Teams and members may be numbered alike.
    """
    people = People(archive)
    numbered = who.strip() in archive.roster.players
    team = None if numbered else team_with_member(of(archive).values(), who)
    return people.get(team.number) if team else people.find(who)


def team_with_member(teams: Iterable[Team], who: str) -> Team | None:
    """Return the team that has a member with this number or whole name, None without one: a member
    who drops or is disqualified takes that team out (D03 244).
    """
    sought = who.strip().casefold()
    for team in teams:
        for member in (team.a, team.b):
            if sought in (member.number.casefold(), member.name.casefold()):
                return team
    return None


def read(value: Mapping[str, Json]) -> dict[str, Team]:
    """Return the teams in a notice. Raises LookupError, TypeError."""
    return {number: _team(team) for number, team in value.items()}


def _team(value: Json) -> Team:
    if not isinstance(value, dict):
        raise TypeError("no team")
    texts = [str(value[name]) for name in ("number", "name", "affiliation", "city")]
    number, name, affiliation, city = texts
    return Team(number, name, affiliation, city, _member(value["a"]), _member(value["b"]))


def _member(value: Json) -> Player:
    if not isinstance(value, dict):
        raise TypeError("no member")
    return Player(str(value["number"]), str(value["name"]))


def _numbers(team: Team) -> tuple[str, str]:
    return team.a.number, team.b.number
