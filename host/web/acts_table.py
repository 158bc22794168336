"""A judge's acts at one table: calls, the clock, stamps, rolls and results."""

from firmware.core import events
from host.archive.roles import JUDGE
from host.base import commands
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk import ended_calls, paper_entry, round_lengths, turn_counting
from host.desk.desk import OUTCOMES, SEATS
from host.event import result_codes
from host.web import call_queue
from host.web.act import Found, WebAct
from host.web.fields import REASON, REQUIRED, ROUND, TABLE, WHY, choice, pair, text, whole, yes

_NUMBERS = pair(whole(0, 999)), None


def _at(service, table):
    if table not in service.desk.tables:
        raise UserError("table {table} does not play now: check its number", table=table)
    return table


def _waits(service, table):
    """Return a table's call as last sent to pages, and its claim in the archive; or Nones."""
    call = service.change_feed.calls.get(str(_at(service, table)))
    held = call_queue.claims(service.archive, service.desk.round).get(table)
    return call, held if call and held and held["at_ms"] >= call["since_ms"] else None


def _claim(service, who, table, instead):
    _free(service, who, table, instead)
    _note_claim(service, table, who, who)


def _unclaim(service, who, table):
    _free(service, who, table)
    _note_claim(service, table, who, None)


def _note_claim(service, table, who, claimed, arrived_ms=None):
    """Store that ``who`` noted that ``claimed`` goes to a table's call; None: nobody does."""
    call_queue.claim(
        service.archive, service.desk.round, table, who.name, claimed, service.now_ms, arrived_ms
    )


def _free(service, who, table, instead=False):
    """Refuse to replace another link's claim, unless ``instead``."""
    _, held = _waits(service, table)
    if held and held["link"] != who.id and not instead:
        raise UserError("{by} is on the way already", by=held["by"])


def _arrive(service, who, table):
    call, _ = _waits(service, table)
    if call is None or not (call["asked"] or call["again"]):
        return service.desk.arrive(table, who.name)
    return _note_claim(service, table, who, who, service.now_ms)


def _resolve(service, who, table):
    fold = service.station.hall.fold_at(_at(service, table))
    minutes = None
    if fold is not None and fold.last_ms(events.JUDGE_CALLED) is not None:
        minutes = call_queue.proposed_minutes(fold, service.now_ms, running=True)
    ended_calls.end(service.station, table, who.name)
    return {"orders": service.desk.end_call(table, who.name), "extend_proposed": minutes}


def _put_back(service, who, table) -> Found:
    said = ended_calls.put_back(service.station, _at(service, table), who.name)
    _note_claim(service, table, who, None)
    return {"told": said}


def _extend(service, who, table, minutes, reason, sure) -> Found:
    asked = None if sure else round_lengths.extension_doubt(minutes)
    if asked:
        return {"ask": asked}
    made = service.desk.extend(table, minutes, who.name, reason)
    total = service.desk.extension_s(table) // 60
    return {
        "orders": made,
        "told": Sentence("Table {table}: {total} min more in all.", table=table, total=total),
    }


def _late(service, who, table, seats):
    return service.desk.late(table, seats, who.name)


def _roll(service, who, table, ruling):
    return service.desk.rule_roll(table, ruling == "conclusive", who.name)


def _rule(service, who, table, outcome, games, final, reason, sure):
    asked = None if sure else service.desk.doubt(_at(service, table), outcome, games)
    if asked:
        return {"ask": asked}  # nothing is ruled before it is confirmed
    return service.desk.rule(table, outcome, games, who.name, reason, final)


def _loss(service, who, table, seat, reason):
    return service.desk.lose_game(table, seat, who.name, reason)


def _result(service, who, table, round, outcome, numbers, reason, sure) -> Found:
    said, stored = paper_entry.enter(
        service.station, table, outcome, numbers, who.name, reason, round_number=round, sure=sure
    )
    return {"told": said} if stored else {"ask": said}


def _turns(service, who, table, on):
    return turn_counting.switch(service.station, table, on, who.name)


def _prizes(service, who, table, a, b, reason):
    return service.desk.adjust(table, (a, b), who.name, reason)


def _code(service, who, table, text) -> Found:
    return {"said": [result_codes.enter(service.station, _at(service, table), text, who.name)]}


def _formed(command):
    """Return the WebAct of a command's form."""

    def does(service, who, table, reason="", **numbers):
        return service.desk.command(command.kind, table, numbers.values(), who.name, reason)

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
    WebAct("put_back", JUDGE, _put_back, _PLAIN),
    WebAct("extend", JUDGE, _extend, {"table": TABLE, "minutes": (whole(-120, 120), REQUIRED),
                                      "reason": WHY, "sure": (yes, False)}),
    WebAct("late", JUDGE, _late, {"table": TABLE, "seats": (choice(*SEATS), REQUIRED)}),
    WebAct("roll", JUDGE, _roll, {"table": TABLE,
                                  "ruling": (choice("conclusive", "again"), REQUIRED)}),
    WebAct("rule", JUDGE, _rule, {"table": TABLE, "outcome": (choice(*OUTCOMES), REQUIRED),
                                  "games": _NUMBERS,
                                  "final": (yes, False), "reason": WHY, "sure": (yes, False)}),
    WebAct("loss", JUDGE, _loss, {"table": TABLE, "seat": (choice("A", "B"), REQUIRED),
                                  "reason": WHY}),
    WebAct("result", JUDGE, _result, {"table": TABLE, "round": (ROUND[0], None),
                                      "outcome": (choice(*OUTCOMES, paper_entry.NONE), REQUIRED),
                                      "numbers": _NUMBERS, "reason": WHY, "sure": (yes, False)}),
    WebAct("turns", JUDGE, _turns, {"table": TABLE, "on": (yes, REQUIRED)}),
    WebAct("prizes", JUDGE, _prizes, {"table": TABLE, "a": _PRIZES, "b": _PRIZES,
                                      "reason": REASON}),
    WebAct("code", JUDGE, _code, {"table": TABLE, "text": (text(1, 40), REQUIRED)}),
    *map(_formed, commands.FORMS.values()),
)  # fmt: skip
