"""What happened at every table in every round: the archive's records with the match they belong to."""

from dataclasses import dataclass

from firmware.core import events, frames

_PLACES = events.ROUND_SET, events.ROUND_CLEARED


@dataclass(frozen=True)
class Happening:
    """An event of a match: its round, table and pairing, and the event ``(kind, at_ms, a, b, c)``."""

    round: int
    table: int
    pairing: int
    event: tuple


def chronicle(archive, kinds):
    """Return the Happenings of some kinds at the current event, board by board in the order of their journals."""
    found, board, place = [], None, None
    for entry in archive.records(archive.roster.event.number, {*kinds, *_PLACES}):
        event = frames.event_of(entry.frame)
        if (entry.device, entry.generation) != board:
            board, place = (entry.device, entry.generation), None
        if event[0] == events.ROUND_SET:
            place = event[2:]
        elif event[0] == events.ROUND_CLEARED:
            place = None
        if place is not None and event[0] in kinds:
            found.append(Happening(*place, event))
    return found


def game_rounds(happenings):
    """Return ``{(round, pairing): how many game rounds were begun}`` where somebody pressed (XW15)."""
    counts = {}
    for one in happenings:
        if one.event[0] == events.TURN_STARTED:
            key = one.round, one.pairing
            counts[key] = counts.get(key, 0) + 1
    return counts
