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
    counted = {number: missed_rounds.of_round(archive, number) for number in archive.roster.rounds}
    lines = list[dict[str, object]]()
    for person in People(archive).every:
        number = person.player.number
        missed = {
            round_number: counts[number]
            for round_number, counts in counted.items()
            if number in counts and round_number not in person.rounds
        }
        lines.append(
            {
                "number": number,
                "name": person.player.name,
                "rounds": person.rounds,
                "dropped": person.dropped,
                "late": person.late,
                "squads": _squads(lists.get(number)),
                "missed": missed,
            }
        )
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
    last = archive.roster.rounds[-1] if archive.roster.rounds else None
    form = archive.roster.format_of(last) if last is not None else None
    systems = event_systems.of(archive)
    system, _ = catalogue.by_number(systems, form.system) if form else (None, None)
    packs = [each.name for each in service.packs.values() if form and each.system == system]
    return {
        "packs": packs,
        "pack": service.pack.name if service.pack else "",
        "open": {number: draftcard.card(service, number) for number in numbers},
        "kept": draftcard.keepers(archive),
        "features": fixed_tables.features(archive),
        "drafts": form is not None and drafts_cards(form),
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
        device: boardcard.card(
            status, collector.missing(status), refused={}, firmware=None, now_ms=service.now_ms
        )
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
    delayed = any(devices_by_reason[reason] for reason in ("unseen", "unarchived", "waiting"))
    words = receipt.receipt(service.archive)
    close = receipt.newest_close(service.archive)
    return {
        **{reason: sorted(devices) for reason, devices in devices_by_reason.items()},
        "open": tables,
        "ready": not tables and not delayed,
        "receipt": words and {"words": words, "picture": qr.address_of(words)},
        "may_close": close is None or receipt_check.played_since(service.archive),
        "closed": close and {"author": close.author, "unix_ms": close.unix_ms},
    }
