"""Acts on the whole room: stop, restart, extend, switches, messages, the plan, the PC's clock.

Each gives an order to every table concerned; a table keeps earlier extensions.
"""

from collections.abc import Callable, Iterable

from firmware.core import intents, phases
from firmware.core.match import Match
from host.archive.access_links import HEAD, ORGANISER
from host.base.errors import UserError, at_table
from host.base.sentences import Sentence
from host.desk import hall_plan, room_stop, round_lengths, turn_counting
from host.desk.acts.act import HERE, Act, Done, Found, Staff
from host.desk.acts.fields import (
    EVERY,
    REASON,
    SURE,
    WHY_ON_PAGES,
    Field,
    block,
    switch,
    whole,
    yes,
)
from host.event import roll_policy

MESSAGES = ("next", "seats", "break", "lunch", "clear", "desk", "pairings", "thanks")
_MINUTE_S = 60
_MOST_MIN = 1092  # as many as a board's message holds
_SOUND = 8
_STILL = (phases.IDLE, phases.AGREED)


def _playing(staff: Staff) -> list[int]:
    """Return the tables of the round that still play; raises UserError for none."""
    desk, hall = staff.desk, staff.station.hall
    if desk.round is None:
        raise UserError("no round is published yet: publish one first")

    def plays(match: Match) -> bool:
        return match.phase not in _STILL

    found = [one for one in desk.tables if hall.match_at(one, desk.round, plays, False)]
    if not found:
        raise UserError("no table is in that state now")
    return found


def _boardless(staff: Staff) -> list[int]:
    """Return the tables without a result that have no board."""
    boards = {board.table for board in staff.archive.roster.current_boards.values()}
    return [table for table in staff.desk.open if table not in boards]


def _published(staff: Staff) -> list[int]:
    if not staff.desk.tables:
        raise UserError("no round is published yet: publish one first")
    return staff.desk.tables


def _each(staff: Staff, tables: list[int], act: Callable[[int], list[int]]) -> Done:
    """Do an act at every table; each that cannot take it says why."""
    with staff.archive.transaction():
        made, refused = at_every_table(tables, act)
    return Done(made, remarks=refused)


def _pause_all(staff: Staff, reason: str) -> Done:
    made = room_stop.stop(staff.station, staff.author, reason)
    return Done(made, shown=room_stop.lines(staff.station))


def _resume_all(staff: Staff) -> Found:
    return room_stop.run_on(staff.station, staff.author)


def _extend_all(staff: Staff, minutes: int, sure: bool, reason: str) -> Done:
    asked = None if sure else round_lengths.extension_doubt(minutes)
    if asked:
        return Done(ask=asked)
    # those without a board are named, with why they get none
    tables = _published(staff) if minutes <= 0 else sorted({*_playing(staff), *_boardless(staff)})
    with staff.archive.transaction():
        done = _each(
            staff, tables, lambda one: staff.desk.extend(one, minutes, staff.author, reason)
        )
        staff.log("room extended", {"minutes": minutes, "reason": reason, "orders": [*done.orders]})
    return done


def _turns_all(staff: Staff, on: bool) -> Done:
    return _each(
        staff,
        _published(staff),
        lambda one: turn_counting.switch(staff.station, one, on, staff.author),
    )


def _policy(staff: Staff, table: int | None, bits: int, reason: str) -> Found:
    return staff.desk.policy(table, bits, staff.author, reason)


def _sound(staff: Staff, table: int | None, on: bool) -> list[int]:
    """Set the sound of boards; their other switches keep their last ordered state."""
    with staff.archive.transaction():
        return [
            order
            for one in staff.boards(table)
            for order in staff.order(
                [one], intents.SetPolicy(staff.now_ms, _sounding(staff, one, on))
            )
        ]


def _sounding(staff: Staff, table: int, on: bool) -> int:
    return staff.desk.switches(table) & ~_SOUND | (_SOUND if on else 0)


def _lay_out(staff: Staff, plan: str, wide: int, turning: bool) -> None:
    laid: hall_plan.HallPlan = {"rows": hall_plan.parse(plan), "wide": wide, "turning": turning}
    hall_plan.store(staff.archive, laid, staff.author, staff.unix_ms)


def _say(staff: Staff, message: int, minutes: int) -> Found:
    said = intents.Say(staff.now_ms, message, minutes * _MINUTE_S)
    return staff.order(staff.boards(None), said)


def _clock(staff: Staff, passed: bool) -> Sentence:
    return staff.station.judge_clock(passed, staff.author)


def _believe(staff: Staff) -> Sentence:
    return staff.station.believe(staff.author)


def _beacon(staff: Staff, on: bool | None) -> Done:
    if on is None:
        none = "no gateway hears boards, so no beacon goes out"
        return Done(shown=[str(staff.station.beacon or none)])
    staff.station.switch_beacon(on, staff.author)
    state = Sentence("on") if on else Sentence("off")
    return Done(told=Sentence("the beacon is switched {state}", state=state))


ACTS = (
    Act("pause_all", HEAD, _pause_all, {"reason": WHY_ON_PAGES},
        "freeze all", "stop the whole room"),
    Act("resume_all", HEAD, _resume_all, {}, "resume all", "have the whole room go on"),
    Act("extend_all", HEAD, _extend_all,
        {"minutes": Field(whole(-120, 120)), "sure": SURE, "reason": WHY_ON_PAGES},
        "extend all", "give every table more time"),
    Act("turns_all", HERE, _turns_all, {"on": Field(switch())}, "turns all",
        "count each turn at every table"),
    Act("policy", HEAD, _policy,
        {"table": EVERY, "bits": Field(whole(0, 7, roll_policy.WORDS)), "reason": REASON},
        "luck", "the head judge's switch for coins and dice (informal: X-Wing dice too)"),
    Act("sound", HERE, _sound, {"table": EVERY, "on": Field(switch())}, "sound",
        "turn the boards' sound on or off"),
    Act("say", ORGANISER, _say,
        {"message": Field(whole(0, len(MESSAGES) - 1, {word: at for at, word in
                                                      enumerate(MESSAGES)})),
         "minutes": Field(whole(0, _MOST_MIN), 0)},
        "say", "show all idle boards a message, and in how many minutes the next round begins"),
    Act("lay_out", ORGANISER, _lay_out,
        {"plan": Field(block(12_000), ""), "wide": Field(whole(0, 60), 0),
         "turning": Field(yes, False)}),
    Act("beacon", ORGANISER, _beacon, {"on": Field(switch(), untyped=None)}, "beacon",
        "tell which gateways send the hall's beacon, or switch it on or off until serve ends"),
    Act("clock", HEAD, _clock, {"passed": Field(switch("passed", "wrong"))}, "clock",
        "answer where this PC's clock cannot be right: the time did pass, or the clock is wrong"),
    Act("believe", HERE, _believe, {}, "archive mine",
        "answer where another program has changed the archive: that was you, and it is right"),
)  # fmt: skip


def at_every_table(
    tables: Iterable[int], act: Callable[[int], list[int]]
) -> tuple[list[int], list[Sentence]]:
    """Do an act at every table; return the orders' ids, and why some tables cannot take it.

    Raises UserError where none can.
    """
    made: list[int] = []
    refused: list[tuple[int, UserError]] = []
    for table in tables:
        try:
            made += act(table)
        except UserError as mistake:
            refused.append((table, mistake))
    if refused and not made:
        said = {mistake.sentence for _, mistake in refused}
        raise refused[0][1] if len(said) == 1 else UserError(at_table(refused[0][1], refused[0][0]))
    return made, [at_table(mistake, table) for table, mistake in refused]
