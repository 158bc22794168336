"""Who sits where in the published round, by surname, for players who look for their table.

A viewer may look up a number and gets its player; other numbers are not sent to viewers.
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
from host.web.reads import ReadRequest


def seating(service: DeskService, request: ReadRequest) -> dict[str, object]:
    """Return a line for each seat of the published round, by surname; empty before a round is
    published.

    ``number`` in the query selects one player.
    """
    number = service.desk.round
    seats = _seats(service.archive, number) if number is not None else []
    wanted = request.query.get("number")
    if wanted is not None:
        number_sought = wanted.strip().casefold()
        seats = [seat for seat in seats if number_sought in map(str.casefold, seat.numbers)]
    seats.sort(key=lambda seat: (seat.order, seat.numbers))
    staff = views.view_of(request.who.role) != views.PLAIN
    return {"round": number, "lines": [_line(seat, staff) for seat in seats]}


@dataclass(frozen=True)
class _Seat:
    """A line of the list: a player, or a member of a team.

    ``surname`` is the whole name of a team with unknown members; ``numbers`` are the player's own
    and the team's.
    """

    surname: str
    given: str
    numbers: tuple[str, ...]
    pairing: Pairing
    seat: str
    team: str = ""

    @property
    def order(self) -> tuple[str, str]:
        return surnames.fold(self.surname), surnames.fold(self.given)


def _seats(archive: Archive, number: int) -> list[_Seat]:
    """Return a seat for each person of a round; a team has one for each member."""
    form = archive.roster.stored_format(number)
    teams = team_lines.of_round(archive, form)
    seats = []
    for pairing in archive.roster.pairings_of(number):
        for seat, player in (("A", pairing.a), ("B", pairing.b)):
            if player is None:
                continue
            team = teams.get(player.number)
            if team is not None:
                seats += [
                    _member(team, member, pairing, seat)
                    for member in team_lines.members(team, form)
                ]
            elif team_lines.plays_teams(form):
                seats.append(_Seat(player.name, "", (player.number,), pairing, seat))
            else:
                seats.append(_Seat(*surnames.split(player.name), (player.number,), pairing, seat))
    return seats


def _member(team: Team, member: Member, pairing: Pairing, seat: str) -> _Seat:
    place = ", ".join(filter(None, (team.name, team_lines.home(team))))
    numbers = member.player.number, team.number
    split = surnames.split(member.player.name)
    return _Seat(*split, numbers, pairing, seat, f"{member.position} · {place}")


def _line(seat: _Seat, staff: bool) -> dict[str, object]:
    """Return a seat as pages get it; only staff get its number."""
    pairing = seat.pairing
    opponent = pairing.b if seat.seat == "A" else pairing.a
    card: dict[str, object] = {
        "surname": seat.surname,
        "given": seat.given,
        "plain": surnames.fold(f"{seat.given} {seat.surname} {seat.team}".strip()),
        "pairing": pairing.pairing,
        "table": pairing.table if opponent else None,
        "seat": seat.seat if opponent else "",
        "opponent": opponent and opponent.name,
    }
    if seat.team:
        card["team"] = seat.team
    if staff:
        card["number"] = seat.numbers[0]
    return card
