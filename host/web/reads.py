"""What pages fetch beside the stream: the user, results, standings, a table's history, exports.

Each returns the JSON object of an answer, or raises UserError.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from host.archive import access_links
from host.archive.access_links import AccessLink
from host.archive.people import People
from host.archive.store import Archive
from host.archive.teams import Team
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk import tom_copy
from host.desk.acts.act import Act
from host.desk.acts.fields import REQUIRED, label
from host.desk.acts.table import ON_PAGES
from host.event import imported_results, scores, squad_lists, team_lines
from host.event.incident_log import incidents as incidents_of
from host.event.scores import Round
from host.reports import exports
from host.reports.export_forms import FORMS, TOMS
from host.tournament import (
    bracket_view,
    event_pack,
    file_standings,
    final_places,
    match_records,
    odd_scores,
    pods,
)
from host.tournament.match_records import Tally
from host.tournament.ranking import Ranking, ruled_against_points, tiebreak_text
from host.tournament.rule_packs import Pack
from host.web import tablecard, views
from host.web.desk_service import DeskService

_HISTORY = 100
_PLAIN_LINE = (
    "round", "table", "name_a", "name_b", "outcome", "games_a", "games_b",
    "destroyed_a", "destroyed_b", "state",
)  # fmt: skip
_RANK = ("rank", "place", "swiss", "name", "byes")
NO_STANDINGS = {
    "source": "",
    "columns": [],
    "lines": [],
    "shared": [],
    "open": [],
    "differs": [],
    "ruled": [],
    "pods": [],
    "bracket": None,
    "top": [],
    "notes": [],
}


@dataclass(frozen=True)
class Download:
    """A file that a browser saves under ``name``."""

    name: str
    text: str


@dataclass(frozen=True)
class Sheet:
    """A page of paper (``host.reports.paper``), which a browser shows and prints: whole HTML."""

    text: str


@dataclass(frozen=True)
class ReadRequest:
    """A request: the person, the cookie, and the address's ``query``."""

    who: AccessLink
    cookie: str
    query: Mapping[str, str]


def _button(act: Act) -> dict[str, object]:
    """Return the data from which a page draws an act's form."""
    fields = [
        {
            "name": name,
            "label": label(name),
            "required": field.default is REQUIRED,
            **field.kind.shape,
        }
        for name, field in act.fields.items()
        if name != "sure"
    ]
    return {
        "act": act.name,
        "part": act.part,
        "label": Sentence(act.label or act.help),
        "judged": act.intent is not None,
        "fields": fields,
    }


def me(service: DeskService, request: ReadRequest) -> dict[str, object]:
    """Return the user and the permitted acts."""
    event, who, handing = service.archive.roster.event, request.who, service.station.handing
    may = service.may(who)
    other_events: Mapping[str, str] = {}
    if handing and "hand_on" in may:
        other_events = handing.other_events(service.station)
    return {
        "id": who.id, "role": who.role, "name": who.name,
        "csrf": service.sessions.csrf(request.cookie), "may": may,
        "event": event.name if event else "", "speed": service.speed, "exports": list(FORMS),
        "beside": other_events,
        "buttons": [_button(act) for act in ON_PAGES if act.part and act.allowed(who.role)],
    }  # fmt: skip


def state(service: DeskService, request: ReadRequest) -> dict[str, object]:
    """Return the whole state for the role."""
    return service.change_feed.state(views.view_of(request.who.role), service.now_ms)


def rounds_shown(service: DeskService, request: ReadRequest) -> list[int]:
    """Return the numbers of the rounds that the person may see: drafts are the organiser's."""
    archive = service.archive
    sees_drafts = access_links.may(request.who.role, access_links.ORGANISER)
    return [
        number
        for number in archive.roster.rounds
        if sees_drafts or imported_results.published(archive, number)
    ]


def requested_round(service: DeskService, request: ReadRequest) -> int:
    """Return the requested round, else the published one, else the last that the person may see."""
    text, shown = request.query.get("round"), rounds_shown(service, request)
    if text is not None:
        is_number = text.isascii() and text.isdigit() and len(text) < 6
        if not is_number or int(text) not in shown:
            raise UserError("there is no such round in this event")
        return int(text)
    number = service.desk.round or (shown[-1] if shown else None)
    if number is None:
        raise UserError("there is no round yet: import or draft one first")
    return number


def results(service: DeskService, request: ReadRequest) -> dict[str, object]:
    """Return a round's results with sections; viewers get the plain part."""
    number = requested_round(service, request)
    lines = exports.table_of(service.archive, service.station.hall, number)
    if views.view_of(request.who.role) == views.PLAIN:
        lines = [{key: line[key] for key in _PLAIN_LINE} for line in lines]
    return {"round": number, "lines": lines}


def standings(service: DeskService, request: ReadRequest) -> dict[str, object]:
    """Return the standings, by the text, a named pack or the event's; ``ask`` if one must be
    chosen.
    """
    all_rounds, pack = _rounds_until(service, request), _pack(service, request)
    counted = all_rounds if "round" in request.query else final_places.finished_rounds(all_rounds)
    system = all_rounds[-1].system
    choices = {
        "packs": [each.name for each in service.packs.values() if each.system == system],
        "pack": pack.name if pack else "",
        "after": counted[-1].number if counted else None,
        "left_out": final_places.running(all_rounds, counted),
    }
    try:
        table = final_places.standings(counted or all_rounds, pack)
    except UserError as question:
        return NO_STANDINGS | {"ask": question.sentence} | choices
    if not counted:  # columns and source alone
        table = replace(table, lines=(), level=(), open=())
    return {
        **standings_of(service.archive, table, counted or all_rounds, pack, (*_RANK, "number")),
        "ask": "", **choices,
        "differs": file_standings.differences(service.archive, table, counted),
        "ruled": [*ruled_against_points(table), *_odd(service, all_rounds)],
    }  # fmt: skip


def standings_of(
    archive: Archive,
    table: Ranking,
    rounds: Sequence[Round],
    pack: Pack | None,
    fields: tuple[str, ...] = _RANK,
) -> dict[str, object]:
    """Return a Ranking after ``rounds`` as pages show it, with these ``fields`` of its lines."""
    teams = team_lines.of_round(archive, rounds[-1].format)
    tallies = match_records.tallies(rounds)
    dropped = People(archive).gone
    by_pod = pods.tables_of(archive, rounds, pack)

    def lines(part: Ranking) -> list[dict[str, object]]:
        return [
            {
                **{name: getattr(line, name) for name in fields},
                "values": list(map(tiebreak_text, line.values)),
                "tally": tallies.get(line.number, Tally()),
                "dropped": line.number in dropped,
                **_team(teams.get(line.number)),
            }
            for line in part.lines
        ]

    return {
        "source": table.source, "columns": list(table.columns),
        "lines": lines(table), "bracket": bracket_view.plain(table),
        "top": lines(final_places.of_bracket(table)) if by_pod else [],
        "notes": [*final_places.open_places(table), *final_places.beside(table)],
        "pods": [lines(each) for each in by_pod],
        "shared": list(table.level),
        "open": [score.pairing.table for score in table.open],
    }  # fmt: skip


def _team(team: Team | None) -> dict[str, object]:
    if team is None:
        return {}
    return {"team": {"home": team_lines.home(team), "members": [team.a.name, team.b.name]}}


def standings_round(service: DeskService, request: ReadRequest) -> int:
    """Return the round after which standings are requested, else the last finished one.

    Raises UserError before a round is finished.
    """
    if "round" in request.query:
        return requested_round(service, request)
    return final_places.last_finished(_rounds_until(service, request))


def _rounds_until(service: DeskService, request: ReadRequest) -> list[Round]:
    number = requested_round(service, request)
    return scores.rounds_of(service.archive, service.station.hall, number)


def _odd(service: DeskService, rounds: list[Round]) -> list[Sentence]:
    return odd_scores.of_rounds(rounds, squad_lists.of(service.archive))


def _pack(service: DeskService, request: ReadRequest) -> Pack | None:
    """Return the requested Pack, else the event's, else None."""
    name = request.query.get("pack")
    packs = service.packs.values()
    if name is not None and name not in service.packs:
        raise UserError("there is no such rule pack: choose one of the list")
    return event_pack.of_event(service.archive, service.packs.get(name or ""), packs)


def table(service: DeskService, request: ReadRequest, table: int) -> dict[str, object]:
    """Return one table with its incidents and orders in this round."""
    card = service.change_feed.tables.get(str(table))
    if card is None:
        raise UserError("table {table} does not play now: check its number", table=table)
    entries = incidents_of(service.archive, service.desk.round)
    history = [vars(incident) for incident in entries if incident.table == table][-_HISTORY:]
    orders = [
        order
        for order in service.archive.orders.all
        if order.table == table and order.round == service.desk.round
    ]
    cards = [tablecard.order_card(order) for order in orders[-_HISTORY:]]
    return {"table": card, "history": history, "orders": cards}


def incidents(service: DeskService, request: ReadRequest) -> dict[str, object]:
    """Return the incident log of a round."""
    entries = incidents_of(service.archive, requested_round(service, request))
    return {"lines": [vars(incident) for incident in entries]}


def outstanding(service: DeskService, request: ReadRequest) -> dict[str, object]:
    """Return the tables of the published round without a result, or without its points."""
    tables = service.change_feed.tables.values()
    cards = [card for card in tables if card["result"] is None or "points" in card["needs"]]
    keys = ("table", "a", "b", "phase", "needs")
    cards.sort(key=lambda card: card["table"])
    return {"lines": [{key: card[key] for key in keys} for card in cards]}


def files(service: DeskService, request: ReadRequest) -> dict[str, object]:
    """Return the remarks on TOM's file, if one was read in this event."""
    if not tom_copy.is_stored(service.archive):
        return {"tom": None}
    try:
        tdf = service.tdf = tom_copy.load(service.archive, service.tdf)
    except UserError as missing:
        return {"tom": {"file": "", "said": [missing.sentence]}}
    remarks = tom_copy.remarks(service.archive, service.station.hall, tdf)
    return {"tom": {"file": tdf.path.name, "said": remarks}}


def export(service: DeskService, request: ReadRequest, form: str) -> Download:
    """Return a file to save; TOM's is the one that was read last, filled in."""
    if form == TOMS:
        tdf = service.tdf = tom_copy.load(service.archive, service.tdf)
        filled = tom_copy.fill(service.archive, service.station.hall, tdf)
        return Download(tom_copy.name_of(tdf), filled.raw.decode())
    if form not in FORMS:
        raise UserError(
            "there is no export {form!r}: {forms}", form=form[:20], forms=", ".join(FORMS)
        )
    return Download(*FORMS[form](service.archive, service.station.hall, _pack(service, request)))
