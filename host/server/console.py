"""The acts of organisers and judges as typed lines, as in ``serve``'s terminal.

``ACTS`` is the whole language: a word, its arguments, its function. A table is its number, or
``all`` if the act allows it.
"""

from host.archive.orders import PENDING, Order
from host.base.errors import UserError, at_table
from host.base.words import order_text
from host.desk.station import Station
from host.desk.table_boards import NoBoard
from host.event import points, table_rows
from host.server import board_acts, hall_acts, link_acts, match_acts, people_acts
from host.server.act import Act, Misread, words_of
from host.server.operator import Operator


class Console:
    """Carries out typed lines on a Station; ``author`` is who types, ``further`` are acts of the
    program around it.
    """

    def __init__(self, station: Station, author: str, further: tuple[Act, ...] = ()):
        self.operator = Operator(station, author)
        self.operator.acts = (*further, *ACTS)
        self.refused = False  # whether the last line did nothing: it can be set right then

    @property
    def quitting(self) -> bool:
        """Whether ``quit`` was typed."""
        return self.operator.quitting

    @property
    def acts(self) -> tuple[Act, ...]:
        """The acts that can be typed."""
        return self.operator.acts

    def word(self, line: str) -> str:
        """Return the act that a line begins with, "" for none of ours: what else it says may
        name somebody.
        """
        word = line.split(maxsplit=1)[0].casefold() if line.strip() else ""
        return word if self.operator.act(word) else ""

    def run(self, line: str) -> list[str]:
        """Carry out a line; return the lines to show."""
        try:
            self.refused = False
            words = words_of(line)
            return self._act(words[0].casefold(), words[1:]) if words else []
        except (UserError, ValueError) as mistake:
            self.refused = True
            return [f"not done: {mistake}"]

    def _act(self, word: str, words: list[str]) -> list[str]:
        """Carry out an act; a refusal says how it is used, or names its table."""
        act = self.operator.act(word)
        if act is None:
            raise UserError(f"{word!r} is not known here; try: help")
        try:
            return self._carry_out(act, words)
        except Misread as mistake:
            raise UserError(f"{mistake}; say: {act.word} {act.usage}") from None
        except NoBoard as mistake:
            raise UserError(f"{mistake}: result {words[0]} A|B|tie … slip") from None
        except UserError as mistake:
            if act.usage.startswith("TABLE") and words and words[0].isdigit():
                raise UserError(at_table(mistake, int(words[0]))) from None
            raise

    def _carry_out(self, act: Act, words: list[str]) -> list[str]:
        least, most = _arity(act.usage)
        if not least <= len(words) <= most:
            raise UserError(f"say: {act.word} {act.usage}".rstrip())
        found = act.does(self.operator, *words)
        lines = [one for one in found if isinstance(one, str)]
        made = [one for one in found if isinstance(one, int)]
        if not made:
            return lines
        self.operator.pending += made
        tables = sorted({order.table for order in map(self._order, made)})
        where = f"table {tables[0]}" if len(tables) == 1 else f"{len(tables)} tables"
        return [f"{act.word}: asked of {where}", *lines, *self.operator.boardless(tables)]

    def news(self) -> list[str]:
        """Return a line for every own order answered and every board numbered since the last
        call.
        """
        operator = self.operator
        orders = [self._order(order_id) for order_id in operator.pending]
        operator.pending = [order.id for order in orders if order.state == PENDING]
        numbered = operator.table_numbering.step() if operator.table_numbering else []
        return numbered + [order_text(order) for order in orders if order.state != PENDING]

    def _order(self, order_id: int) -> Order:
        order = self.operator.station.archive.orders.get(order_id)
        assert order is not None  # orders are never deleted
        return order


# acts that only show something


def _results(operator: Operator) -> list[str]:
    said = points.of_event(operator.station.archive)
    return [_result_line(row, said) for row in _rows(operator)] or ["no round is published yet"]


def _tables(operator: Operator) -> list[str]:
    return [_table_line(row) for row in _rows(operator)] or ["no round is published yet"]


def _boards(operator: Operator) -> list[str]:
    station = operator.station
    beacon = [station.beacon] if station.beacon else []
    return [*table_rows.board_lines(station.collector), *beacon]


def _help(operator: Operator, *word: str) -> list[str]:
    known = operator.act(word[0].casefold()) if word else None
    if word and known is None:
        raise UserError(f"{word[0]!r} is not known here; try: help")
    acts = [known] if known else operator.acts
    width = max(len(f"{act.word} {act.usage}") for act in acts)
    return [f"{act.word + ' ' + act.usage:<{width}}  {act.help}" for act in acts]


def _quit(operator: Operator) -> list[str]:
    operator.quitting = True
    return ["stopping; what was collected is on the disk"]


def _rows(operator: Operator) -> list[table_rows.Row]:
    station, number = operator.station, operator.desk.round
    if number is None:
        return []
    now_ms = station.collector.now_ms
    return table_rows.rows(station.archive, station.hall, station.collector, number, now_ms)


ACTS = (
    *match_acts.ACTS,
    *board_acts.ACTS,
    *hall_acts.ACTS,
    *people_acts.ACTS,
    *link_acts.ACTS,
    Act("results", "", _results, "list results and who is still playing"),
    Act("tables", "", _tables, "list the tables as they stand"),
    Act("boards", "", _boards, "list boards, when heard, and what was refused"),
    Act("help", "[ACT]", _help, "this list, or how one act is used"),
    Act("quit", "", _quit, "stop collecting"),
)


def _arity(usage: str) -> tuple[int, int]:
    """Return how many words an act takes, at least and at most."""
    words = usage.split()
    least = sum(not word.startswith("[") and not word.endswith("]") for word in words)
    return least, 99 if "…" in usage else len(words)


def _result_line(row: table_rows.Row, said) -> str:
    worth = f"  {points.in_words(row.result, said)}" if row.result else ""
    return f"{table_rows.place(row)}  {table_rows.names(row)}  {table_rows.result(row)}{worth}"


def _table_line(row: table_rows.Row) -> str:
    parts = (
        table_rows.place(row),
        table_rows.names(row),
        row.phase,
        table_rows.time_left(row),
        *row.notes,
    )
    return "  ".join(part for part in parts if part)
