"""Checks announced results: that their boards signed them, and what the records say of them."""

from firmware.core import frames
from host.archive.decoded_frames import VerifiedFrame
from host.archive.store import Archive
from host.event import announced_results
from host.event.announced_results import Announcement
from host.event.fold import Hall
from host.event.match_results import ANNOUNCED, TYPED, Result, score_of
from host.keys.keyring import Keyring


class MatchPlaces:
    """The tables of an archive's current event, by ``(round, pairing)``."""

    def __init__(self, archive: Archive):
        self.tables = {
            (number, one.pairing): one.table
            for number in archive.roster.rounds
            for one in archive.roster.pairings_of(number)
        }

    def of(self, number: int, pairing: int) -> str:
        """Return the words for a match's place; of one that is not stored its pairing."""
        table = self.tables.get((number, pairing))
        where = f"pairing {pairing}" if table is None else f"table {table}"
        return f"round {number}, {where}"


def forged(archive: Archive, keyring: Keyring) -> list[str]:
    """Return a sentence for each announcement that its board did not sign at this event."""
    event, where = archive.roster.current_event.number, MatchPlaces(archive)
    return [
        f"{where.of(one.round, one.pairing)}: board {one.board.device} did not sign the"
        " result that it is said to have announced"
        for one in announced_results.every(archive)
        if one is not None and not _signed(one, keyring, event)
    ]


def _signed(one: Announcement, keyring: Keyring, event: int) -> bool:
    found = keyring.verify(one.frame)
    if not isinstance(found, VerifiedFrame):
        return False
    return (found.kind, found.generation, found.event) == (
        frames.STATUS,
        one.board.generation,
        event,
    )


def contradicted(hall: Hall, round_number: int, where: MatchPlaces) -> list[str]:
    """Return a sentence for each announced result of a round of which the records say another one.

    They may, if the match was opened again and nobody heard that.
    """
    recorded, found = hall.boards_results(round_number), list[str]()
    for one, told in hall.announcements(round_number):
        result = recorded.get(one.pairing)
        if result is None or result.by in (ANNOUNCED, TYPED) or _worth(result) == _worth(told):
            continue
        found.append(
            f"{where.of(round_number, one.pairing)}: board {one.board.device} announced"
            f" {_shown(told)}, and its records say {_shown(result)}"
        )
    return found


def _worth(result: Result) -> tuple[object, ...]:
    """Return what both tell: where points are counted, the margin has all of them."""
    return result.outcome, result.margin or result.games


def _shown(result: Result) -> str:
    return f"{result.outcome} {score_of(result)}"
