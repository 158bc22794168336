"""What lists and pages show of a team: its home, its members and the prizes that each sets out (D03
243, App. B 5-6).
"""

from collections.abc import Mapping
from typing import NamedTuple

from firmware.core import team as table
from host.archive import teams
from host.archive.roster import Format, Player
from host.archive.store import Archive
from host.archive.teams import Team

_TEAM, _LIMITED = 128, 8  # bits of the format
_A, _B = 0, 3  # positions of a team's members in the order of play


class Member(NamedTuple):
    """A member with position (A or B) and the number of prizes that this player sets out."""

    position: str
    player: Player
    prizes: int


def plays_teams(form: Format) -> bool:
    """Return whether the players of a round are teams."""
    return bool(form.bits & _TEAM)


def of_round(archive: Archive, form: Format) -> Mapping[str, Team]:
    """Return the Teams by number if a round of this Format is played by teams, else none."""
    return teams.of(archive) if plays_teams(form) else {}


def home(team: Team) -> str:
    """Return affiliation and city on one line."""
    return ", ".join(filter(None, (team.affiliation, team.city)))


def members(team: Team, form: Format) -> tuple[Member, Member]:
    """Return A and B."""
    piles = table.LIMITED if form.bits & _LIMITED else table.CONSTRUCTED
    return Member("A", team.a, piles[_A]), Member("B", team.b, piles[_B])
