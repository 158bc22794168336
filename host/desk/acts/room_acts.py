"""Acts on the whole room: stop, restart, extend, switches, messages, the plan, the PC's clock.

An act sends an order to each of its tables; extensions add to earlier ones.
"""

from collections.abc import Callable, Iterable

from firmware.core import intents, phases
from firmware.core.match import Match
from host.archive.access_links import HEAD, ORGANISER
from host.base.errors import UserError, at_table
from host.base.sentences import Sentence
from host.desk import hall_plan, room_stop, round_lengths, turn_counting
from host.desk.acts.act import HERE, Act, by_desk
from host.desk.acts.fields import (
    EVERY,
    EXTENSION,
    REASON,
    SURE,
    WHY_ON_PAGES,
    Field,
    block,
    switch,
    whole,
    yes,
)
from host.desk.desk import Desk
from host.desk.staff import ActResult, Done, Staff
from host.event import roll_policy

MESSAGES = ("next", "seats", "break", "lunch", "clear", "desk", "pairings", "thanks")
_MINUTE_S = 60
_MOST_MIN = 1092  # the maximum in a board's message
_SOUND = 8
_NOT_PLAYING = (phases.IDLE, phases.AGREED)


def _playing(staff: Staff) -> list[int]:
    """Return the tables of the round that still play, by their boards' records; a table of which no
    record of this round is here plays as long as it has no result. Raises UserError for none.
    """
    desk, hall = staff.desk, staff.station.hall
    without_result = desk.open

    def plays(match: Match) -> bool:
        return match.phase not in _NOT_PLAYING

    found = [
        table
        for table in desk.published_tables()
        if hall.match_at(table, desk.round, plays, default=table in without_result)
    ]
    if not found:
        raise UserError("no table is in that state now")
    return found


def _each(staff: Staff, tables: list[int], act: Callable[[int], list[int]]) -> Done:
    """Do an act at every table; the remarks say why some tables refuse it."""
    with staff.archive.transaction():
        orders, refused = at_every_table(tables, act)
    return Done(orders, remarks=refused)


def _extend_all(staff: Staff, minutes: int, sure: bool, reason: str) -> Done:
    """Extend all tables that still play, and log it as one act."""
    question = None if sure else round_lengths.extension_question(minutes)
    if question:
        return Done(ask=question)
    tables = staff.desk.published_tables() if minutes <= 0 else _playing(staff)
    with staff.archive.transaction():
        done = _each(
            staff, tables, lambda table: staff.desk.extend(table, minutes, staff.author, reason)
        )
        staff.log("room extended", {"minutes": minutes, "reason": reason, "orders": [*done.orders]})
    return done


def _turns_all(staff: Staff, on: bool) -> Done:
    return _each(
        staff,
        staff.desk.published_tables(),
        lambda table: turn_counting.switch(staff, table, on),
    )


def _switch_sound(staff: Staff, table: int | None, on: bool) -> list[int]:
    """Switch the sound of boards; other switches stay as last ordered."""
    orders = list[int]()
    with staff.archive.transaction():
        for each in staff.boards(table):
            switches = staff.desk.switches(each) & ~_SOUND
            if on:
                switches |= _SOUND
            orders += staff.order([each], intents.SetPolicy(staff.now_ms, switches))
    return orders


def _lay_out(staff: Staff, plan: str, wide: int, turning: bool) -> None:
    layout: hall_plan.HallPlan = {"rows": hall_plan.parse(plan), "wide": wide, "turning": turning}
    hall_plan.store(staff.archive, layout, staff.author, staff.unix_ms)


def _say(staff: Staff, message: int, minutes: int) -> ActResult:
    intent = intents.Say(staff.now_ms, message, minutes * _MINUTE_S)
    return staff.order(staff.boards(None), intent)


def _clock(staff: Staff, passed: bool) -> Sentence:
    return staff.station.answer_clock(passed, staff.author)


def _accept_changes(staff: Staff) -> Sentence:
    return staff.station.accept_foreign_changes(staff.author)


def _switch_beacon(staff: Staff, on: bool | None) -> Done:
    """Switch the beacon, or for None show its sentence."""
    if on is None:
        none = "no gateway hears boards, so no beacon goes out"
        return Done(shown=[str(staff.station.beacon or none)])
    staff.station.switch_beacon(on, staff.author)
    state = Sentence("on") if on else Sentence("off")
    return Done(message=Sentence("the beacon is switched {state}", state=state))


ACTS = (
    Act("pause_all", HEAD, room_stop.stop, {"reason": WHY_ON_PAGES},
        "freeze all", "stop the whole room"),
    Act("resume_all", HEAD, room_stop.resume, {}, "resume all", "have the whole room go on"),
    Act("extend_all", HEAD, _extend_all,
        {"minutes": EXTENSION, "sure": SURE, "reason": WHY_ON_PAGES},
        "extend all", "give every table more time"),
    Act("turns_all", HERE, _turns_all, {"on": Field(switch())}, "turns all",
        "count each turn at every table"),
    Act("policy", HEAD, by_desk(Desk.set_policy),
        {"table": EVERY, "bits": Field(whole(0, 7, roll_policy.WORDS)), "reason": REASON},
        "luck", "the head judge's switch for coins and dice (informal: X-Wing dice too)"),
    Act("sound", HERE, _switch_sound, {"table": EVERY, "on": Field(switch())}, "sound",
        "turn the boards' sound on or off"),
    Act("say", ORGANISER, _say,
        {"message": Field(whole(0, len(MESSAGES) - 1, {word: at for at, word in
                                                      enumerate(MESSAGES)})),
         "minutes": Field(whole(0, _MOST_MIN), 0)},
        "say", "show all idle boards a message, and in how many minutes the next round begins"),
    Act("lay_out", ORGANISER, _lay_out,
        {"plan": Field(block(12_000), ""), "wide": Field(whole(0, 60), 0),
         "turning": Field(yes, False)}),
    Act("beacon", ORGANISER, _switch_beacon, {"on": Field(switch(), untyped=None)}, "beacon",
        "tell which gateways send the hall's beacon, or switch it on or off until serve ends"),
    Act("clock", HEAD, _clock, {"passed": Field(switch("passed", "wrong"))}, "clock",
        "answer where this PC's clock cannot be right: the time did pass, or the clock is wrong"),
    Act("believe", HERE, _accept_changes, {}, "archive mine",
        "answer where another program has changed the archive: that was you, and it is right"),
)  # fmt: skip


def at_every_table(
    tables: Iterable[int], act: Callable[[int], list[int]]
) -> tuple[list[int], list[Sentence]]:
    """Do an act at every table; return the orders' ids, and the refusals of some tables.

    Raises UserError if every table refuses it.
    """
    orders: list[int] = []
    refused: list[tuple[int, UserError]] = []
    for table in tables:
        try:
            orders += act(table)
        except UserError as error:
            refused.append((table, error))
    if refused and not orders:
        table, first = refused[0]
        if all(error.sentence == first.sentence for _, error in refused):
            raise first
        raise UserError(at_table(first, table))
    return orders, [at_table(error, table) for table, error in refused]
