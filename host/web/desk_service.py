"""The web desk without a web: a Station, the people who may use it, and what they are told."""

import json
import secrets

from host.archive import roles
from host.archive.access_links import AccessLinks
from host.base.errors import UserError
from host.tournament.rule_packs import CHOSEN
from host.web import act as acting
from host.web import fields, link_lines, views
from host.web.acts import ACTS
from host.web.change_feed import ChangeFeed
from host.web.streams import Streams

_BY_NAME = {act.name: act for act in ACTS}


class DeskService:
    """Carries out acts for people with links. ``sessions`` reads their cookies, ``packs`` are rule packs by name.

    ``clock()`` is the event time in ms; ``address`` is how the desk is reached, as ``https://name:port``.
    """

    def __init__(self, station, sessions, clock, packs=None, address="", boot=None):
        self.station, self.sessions, self.packs, self.address = (
            station,
            sessions,
            packs or {},
            address,
        )
        self.links, self.virtual = AccessLinks(station.archive), False
        self.change_feed = ChangeFeed(station, Streams(boot or secrets.token_hex(4), views.VIEWS))
        self._clock = clock

    @property
    def archive(self):
        """The Station's archive."""
        return self.station.archive

    @property
    def desk(self):
        """The Station's desk."""
        return self.station.desk

    @property
    def now_ms(self):
        """The event time in ms."""
        return self._clock()

    @property
    def unix_ms(self):
        """The wall's time in ms, by the event's origin."""
        event = self.archive.roster.event
        return (event.origin_unix_ms if event else 0) + self.now_ms

    @property
    def pack(self):
        """The rule pack that the organiser has chosen for the event, or None."""
        return self.packs.get(self.archive.notices.latest(CHOSEN))

    def log(self, what, facts, who):
        """Keep an act that is no order of a table (``event_log``), its facts as a dict, who did it and when."""
        self.archive.notices.add(what, json.dumps(facts, sort_keys=True), who.name, self.unix_ms)

    def told_link(self, role, name, author):
        """Make a personal link; return the lines that tell it in a terminal."""
        return link_lines.lines(self.links, self.address, role, name, author, self.unix_ms)

    def revoke_link(self, number, author):
        """Revoke a link and close its pages; raises UserError when there is none."""
        self.links.revoke(number, author, self.unix_ms)
        self.change_feed.streams.end(number)

    def who(self, cookie):
        """Return the Link that a cookie's value stands for, None where it stands for none any more."""
        number = self.sessions.link_of(cookie)
        link = number and self.links.get(number)
        return link if link and link.role in roles.ROLES else None

    def may(self, who):
        """Return the names of the acts that somebody may do."""
        return [act.name for act in ACTS if roles.may(who.role, act.least)]

    def act(self, name):
        """Return the WebAct of a name, or None."""
        return _BY_NAME.get(name)

    def do(self, act, who, raw):
        """Carry out an act with a body as it came; return the answer. Raises Malformed, UserError."""
        values = fields.read(act.fields, fields.body_of(raw))
        self.station.collector.now_ms = self.now_ms
        try:
            found = act.does(self, who, **values)
        except ValueError:  # a number that no frame has room for
            raise UserError("a number here is too large for the boards") from None
        self.change_feed.touch()
        return acting.answer(found)
