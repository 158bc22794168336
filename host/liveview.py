"""The live table view in a terminal (rich), with the last lines said and the line being typed."""

from rich.console import Group
from rich.table import Table
from rich.text import Text

from host import tables

_COLUMNS = (("Table", "right"), ("Players", "left"), ("State", "left"), ("Clock", "right"), ("Notes", "left"))
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


def table_view(rows, title):
    """Return a rich Table of ``tables.Row``; states are words first, colours second."""
    table = Table(title=title, expand=True)
    for name, justify in _COLUMNS:
        table.add_column(name, justify=justify, no_wrap=name == "Clock")
    for row in rows:
        state = tables.result(row) if row.result or row.proposal else row.phase
        style = _STYLES.get(row.phase, "")
        cells = (tables.place(row), tables.names(row), state, tables.time_left(row), ", ".join(row.notes))
        table.add_row(*(Text(_plain(cell)) for cell in cells), style=style)
    return table


def whole_view(rows, title, lines, typed):
    """Return everything the terminal shows: tables, the last ``lines``, the prompt."""
    said = Text("\n".join(_plain(line) for line in lines[-LINES:]))
    return Group(table_view(rows, title), said, Text(f"> {typed}▏", style="bold"))


def _plain(text):
    """Return text that cannot steer a terminal: a name may hold anything."""
    return "".join(char for char in text if char.isprintable())
