"""A round that has not begun, as the organiser's page shows it to be changed by hand."""

from typing import TypedDict

from host.archive import fixed_tables
from host.archive.people import People
from host.archive.roster import Player
from host.archive.store import Archive
from host.desk import pairing_changes, seating_effects
from host.event.imported_results import published
from host.web.cards import PlayerCard
from host.web.desk_service import DeskService


class SeatedCard(PlayerCard):
    """A player with the points so far (None: the rules leave them open) and the table that the
    player keeps, if any.
    """

    points: int | None
    keeps: int | None
    dropped: bool


class SeatsCard(TypedDict):
    """A pairing; ``table`` and ``b`` are None for a bye."""

    table: int | None
    a: SeatedCard
    b: SeatedCard | None


class DraftCard(TypedDict):
    """A round's pairings by table, the players with a loss, and the players without a place.

    ``version`` identifies the pairings in a change; ``undo`` is the last change that can be undone.
    """

    version: str
    published: bool
    undo: dict[str, object] | None
    seats: list[SeatsCard]
    losses: list[SeatedCard]
    absent: list[SeatedCard]


def card(service: DeskService, number: int) -> DraftCard:
    """Return the card of a stored round."""
    archive = service.archive
    seating = pairing_changes.seating_of(archive, number)
    hall, pack = service.station.hall, service.pack
    past, people = seating_effects.past(archive, hall, number, pack), People(archive).every
    dropped = {person.player.number for person in people if person.dropped}

    def shown(player: Player) -> SeatedCard:
        return {
            "number": player.number,
            "name": player.name,
            "points": past.points.get(player.number, 0) if past.points else None,
            "keeps": seating.fixed.get(player.number),
            "dropped": player.number in dropped,
        }

    seated = {player.number for player in seating_effects.players_of(seating)}
    last = pairing_changes.undoable(archive, seating)
    absent = list[Player]()
    if not seating.elimination:
        present = [person.player for person in people if not person.dropped]
        absent = [player for player in present if player.number not in seated]
    return {
        "version": pairing_changes.version_of(archive, seating),
        "published": published(archive, number),
        "undo": dict(last.facts) if last else None,
        "seats": [
            {
                "table": pairing.table,
                "a": shown(pairing.a),
                "b": shown(pairing.b) if pairing.b else None,
            }
            for pairing in seating_effects.by_table(seating)
        ],
        "losses": [shown(each) for each in seating.losses],
        "absent": [shown(each) for each in absent],
    }


def keepers(archive: Archive) -> list[dict[str, object]]:
    """Return who keeps a table, by table."""
    known = archive.roster.players
    return [
        {"table": table, "number": number, "name": known[number].name}
        for number, table in fixed_tables.fixed(archive).items()
        if number in known
    ]
