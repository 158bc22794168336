"""What the organiser's page fetches: people, links, the log, packing up, deck checks."""

from host.archive.people import People
from host.desk import event_log
from host.event import event_systems
from host.systems import catalogue
from host.web import boardcard, checks, views


def people(service, who, query):
    """Everybody of the event."""
    lines = [
        {
            "number": one.player.number,
            "name": one.player.name,
            "rounds": one.rounds,
            "dropped": one.dropped,
            "late": one.late,
        }
        for one in People(service.archive).every
    ]
    return {"people": lines}


def links(service, who, query):
    """Every link, without its token, which is kept nowhere."""
    return {"links": [vars(one) for one in service.links.every]}


def log(service, who, query):
    """Every desk act of the event that is no order of a table."""
    return {"lines": event_log.lines(service.archive)}


def planned(service, who, query):
    """The deck checks that are planned, and made."""
    cards = service.change_feed.state(views.STAFF, service.now_ms)["tables"]
    return checks.planned(service.archive, cards, service.now_ms)


def rounds(service, who, query):
    """The rule packs that fit, and who is paired with whom in every round that nobody has begun: what is still to be looked through."""
    archive = service.archive
    numbers = [number for number in archive.roster.rounds if not archive.orders.started(number)]
    told = {
        number: [_seats(one) for one in archive.roster.pairings_of(number)] for number in numbers
    }
    forms = [archive.roster.format_of(number) for number in archive.roster.rounds]
    played = {catalogue.numbered(event_systems.of(archive), form.system)[0] for form in forms[-1:]}
    fit = [one.name for one in service.packs.values() if one.system in played]
    return {"packs": fit, "pack": service.pack.name if service.pack else "", "open": told}


def _seats(pairing):
    return {"table": pairing.table} | {
        seat: one and {"number": one.number, "name": one.name}
        for seat, one in (("a", pairing.a), ("b", pairing.b))
    }


def packing(service, who, query):
    """What still keeps boards from being packed: device numbers by reason, and tables without a result."""
    collector, hall = service.station.collector, service.station.hall
    statuses = collector.statuses
    cards = {
        device: boardcard.card(one, collector.missing(one), {}, None, service.now_ms)
        for device, one in statuses.items()
    }
    asked = {order.table for order in service.archive.orders.pending}
    found = {
        "unseen": [
            device for device, card in cards.items() if card["heard_ms"] is None or card["silent"]
        ],
        "unarchived": [
            device
            for device, card in cards.items()
            if card["unarchived"] or card["unsent"] or device in hall.waiting
        ],
        "low": [device for device, card in cards.items() if card["battery"] == "low"],
        "waiting": [device for device, status in statuses.items() if status.table in asked],
    }
    found = {why: sorted(devices) for why, devices in found.items()}
    tables = service.desk.open
    return found | {
        "open": tables,
        "ready": not (tables or any(found[why] for why in ("unseen", "unarchived", "waiting"))),
    }
