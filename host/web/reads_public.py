"""What players fetch: the standings that the organiser has published, and a player's own rounds."""

from collections.abc import Mapping

from host.archive.roster import Pairing, Player
from host.base.errors import UserError
from host.desk import public_standings
from host.tournament.match_records import Meeting, Tally
from host.tournament.ranking import shown
from host.web import reads
from host.web.desk_service import DeskService
from host.web.reads import Asked

_NONE = reads.NO_STANDINGS | {"round": None}


def standings(service: DeskService, asked: Asked) -> Mapping[str, object]:
    """Return the published standings and the ``round`` after which they are, None without any."""
    number, pack = public_standings.current(service.archive), service.pack
    if number is None:
        return _NONE
    results = service.recent_results.until(number, pack, service.now_ms)
    try:
        table = results.standings
    except UserError:  # the rule pack was taken back: that is the organiser's to settle
        return _NONE
    return {"round": number, **reads.ranked(service.archive, table, results.rounds, pack)}


def player(service: DeskService, asked: Asked) -> dict[str, object]:
    """Return the rounds of who sits at ``seat`` of the ``pairing`` in the published round, with the
    matches won, lost and tied, and the points where rules define them.

    Raises UserError where nobody sits there.
    """
    who = _seated(service, asked.query)
    results = service.recent_results.until(None, service.pack, service.now_ms)
    points = results.points.get(who.number)
    met = results.meetings.get(who.number, [])
    return {
        "tally": results.tallies.get(who.number, Tally()),
        "points": None if points is None else shown(points),
        "rounds": [_round(one) for one in met],
    }


def _seated(service: DeskService, query: Mapping[str, str]) -> Player:
    number, asked, seat = service.desk.round, query.get("pairing"), query.get("seat")
    pairings: list[Pairing] = service.archive.roster.pairings_of(number) if number else []
    one = next((one for one in pairings if str(one.pairing) == asked), None)
    found = one and {"A": one.a, "B": one.b}.get(seat or "A")
    if found is None:
        raise UserError("nobody sits there in this round: look for the name again")
    return found


def _round(one: Meeting) -> dict[str, object]:
    return {
        "round": one.round,
        "table": one.table,
        "opponent": one.opponent and one.opponent.name,
        "how": one.how,
        "figures": one.figures,
    }
