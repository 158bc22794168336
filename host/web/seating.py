"""Who sits where in the published round, by surname: for players, who look for their table.

A viewer may ask for a number and is told whose it is; other numbers are not sent to viewers.
"""

from host.archive.roster import Pairing, Player
from host.base import surnames
from host.web import views
from host.web.desk_service import DeskService
from host.web.reads import Asked


def seating(service: DeskService, asked: Asked) -> dict[str, object]:
    """Return a line for each seat of the published round, by surname; none before one is published.

    ``number`` in the query leaves the one player with it.
    """
    number = service.desk.round
    found = service.archive.roster.pairings_of(number) if number is not None else []
    seats = [seat for one in found for seat in _seats(one)]
    wanted = asked.query.get("number")
    if wanted is not None:
        seats = [seat for seat in seats if seat[0].number == wanted.strip()]
    seats.sort(key=lambda seat: (surnames.order(seat[0].name), seat[0].number))
    staff = views.view_of(asked.who.role) != views.PLAIN
    return {"round": number, "lines": [_line(*seat, staff) for seat in seats]}


def _seats(one: Pairing) -> list[tuple[Player, str, Player | None, int | None]]:
    if one.b is None:
        return [(one.a, "", None, None)]
    return [(one.a, "A", one.b, one.table), (one.b, "B", one.a, one.table)]


def _line(
    player: Player, seat: str, opponent: Player | None, table: int | None, staff: bool
) -> dict[str, object]:
    surname, given = surnames.split(player.name)
    line: dict[str, object] = {
        "surname": surname,
        "given": given,
        "plain": surnames.folded(player.name),
        "table": table,
        "seat": seat,
        "opponent": opponent and opponent.name,
    }
    return line | ({"number": player.number} if staff else {})
