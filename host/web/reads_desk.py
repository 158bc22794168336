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
from host.web.reads import ReadRequest, Sheet

CODES = "codes"  # secret: plusthree paper codes alone prints them


def people(service: DeskService, request: ReadRequest) -> dict[str, object]:
    """Return everybody of the event, with submitted squads and obstacles, and what missed rounds
    count as.
    """
    lists, archive = squad_lists.of(service.archive), service.archive
    missed = {number: missed_rounds.of_round(archive, number) for number in archive.roster.rounds}
    lines = [
        {
            "number": person.player.number,
            "name": person.player.name,
            "rounds": person.rounds,
            "dropped": person.dropped,
            "late": person.late,
            "squads": _squads(lists.get(person.player.number)),
            "missed": {
                number: counted[person.player.number]
                for number, counted in missed.items()
                if person.player.number in counted and number not in person.rounds
            },
        }
        for person in People(service.archive).every
    ]
    return {"people": lines}


def _squads(squads: SquadList | None) -> str:
    """Return a squad list in short: each round's total, and the obstacles."""
    if squads is None:
        return ""
    totals = " ".join(map(str, squads.totals))
    return " · ".join(filter(None, (squads.faction, totals, ", ".join(squads.obstacles))))


def links(service: DeskService, request: ReadRequest) -> dict[str, object]:
    """Return every link, without its token, which is not stored."""
    return {"links": [vars(link) for link in service.links.every]}


def log(service: DeskService, request: ReadRequest) -> dict[str, object]:
    """Return every desk act of the event but the orders to tables."""
    return {"lines": event_log.lines(service.archive)}


def deck_checks(service: DeskService, request: ReadRequest) -> dict[str, object]:
    """Return the planned and the completed deck checks."""
    desk, cards = service.desk, service.change_feed.tables
    return checks.plan_and_drawn(service.archive, cards, service.now_ms, desk.round)


def rounds(service: DeskService, request: ReadRequest) -> dict[str, object]:
    """Return the suitable rule packs, the pairings and pods of every round that has not begun, and
    whether the event drafts cards.
    """
    archive = service.archive
    numbers = [
        number
        for number in reads.rounds_shown(service, request)
        if not pairing_changes.begun(service.station, number)
    ]
    open_rounds = {number: draftcard.card(service, number) for number in numbers}
    last = [archive.roster.format_of(number) for number in archive.roster.rounds[-1:]]
    systems = event_systems.of(archive)
    played = {catalogue.by_number(systems, form.system)[0] for form in last if form}
    fit = [each.name for each in service.packs.values() if each.system in played]
    return {
        "packs": fit,
        "pack": service.pack.name if service.pack else "",
        "open": open_rounds,
        "kept": draftcard.keepers(archive),
        "features": fixed_tables.features(archive),
        "drafts": any(form is not None and drafts_cards(form) for form in last),
        "pods": {number: _pods(archive, number) for number in numbers},
        "unread": overview.unread_remark(archive),
    }


def _pods(archive: Archive, number: int) -> list[list[PlayerCard]]:
    """Return the pods drawn for a round, each player by seat."""
    drawn = draft_pods.in_force(archive, number)
    if drawn is None or drawn.since != number:
        return []
    known = {person.player.number: person.player for person in People(archive).every}
    return [[tablecard.player(known[number]) for number in circle if number in known]
            for circle in drawn.circles]  # fmt: skip


def paper(service: DeskService, request: ReadRequest, kind: str) -> Sheet:
    """Return a list or the slips of a round (the query's, else the published one) to be printed."""
    if kind not in pages.KINDS or kind == CODES:
        raise UserError("there is no such paper")
    number_of = reads.standings_round if kind == "standings" else reads.requested_round
    content = Content(
        service.archive, service.station.hall, number_of(service, request), service.pack
    )
    return Sheet(pages.page(kind, content, language_of(request.query.get("language"))))


def packing(service: DeskService, request: ReadRequest) -> dict[str, object]:
    """Return why boards cannot be packed yet: device numbers by reason, and tables without a
    result; for a closed event also when it was closed, by whom, and its receipt.
    """
    collector, hall = service.station.collector, service.station.hall
    statuses = collector.statuses
    cards = {
        device: boardcard.card(status, collector.missing(status), {}, None, service.now_ms)
        for device, status in statuses.items()
    }
    ordered = {order.table for order in service.archive.orders.pending}
    devices_by_reason = {
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
    ready = not (
        tables or any(devices_by_reason[reason] for reason in ("unseen", "unarchived", "waiting"))
    )
    listed = {reason: sorted(devices) for reason, devices in devices_by_reason.items()}
    words = receipt.receipt(service.archive)
    card = words and {"words": words, "picture": qr.address_of(words)}
    closed = receipt.newest_close(service.archive)
    again = closed is not None and receipt_check.played_since(service.archive)
    return {
        **listed, "open": tables, "ready": ready, "receipt": card, "may_close": not closed or again,
        "closed": closed and {"author": closed.author, "unix_ms": closed.unix_ms},
    }  # fmt: skip
