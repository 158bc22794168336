"""The acts of organisers and judges as typed lines, until the desk's pages exist.

``ACTS`` is the whole language: a word, what follows it, what it does. A table is its number, or
``all`` where that makes sense.
"""

import functools
import shlex

from host.base.commands import MAY, MUST, NO, TYPED
from host.base.errors import UserError
from host.base.words import clock, order_text
from host.desk.desk import OUTCOMES, SEATS
from host.event import points, table_rows
from host.server import board_acts, hall_acts, link_acts
from host.server.act import Act
from host.server.act import whole as _whole

_START_LEAD_MS = 140_000  # the 2:00 before the round (P18 8.1) and time to tell every table


class Console:
    """Carries out typed lines on a Station; ``author`` is who types."""

    def __init__(self, station, author):
        self._station, self._author = station, author
        self._open = []  # ids of the orders whose fate was not told yet
        self.quitting = False
        self.table_numbering = self.desk_service = (
            None  # the latter is the web desk's, where one is served
        )

    @property
    def station(self):
        """The Station that acts go to."""
        return self._station

    @property
    def author(self):
        """Who types."""
        return self._author

    @property
    def acts(self):
        """The acts that can be typed."""
        return ACTS

    def run(self, line):
        """Do what a line says; return the lines to show."""
        try:
            words = shlex.split(line)
            if not words:
                return []
            act = _BY_WORD.get(words[0].casefold())
            if act is None:
                raise UserError(f"{words[0]!r} is not known here; try: help")
            return self._carry_out(act, words[1:])
        except (UserError, ValueError) as mistake:
            return [f"not done: {mistake}"]

    def _carry_out(self, act, words):
        least, most = _arity(act.usage)
        if not least <= len(words) <= most:
            raise UserError(f"say: {act.word} {act.usage}".rstrip())
        found = act.does(self, *words)
        if not found or isinstance(found[0], str):
            return found
        self._open += found
        tables_told = len({self._order(order_id).table for order_id in found})
        one = self._order(found[0])
        where = f"table {one.table}" if tables_told == 1 else f"{tables_told} tables"
        return [f"{act.word}: asked of {where}"]

    def news(self):
        """Return a line for every order of ours answered and every board passed since the last call."""
        orders = [self._order(order_id) for order_id in self._open]
        self._open = [order.id for order in orders if order.state == "pending"]
        passed = self.table_numbering.step() if self.table_numbering else []
        return passed + [order_text(order) for order in orders if order.state != "pending"]

    def _order(self, order_id):
        return self._station.archive.orders.get(order_id)

    # what the acts do

    def _start(self, minutes="0"):
        lead_ms = max(_START_LEAD_MS, round(_minutes(minutes) * 60_000))
        at_ms = self._station.collector.now_ms + lead_ms
        self._open += (found := self._desk.start(at_ms, self._author))
        return [
            f"the round starts in {clock(lead_ms)} at {len(found)} tables, the 2:00 before it in time"
        ]

    def _extend(self, table, minutes, *reason):
        return self.each(table, self._desk.extend, _whole(minutes), reason=" ".join(reason))

    def _late(self, table, seats):
        return self._desk.late(_whole(table), _choice(seats.upper(), SEATS), self._author)

    def _rule(self, table, winner, *rest):
        outcome = winner.casefold() if winner.casefold() == "tie" else winner.upper()
        rest = list(rest)
        final = "final" in rest and not rest.remove("final")
        sure = "sure" in rest and not rest.remove("sure")
        games = (
            tuple(_whole(rest.pop(0)) for _ in range(2))
            if rest and rest[0].isdigit() and len(rest) > 1
            else None
        )
        told = _whole(table), _choice(outcome, OUTCOMES), games
        asked = None if sure else self._desk.doubt(*told)
        if asked:
            raise UserError(f"{asked} Type it again with the word 'sure'")
        return self._desk.rule(*told, self._author, " ".join(rest), final)

    def _reopen(self, table, *reason):
        return self._desk.reopen(_whole(table), self._author, " ".join(reason))

    def _adjust(self, table, a, b):
        return self._desk.adjust(_whole(table), (_whole(a), _whole(b)), self._author)

    def _roll(self, table, ruling):
        conclusive = _choice(ruling.casefold(), {"conclusive": True, "again": False})
        return self._desk.rule_roll(_whole(table), conclusive, self._author)

    def _approve(self, table):
        return self._desk.approve(_whole(table), self._author)

    def _arrive(self, table):
        return self._desk.arrive(_whole(table), self._author)

    def _done(self, table):
        return self._desk.end_call(_whole(table), self._author)

    def _clear(self, table):
        return self.each(table, self._desk.clear)

    def _length(self, number, minutes, *reason):
        unix_ms = self._station.archive.roster.event.origin_unix_ms + self._station.collector.now_ms
        made = self._desk.length(
            _whole(number), _whole(minutes), self._author, " ".join(reason), unix_ms
        )
        return made or [f"round {number}: {minutes} minutes"]

    def _publish(self, number):
        return self._desk.publish(_whole(number), self._author)

    def _results(self):
        said = points.setting(self._station.archive)
        return [_result_line(row, said) for row in self._rows()] or ["no round is published yet"]

    def _tables(self):
        return [_table_line(row) for row in self._rows()] or ["no round is published yet"]

    def _boards(self):
        return table_rows.board_lines(self._station.collector)

    def _help(self, *word):
        if word and word[0].casefold() not in _BY_WORD:
            raise UserError(f"{word[0]!r} is not known here; try: help")
        acts = [_BY_WORD[word[0].casefold()]] if word else ACTS
        width = max(len(f"{act.word} {act.usage}") for act in acts)
        return [f"{act.word + ' ' + act.usage:<{width}}  {act.help}" for act in acts]

    def _quit(self):
        self.quitting = True
        return ["stopping; what was collected is on the disk"]

    @property
    def _desk(self):
        return self._station.desk

    def each(self, table, act, *rest, **named):
        """Do an act of the desk at a table, or at ``all``; return the orders' ids."""
        which = self._desk.tables if table.casefold() == "all" else [_whole(table)]
        if not which:
            raise UserError("no round is published yet")
        return [one for number in which for one in act(number, *rest, author=self._author, **named)]

    def _rows(self):
        station, desk = self._station, self._desk
        if desk.round is None:
            return []
        now_ms = station.collector.now_ms
        return table_rows.rows(station.archive, station.hall, station.collector, desk.round, now_ms)


def _formed(command):
    """Return the typed act of a command's form."""
    form = command.form
    count = len(form.numbers)

    def does(console, table, *rest):
        numbers = tuple(_whole(word) for word in rest[:count])
        for number, (name, least, most) in zip(numbers, form.numbers, strict=True):
            if not least <= number <= most:
                raise UserError(f"{name} is a whole number from {least} to {most}")
        asked = functools.partial(console.station.desk.command, command.kind)
        return console.each(table, asked, numbers=numbers, reason=" ".join(rest[count:]))

    usage = ["TABLE|all" if form.room else "TABLE", *(name.upper() for name, *_ in form.numbers)]
    usage += {NO: [], MAY: ["[REASON…]"], MUST: ["REASON…"]}[form.reason]
    return Act(form.typed, " ".join(usage), does, form.help)


ACTS = (
    Act("start", "[MINUTES]", Console._start, "start the round, in MINUTES or as soon as the 2:00 allow"),
    *map(_formed, TYPED.values()),
    Act("extend", "TABLE|all MINUTES [REASON…]", Console._extend, "give a table more time"),
    Act("late", "TABLE A|B|AB|-", Console._late, "stamp a player late or away (A is named first, B second; - takes back)"),
    Act("rule", "TABLE A|B|tie [GAMES_A GAMES_B] [final] [sure] [REASON…]", Console._rule,
        "rule the result; both seats confirm it unless it is final"),
    Act("approve", "TABLE", Console._approve, "approve what both seats confirmed (elimination)"),
    Act("reopen", "TABLE [REASON…]", Console._reopen, "open a result again"),
    Act("adjust", "TABLE A B", Console._adjust, "add a judge's prize penalties before comparing"),
    Act("roll", "TABLE conclusive|again", Console._roll, "rule a disputed roll"),
    Act("arrive", "TABLE", Console._arrive, "a judge is at the table"),
    Act("done", "TABLE", Console._done, "the call is dealt with"),
    Act("length", "ROUND MINUTES REASON…", Console._length, "change a round's length before its start"),
    Act("publish", "ROUND", Console._publish, "tell the tables a stored round"),
    Act("clear", "TABLE|all", Console._clear, "take the round off the tables"),
    *board_acts.ACTS,
    *hall_acts.ACTS,
    *link_acts.ACTS,
    Act("results", "", Console._results, "list results and who is still playing"),
    Act("tables", "", Console._tables, "list the tables as they stand"),
    Act("boards", "", Console._boards, "list boards, when heard, and what was refused"),
    Act("help", "[ACT]", Console._help, "this list, or how one act is used"),
    Act("quit", "", Console._quit, "stop collecting"),
)  # fmt: skip
_BY_WORD = {act.word: act for act in ACTS}


def _arity(usage):
    words = usage.split()
    return sum(not word.startswith("[") and not word.endswith("]") for word in words), (
        99 if "…" in usage else len(words)
    )


def _minutes(text):
    try:
        return float(text)
    except ValueError:
        raise UserError(f"{text!r} is not a number of minutes") from None


def _choice(word, choices):
    if word not in choices:
        raise UserError(f"{word!r} is none of {' '.join(choices)}")
    return choices[word] if isinstance(choices[word], bool) else word


def _result_line(row, said):
    worth = f"  {points.in_words(row.result, said)}" if row.result else ""
    return f"{table_rows.place(row)}  {table_rows.names(row)}  {table_rows.result(row)}{worth}"


def _table_line(row):
    parts = (
        table_rows.place(row),
        table_rows.names(row),
        row.phase,
        table_rows.time_left(row),
        *row.notes,
    )
    return "  ".join(part for part in parts if part)
