"""Rounds that an event has had and the archive has not: standings and opponents leave them out."""

from host.archive.store import Archive
from host.base.sentences import Sentence


def unread(archive: Archive) -> list[int]:
    """Return the numbers below the event's last round that are not stored."""
    stored = archive.roster.rounds
    return [number for number in range(1, max(stored, default=0)) if number not in stored]


def remark(archive: Archive) -> Sentence | None:
    """Return what people should know of rounds that were not read, or None."""
    left = unread(archive)
    if not left:
        return None
    one = (
        "round {rounds} is not in this archive: standings and opponents leave it out "
        "(plusthree import FILE reads finished rounds)"
    )
    many = (
        "rounds {rounds} are not in this archive: standings and opponents leave them out "
        "(plusthree import FILE reads finished rounds)"
    )
    return Sentence.counted(one, many, count=len(left), rounds=", ".join(map(str, left)))
