"""An act of staff: a row of the table of acts, who does it, and what comes of it."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from firmware.core.intents import Intent
from firmware.core.match import Match
from host.archive import access_links
from host.archive.access_links import AccessLink, AccessLinks
from host.archive.orders import NewOrder
from host.base.errors import UserError
from host.base.json_values import Json
from host.base.sentences import Sentence
from host.desk.acts.fields import LARGEST, Field
from host.desk.station import AtStation, Station
from host.tournament.rule_packs import Pack

HERE = None  # the least role of an act that can be typed at this PC alone


@dataclass
class Done:
    """What came of an act.

    ``orders`` are the ids of the orders that it made, ``told`` says what was done, ``remarks`` what
    was not or needs a look. ``ask`` is the question to answer with ``sure``: then nothing was done.
    ``facts`` is what a page shows, ``shown`` what a terminal shows in its place.
    """

    orders: Sequence[int] = ()
    told: Sentence | None = None
    remarks: Sequence[str] = ()
    ask: Sentence | None = None
    facts: Mapping[str, Json] = field(default_factory=dict)
    shown: Sequence[str] = ()


Found: TypeAlias = Done | list[int] | Sentence | None
"""What an act's function returns: a Done, or what it has of one: orders, or what was done."""


def done(found: Found) -> Done:
    """Return what an act's function returned as a Done."""
    if isinstance(found, Done):
        return found
    return Done(told=found) if isinstance(found, Sentence) else Done(found or ())


class PageSide(Protocol):
    """The web desk as far as acts need it (``host.web.desk_service``)."""

    links: AccessLinks

    def call_at(self, table: int) -> Mapping[str, Json] | None:
        """Return a table's call as pages show it, None without one."""
        ...

    def make_link(self, role: str, name: str, author: str) -> Done:
        """Make a personal link; its address and QR code are shown only now."""
        ...

    def revoke_link(self, number: int, author: str) -> None:
        """Revoke a link and close its pages; raises UserError when there is none."""
        ...


class Staff(AtStation):
    """Who acts, and on what: ``author`` at a Station; ``link`` is the personal link of a page's
    user, None at this PC's terminal. ``packs`` are the rule packs to choose from, by name,
    ``pages`` the web desk, None without one.
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
        """Store an act that is no order of a table (``event_log``): its facts, who and when."""
        self.archive.notices.add(what, json.dumps(facts, sort_keys=True), self.author, self.unix_ms)

    def playing(self, table: int) -> int:
        """Return a table that plays in the published round; raises UserError for another."""
        if table not in self.desk.tables:
            raise UserError("table {table} does not play now: check its number", table=table)
        return table

    def boards(self, table: int | None) -> list[int]:
        """Return a table with a board, or all of them for None, also without a round."""
        known = self.archive.roster.tables
        if table is not None and table not in known:
            raise UserError("table {table} has no board: swap a spare in", table=table)
        return known if table is None else [table]

    def order(self, tables: Iterable[int], intent: Intent) -> list[int]:
        """Order an intent at tables, also without a round; return the ids."""
        number = self.desk.round or 0
        with self.archive.transaction():
            return [
                self.station.collector.add_order(NewOrder(number, one, intent, self.author))
                for one in tables
            ]


@dataclass(frozen=True)
class Act:
    """A row of the table of acts.

    ``does(staff, **fields)`` carries it out for a Staff and raises UserError for what cannot be
    done. ``name`` is its address for pages, ``least`` the least role (``HERE``: none, it is typed
    at this PC). ``typed`` are its words in the terminal ("": it is not typed), ``help`` its
    sentence there. ``part`` names the panel of the desk, or the part of a table's sheet, that
    draws it from its fields; "" where a script draws it by hand; ``label`` is what its button or
    heading says there, where ``help`` says more than that. ``intent`` is what a table's board must
    be able to take for it, None for an act that asks no board; ``offered`` tells whether it would
    do something in a match of which the board can take it, None for a match not heard of yet.
    ``largest``: bytes of a page's request.
    """

    name: str
    least: str | None
    does: Callable[..., Found]
    fields: Mapping[str, Field] = field(default_factory=dict)
    typed: str = ""
    help: str = ""
    part: str = ""
    label: str = ""
    intent: int | None = None
    offered: Callable[[Match | None], bool] = lambda match: True
    largest: int = LARGEST

    def allowed(self, role: str | None) -> bool:
        """Whether somebody with this role may do it on a page."""
        return self.least is not None and access_links.may(role, self.least)
