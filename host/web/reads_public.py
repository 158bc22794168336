"""What players fetch: the published standings, and a player's own rounds."""

from collections.abc import Mapping

from host.archive.roster import Pairing, Player
from host.base.errors import UserError
from host.desk import public_standings
from host.tournament.match_records import Meeting, Tally
from host.tournament.ranking import tiebreak_text
from host.web import reads
from host.web.desk_service import DeskService
from host.web.reads import ReadRequest

_NONE = reads.NO_STANDINGS | {"round": None}


def standings(service: DeskService, request: ReadRequest) -> Mapping[str, object]:
    """Return the published standings and their ``round``, None if there are none."""
    number, pack = public_standings.current(service.archive), service.pack
    if number is None:
        return _NONE
    results = service.recent_results.until(number, pack, service.now_ms)
    try:
        table = results.standings
    except UserError:  # the rule pack was withdrawn; the organiser must choose another
        return _NONE
    return {"round": number, **reads.standings_of(service.archive, table, results.rounds, pack)}


def player(service: DeskService, request: ReadRequest) -> dict[str, object]:
    """Return the rounds of the player at ``seat`` of the ``pairing`` in the published round, with
    the matches won, lost and tied, and the points if the rules define them.

    Raises UserError if nobody sits there.
    """
    who = _player_at(service, request.query)
    results = service.recent_results.until(None, service.pack, service.now_ms)
    points = results.points.get(who.number)
    met = results.meetings.get(who.number, [])
    return {
        "tally": results.tallies.get(who.number, Tally()),
        "points": None if points is None else tiebreak_text(points),
        "rounds": [_round(meeting) for meeting in met],
    }


def _player_at(service: DeskService, query: Mapping[str, str]) -> Player:
    number = service.desk.round
    pairings: list[Pairing] = service.archive.roster.pairings_of(number) if number else []
    for pairing in pairings:
        if str(pairing.pairing) == query.get("pairing"):
            seated = {"A": pairing.a, "B": pairing.b}.get(query.get("seat") or "A")
            if seated is not None:
                return seated
    raise UserError("nobody sits there in this round: look for the name again")


def _round(meeting: Meeting) -> dict[str, object]:
    return {
        "round": meeting.round,
        "table": meeting.table,
        "opponent": meeting.opponent and meeting.opponent.name,
        "how": meeting.how,
        "figures": meeting.figures,
    }
