"""What the demo shows in the terminal: the desk's live view, and the results at the end."""

from __future__ import annotations

import asyncio
from asyncio import AbstractEventLoop
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from rich.live import Live
from rich.table import Table
from rich.text import Text

from host.event import table_rows
from host.reports.exports import ResultLine, tally
from host.server.live_view import table_view, terminal

if TYPE_CHECKING:
    from host.sim.types import Venue


EVERY_S = {True: 1, False: 60}  # of virtual time: live or not
WORDS = {"A": "▲ wins", "B": "● wins", "tie": "tie", None: "open"}


class Progress:
    """A context that shows the ``venue``'s tables while time passes."""

    def __init__(self, loop: AbstractEventLoop, venue: Venue, live: bool):
        self._loop, self._venue, self._every_s = loop, venue, EVERY_S[live]
        self._round: int | None = None
        self._task: asyncio.Task[None] | None = None
        self._view = Live(console=terminal(), auto_refresh=False, transient=True)

    def __enter__(self) -> Self:
        self._view.start()
        self._task = self._loop.create_task(self._run())
        return self

    def __exit__(self, *failure):
        assert self._task is not None
        self._task.cancel()
        self._view.stop()

    def begin(self, number: int) -> None:
        """Show round ``number`` from now on."""
        self._round = number

    async def _run(self):
        while True:
            if self._round is not None:
                self._show(self._round)
            await asyncio.sleep(self._every_s)

    def _show(self, number: int):
        station, now_ms = self._venue.station, self._venue.now_ms()
        event = station.archive.roster.event
        assert event is not None  # the venue has opened it
        rows = table_rows.rows(station.archive, station.hall, station.collector, number, now_ms)
        minutes, seconds = divmod(int(self._loop.time()), 60)
        title = f"{event.name}, round {number} · {minutes}:{seconds:02}"
        self._view.update(table_view(rows, title), refresh=True)


def report(lines: Sequence[ResultLine], pictures: int) -> None:
    """Print each table's outcome with its section, and wins, losses and ties by player."""
    console = terminal()
    console.print(_outcomes(lines))
    console.print(_tally(lines))
    console.print(f"{pictures} screens drawn.")


def _outcomes(lines):
    table = Table(title="Outcomes")
    for column in ("Table", "▲", "●", "Outcome", "Games", "Section", "By"):
        table.add_column(column, justify="right" if column == "Table" else "left")
    for line in sorted(lines, key=lambda one: one["table"]):
        games = "" if line["outcome"] is None else f"{line['games_a']}–{line['games_b']}"
        cells = (str(line["table"]), line["name_a"], line["name_b"], WORDS[line["outcome"]], games,
                 line["section"] or "in time", line["by"] or "")  # fmt: skip
        table.add_row(*(Text(cell) for cell in cells))
    return table


def _tally(lines):
    names = {line[f"number_{seat}"]: line[f"name_{seat}"] for line in lines for seat in "ab"}
    table = Table(title="Wins, losses, ties (no points: the rules leave them open)")
    for column in ("Player", "Name", "W", "L", "T"):
        table.add_column(column, justify="right" if len(column) == 1 else "left")
    ranked = sorted(tally(lines).items(), key=lambda item: (-item[1][0], item[1][1], item[0]))
    for number, sums in ranked:
        table.add_row(number, Text(names[number]), *map(str, sums))
    return table
