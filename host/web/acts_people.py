"""Acts on people: enter, late, drop, return, rename; and on their links."""

from host.archive.people import People
from host.archive.roles import ORGANISER, ROLES
from host.desk import attendance
from host.web import qr
from host.web.act import Found, WebAct
from host.web.fields import NAME, NUMBER, REASON, REQUIRED, choice, text, whole, yes


def _enter(service, who, number, name) -> Found:
    told, *said = attendance.enter(service.station, number, name, who.name)
    return {"told": told, "said": said}


def _drop(service, who, number, reason, sure) -> Found:
    said, done = attendance.drop(service.station, number, who.name, reason, sure)
    return {"told": said} if done else {"ask": said}


def _undrop(service, who, number) -> Found:
    return {"told": attendance.bring_back(service.station, number, who.name)}


def _rename(service, who, number, name):
    People(service.archive).rename(number, name, who.name, service.unix_ms)
    service.station.collector.refresh()  # so that boards asking for names get the new one


def _make_link(service, who, role, name):
    """Make a personal link; its address and QR code are shown only now."""
    number, token = service.links.make(role, name, who.name, service.unix_ms)
    url, *also = (f"{one}/l/{token}" for one in (service.address, *service.also))
    code = qr.address_of(url) if qr.opens_elsewhere(url) else None
    return {"id": number, "url": url, "also": also, "qr": code}


def _revoke_link(service, who, id):
    service.revoke_link(id, who.name)


_ANY = text(1, 60), REQUIRED  # a number, or part of a name
_WHO = {"number": NUMBER, "name": NAME}
ACTS = (
    WebAct("add_player", ORGANISER, _enter, {"number": (text(0, 40), ""), "name": NAME}),
    WebAct("drop", ORGANISER, _drop, {"number": _ANY, "reason": REASON, "sure": (yes, False)}),
    WebAct("undrop", ORGANISER, _undrop, {"number": _ANY}),
    WebAct("rename", ORGANISER, _rename, _WHO),
    WebAct("make_link", ORGANISER, _make_link, {"role": (choice(*ROLES), REQUIRED), "name": NAME}),
    WebAct("revoke_link", ORGANISER, _revoke_link, {"id": (whole(1, 2**31), REQUIRED)}),
)
