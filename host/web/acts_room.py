"""Acts on the whole room: stop, restart, extend, switches, messages, one-time codes.

Each gives an order to every table concerned; a table keeps earlier extensions.
"""

from firmware.core import phases
from host.archive.roles import HEAD, JUDGE, ORGANISER
from host.base.errors import UserError
from host.desk import every_table, hall_plan, room_stop, round_lengths, shown_codes
from host.web.act import Found, WebAct
from host.web.fields import MINUTES, REASON, REQUIRED, ROUND, TABLE, WHY, block, whole, yes

_MINUTE_S = 60
_STILL = (phases.IDLE, phases.AGREED)


def _playing(service, holds=lambda match: True):
    """Return the tables of the round that still play and whose match satisfies ``holds``."""
    desk, hall = service.desk, service.station.hall
    if desk.round is None:
        raise UserError("no round is published yet: publish one first")
    found = []
    for table in desk.tables:
        fold = hall.fold_at(table)
        match = fold.match if fold else None
        if match and match.round == desk.round and match.phase not in _STILL and holds(match):
            found.append(table)
    if not found:
        raise UserError("no table is in that state now")
    return found


def _boardless(service):
    """Return the tables without a result that have no board."""
    boards = {board.table for board in service.archive.roster.current_boards.values()}
    return [table for table in service.desk.open if table not in boards]


def _each(service, who, what, facts, tables, act) -> Found:
    """Do an act at every table and log it as one; each that cannot take it says why."""
    with service.archive.transaction():
        made, refused = every_table.order(tables, act)
        service.log(what, facts | {"orders": made}, who)
        return {"orders": made, "said": refused}


def _pause_all(service, who, reason):
    return room_stop.stop(service.station, who.name, reason)


def _resume_all(service, who):
    return room_stop.run_on(service.station, who.name)


def _extend_all(service, who, minutes, reason, sure) -> Found:
    asked = None if sure else round_lengths.extension_doubt(minutes)
    if asked:
        return {"ask": asked}
    tables = sorted({*_playing(service), *_boardless(service)})  # those are told why they get none
    facts = {"minutes": minutes, "reason": reason}
    return _each(
        service,
        who,
        "room extended",
        facts,
        tables,
        lambda one: service.desk.extend(one, minutes, who.name, reason),
    )


def _policy(service, who, table, bits, reason):
    if not service.desk.tables:
        raise UserError("no round is published yet: publish one first")
    return service.desk.policy(table, bits, who.name, reason)


def _length(service, who, round, minutes, reason):
    return service.desk.length(round, minutes, who.name, reason, service.unix_ms)


def _codes(service, who, table) -> Found:
    return {"codes": [*shown_codes.shown(service.station, table, who.name)]}


def _lay_out(service, who, plan, wide, turning):
    told: hall_plan.HallPlan = {"rows": hall_plan.parse(plan), "wide": wide, "turning": turning}
    hall_plan.store(service.archive, told, who.name, service.unix_ms)


def _say(service, who, message, minutes):
    return service.desk.say(message, minutes * _MINUTE_S, who.name)


def _clock(service, who, passed) -> Found:
    return {"told": service.station.judge_clock(passed, who.name)}


ACTS = (
    WebAct("clock", HEAD, _clock, {"passed": (yes, REQUIRED)}),
    WebAct("pause_all", HEAD, _pause_all, {"reason": WHY}),
    WebAct("resume_all", HEAD, _resume_all),
    WebAct(
        "extend_all",
        HEAD,
        _extend_all,
        {"minutes": (whole(1, 120), REQUIRED), "reason": WHY, "sure": (yes, False)},
    ),
    WebAct(
        "policy",
        HEAD,
        _policy,
        {"table": (TABLE[0], None), "bits": (whole(0, 7), REQUIRED), "reason": REASON},
    ),
    WebAct("length", HEAD, _length, {"round": ROUND, "minutes": MINUTES, "reason": WHY}),
    WebAct("codes", JUDGE, _codes, {"table": TABLE}),
    WebAct(
        "lay_out",
        ORGANISER,
        _lay_out,
        {"plan": (block(12_000), ""), "wide": (whole(0, 60), 0), "turning": (yes, False)},
    ),
    WebAct(
        "say", ORGANISER, _say, {"message": (whole(0, 7), REQUIRED), "minutes": (whole(0, 600), 0)}
    ),
)
