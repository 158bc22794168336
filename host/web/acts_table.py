"""What a judge does at one table: calls, the clock, stamps, rolls and results."""

from firmware.core import events
from host.archive.roles import JUDGE
from host.base import commands
from host.base.errors import UserError
from host.desk.desk import OUTCOMES, SEATS
from host.event import result_codes
from host.web import call_queue
from host.web.act import WebAct
from host.web.fields import REASON, REQUIRED, TABLE, WHY, choice, pair, text, whole, yes
from host.web.views import STAFF

_GAMES = pair(whole(0, 9)), None


def _at(office, table):
    if table not in office.desk.tables:
        raise UserError("table {table} does not play now", table=table)
    return table


def _waits(office, table):
    """Return what a table waits for, as pages were told last, and who goes there by what the archive says now; or Nones."""
    call = office.pulse.state(STAFF, office.now_ms)["calls"].get(str(_at(office, table)))
    held = call_queue.claims(office.archive, office.desk.round).get(table)
    return call, held if call and held and held["at_ms"] >= call["since_ms"] else None


def _claim(office, who, table, instead):
    _free(office, who, table, instead)
    call_queue.claim(office.archive, office.desk.round, table, who, office.now_ms)


def _unclaim(office, who, table):
    _free(office, who, table)
    call_queue.claim(office.archive, office.desk.round, table, None, office.now_ms)


def _free(office, who, table, instead=False):
    """Refuse to take another link's claim, unless that is meant."""
    _, held = _waits(office, table)
    if held and held["link"] != who.id and not instead:
        raise UserError("{by} goes already", by=held["by"])


def _arrive(office, who, table):
    call, _ = _waits(office, table)
    if call is None or not call["asked"]:
        return office.desk.arrive(table, who.name)
    return call_queue.claim(
        office.archive, office.desk.round, table, who, office.now_ms, office.now_ms
    )


def _resolve(office, who, table):
    fold = office.station.hall.fold_at(_at(office, table))
    began = fold is not None and fold.last_ms(events.JUDGE_CALLED) is not None
    minutes = call_queue.proposed_minutes(fold, office.now_ms, running=True) if began else None
    return {"orders": office.desk.end_call(table, who.name), "extend_proposed": minutes}


def _extend(office, who, table, minutes, reason):
    return office.desk.extend(table, minutes, who.name, reason)


def _late(office, who, table, seats):
    return office.desk.late(table, seats, who.name)


def _roll(office, who, table, ruling):
    return office.desk.rule_roll(table, ruling == "conclusive", who.name)


def _rule(office, who, table, outcome, games, final, reason, sure):
    asked = None if sure else office.desk.doubt(_at(office, table), outcome, games)
    if asked:
        return {"ask": asked}  # nothing is ruled before somebody says that it is meant
    return office.desk.rule(table, outcome, games, who.name, reason, final)


def _prizes(office, who, table, a, b, reason):
    return office.desk.adjust(table, (a, b), who.name, reason)


def _code(office, who, table, text):
    return {"said": [result_codes.enter(office.station, _at(office, table), text, who.name)]}


def _formed(command):
    """Return the WebAct of a command's form."""

    def does(office, who, table, reason="", **numbers):
        return office.desk.command(command.kind, table, numbers.values(), who.name, reason)

    form = command.form
    fields = {
        "table": TABLE,
        **{name: (whole(*within), REQUIRED) for name, *within in form.numbers},
    }
    if form.reason != commands.NO:
        fields["reason"] = WHY if form.reason == commands.MUST else REASON
    return WebAct(form.act, form.least, does, fields)


_PLAIN = {"table": TABLE}
_PRIZES = whole(0, 99), REQUIRED
ACTS = (
    WebAct("claim", JUDGE, _claim, _PLAIN | {"instead": (yes, False)}),
    WebAct("unclaim", JUDGE, _unclaim, _PLAIN),
    WebAct("arrive", JUDGE, _arrive, _PLAIN),
    WebAct("resolve", JUDGE, _resolve, _PLAIN),
    WebAct("extend", JUDGE, _extend, {"table": TABLE, "minutes": (whole(1, 120), REQUIRED), "reason": WHY}),
    WebAct("late", JUDGE, _late, {"table": TABLE, "seats": (choice(*SEATS), REQUIRED)}),
    WebAct("roll", JUDGE, _roll, {"table": TABLE, "ruling": (choice("conclusive", "again"), REQUIRED)}),
    WebAct("rule", JUDGE, _rule, {"table": TABLE, "outcome": (choice(*OUTCOMES), REQUIRED), "games": _GAMES,
                                  "final": (yes, False), "reason": WHY, "sure": (yes, False)}),
    WebAct("prizes", JUDGE, _prizes, {"table": TABLE, "a": _PRIZES, "b": _PRIZES, "reason": REASON}),
    WebAct("code", JUDGE, _code, {"table": TABLE, "text": (text(1, 40), REQUIRED)}),
    *map(_formed, commands.FORMS.values()),
)  # fmt: skip
