"""The live table view in a terminal (rich), with the last messages below it."""

from collections.abc import Sequence
from typing import TextIO

from rich.console import Console as Terminal
from rich.console import Group, JustifyMethod
from rich.table import Table
from rich.text import Text

from host.base.standard_streams import colour_stream, printable
from host.event import table_rows
from host.event.table_rows import Row

_COLUMNS: tuple[tuple[str, JustifyMethod], ...] = (
    ("Table", "right"),
    ("Players", "left"),
    ("State", "left"),
    ("Clock", "right"),
    ("Notes", "left"),
)
_WHOLE = ("Table", "Clock")  # never shortened; if space is short, the widest other column is
_STYLES = {
    "pregame": "blue",
    "playing": "green",
    "frozen": "reverse",
    "time": "bold red",
    "overtime": "bold red",
    "finishing": "bold red",
    "resolving": "yellow",
    "proposed": "yellow",
    "agreed": "dim",
}
LINES = 8
_FRAME = 7  # title, header, borders, caption


def terminal(file: TextIO | None = None, soft_wrap: bool = False) -> Terminal:
    """Return a Terminal on ``file`` (None: standard output) that prints texts unchanged: ``:CD:``
    in a certificate's fingerprint is no emoji, a name in brackets no colour. ``soft_wrap``: long
    lines stay whole.
    """
    file = colour_stream(file)
    return Terminal(file=file, markup=False, emoji=False, highlight=False, soft_wrap=soft_wrap)


def whole_screen(terminal: Terminal) -> bool:
    """Return whether ``terminal`` can show a view that is redrawn."""
    return terminal.is_terminal and not terminal.is_dumb_terminal


def table_view(rows: Sequence[Row], title: str, most: int | None = None) -> Table:
    """Return a rich Table of the ``most`` most urgent rows (None: all).

    Every state is a word; colours only repeat it.
    """
    shown_rows = rows if most is None else most_urgent(rows, most)
    more = len(rows) - len(shown_rows)
    caption = f"{more} more, finished or quiet; type: show tables" if more else None
    table = Table(title=printable(title), expand=True, caption=caption)
    for name, justify in _COLUMNS:
        table.add_column(name, justify=justify, no_wrap=name in _WHOLE)
    for row in shown_rows:
        state = table_rows.result(row) if row.result or row.proposal else row.phase
        style = _STYLES.get(row.phase, "")
        cells = (
            table_rows.place(row),
            table_rows.names(row),
            state,
            table_rows.time_left(row),
            ", ".join(row.notes),
        )
        table.add_row(*(_one_line(cell) for cell in cells), style=style)
    return table


def most_urgent(rows: Sequence[Row], most: int) -> list[Row]:
    """Return the ``most`` most urgent rows in the given order: urgent is who still plays, and of
    those as of the others who has notes.
    """

    def urgency(index: int) -> tuple[bool, bool, int]:
        is_over, is_quiet = rows[index].result is not None, not rows[index].notes
        return is_over, is_quiet, index

    most_urgent_first = sorted(range(len(rows)), key=urgency)
    return [rows[index] for index in sorted(most_urgent_first[: max(most, 1)])]


def _one_line(cell: str) -> Text:
    return Text(printable(cell), no_wrap=True, overflow="ellipsis")


def whole_view(
    rows: Sequence[Row],
    title: str,
    lines: Sequence[str],
    height: int | None = None,
    answer: int = 0,
) -> Group:
    """Return the view above the typed line: tables, and the last messages.

    The last ``answer`` of ``lines`` are shown whole, as far as ``height`` lines allow.
    """
    shown = max(LINES, answer)
    if height is not None:
        shown = max(1, min(shown, height - _FRAME - 1))
    lines = lines[-shown:]
    most = None if height is None else height - len(lines) - _FRAME
    messages = Text("\n".join(map(printable, lines)), no_wrap=True, overflow="ellipsis")
    return Group(table_view(rows, title, most), messages)
