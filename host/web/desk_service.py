"""The web desk behind its HTTP routes: a Station, its users, and their pages' state."""

import json
import logging
import secrets
from collections.abc import Callable, Mapping

from host.archive import roles
from host.archive.access_links import AccessLink, AccessLinks
from host.archive.store import Archive
from host.base.errors import UserError, at_table
from host.base.json_values import Json
from host.base.sentences import Sentence
from host.desk.desk import Desk
from host.desk.station import Station
from host.tournament import event_pack
from host.tournament.rule_packs import Pack
from host.web import act as acting
from host.web import fields, link_lines, views
from host.web.act import WebAct
from host.web.acts import ACTS
from host.web.change_feed import ChangeFeed
from host.web.recent_commitments import RecentCommitments
from host.web.sessions import Sessions
from host.web.streams import Streams

_log = logging.getLogger(__name__)
_BY_NAME = {act.name: act for act in ACTS}


class DeskService:
    """Carries out acts for people with links.

    ``sessions`` reads their cookies, ``packs`` are rule packs to choose from, by name.

    ``clock()`` is the event time in ms; ``address`` is how the desk is reached, as
    ``https://name:port``, ``also`` how it is in further networks; ``boot`` identifies this start,
    random by default. ``speed``: how many times as fast as real time the event's runs (a virtual
    one's).
    """

    def __init__(
        self,
        station: Station,
        sessions: Sessions,
        clock: Callable[[], int],
        packs: Mapping[str, Pack] | None = None,
        address: str = "",
        boot: str | None = None,
    ):
        self.station, self.sessions, self._packs = station, sessions, packs or {}
        self.address, self.also = address, list[str]()
        self.links, self.speed = AccessLinks(station.archive), 1.0
        self.change_feed = ChangeFeed(station, Streams(boot or secrets.token_hex(4), views.VIEWS))
        self.commitments = RecentCommitments(station.archive)
        self._clock = clock

    @property
    def archive(self) -> Archive:
        """The Station's archive."""
        return self.station.archive

    @property
    def desk(self) -> Desk:
        """The Station's desk."""
        return self.station.desk

    @property
    def now_ms(self) -> int:
        """The event time in ms."""
        return self._clock()

    @property
    def unix_ms(self) -> int:
        """The Unix time in ms, computed from the event's origin."""
        event = self.archive.roster.event
        return (event.origin_unix_ms if event else 0) + self.now_ms

    @property
    def packs(self) -> dict[str, Pack]:
        """The rule packs that can be chosen, by name: those that it was given, and the event's."""
        kept = event_pack.chosen(self.archive, self._packs.values())
        return {**self._packs} | ({kept.name: kept} if kept else {})

    @property
    def pack(self) -> Pack | None:
        """The rule pack of the event, or None."""
        return event_pack.chosen(self.archive, self._packs.values())

    def log(self, what: str, facts: Mapping[str, Json], who: AccessLink) -> None:
        """Store an act that is no order of a table (``event_log``): its facts, who did it
        and when.
        """
        self.archive.notices.add(what, json.dumps(facts, sort_keys=True), who.name, self.unix_ms)

    def told_link(self, role: str, name: str, author: str) -> list[str]:
        """Make a personal link; return the lines that show it in a terminal."""
        return link_lines.lines(
            self.links, self.address, role, name, author, self.unix_ms, self.also
        )

    def revoke_link(self, number: int, author: str) -> None:
        """Revoke a link and close its pages; raises UserError when there is none."""
        self.links.revoke(number, author, self.unix_ms)
        self.change_feed.streams.end(number)

    def who(self, cookie: str | None) -> AccessLink | None:
        """Return the AccessLink of a cookie's value, None if it is invalid or revoked."""
        number = self.sessions.link_of(cookie)
        link = self.links.get(number) if number is not None else None
        return link if link and link.role in roles.ROLES else None

    def may(self, who: AccessLink) -> list[str]:
        """Return the names of the acts that somebody may do."""
        return [act.name for act in ACTS if roles.may(who.role, act.least)]

    def act(self, name: str) -> WebAct | None:
        """Return the WebAct of a name, or None."""
        return _BY_NAME.get(name)

    def do(self, act: WebAct, who: AccessLink, raw: bytes) -> dict[str, Json]:
        """Carry out an act with the raw body; return the answer.

        Raises Malformed for a body that no page sends, UserError for what cannot be done.
        """
        _log.info("act %s by link %d, %s", act.name, who.id, who.role)
        values = fields.read(act.fields, fields.body_of(raw))
        self.station.collector.now_ms = self.now_ms
        table = values.get("table")
        try:
            found = act.does(self, who, **values)
        except ValueError:  # a number that does not fit into a frame
            raise UserError(
                "a number here is too large for the boards: type a smaller one"
            ) from None
        except UserError as mistake:
            raise UserError(_named(mistake.sentence, table)) from None
        self.change_feed.touch()
        answered = acting.answer(found)
        if isinstance(asked := answered.get("ask"), Sentence):
            answered["ask"] = _named(asked, table)
        return answered


def _named(said: Sentence, table: object) -> Sentence:
    """Return what is said of an act's table, if it has one, with that table's number."""
    return at_table(said, table) if isinstance(table, int) else said
