"""Checks announced results: their boards' signatures, and whether the records agree."""

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
            (number, pairing.pairing): pairing.table
            for number in archive.roster.rounds
            for pairing in archive.roster.pairings_of(number)
        }

    def of(self, number: int, pairing: int) -> str:
        """Return the words for a match's place, with its pairing if the table is unknown."""
        table = self.tables.get((number, pairing))
        where = f"pairing {pairing}" if table is None else f"table {table}"
        return f"round {number}, {where}"


def forged_announcements(archive: Archive, keyring: Keyring) -> list[str]:
    """Return a sentence for each announcement that its board did not sign at this event."""
    event, where = archive.roster.current_event.number, MatchPlaces(archive)
    return [
        f"{where.of(announcement.round, announcement.pairing)}: board"
        f" {announcement.board.device} did not sign the result that it is said to have announced"
        for announcement in announced_results.every(archive)
        if announcement is not None and not _is_genuine(announcement, keyring, event)
    ]


def _is_genuine(announcement: Announcement, keyring: Keyring, event: int) -> bool:
    verified = keyring.verify(announcement.frame)
    if not isinstance(verified, VerifiedFrame):
        return False
    expected = frames.STATUS, announcement.board.generation, event
    return (verified.kind, verified.generation, verified.event) == expected


def contradictions(hall: Hall, round_number: int, where: MatchPlaces) -> list[str]:
    """Return a sentence for each announced result of a round that the records contradict.

    They may, if the match was reopened and no later status arrived.
    """
    recorded, sentences = hall.boards_results(round_number), list[str]()
    for announcement, announced in hall.announcements(round_number):
        result = recorded.get(announcement.pairing)
        if result is None or result.by in (ANNOUNCED, TYPED):  # no records yet
            continue
        if _compared(result) == _compared(announced):
            continue
        sentences.append(
            f"{where.of(round_number, announcement.pairing)}: board {announcement.board.device}"
            f" announced {_text(announced)}, and its records say {_text(result)}"
        )
    return sentences


def _compared(result: Result) -> tuple[object, ...]:
    """Return the comparable part of a result; with counted points the margin contains them all."""
    return result.outcome, result.margin or result.games


def _text(result: Result) -> str:
    return f"{result.outcome} {score_of(result)}"
