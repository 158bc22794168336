"""Who sits where in the published round, by surname: for players, who look for their table.

A viewer may ask for a number and is told whose it is; other numbers are not sent to viewers.
"""

from dataclasses import dataclass

from host.archive.roster import Pairing
from host.archive.store import Archive
from host.archive.teams import Team
from host.base import surnames
from host.event import team_lines
from host.event.team_lines import Member
from host.web import views
from host.web.desk_service import DeskService
from host.web.reads import Asked


def seating(service: DeskService, asked: Asked) -> dict[str, object]:
    """Return a line for each seat of the published round, by surname; none before one is published.

    ``number`` in the query leaves the one player with it.
    """
    number = service.desk.round
    found = _seats(service.archive, number) if number is not None else []
    wanted = asked.query.get("number")
    if wanted is not None:
        found = [one for one in found if wanted.strip() in one.numbers]
    found.sort(key=lambda one: (one.order, one.numbers))
    staff = views.view_of(asked.who.role) != views.PLAIN
    return {"round": number, "lines": [_line(one, staff) for one in found]}


@dataclass(frozen=True)
class _Seat:
    """Somebody's line: a player's, or of a team each member's.

    ``surname`` is the whole name of a team whose members are not known; ``numbers`` are the own
    one and the team's.
    """

    surname: str
    given: str
    numbers: tuple[str, ...]
    pairing: Pairing
    seat: str
    team: str = ""

    @property
    def order(self) -> tuple[str, str]:
        return surnames.folded(self.surname), surnames.folded(self.given)


def _seats(archive: Archive, number: int) -> list[_Seat]:
    form = archive.roster.format_of(number)
    assert form is not None  # the round is published
    teams = team_lines.of_round(archive, form)
    found = []
    for one in archive.roster.pairings_of(number):
        for seat, player in (("A", one.a), ("B", one.b)):
            if player is None:
                continue
            team = teams.get(player.number)
            if team is not None:
                found += [_member(team, each, one, seat) for each in team_lines.members(team, form)]
            elif team_lines.plays_teams(form):
                found.append(_Seat(player.name, "", (player.number,), one, seat))
            else:
                found.append(_Seat(*surnames.split(player.name), (player.number,), one, seat))
    return found


def _member(team: Team, one: Member, pairing: Pairing, seat: str) -> _Seat:
    place = ", ".join(filter(None, (team.name, team_lines.home(team))))
    numbers = one.player.number, team.number
    split = surnames.split(one.player.name)
    return _Seat(*split, numbers, pairing, seat, f"{one.position} · {place}")


def _line(one: _Seat, staff: bool) -> dict[str, object]:
    pairing = one.pairing
    opponent = pairing.b if one.seat == "A" else pairing.a
    line: dict[str, object] = {
        "surname": one.surname,
        "given": one.given,
        "plain": surnames.folded(f"{one.given} {one.surname} {one.team}".strip()),
        "pairing": pairing.pairing,
        "table": pairing.table if opponent else None,
        "seat": one.seat if opponent else "",
        "opponent": opponent and opponent.name,
    }
    more = {"team": one.team} if one.team else {}
    return line | more | ({"number": one.numbers[0]} if staff else {})
