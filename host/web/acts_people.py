"""Acts on people: enter, late, drop, return, rename; and on their links."""

from host.archive import people
from host.archive.people import People
from host.archive.roles import ORGANISER, ROLES
from host.archive.roster import Player
from host.web import qr
from host.web.act import WebAct
from host.web.fields import NAME, NUMBER, REASON, REQUIRED, choice, whole


def _add(service, who, number, name):
    People(service.archive).add(Player(number, name), people.ENTERED, who.name, service.unix_ms)


def _late(service, who, number, name):
    People(service.archive).add(Player(number, name), people.LATE, who.name, service.unix_ms)


def _drop(service, who, number, reason):
    People(service.archive).mark(number, people.DROPPED, who.name, service.unix_ms, reason)


def _undrop(service, who, number):
    People(service.archive).mark(number, people.RETURNED, who.name, service.unix_ms)


def _rename(service, who, number, name):
    People(service.archive).rename(number, name, who.name, service.unix_ms)
    service.station.collector.refresh()  # so that boards asking for names get the new one


def _make_link(service, who, role, name):
    """Make a personal link; its address and QR code are shown only now."""
    number, token = service.links.make(role, name, who.name, service.unix_ms)
    url = f"{service.address}/l/{token}"
    service.log("link made", {"id": number, "role": role, "name": name}, who)
    return {"id": number, "url": url, "qr": qr.address_of(url)}


def _revoke_link(service, who, id):
    service.revoke_link(id, who.name)
    service.log("link revoked", {"id": id}, who)


_WHO = {"number": NUMBER, "name": NAME}
ACTS = (
    WebAct("add_player", ORGANISER, _add, _WHO),
    WebAct("late_entry", ORGANISER, _late, _WHO),
    WebAct("drop", ORGANISER, _drop, {"number": NUMBER, "reason": REASON}),
    WebAct("undrop", ORGANISER, _undrop, {"number": NUMBER}),
    WebAct("rename", ORGANISER, _rename, _WHO),
    WebAct("make_link", ORGANISER, _make_link, {"role": (choice(*ROLES), REQUIRED), "name": NAME}),
    WebAct("revoke_link", ORGANISER, _revoke_link, {"id": (whole(1, 2**31), REQUIRED)}),
)
