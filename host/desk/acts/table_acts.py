"""A judge's acts at one table: calls, the clock, stamps, rolls and results."""

from collections.abc import Callable, Mapping

from firmware.core import events, intents, payload, phases, play
from firmware.core.intents import Intent
from firmware.core.match import Match
from host.archive.access_links import JUDGE
from host.base import commands
from host.base.errors import UserError
from host.base.json_values import Json
from host.base.sentences import Sentence
from host.desk import (
    code_entry,
    next_round,
    paper_entry,
    recent_presses,
    round_lengths,
    table_boards,
    turn_counting,
)
from host.desk.acts.act import HERE, Act, by_desk
from host.desk.acts.fields import (
    EXTENSION,
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
from host.desk.desk import OUTCOMES, SEATS, Desk, Games
from host.desk.staff import ActResult, Done, Staff
from host.desk.table_boards import NoBoard
from host.event import call_claims, call_minutes, calls_put_back, event_log
from host.event.call_claims import ClaimCard
from host.event.calls_put_back import PutBack
from host.event.judge_calls import calls
from host.keys import judge_codes
from host.systems.match_facts import has_narrow_win

_CODES = 3


def _orders(kind: Callable[..., Intent], *fields: int) -> Callable[..., ActResult]:
    """Return the function of an act that only orders an intent with these fields."""

    def order(staff: Staff, table: int, reason: str = "") -> ActResult:
        return staff.desk.command(kind, table, fields, staff.author, reason)

    return order


def _changes(kind: Callable[..., Intent], *fields: int) -> Callable[..., ActResult]:
    """Return the function of an act like ``_orders``, of an intent that may change a result."""

    def order(staff: Staff, table: int, reason: str = "") -> Done:
        orders = staff.desk.command(kind, table, fields, staff.author, reason)
        return Done(orders, remarks=_drawn_before(staff))

    return order


def _drawn_before(staff: Staff) -> list[Sentence]:
    """Return a remark on each round that was drawn before a result of the published one changed."""
    return next_round.drawn_before(staff.archive, staff.desk.published_round())


def _call_of(staff: Staff, table: int) -> tuple[Mapping[str, Json] | None, ClaimCard | None]:
    """Return a table's open call as last sent to pages, and the claim of this call in the archive;
    None for each that there is not.
    """
    call = staff.pages.call_at(staff.playing(table)) if staff.pages else None
    claim = call_claims.claims(staff.archive, staff.desk.round or 0).get(table)
    since_ms = call["since_ms"] if call else None
    if claim is None or not isinstance(since_ms, int) or claim["at_ms"] < since_ms:
        claim = None  # no claim, or that of an earlier call
    return call, claim


def _claim(staff: Staff, table: int, instead: bool) -> None:
    _require_free(staff, table, instead)
    _note_claim(staff, table)


def _unclaim(staff: Staff, table: int) -> None:
    _require_free(staff, table)
    _note_claim(staff, table, taken=False)


def _pass_to_head(staff: Staff, table: int) -> Sentence:
    """Pass a table's call on to the head judge."""
    call, claim = _call_of(staff, table)
    if call is None:
        raise UserError("no call of table {table} waits", table=table)
    if claim and claim["head"]:
        raise UserError("table {table} waits for the head judge already", table=table)
    _note_claim(staff, table, taken=False, head=True)
    return Sentence("table {table} waits for the head judge", table=table)


def _note_claim(
    staff: Staff, table: int, arrived_ms: int | None = None, taken: bool = True, head: bool = False
) -> None:
    """Store that a judge takes a table's call, gives it back, or passes it on to the head judge."""
    call_claims.claim(
        staff.archive, staff.desk.round or 0, table, staff.author,
        staff.link if taken else None, staff.now_ms, arrived_ms, head,
    )  # fmt: skip


def _require_free(staff: Staff, table: int, instead: bool = False) -> None:
    """Raise UserError if another link has claimed the call, unless this one goes ``instead``."""
    _, claim = _call_of(staff, table)
    if claim is None or not claim["by"]:  # nobody has claimed it, or it was given back
        return
    if instead or staff.link is None:  # at the terminal there is no link
        return
    if claim["link"] != staff.link.id:
        raise UserError("{by} is on the way already", by=claim["by"])


def _arrive(staff: Staff, table: int) -> ActResult:
    """Store that a judge is at a table, and so has its call. Its board is told, unless it shows no
    call: its match waits for a judge, or the call was put back.
    """
    call = None
    if staff.link:
        call, _ = _call_of(staff, table)
        if call and (call["asked"] or call["again"]):
            return _note_claim(staff, table, staff.now_ms)
    orders = staff.desk.command(intents.Arrive, table, (), staff.author)
    if call:
        _note_claim(staff, table, staff.now_ms)
    return orders


def _resolve(staff: Staff, table: int) -> Done:
    """End a table's call; the facts propose as many minutes of extension as it took."""
    fold, minutes = staff.station.hall.fold_at(table), None
    if fold is not None and fold.last_ms(events.JudgeCalled) is not None:
        minutes = call_minutes.proposed_minutes(fold, staff.now_ms)
    call = calls_put_back.standing(staff.archive, staff.desk.round or 0).get(table)
    if call is not None:
        calls_put_back.end(staff.archive, call, staff.author, staff.now_ms)
    orders = staff.desk.command(intents.EndCall, table, (), staff.author)
    return Done(orders, facts={"extend_proposed": minutes})


def _put_call_back(staff: Staff, table: int) -> Sentence:
    """Reopen a table's last call. Raises UserError if no call has ended in the published round."""
    archive, number = staff.archive, staff.desk.round
    found = [call for call in calls(archive) if (call.round, call.table) == (number, table)]
    if not found or number is None:
        raise UserError("no call of table {table} has ended in this round", table=table)
    last = found[-1]
    if last.open:
        raise UserError("table {table} is waiting for a judge already", table=table)
    call = PutBack(number, table, last.called_ms, last.type, staff.now_ms)
    calls_put_back.keep(archive, call, staff.author)
    _note_claim(staff, table, taken=False)
    return Sentence("table {table} is waiting for a judge again", table=table)


def _extend(staff: Staff, table: int, minutes: int, reason: str, sure: bool) -> ActResult:
    """Extend a table's time, or ask first if that is unusually long."""
    question = None if sure else round_lengths.extension_question(minutes)
    if question:
        return Done(ask=question)
    orders = staff.desk.extend(table, minutes, staff.author, reason)
    total = staff.desk.extension_s(table) // 60
    message = Sentence("Table {table}: {total} min more in all.", table=table, total=total)
    return Done(orders, message)


def _roll(staff: Staff, table: int, ruling: str) -> ActResult:
    fields = (int(ruling == "conclusive"),)
    return staff.desk.command(intents.RuleRoll, table, fields, staff.author)


def _rule(
    staff: Staff, table: int, outcome: str, games: Games | None, final: bool, sure: bool,
    reason: str,
) -> ActResult:  # fmt: skip
    """Rule a result, or ask first if it is unusual. A terminal's refusal for a table without a
    board names the line to type instead.
    """
    try:
        question = None if sure else staff.desk.ruling_question(table, outcome, games, final)
        if question:
            return Done(ask=question)
        orders = staff.desk.rule(table, outcome, games, staff.author, reason, final)
        remarks = _narrow_remarks(staff, table, outcome) + _drawn_before(staff)
        return Done(orders, remarks=remarks)
    except NoBoard as error:
        if staff.link:
            raise
        line = _on_paper(staff, table, outcome, games, reason or "slip")
        raise UserError("{why}: {line}", why=error.sentence, line=line) from None


def _narrow_remarks(staff: Staff, table: int, outcome: str) -> list[Sentence]:
    """Return a remark on a win that is ruled after time, where prizes may have decided it: a ruling
    cannot say that, and the win counts in full (D03 216).
    """
    fold = staff.station.hall.fold_at(table)
    form = staff.archive.roster.format_of(staff.desk.round or 0)
    if fold is None or form is None or not fold.match.called or outcome == "tie":
        return []
    if not has_narrow_win(form.bits, fold.match.rules):
        return []
    text = (
        "this counts as a full win: if prizes at time decided, tick that in the result from paper,"
        " or type {line}"
    )
    return [Sentence(text, line=f"result {table} {outcome} narrow slip")]


def _on_paper(staff: Staff, table: int, outcome: str, games: Games | None, reason: str) -> str:
    """Return the command that staff type to enter a ruling as a result from paper; ``sure``, as
    numbers of a ruling may be unusual.
    """
    numbers = staff.desk.paper_numbers(table, games)
    words = ["result", table, outcome]
    if numbers:
        words += [*numbers, "sure"]
    return " ".join(map(str, [*words, reason]))


def _prizes(staff: Staff, table: int, a: int, b: int, reason: str) -> ActResult:
    return staff.desk.set_penalties(table, (a, b), staff.author, reason)


def _code(staff: Staff, table: int, text: str) -> Done:
    """Enter the code on a table's screen."""
    sentence = code_entry.enter(staff, table, text)
    return Done(message=sentence, remarks=_drawn_before(staff))


def _codes(staff: Staff, table: int) -> Done:
    """Show a table's next one-time codes, as ``123 456``, and log that."""
    board = table_boards.require(staff.archive, table)
    staff.log(event_log.CODES, {"table": table})
    codes = judge_codes.codes(staff.station.keyring, staff.archive, board, _CODES)
    found = [f"{text[:3]} {text[3:]}" for _, text in codes]
    return Done(facts={"codes": [*found]}, shown=[f"table {table}: " + ", then ".join(found)])


def _presses(staff: Staff, table: int) -> Done:
    return Done(shown=recent_presses.lines(staff.station, table))


def _runs(match: Match | None) -> bool:
    """Return whether a clock may run: after time only an overtime with a clock of its own."""
    if match is None or match.phase not in (phases.TIME, phases.OVERTIME, phases.FINISHING):
        return True
    return match.phase == phases.OVERTIME and bool(match.overtime_s)


def _losable(match: Match | None) -> bool:
    """Return whether there is a game to lose (in progress or to come), or the match."""
    if match is None:
        return False
    single_game = intents.WIN_GAME not in match.rules.PLAYS
    return single_game or play.losable(match)


_PLAIN = {"table": TABLE}
_REASONED = {"table": TABLE, "reason": REASON}


def _of_row(row: commands.Command) -> Act:
    """Return the act that only orders a row's intent, with all fields 0."""
    intent = next(each for each in intents.CLASSES if each.kind == row.kind)
    fields = [0] * (len(payload.layout(intent.LAYOUT).names) - 1)  # all but the time
    return Act(
        row.word, JUDGE, _changes(intent, *fields), _REASONED, row.word.replace("_", ""),
        row.button, part="more", intent=row.kind, offered=lambda match: match is not None,
    )  # fmt: skip


_NUMBERS = Field(pair(whole(0, 999)), None, Typed.PAIR)
_PRIZES = Field(whole(0, 99))
ACTS = (
    Act("claim", JUDGE, _claim, _PLAIN | {"instead": Field(yes, False, Typed.FLAG)}),
    Act("unclaim", JUDGE, _unclaim, _PLAIN),
    Act("arrive", JUDGE, _arrive, _PLAIN, "arrive", "say that a judge is at the table"),
    Act("resolve", JUDGE, _resolve, _PLAIN, "done", "end a call"),
    Act("to_head", JUDGE, _pass_to_head, _PLAIN),
    Act("put_back", JUDGE, _put_call_back, _PLAIN, "putback", "reopen the call that ended last"),
    Act("freeze", JUDGE, _orders(intents.Freeze), _REASONED,
        "freeze", "stop a table's clock", intent=intents.FREEZE, offered=_runs),
    Act("resume", JUDGE, _orders(intents.Resume), _PLAIN,
        "resume", "resume a table's clock", intent=intents.RESUME),
    Act("extend", JUDGE, _extend,
        {"table": TABLE, "minutes": EXTENSION, "sure": SURE, "reason": WHY_ON_PAGES},
        "extend", "give a table more time, or take some back (-4)", intent=intents.EXTEND),
    Act("late", JUDGE, by_desk(Desk.stamp_late), {"table": TABLE, "seats": Field(choice(*SEATS))},
        "late", "mark a player late or away (A is named first, B second; - takes it back)",
        intent=intents.STAMP_LATE),
    Act("rule", JUDGE, _rule,
        {"table": TABLE, "outcome": Field(choice(*OUTCOMES)), "games": _NUMBERS,
         "final": Field(yes, False, Typed.FLAG), "sure": SURE, "reason": WHY_ON_PAGES},
        "rule",
        "rule the result, with games or points destroyed; both confirm it unless it is final",
        intent=intents.RULE_RESULT),
    Act("loss", JUDGE, by_desk(Desk.lose_game),
        {"table": TABLE, "seat": Field(choice("A", "B")), "reason": WHY},
        "loss", "give a player a game loss, of the game in progress or the next one",
        intent=intents.LOSE_GAME, offered=_losable),
    Act("result", JUDGE, paper_entry.enter,
        {"table": TABLE, "outcome": Field(choice(*OUTCOMES, paper_entry.NONE)),
         "numbers": _NUMBERS, "round": Field(whole(1, 255), None, Typed.NAMED), "sure": SURE,
         "narrow": Field(yes, False, Typed.FLAG), "reason": WHY},
        "result",
        "type a result from paper, with games or points destroyed; narrow: prizes at time decided;"
        " none withdraws it"),
    Act("approve", JUDGE, _changes(intents.ApproveResult), _REASONED,
        "approve", "approve what both seats confirmed (elimination)"),
    Act("reopen", JUDGE, _changes(intents.ReopenResult, 0),
        {"table": TABLE, "reason": WHY_ON_PAGES},
        "reopen", "reopen a result", intent=intents.REOPEN_RESULT),
    *[_of_row(row) for row in commands.COMMANDS if row.button],
    Act("turns", JUDGE, turn_counting.switch, {"table": TABLE, "on": Field(switch())},
        "turns",
        "count each turn before time, too; the judge's card and the incident log tell them"),
    Act("prizes", JUDGE, _prizes, {"table": TABLE, "a": _PRIZES, "b": _PRIZES, "reason": REASON},
        "adjust", "set both players' prize penalties, which are added before comparing",
        intent=intents.ADJUST_PRIZES),
    Act("roll", JUDGE, _roll, {"table": TABLE, "ruling": Field(choice("conclusive", "again"))},
        "roll", "rule a disputed roll"),
    Act("code", JUDGE, _code,
        {"table": TABLE, "text": Field(text(1, 40), REQUIRED, Typed.REST)}, "code",
        "enter a result by the code on the table's screen"),
    Act("codes", JUDGE, _codes, _PLAIN, "codes", "show a table's next one-time codes to a judge"),
    Act("presses", HERE, _presses, _PLAIN,
        "presses", "read the last ten key presses at a table, with their times"),
)  # fmt: skip
