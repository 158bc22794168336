"""Acts on a round and its matches: start, length, clocks, results and calls."""

import functools

from firmware.core import intents
from host.base.commands import MAY, MUST, NO, TYPED, Command
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.base.words import amount, clock
from host.desk import ended_calls, paper_entry, room_stop, round_lengths
from host.desk.desk import OUTCOMES, SEATS, Games
from host.desk.table_boards import NoBoard
from host.server.act import Act, Answer, Misread, choice, whole
from host.server.operator import Operator

_START_LEAD_MS = 140_000  # the 2:00 before the round (P18 8.1) and time to tell every table
_LONGEST_WAIT_MIN = 600  # as on the organiser's page


def _start(operator: Operator, *words: str) -> list[str]:
    told = list(words)
    sure = _take("sure", told)
    lead_ms = max(_START_LEAD_MS, round(_minutes(told[0] if told else "0") * 60_000))
    at_ms = operator.station.collector.now_ms + lead_ms
    _sure(operator.desk.start_doubt(at_ms), sure)
    made = operator.desk.start(at_ms, operator.author)
    operator.pending += made
    return [
        f"the round starts in {clock(lead_ms)} at {amount(len(made), 'table')}, after the 2:00 of"
        " set-up"
    ]


def _extend(operator: Operator, table: str, minutes: str, *rest: str) -> Answer:
    reason = list(rest)
    _sure(round_lengths.extension_doubt(whole(minutes)), _take("sure", reason))
    made = operator.each(table, operator.desk.extend, whole(minutes), reason=" ".join(reason))
    if made or not table.isdigit():
        return made
    left = operator.desk.extension_s(whole(table)) // 60  # what was never sent is withdrawn
    return [f"table {table}: {amount(left, 'minute')} of extension in all"]


def _late(operator: Operator, table: str, seats: str) -> list[int]:
    return operator.desk.late(whole(table), choice(seats.upper(), SEATS), operator.author)


def _rule(operator: Operator, table: str, winner: str, *rest: str) -> list[int]:
    words = list(rest)
    final, sure = _take("final", words), _take("sure", words)
    games = None
    if len(words) > 1 and words[0].isdigit():
        games = whole(words.pop(0)), whole(words.pop(0))
    outcome = winner.casefold() if winner.casefold() == "tie" else winner.upper()
    ruled, reason = (whole(table), choice(outcome, OUTCOMES), games), " ".join(words)
    try:
        _sure(operator.desk.doubt(*ruled), sure)
        return operator.desk.rule(*ruled, operator.author, reason, final)
    except NoBoard as none:
        raise UserError(f"{none}: {_on_paper(operator, *ruled, reason or 'slip')}") from None


def _on_paper(operator: Operator, table: int, outcome: str, games: Games | None, reason: str):
    """Return the line that types a ruling as a result from paper."""
    numbers = operator.desk.counted(table, games) or ()
    words = ["result", table, outcome, *numbers, *(["sure"] if numbers else []), reason]
    return " ".join(map(str, words))


def _loss(operator: Operator, table: str, seat: str, *reason: str) -> list[int]:
    loser = choice(seat.upper(), ("A", "B"))
    return operator.desk.lose_game(whole(table), loser, operator.author, " ".join(reason))


def _result(operator: Operator, table: str, winner: str, *rest: str) -> list[str]:
    words = list(rest)
    sure, numbers, number = _take("sure", words), None, None
    if len(words) > 1 and words[0].isdigit() and words[1].isdigit():
        numbers = whole(words.pop(0)), whole(words.pop(0))
    if len(words) > 1 and words[0].casefold() == "round":
        number = whole(words[1])
        del words[:2]
    plain = winner.casefold()
    outcome = plain if plain in ("tie", paper_entry.NONE) else winner.upper()
    choice(outcome, (*OUTCOMES, paper_entry.NONE))
    said, stored = paper_entry.enter(
        operator.station, whole(table), outcome, numbers, operator.author, " ".join(words),
        round_number=number, sure=sure,
    )  # fmt: skip
    if not stored:
        raise UserError(f"{said} Type it again with the word 'sure'")
    return [said]


def _take(word: str, words: list[str]) -> bool:
    """Remove a word from ``words``; return whether it was there."""
    there = word in words
    if there:
        words.remove(word)
    return there


def _reopen(operator: Operator, table: str, *reason: str) -> list[int]:
    return operator.desk.reopen(whole(table), operator.author, " ".join(reason))


def _adjust(operator: Operator, table: str, a: str, b: str) -> list[int]:
    return operator.desk.adjust(whole(table), (whole(a), whole(b)), operator.author)


def _roll(operator: Operator, table: str, ruling: str) -> list[int]:
    conclusive = choice(ruling.casefold(), ("conclusive", "again")) == "conclusive"
    return operator.desk.rule_roll(whole(table), conclusive, operator.author)


def _approve(operator: Operator, table: str) -> list[int]:
    return operator.desk.approve(whole(table), operator.author)


def _arrive(operator: Operator, table: str) -> list[int]:
    return operator.desk.arrive(whole(table), operator.author)


def _put_back(operator: Operator, table: str) -> list[str]:
    return [ended_calls.put_back(operator.station, whole(table), operator.author)]


def _done(operator: Operator, table: str) -> list[int]:
    ended_calls.end(operator.station, whole(table), operator.author)
    return operator.desk.end_call(whole(table), operator.author)


def _clear(operator: Operator, table: str) -> Answer:
    return operator.each(table, operator.desk.clear)


def _length(operator: Operator, number: str, minutes: str, *reason: str) -> list[int] | list[str]:
    station = operator.station
    unix_ms = station.archive.roster.current_event.origin_unix_ms + station.collector.now_ms
    made = operator.desk.length(
        whole(number), whole(minutes), operator.author, " ".join(reason), unix_ms
    )
    return made or [f"round {number}: {minutes} minutes"]


def _publish(operator: Operator, number: str) -> Answer:
    made = operator.desk.publish(whole(number), operator.author)
    return [*made] or [f"round {number} is published already"]


def _stop_room(operator: Operator, reason: str) -> Answer:
    made = room_stop.stop(operator.station, operator.author, reason)
    operator.pending += made
    return [
        f"the whole room stops: {amount(len(made), 'table')} asked",
        *room_stop.lines(operator.station),
    ]


def _run_on(operator: Operator, reason: str) -> Answer:
    return room_stop.run_on(operator.station, operator.author)


_ROOM = {intents.FREEZE: _stop_room, intents.RESUME: _run_on}


def _formed(command: Command) -> Act:
    """Return the typed act of a command's form."""
    form = command.form
    assert form is not None  # ``TYPED`` has those with one
    count = len(form.numbers)

    def does(operator: Operator, table: str, *rest: str) -> Answer:
        numbers = tuple(whole(word) for word in rest[:count])
        for number, (name, least, most) in zip(numbers, form.numbers, strict=True):
            if not least <= number <= most:
                raise Misread(f"{name} is a whole number from {least} to {most}")
        if table.casefold() == "all" and command.kind in _ROOM:
            return _ROOM[command.kind](operator, " ".join(rest[count:]))
        asked = functools.partial(operator.desk.command, command.kind, numbers=numbers)
        return operator.each(table, asked, reason=" ".join(rest[count:]))

    usage = ["TABLE|all" if form.room else "TABLE", *(name.upper() for name, *_ in form.numbers)]
    usage += {NO: [], MAY: ["[REASON…]"], MUST: ["REASON…"]}[form.reason]
    return Act(form.typed, " ".join(usage), does, form.help)


def _minutes(text: str) -> float:
    """Return minutes; raises Misread for what is no number of them."""
    try:
        minutes = float(text)
    except ValueError:
        minutes = -1.0
    if not 0 <= minutes <= _LONGEST_WAIT_MIN:
        raise Misread(f"{text!r} is not a number of minutes from 0 to {_LONGEST_WAIT_MIN}")
    return minutes


def _sure(asked: Sentence | None, sure: bool):
    """Raise UserError with a question that was not answered yet."""
    if asked and not sure:
        raise UserError(f"{asked} Type it again with the word 'sure'")


ACTS = (
    Act("start", "[MINUTES] [sure]", _start,
        "start the round in MINUTES, or after the 2:00 of set-up"),
    *map(_formed, TYPED.values()),
    Act("extend", "TABLE|all MINUTES [sure] [REASON…]", _extend,
        "give a table more time, or take some back (-4)"),
    Act("late", "TABLE A|B|AB|-", _late,
        "mark a player late or away (A is named first, B second; - takes it back)"),
    Act("rule", "TABLE A|B|tie [NUMBER_A NUMBER_B] [final] [sure] [REASON…]", _rule,
        "rule the result, with games or points destroyed; both confirm it unless it is final"),
    Act("loss", "TABLE A|B REASON…", _loss,
        "give a player a game loss, of the game in progress or the next one"),
    Act("result", "TABLE A|B|tie|none [NUMBER_A NUMBER_B] [round N] [sure] REASON…", _result,
        "type a result from paper, with games or points destroyed; none withdraws it"),
    Act("approve", "TABLE", _approve, "approve what both seats confirmed (elimination)"),
    Act("reopen", "TABLE [REASON…]", _reopen, "reopen a result"),
    Act("adjust", "TABLE A B", _adjust, "add a judge's prize penalties before comparing"),
    Act("roll", "TABLE conclusive|again", _roll, "rule a disputed roll"),
    Act("arrive", "TABLE", _arrive, "say that a judge is at the table"),
    Act("done", "TABLE", _done, "end a call"),
    Act("putback", "TABLE", _put_back, "reopen the call that ended last"),
    Act("length", "ROUND MINUTES REASON…", _length, "change a round's length before its start"),
    Act("publish", "ROUND", _publish, "publish a stored round at the tables"),
    Act("clear", "TABLE|all", _clear, "clear the round from the tables"),
)  # fmt: skip
