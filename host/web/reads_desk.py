"""What the organiser's page fetches: people, links, the log, packing up, deck checks.

Each returns the JSON object of an answer.
"""

from host.archive import draft_pods, fixed_tables, receipt
from host.archive.people import People
from host.archive.store import Archive
from host.audit import receipt_check
from host.base.errors import UserError
from host.base.translation import language_of
from host.desk import pairing_changes
from host.event import event_log, event_systems, missed_rounds, overview, squad_lists
from host.event.squad_lists import SquadList
from host.reports.paper import pages
from host.reports.paper.content import Content
from host.systems import catalogue
from host.tournament.round_draft import drafts_cards
from host.web import boardcard, checks, draftcard, qr, reads, tablecard
from host.web.cards import PlayerCard
from host.web.desk_service import DeskService
from host.web.reads import Asked, Sheet

CODES = "codes"  # secret: plusthree paper codes alone prints them


def people(service: DeskService, asked: Asked) -> dict[str, object]:
    """Return everybody of the event, with the squads and obstacles of who handed them in, and what
    missed rounds count as.
    """
    lists, archive = squad_lists.of(service.archive), service.archive
    missed = {one: missed_rounds.of_round(archive, one) for one in archive.roster.rounds}
    lines = [
        {
            "number": one.player.number,
            "name": one.player.name,
            "rounds": one.rounds,
            "dropped": one.dropped,
            "late": one.late,
            "squads": _squads(lists.get(one.player.number)),
            "missed": {
                number: counted[one.player.number]
                for number, counted in missed.items()
                if one.player.number in counted and number not in one.rounds
            },
        }
        for one in People(service.archive).every
    ]
    return {"people": lines}


def _squads(told: SquadList | None) -> str:
    """Return a squad list in short: each round's total, and the obstacles."""
    if told is None:
        return ""
    totals = " ".join(map(str, told.totals))
    return " · ".join(filter(None, (told.faction, totals, ", ".join(told.obstacles))))


def links(service: DeskService, asked: Asked) -> dict[str, object]:
    """Return every link, without its token, which is not stored."""
    return {"links": [vars(one) for one in service.links.every]}


def log(service: DeskService, asked: Asked) -> dict[str, object]:
    """Return every desk act of the event that is no order of a table."""
    return {"lines": event_log.lines(service.archive)}


def planned(service: DeskService, asked: Asked) -> dict[str, object]:
    """Return the planned and the completed deck checks."""
    desk, cards = service.desk, service.change_feed.tables
    return checks.planned(service.archive, cards, service.now_ms, desk.round)


def rounds(service: DeskService, asked: Asked) -> dict[str, object]:
    """Return the suitable rule packs, the pairings and pods of every round that has not begun, and
    whether the event drafts cards.
    """
    archive = service.archive
    numbers = [
        number
        for number in reads.rounds_shown(service, asked)
        if not pairing_changes.begun(service.station, number)
    ]
    told = {number: draftcard.card(service, number) for number in numbers}
    last = [archive.roster.format_of(number) for number in archive.roster.rounds[-1:]]
    systems = event_systems.of(archive)
    played = {catalogue.numbered(systems, form.system)[0] for form in last if form}
    fit = [one.name for one in service.packs.values() if one.system in played]
    return {
        "packs": fit,
        "pack": service.pack.name if service.pack else "",
        "open": told,
        "kept": draftcard.kept(archive),
        "features": fixed_tables.features(archive),
        "drafts": any(form is not None and drafts_cards(form) for form in last),
        "pods": {number: _pods(archive, number) for number in numbers},
        "unread": overview.unread_remark(archive),
    }


def _pods(archive: Archive, number: int) -> list[list[PlayerCard]]:
    """Return the pods that are drawn for a round, each player by seat."""
    found = draft_pods.in_force(archive, number)
    if found is None or found.since != number:
        return []
    known = {one.player.number: one.player for one in People(archive).every}
    return [[tablecard.player(known[one]) for one in circle if one in known]
            for circle in found.circles]  # fmt: skip


def paper(service: DeskService, asked: Asked, kind: str) -> Sheet:
    """Return a list or the slips of a round (the query's, else the published one) to be printed."""
    if kind not in pages.KINDS or kind == CODES:
        raise UserError("there is no such paper")
    of = reads.ranked_round if kind == "standings" else reads.round_asked
    content = Content(service.archive, service.station.hall, of(service, asked), service.pack)
    return Sheet(pages.page(kind, content, language_of(asked.query.get("language"))))


def packing(service: DeskService, asked: Asked) -> dict[str, object]:
    """Return why boards cannot be packed yet: device numbers by reason, and tables without a
    result; of a closed event also when it was closed, by whom, and its receipt.
    """
    collector, hall = service.station.collector, service.station.hall
    statuses = collector.statuses
    cards = {
        device: boardcard.card(one, collector.missing(one), {}, None, service.now_ms)
        for device, one in statuses.items()
    }
    ordered = {order.table for order in service.archive.orders.pending}
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
        "waiting": [device for device, status in statuses.items() if status.table in ordered],
    }
    tables = service.desk.open
    ready = not (tables or any(found[why] for why in ("unseen", "unarchived", "waiting")))
    listed = {why: sorted(devices) for why, devices in found.items()}
    words = receipt.receipt(service.archive)
    told = words and {"words": words, "picture": qr.address_of(words)}
    closed = receipt.newest_close(service.archive)
    again = closed is not None and receipt_check.played_since(service.archive)
    return {
        **listed, "open": tables, "ready": ready, "receipt": told, "may_close": not closed or again,
        "closed": closed and {"author": closed.author, "unix_ms": closed.unix_ms},
    }  # fmt: skip
