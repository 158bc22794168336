"""The person who types at a running host, and what the typed acts share."""

from collections.abc import Callable, Iterable
from typing import Protocol

from host.archive.access_links import AccessLinks
from host.base.errors import UserError
from host.desk import every_table
from host.desk.desk import Desk
from host.desk.station import Station
from host.desk.table_numbering import TableNumbering
from host.server.act import Act, whole


class LinkDesk(Protocol):
    """The web desk as far as its links go (``host.web.desk_service``)."""

    links: AccessLinks

    def told_link(self, role: str, name: str, author: str) -> list[str]:
        """Make a personal link; return the lines that show it."""
        ...

    def revoke_link(self, number: int, author: str) -> None:
        """Revoke a link and close its pages; raises UserError when there is none."""
        ...


class Operator:
    """The person ``author`` at a Station's terminal.

    ``desk_service`` is the web desk, ``table_numbering`` the numbering in progress; None without
    one. ``acts`` are what can be typed, ``pending`` the ids of the orders whose answer was not
    shown yet.
    """

    def __init__(self, station: Station, author: str):
        self.station, self.author = station, author
        self.desk_service: LinkDesk | None = None
        self.table_numbering: TableNumbering | None = None
        self.acts: tuple[Act, ...] = ()
        self.pending: list[int] = []
        self.quitting = False

    def act(self, word: str) -> Act | None:
        """Return the act of a word that can be typed, or None."""
        return next((act for act in self.acts if act.word == word), None)

    @property
    def desk(self) -> Desk:
        """The Station's desk."""
        return self.station.desk

    def each(
        self, table: str, act: Callable[..., list[int]], *rest: int, **named: str
    ) -> list[str | int]:
        """Do an act of the desk at a table, or at ``all``; return the orders' ids.

        At ``all`` a table that cannot take it has a line that says why, and the others take it.
        Raises UserError where none can.
        """
        if table.casefold() != "all":
            return [*act(whole(table), *rest, author=self.author, **named)]
        if not self.desk.tables:
            raise UserError("no round is published yet: publish one first")
        with self.station.archive.transaction():
            made, refused = every_table.order(
                self.desk.tables, lambda one: act(one, *rest, author=self.author, **named)
            )
        return [*made, *(f"not done: {why}" for why in refused)]

    def boardless(self, tables: Iterable[int]) -> list[str]:
        """Return a line for each of ``tables`` that has no board to take an order."""
        boards = {one.address for one in self.station.archive.roster.current_boards.values()}
        said = "table {}: no board is there to take it; swap a spare in, or: result {} … slip"
        return [said.format(one, one) for one in tables if one not in boards]
