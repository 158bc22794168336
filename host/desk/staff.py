"""A person who acts at a Station, and the outcome of an act.

The functions that carry out acts take a Staff and the act's fields, so a row of the table of acts
(``host/desk/acts``) names them as they are.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from firmware.core.intents import Intent
from host.archive.access_links import AccessLink, AccessLinks
from host.archive.orders import NewOrder
from host.base.errors import UserError
from host.base.json_values import Json
from host.base.sentences import Sentence
from host.desk import table_boards
from host.desk.station import AtStation, Station
from host.tournament.rule_packs import Pack


@dataclass
class Done:
    """The outcome of an act.

    ``orders``: the ids of its orders; ``message``: what was done; ``remarks``: what was not done or
    needs attention. ``ask`` is a question to answer with ``sure``: then nothing was done yet.
    ``facts`` are for a page, ``shown`` are the lines that a terminal prints instead.
    """

    orders: Sequence[int] = ()
    message: Sentence | None = None
    remarks: Sequence[str] = ()
    ask: Sentence | None = None
    facts: Mapping[str, Json] = field(default_factory=dict)
    shown: Sequence[str] = ()

    @classmethod
    def of(cls, result: "ActResult") -> "Done":
        """Return the return value of an act's function as a Done."""
        if isinstance(result, Done):
            return result
        return cls(message=result) if isinstance(result, Sentence) else cls(result or ())


ActResult: TypeAlias = Done | list[int] | Sentence | None
"""The return value of an act's function: a Done, or only its orders or message."""


class PageSide(Protocol):
    """The part of the web desk that acts use (``host.web.desk_service``)."""

    links: AccessLinks

    def call_at(self, table: int) -> Mapping[str, Json] | None:
        """Return a table's call for pages, None without a call."""
        ...

    def make_link(self, role: str, name: str, author: str) -> Done:
        """Make a personal link; only this Done has its address and QR code."""
        ...

    def revoke_link(self, number: int, author: str) -> None:
        """Revoke a link and close its pages. Raises UserError for an unknown number."""
        ...


class Staff(AtStation):
    """A person who acts at a Station: ``author`` is the name, ``link`` the personal link of a
    page's user, None at this PC's terminal. ``packs`` are the rule packs to choose from, by name;
    ``pages`` is the web desk, None without one.
    """

    def __init__(
        self,
        station: Station,
        author: str,
        link: AccessLink | None = None,
        packs: Mapping[str, Pack] | None = None,
        pages: PageSide | None = None,
    ):
        super().__init__(station)
        self.author, self.link = author, link
        self.packs, self.pages = packs or {}, pages

    def log(self, what: str, facts: Mapping[str, Json]) -> None:
        """Store an act that is not an order to a table (``event_log``), with its author and
        time.
        """
        self.archive.notices.add(what, json.dumps(facts, sort_keys=True), self.author, self.unix_ms)

    def playing(self, table: int) -> int:
        """Return ``table``. Raises UserError if it does not play in the published round."""
        if table not in self.desk.tables:
            raise UserError("table {table} does not play now: check its number", table=table)
        return table

    def boards(self, table: int | None) -> list[int]:
        """Return ``table``, or all tables with a board for None; also without a round. Raises
        UserError if ``table`` has no board.
        """
        if table is None:
            return self.archive.roster.tables
        table_boards.require(self.archive, table)
        return [table]

    def order(self, tables: Iterable[int], intent: Intent) -> list[int]:
        """Order an intent at tables, also without a round; return the ids."""
        number = self.desk.round or 0
        with self.archive.transaction():
            return [
                self.station.collector.add_order(NewOrder(number, table, intent, self.author))
                for table in tables
            ]
