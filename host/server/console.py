"""The typed desk: acts as lines, as in ``serve``'s terminal.

``ACTS`` are the words of the terminal alone; all others are rows of ``host.desk.acts.table``. A
table is its number, or ``all`` if the act allows it.
"""

import pathlib
from collections.abc import Iterable

from firmware.core import answers, intents
from host.archive.orders import PENDING, Order
from host.base import commands
from host.base.errors import UserError, at_table
from host.base.private_files import write_whole
from host.base.words import amount
from host.desk import tom_copy
from host.desk.acts import fields, table, typed_line
from host.desk.acts.act import HERE, Act
from host.desk.acts.fields import Field, choice, text
from host.desk.staff import ActResult, Done, PageSide, Staff
from host.desk.station import Station
from host.desk.table_boards import NoBoard
from host.desk.table_numbering import TableNumbering
from host.event import points, table_rows
from host.reports.export_forms import FORMS, TOMS
from host.tournament import event_pack

_RENAMED = {  # old words, for one version more
    "links": "link list",
    "unlink": "link revoke",
    "results": "show results",
    "tables": "show tables",
    "boards": "show boards",
}
_REFUSALS = {
    answers.ILLEGAL: "not possible at that table now",
    answers.SUPERSEDED: "replaced by a newer order",
    answers.UNKNOWN: "the board does not know this order",
    answers.TIME_STEP: "the board cannot accept the computer's time",
}
_MOST_NAMED = 5  # tables in one line


class Operator(Staff):
    """The person ``author`` at a Station's terminal.

    ``table_numbering`` is the numbering in progress, or None. ``acts`` are the acts that can be
    typed, ``pending`` the ids of the orders whose answer was not shown yet.
    """

    def __init__(self, station: Station, author: str, further: Iterable[Act] = ()):
        super().__init__(station, author)
        self.acts = (*further, *table.ACTS, *ACTS)
        self.table_numbering: TableNumbering | None = None
        self.pending: list[int] = []
        self.quitting = False

    def boardless(self, tables: Iterable[int]) -> list[str]:
        """Return a line on those of ``tables`` that have no board to take an order; [] for none."""
        boards = {board.address for board in self.archive.roster.current_boards.values()}
        numbers = [str(number) for number in tables if number not in boards]
        if not numbers:
            return []
        if len(numbers) == 1:
            places, typed = f"table {numbers[0]}", numbers[0]
        else:
            places, typed = f"tables {', '.join(numbers[:_MOST_NAMED])}", "TABLE"
        if len(numbers) > _MOST_NAMED:
            places += f" and {len(numbers) - _MOST_NAMED} more"
        return [
            f"{places}: no board is there to take it; swap a spare in, or: result {typed} … slip"
        ]


class Console:
    """Carries out typed lines on a Station; ``author`` types them, ``further`` are acts of the
    program around it.
    """

    def __init__(self, station: Station, author: str, further: Iterable[Act] = ()):
        self.operator = Operator(station, author, further)
        self.refused = False  # whether the last line was refused, so that it can be corrected

    @property
    def quitting(self) -> bool:
        """Whether ``quit`` was typed."""
        return self.operator.quitting

    @property
    def acts(self) -> tuple[Act, ...]:
        """The acts that can be typed."""
        return tuple(act for act in self.operator.acts if act.typed)

    def serve_pages(self, pages: PageSide) -> None:
        """Let acts on links reach the web desk."""
        self.operator.pages = pages

    def word(self, line: str) -> str:
        """Return the words of the act with which a line begins, "" for an unknown act: the rest of
        a line may name somebody.
        """
        act = typed_line.find(self.operator.acts, _current_words(line.split()))
        return act.typed if act else ""

    def run(self, line: str) -> list[str]:
        """Carry out a line; return the lines to show."""
        notes: list[str] = []
        try:
            self.refused = False
            words = typed_line.words_of(line)
            if not words:
                return []
            new = _current_words(words)
            if new != words:
                notes.append(f"old words, dropped in the next version; use: {' '.join(new)}")
            return [*self._act(new), *notes]
        except (UserError, ValueError) as mistake:
            self.refused = True
            return [f"not done: {mistake}", *notes]

    def _act(self, words: list[str]) -> list[str]:
        """Carry out an act; refusals name its table."""
        act = typed_line.find(self.operator.acts, words)
        if act is None:
            raise self._unknown(words[0].casefold())
        body = typed_line.body(act, words[len(act.typed.split()) :])
        try:
            values = fields.read(act.fields, body, typed=True)
        except fields.Malformed as mistake:
            raise UserError(f"{mistake}; say: {typed_line.full_usage(act)}") from None
        number = values.get("table")
        try:
            result = act.does(self.operator, **values)
            done = Done.of(result)
            return self._outcome_lines(act, done, number) or _unsaid(act, result)
        except NoBoard as mistake:
            table = mistake.sentence.values["table"]
            raise UserError(f"{mistake}: result {table} A|B|tie … slip") from None
        except UserError as mistake:
            if isinstance(number, int):
                raise UserError(at_table(mistake, number)) from None
            raise

    def _unknown(self, word: str) -> UserError:
        """Return the refusal of a line that is no act; some acts may begin with its first word."""
        usages = [typed_line.full_usage(act) for act in self.acts if act.typed.split()[0] == word]
        if usages:
            return UserError(f"say: {', or: '.join(usages)}")
        return UserError(f"{word!r} is not known here; try: help")

    def _outcome_lines(self, act: Act, done: Done, number: fields.Value) -> list[str]:
        """Return the lines on an act's outcome; raises UserError with its question, if any."""
        if done.ask:
            question = at_table(done.ask, number) if isinstance(number, int) else done.ask
            raise UserError(f"{question} Type it again with the word 'sure'")
        self.operator.pending += done.orders
        tables = sorted({order.table for order in map(self._order, done.orders)})
        lines: list[str] = []
        if done.message:
            lines.append(done.message)
        elif tables:
            where = f"table {tables[0]}" if len(tables) == 1 else amount(len(tables), "table")
            lines.append(f"{act.typed.split()[0]}: asked of {where}")
        left_out = tables and not isinstance(number, int)  # some of several tables
        lines += [f"not done: {remark}" if left_out else remark for remark in done.remarks]
        return [*map(str, lines), *done.shown, *self.operator.boardless(tables)]

    def news(self) -> list[str]:
        """Return a line for every own order that was answered and every board that was numbered
        since the last call.
        """
        operator = self.operator
        orders = [self._order(order_id) for order_id in operator.pending]
        operator.pending = [order.id for order in orders if order.state == PENDING]
        numbered = operator.table_numbering.step() if operator.table_numbering else []
        return numbered + [order_text(order) for order in orders if order.state != PENDING]

    def _order(self, order_id: int) -> Order:
        order = self.operator.archive.orders.get(order_id)
        assert order is not None  # orders are never deleted
        return order


def _unsaid(act: Act, result: ActResult) -> list[str]:
    """Return the line on an act that has nothing to say; a Done without words wants none."""
    if isinstance(result, Done):
        return []
    return [f"{act.typed}: {'done' if result is None else 'nothing was sent to any board'}"]


def _current_words(words: list[str]) -> list[str]:
    """Return typed words with an act's old words replaced by the current ones."""
    if not words:
        return []
    first = _RENAMED.get(words[0].casefold(), words[0])
    return [*first.split(), *words[1:]]


# acts of the terminal alone


def _results(operator: Operator) -> Done:
    worth = event_pack.points_of(operator.archive)
    return _done(_result_line(row, worth) for row in _rows(operator))


def _tables(operator: Operator) -> Done:
    return _done(map(_table_line, _rows(operator)))


def _done(lines: Iterable[str]) -> Done:
    return Done(shown=[*lines] or ["no round is published yet"])


def _boards(operator: Operator) -> Done:
    station = operator.station
    beacon = [station.beacon] if station.beacon else []
    return Done(shown=[*table_rows.board_lines(station.collector), *beacon])


def _walk(operator: Operator, first: str) -> Done:
    if first.casefold() == "stop":
        numbered = operator.table_numbering.numbered if operator.table_numbering else {}
        operator.table_numbering = None
        return Done(shown=[f"the walk is over: {amount(len(numbered), 'table')} numbered"])
    if not (first.isascii() and first.isdigit() and len(first) < 6):
        raise UserError(f"{first!r} is not a whole number; say: walk [FIRST|stop]")
    operator.table_numbering = TableNumbering(operator.station, operator.author, int(first))
    return Done(shown=[f"hold J at each board in turn, from table {first} on; then: walk stop"])


def _help(operator: Operator, act: str) -> Done:
    known = [each for each in operator.acts if each.typed]
    if act:
        words = _current_words(act.casefold().split())
        known = [each for each in known if each.typed.split()[: len(words)] == words]
    if not known:
        raise UserError(f"{act!r} is not known here; try: help")
    width = max(len(typed_line.full_usage(each)) for each in known)
    return Done(shown=[f"{typed_line.full_usage(each):<{width}}  {each.help}" for each in known])


def _export(operator: Operator, form: str, folder: str) -> Done:
    archive, hall, into = operator.archive, operator.station.hall, pathlib.Path(folder)
    try:
        if form == TOMS:
            tdf = tom_copy.load(archive)
            filled = tom_copy.fill(archive, hall, tdf)
            paths, _ = tom_copy.write(tdf, filled, into, original=False)
            return Done(shown=[*map(str, paths), *map(str, tom_copy.remarks(archive, hall, tdf))])
        pack = event_pack.pack_of(archive, operator.packs.values())
        name, text = FORMS[form](archive, hall, pack)
        write_whole(into / name, text, new_folder=True)
    except OSError as failure:
        raise UserError(f"{into} cannot be written: {failure.strerror}") from None
    return Done(shown=[str(into / name)])


def _quit(operator: Operator) -> Done:
    operator.quitting = True
    return Done(shown=["stopping; what was collected is on the disk"])


def _rows(operator: Operator) -> list[table_rows.Row]:
    station, number = operator.station, operator.desk.round
    if number is None:
        return []
    return table_rows.rows(
        station.archive, station.hall, station.collector, number, operator.now_ms
    )


_FORM = fields.Kind(choice(*FORMS, TOMS).read, {}, shown="|".join([*FORMS, TOMS]))
_FOLDER = fields.Kind(text(0, 1000).read, {}, shown="FOLDER")
_FIRST = fields.Kind(text(1, 8).read, {}, shown="FIRST|stop")
ACTS = (
    Act("walk", HERE, _walk, {"first": Field(_FIRST, "1")}, "walk",
        "number tables in the order in which J is held at them"),
    Act("results", HERE, _results, {}, "show results", "list results and who is still playing"),
    Act("tables", HERE, _tables, {}, "show tables", "list the tables as they stand"),
    Act("boards", HERE, _boards, {}, "show boards",
        "list boards, when heard, and what was refused"),
    Act("export", HERE, _export, {"form": Field(_FORM), "folder": Field(_FOLDER, ".")}, "export",
        "write a file to take home; tdf is TOM's that was read last, filled in"),
    Act("help", HERE, _help, {"act": Field(text(1, 40), "")}, "help",
        "this list, or how one act is used"),
    Act("quit", HERE, _quit, {}, "quit", "stop collecting"),
)  # fmt: skip


def _result_line(row: table_rows.Row, worth) -> str:
    won = f"  {points.in_words(row.result, worth)}" if row.result else ""
    return f"{table_rows.place(row)}  {table_rows.names(row)}  {table_rows.result(row)}{won}"


def _table_line(row: table_rows.Row) -> str:
    parts = (
        table_rows.place(row),
        table_rows.names(row),
        row.phase,
        table_rows.time_left(row),
        *row.notes,
    )
    return "  ".join(part for part in parts if part)


def order_text(order: Order) -> str:
    """Return an Order's request and its state, in words."""
    command = commands.of(order.kind)
    what = f"table {order.table}: {command.asked if command else order.kind}"
    if order.state != "refused":
        return f"{what}: {order.state}"
    if order.kind == intents.SET_FORMAT and order.refusal == answers.ILLEGAL:
        return (
            f"{what}: refused, its board carries other rules (plusthree board deploy --system), or"
            " its round has begun"
        )
    return f"{what}: refused, {_REFUSALS.get(order.refusal, order.refusal)}"
