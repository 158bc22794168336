"""A judge's acts at one table: calls, the clock, stamps, rolls and results."""

from collections.abc import Mapping

from firmware.core import events, intents
from host.archive.roles import JUDGE
from host.base.errors import UserError
from host.base.json_values import Json
from host.base.sentences import Sentence
from host.desk import (
    ended_calls,
    paper_entry,
    recent_presses,
    round_lengths,
    shown_codes,
    turn_counting,
)
from host.desk.acts.act import HERE, Act, Done, Found, Staff
from host.desk.acts.fields import (
    REASON,
    REQUIRED,
    SURE,
    TABLE,
    WHY,
    WHY_ON_PAGES,
    Field,
    Typed,
    choice,
    pair,
    switch,
    text,
    whole,
    yes,
)
from host.desk.desk import OUTCOMES, SEATS, Games
from host.desk.table_boards import NoBoard
from host.event import call_claims, call_minutes, result_codes
from host.event.call_claims import ClaimCard


def _waits(staff: Staff, table: int) -> tuple[Mapping[str, Json] | None, ClaimCard | None]:
    """Return a table's call as last sent to pages, and its claim in the archive; or Nones."""
    call = staff.pages.call_at(staff.playing(table)) if staff.pages else None
    held = call_claims.claims(staff.archive, staff.desk.round or 0).get(table)
    since_ms = call["since_ms"] if call else None
    return call, held if isinstance(since_ms, int) and held and held["at_ms"] >= since_ms else None


def _claim(staff: Staff, table: int, instead: bool) -> None:
    _free(staff, table, instead)
    _note_claim(staff, table)


def _unclaim(staff: Staff, table: int) -> None:
    _free(staff, table)
    _note_claim(staff, table, taken=False)


def _to_head(staff: Staff, table: int) -> Sentence:
    """Have a table's call wait for the head judge."""
    call, held = _waits(staff, table)
    if call is None:
        raise UserError("no call of table {table} waits", table=table)
    if held and held["head"]:
        raise UserError("table {table} waits for the head judge already", table=table)
    _note_claim(staff, table, taken=False, head=True)
    return Sentence("table {table} waits for the head judge", table=table)


def _note_claim(
    staff: Staff, table: int, arrived_ms: int | None = None, taken: bool = True, head: bool = False
) -> None:
    """Store that somebody goes to a table's call, or gives it back, or to the head judge."""
    call_claims.claim(
        staff.archive, staff.desk.round or 0, table, staff.author,
        staff.link if taken else None, staff.now_ms, arrived_ms, head,
    )  # fmt: skip


def _free(staff: Staff, table: int, instead: bool = False) -> None:
    """Refuse to replace another link's claim, unless ``instead``."""
    _, held = _waits(staff, table)
    elsewhere = held and held["by"] and staff.link and held["link"] != staff.link.id
    if held and elsewhere and not instead:
        raise UserError("{by} is on the way already", by=held["by"])


def _arrive(staff: Staff, table: int) -> Found:
    call, _ = _waits(staff, table) if staff.link else (None, None)
    if call is None or not (call["asked"] or call["again"]):
        return staff.desk.arrive(table, staff.author)
    return _note_claim(staff, table, staff.now_ms)


def _resolve(staff: Staff, table: int) -> Done:
    fold, minutes = staff.station.hall.fold_at(table), None
    if fold is not None and fold.last_ms(events.JudgeCalled) is not None:
        minutes = call_minutes.proposed_minutes(fold, staff.now_ms, running=True)
    ended_calls.end(staff.station, table, staff.author)
    made = staff.desk.end_call(table, staff.author)
    return Done(made, facts={"extend_proposed": minutes})


def _put_back(staff: Staff, table: int) -> Found:
    told = ended_calls.put_back(staff.station, table, staff.author)
    _note_claim(staff, table, taken=False)
    return told


def _freeze(staff: Staff, table: int, reason: str) -> Found:
    return staff.desk.freeze(table, staff.author, reason)


def _resume(staff: Staff, table: int) -> Found:
    return staff.desk.resume(table, staff.author)


def _extend(staff: Staff, table: int, minutes: int, reason: str, sure: bool) -> Found:
    asked = None if sure else round_lengths.extension_doubt(minutes)
    if asked:
        return Done(ask=asked)
    made = staff.desk.extend(table, minutes, staff.author, reason)
    total = staff.desk.extension_s(table) // 60
    said = Sentence("Table {table}: {total} min more in all.", table=table, total=total)
    return Done(made, said)


def _late(staff: Staff, table: int, seats: str) -> Found:
    return staff.desk.late(table, seats, staff.author)


def _roll(staff: Staff, table: int, ruling: str) -> Found:
    return staff.desk.rule_roll(table, ruling == "conclusive", staff.author)


def _rule(
    staff: Staff, table: int, outcome: str, games: Games | None, final: bool, sure: bool,
    reason: str,
) -> Found:  # fmt: skip
    try:
        asked = None if sure else staff.desk.doubt(table, outcome, games)
        if asked:
            return Done(ask=asked)  # nothing is ruled before it is confirmed
        return staff.desk.rule(table, outcome, games, staff.author, reason, final)
    except NoBoard as none:
        if staff.link:
            raise
        line = _on_paper(staff, table, outcome, games, reason or "slip")
        raise UserError("{why}: {line}", why=none.sentence, line=line) from None


def _on_paper(staff: Staff, table: int, outcome: str, games: Games | None, reason: str) -> str:
    """Return the line that types a ruling as a result from paper."""
    numbers = staff.desk.paper_numbers(table, games) or ()
    words = ["result", table, outcome, *numbers, *(["sure"] if numbers else []), reason]
    return " ".join(map(str, words))


def _loss(staff: Staff, table: int, seat: str, reason: str) -> Found:
    return staff.desk.lose_game(table, seat, staff.author, reason)


def _result(
    staff: Staff, table: int, outcome: str, numbers: Games | None, round: int | None, sure: bool,
    reason: str,
) -> Found:  # fmt: skip
    said, stored = paper_entry.enter(
        staff.station, table, outcome, numbers, staff.author, reason, round_number=round, sure=sure
    )
    return Done(told=said) if stored else Done(ask=said)


def _reopen(staff: Staff, table: int, reason: str) -> Found:
    return staff.desk.reopen(table, staff.author, reason)


def _approve(staff: Staff, table: int, reason: str) -> Found:
    return staff.desk.approve(table, staff.author, reason)


def _take_back(staff: Staff, table: int, reason: str) -> Found:
    return staff.desk.take_back(table, staff.author, reason)


def _turns(staff: Staff, table: int, on: bool) -> Found:
    return turn_counting.switch(staff.station, table, on, staff.author)


def _prizes(staff: Staff, table: int, a: int, b: int, reason: str) -> Found:
    return staff.desk.adjust(table, (a, b), staff.author, reason)


def _code(staff: Staff, table: int, text: str) -> Found:
    letters = "".join(text.split())
    return Done(told=result_codes.enter(staff.station, table, letters, staff.author))


def _codes(staff: Staff, table: int) -> Done:
    found = shown_codes.shown(staff.station, table, staff.author)
    return Done(facts={"codes": [*found]}, shown=[f"table {table}: " + ", then ".join(found)])


def _presses(staff: Staff, table: int) -> Done:
    return Done(shown=recent_presses.lines(staff.station, table))


_PLAIN = {"table": TABLE}
_REASONED = {"table": TABLE, "reason": REASON}
_NUMBERS = Field(pair(whole(0, 999)), None, Typed.PAIR)
_PRIZES = Field(whole(0, 99))
ACTS = (
    Act("claim", JUDGE, _claim, _PLAIN | {"instead": Field(yes, False, Typed.FLAG)}),
    Act("unclaim", JUDGE, _unclaim, _PLAIN),
    Act("arrive", JUDGE, _arrive, _PLAIN, "arrive", "say that a judge is at the table"),
    Act("resolve", JUDGE, _resolve, _PLAIN, "done", "end a call"),
    Act("to_head", JUDGE, _to_head, _PLAIN),
    Act("put_back", JUDGE, _put_back, _PLAIN, "putback", "reopen the call that ended last"),
    Act("freeze", JUDGE, _freeze, _REASONED,
        "freeze", "stop a table's clock", intent=intents.FREEZE),
    Act("resume", JUDGE, _resume, _PLAIN,
        "resume", "resume a table's clock", intent=intents.RESUME),
    Act("extend", JUDGE, _extend,
        {"table": TABLE, "minutes": Field(whole(-120, 120)), "sure": SURE, "reason": WHY_ON_PAGES},
        "extend", "give a table more time, or take some back (-4)", intent=intents.EXTEND),
    Act("late", JUDGE, _late, {"table": TABLE, "seats": Field(choice(*SEATS))},
        "late", "mark a player late or away (A is named first, B second; - takes it back)",
        intent=intents.STAMP_LATE),
    Act("rule", JUDGE, _rule,
        {"table": TABLE, "outcome": Field(choice(*OUTCOMES)), "games": _NUMBERS,
         "final": Field(yes, False, Typed.FLAG), "sure": SURE, "reason": WHY_ON_PAGES},
        "rule",
        "rule the result, with games or points destroyed; both confirm it unless it is final",
        intent=intents.RULE_RESULT),
    Act("loss", JUDGE, _loss, {"table": TABLE, "seat": Field(choice("A", "B")), "reason": WHY},
        "loss", "give a player a game loss, of the game in progress or the next one",
        intent=intents.LOSE_GAME),
    Act("result", JUDGE, _result,
        {"table": TABLE, "outcome": Field(choice(*OUTCOMES, paper_entry.NONE)),
         "numbers": _NUMBERS, "round": Field(whole(1, 255), None, Typed.NAMED), "sure": SURE,
         "reason": WHY},
        "result", "type a result from paper, with games or points destroyed; none withdraws it"),
    Act("approve", JUDGE, _approve, _REASONED,
        "approve", "approve what both seats confirmed (elimination)"),
    Act("reopen", JUDGE, _reopen, {"table": TABLE, "reason": WHY_ON_PAGES},
        "reopen", "reopen a result", intent=intents.REOPEN_RESULT),
    Act("take_back", JUDGE, _take_back, _REASONED,
        "takeback", "take back the last key press", part="more", intent=intents.TAKE_BACK),
    Act("turns", JUDGE, _turns, {"table": TABLE, "on": Field(switch())},
        "turns",
        "count each turn before time, too; the judge's card and the incident log tell them"),
    Act("prizes", JUDGE, _prizes, {"table": TABLE, "a": _PRIZES, "b": _PRIZES, "reason": REASON},
        "adjust", "add a judge's prize penalties before comparing", intent=intents.ADJUST_PRIZES),
    Act("roll", JUDGE, _roll, {"table": TABLE, "ruling": Field(choice("conclusive", "again"))},
        "roll", "rule a disputed roll"),
    Act("code", JUDGE, _code, {"table": TABLE, "text": Field(text(1, 40), REQUIRED, Typed.REST)},
        "code", "enter a result by the code on the table's screen"),
    Act("codes", JUDGE, _codes, _PLAIN, "codes", "show a table's next one-time codes to a judge"),
    Act("presses", HERE, _presses, _PLAIN,
        "presses", "read the last ten key presses at a table, with their times"),
)  # fmt: skip
