"""What pages fetch beside the stream: who one is, results, standings, one table's history, exports."""

from dataclasses import dataclass

from host.archive import roles
from host.base import commands
from host.base.errors import UserError
from host.event import scores
from host.event.incident_log import incidents as incidents_of
from host.reports import exports
from host.reports.export_forms import FORMS
from host.tournament.ranking import ranking, shown
from host.web import ordersheet, tablecard, views

_HISTORY = 100
_PLAIN_LINE = ("round", "table", "name_a", "name_b", "outcome", "games_a", "games_b", "state")
_RANK, _PLAIN_RANK = ("rank", "number", "name", "byes"), ("rank", "name", "byes")
_NO_STANDINGS = {"source": "", "columns": [], "lines": [], "shared": [], "open": []}


@dataclass(frozen=True)
class Download:
    """A file that a browser saves under ``name``."""

    name: str
    text: str


_FORMS = [command.form for command in commands.FORMS.values()]


def _button(form):
    """Return what a page draws a command's form from."""
    numbers = [{"name": name, "least": least, "most": most} for name, least, most in form.numbers]
    return {"act": form.act, "part": form.part, "reason": form.reason, "numbers": numbers}


def me(service, who, query):
    """Who one is and what one may do."""
    event, cookie = service.archive.roster.event, query["cookie"]
    return {
        "id": who.id, "role": who.role, "name": who.name, "csrf": service.sessions.csrf(cookie), "may": service.may(who),
        "event": event.name if event else "", "virtual": service.virtual, "exports": list(FORMS),
        "buttons": [_button(form) for form in _FORMS if form.part and roles.may(who.role, form.least)],
    }  # fmt: skip


def state(service, who, query):
    """The whole state for the role."""
    return service.change_feed.state(views.view_of(who.role), service.now_ms)


def _round(service, query):
    """Return the round that is asked for, else the published one, else the last."""
    told = query.get("round")
    stored = service.archive.roster.rounds
    if told is not None:
        if not (told.isascii() and told.isdigit() and len(told) < 6) or int(told) not in stored:
            raise UserError("there is no such round in this event")
        return int(told)
    number = service.desk.round or (stored[-1] if stored else None)
    if number is None:
        raise UserError("there is no round yet")
    return number


def results(service, who, query):
    """A round's results with sections; viewers get the plain part."""
    number = _round(service, query)
    lines = exports.table_of(service.archive, service.station.hall, number)
    if views.view_of(who.role) == views.PLAIN:
        lines = [{key: line[key] for key in _PLAIN_LINE} for line in lines]
    return {"round": number, "lines": lines}


def standings(service, who, query):
    """The standings, by the text, a pack that is named or the event's; ``ask`` where one must be chosen."""
    number, pack = _round(service, query), _pack(service, query)
    rounds = scores.rounds_of(service.archive, service.station.hall, number)
    fit = [one.name for one in service.packs.values() if one.system == rounds[-1].system]
    chosen = {"packs": fit, "pack": pack.name if pack else ""}
    try:
        table = ranking(rounds, pack)
    except UserError as question:
        return _NO_STANDINGS | {"ask": question.sentence} | chosen
    fields = _PLAIN_RANK if views.view_of(who.role) == views.PLAIN else _RANK
    lines = [
        {name: getattr(one, name) for name in fields} | {"values": list(map(shown, one.values))}
        for one in table.lines
    ]
    return {
        "source": table.source, "columns": list(table.columns), "lines": lines, "shared": list(table.level),
        "open": [one.pairing.table for one in table.open], "ask": "", **chosen,
    }  # fmt: skip


def _pack(service, query):
    """Return the Pack that is asked for, else the event's; None where there is neither."""
    name = query.get("pack")
    if name is not None and name not in service.packs:
        raise UserError("there is no such rule pack")
    return service.pack if name is None else service.packs[name]


def table(service, who, query, table):
    """One table with what happened at it in this round."""
    state_now = service.change_feed.state(views.STAFF, service.now_ms)
    card = state_now["tables"].get(str(table))
    if card is None:
        raise UserError("table {table} does not play now", table=table)
    found = incidents_of(service.archive, service.desk.round)
    history = [vars(one) for one in found if one.table == table][-_HISTORY:]
    orders = [
        one
        for one in service.archive.orders.all
        if one.table == table and one.round == service.desk.round
    ]
    cards = [tablecard.order_card(one, ordersheet.WORDS) for one in orders[-_HISTORY:]]
    return {"table": card, "history": history, "orders": cards}


def incidents(service, who, query):
    """The incident log of a round."""
    return {"lines": [vars(one) for one in incidents_of(service.archive, _round(service, query))]}


def outstanding(service, who, query):
    """The tables of the published round whose result is still to come."""
    told = service.change_feed.state(views.STAFF, service.now_ms)
    keys = ("table", "a", "b", "phase", "needs")
    left = [card for card in told["tables"].values() if card["result"] is None]
    return {
        "lines": [
            {key: one[key] for key in keys} for one in sorted(left, key=lambda one: one["table"])
        ]
    }


def export(service, who, query, form):
    """A file to take home."""
    if form not in FORMS:
        raise UserError(
            "there is no export {form!r}: {forms}", form=form[:20], forms=", ".join(FORMS)
        )
    return Download(*FORMS[form](service.archive, service.station.hall, _pack(service, query)))
