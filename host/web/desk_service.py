"""The web desk behind its HTTP routes: a Station, its users, and their pages' state."""

import hmac
import logging
import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import cast

from host.archive import access_links, places
from host.archive.access_links import AccessLink, AccessLinks
from host.base.errors import UserError, at_table
from host.base.json_values import Json
from host.base.sentences import Sentence
from host.desk.acts import fields
from host.desk.acts.act import Act
from host.desk.acts.fields import Malformed
from host.desk.acts.table import ON_PAGES
from host.desk.staff import Done, Staff
from host.desk.station import AtStation, Station
from host.event import registrations
from host.formats.tom_file import Tdf
from host.tournament import event_pack
from host.tournament.rule_packs import Pack
from host.web import qr, views
from host.web.change_feed import ChangeFeed
from host.web.recent_results import RecentCommitments, RecentResults
from host.web.sessions import Sessions
from host.web.streams import Streams

_BY_NAME = {act.name: act for act in ON_PAGES}
_log = logging.getLogger(__name__)


class DeskService(AtStation):
    """Carries out acts for people with links.

    ``sessions`` reads their cookies, ``packs`` are rule packs to choose from, by name.

    ``clock()`` is the event time in ms; ``address`` is the desk's URL, as ``https://name:port``,
    ``also`` its URLs in further networks; ``base`` comes before its paths (``/cup`` if several
    events are served). ``boot`` identifies this start, random by default. ``speed`` is the event
    time's speed relative to real time (of a virtual event).
    """

    def __init__(
        self,
        station: Station,
        sessions: Sessions,
        clock: Callable[[], int],
        packs: Mapping[str, Pack] | None = None,
        address: str = "",
        boot: str | None = None,
        base: str = "",
    ):
        super().__init__(station)
        self.sessions, self._packs = sessions, packs or {}
        self.address, self.also, self.base = address + base, list[str](), base
        self.links, self.speed = AccessLinks(station.archive), 1.0
        self.change_feed = ChangeFeed(station, Streams(boot or secrets.token_hex(4), views.VIEWS))
        self.commitments = RecentCommitments(station.archive)
        self.tdf: Tdf | None = None  # TOM's file, so that it is parsed once
        self.recent_results = RecentResults(station)
        self._clock, self._log = clock, places.own_log(_log, station.archive.path)

    @property
    def now_ms(self) -> int:
        """The event time in ms, by the clock of the pages."""
        return self._clock()

    @property
    def packs(self) -> dict[str, Pack]:
        """The rule packs to choose from, by name: the given ones and the event's."""
        kept = event_pack.pack_of(self.archive, self._packs.values())
        return {**self._packs} | ({kept.name: kept} if kept else {})

    @property
    def pack(self) -> Pack | None:
        """The rule pack of the event, or None."""
        return event_pack.pack_of(self.archive, self._packs.values())

    def add_networks(self, urls: Iterable[str]) -> None:
        """Add the URLs of further networks, which links name from then on."""
        new = [f"{url}{self.base}" for url in urls]
        self.also += [url for url in new if url not in self.also]

    def make_link(self, role: str, name: str, author: str) -> Done:
        """Make a personal link; its address and QR code are shown only now."""
        number, token = self.links.make(role, name, author, self.unix_ms)
        url, *also = (f"{base}/l/{token}" for base in (self.address, *self.also))
        code = qr.address_of(url) if qr.opens_elsewhere(url) else None
        return Done(
            facts={"id": number, "url": url, "also": also, "qr": code},
            shown=qr.link_lines(number, role, name, url, also),
        )

    def revoke_link(self, number: int, author: str) -> None:
        """Revoke a link and close its pages; raises UserError when there is none."""
        self.links.revoke(number, author, self.unix_ms)
        self.change_feed.streams.end(number)

    @property
    def registration_path(self) -> str:
        """The path of the page on which players register, "" while it is shut."""
        opened, event = registrations.opening(self.archive), self.archive.roster.event
        if opened is None or event is None:
            return ""
        return f"/enter/{self.sessions.registration_token(event.number, opened)}"

    def is_registration_token(self, token: str) -> bool:
        """Return whether a token is that of the page on which players register. Raises Foreign if
        another program has written to the archive: then nobody is let in.
        """
        self.archive.require_own()
        own = self.registration_path.rpartition("/")[2]
        return bool(own) and hmac.compare_digest(own.encode(), token.encode("utf-8", "replace"))

    def who(self, cookie: str | None) -> AccessLink | None:
        """Return the AccessLink of a cookie's value, None if it is invalid or revoked."""
        number = self.sessions.link_of(cookie)
        link = self.links.get(number) if number is not None else None
        return link if link and link.role in access_links.ROLES else None

    def call_at(self, table: int) -> Mapping[str, Json] | None:
        """Return a table's call as it was last sent to pages, None without one."""
        # cards are JSON, which TypedDict cannot express
        return cast("Mapping[str, Json] | None", self.change_feed.calls.get(str(table)))

    def may(self, who: AccessLink) -> list[str]:
        """Return the names of the acts that a person may do."""
        return [act.name for act in ON_PAGES if act.allowed(who.role)]

    def act(self, name: str) -> Act | None:
        """Return the act of a name that a page may ask for, or None."""
        return _BY_NAME.get(name)

    def do(
        self, act: Act, who: AccessLink, raw: bytes, shown: str | None = None
    ) -> dict[str, Json]:
        """Carry out an act with the raw body; return the answer. ``shown`` is the round that the
        page showed, if it said so.

        Raises Malformed for a body that no page sends, UserError for an act that is impossible.
        """
        self._log.info("act %s by link %d, %s", act.name, who.id, who.role)
        values = fields.read(act.fields, fields.body_of(raw))
        self.station.collector.now_ms = self.now_ms
        self._require_shown(act, values.get("table"), shown)
        staff, table = Staff(self.station, who.name, who, self.packs, self), values.get("table")
        try:
            done = Done.of(act.does(staff, **values))
        except ValueError:  # a number that does not fit into a frame
            raise UserError(
                "a number here is too large for the boards: type a smaller one"
            ) from None
        except UserError as mistake:
            raise UserError(_with_table(mistake.sentence, table)) from None
        self.change_feed.touch()
        answer: dict[str, Json] = {"orders": [*done.orders], "said": [*done.remarks], **done.facts}
        if done.message:
            answer["told"] = done.message
        if done.ask:
            answer["ask"] = _with_table(done.ask, table)
        return answer

    def _require_shown(self, act: Act, table: object, shown: str | None):
        """Raise UserError for an act at a table, of no named round, if the page still showed
        another round than the published one, as on a phone that slept: other people sit there now.
        """
        number = self.desk.round
        if shown is None or number is None or not isinstance(table, int) or "round" in act.fields:
            return
        if not (shown.isascii() and shown.isdigit() and len(shown) < 4):
            raise Malformed("{name!r} is not expected here", name=shown[:40])
        if int(shown) != number:
            raise UserError(
                "this page still showed round {shown}, and round {round} is published: look at"
                " table {table} again",
                shown=shown,
                round=number,
                table=table,
            )


def _with_table(sentence: Sentence, table: object) -> Sentence:
    """Return a sentence with the number of the act's table, if it has one."""
    return at_table(sentence, table) if isinstance(table, int) else sentence
