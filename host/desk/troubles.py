"""What goes wrong around the desk while the desk goes on: since when, and what to do about it.

Pages show each as a banner: no board is heard, the disk is full, the stick for copies is gone,
somebody forges the beacon, the PC's clock cannot be right.
"""

import pathlib
from collections.abc import Sequence
from typing import NamedTuple

from host.base.sentences import Sentence
from host.collector.collector import Collector
from host.desk.desk import Desk

RADIO, DISK, BACKUP, FILES = "radio", "disk", "backup", "files"
ARCHIVE, BEACON = "archive", "beacon"
CLOCK, CLOCK_OFF = "clock", "clock_off"  # people are asked; they are told
NO_DISK = Sentence("the archive's disk is full: make room; the boards keep what they have")
DISK_BACK = Sentence("the archive can be written again")
WRITTEN = Sentence(
    "another program has written to the archive: close it, and see what has changed with:"
    " plusthree audit"
)
NO_BACKUP = Sentence("the copies cannot be written: plug the stick in again, or make room on it")
_NAMED = 4  # tables, in a sentence
_DEAF_MS = 15_000  # a scan that begins anew is deaf for some seconds
_SILENT_MS = 60_000  # boards advertise twice a second at the least


def no_files(failure: OSError) -> Sentence:
    """Return that a file of results cannot be written."""
    return Sentence(
        "{file} cannot be written ({why}): close the program that has it open, or make room",
        file=pathlib.Path(failure.filename or "results.csv").name,
        why=failure.strerror or str(failure),
    )


def changed(row: Sentence, believable: bool) -> Sentence:
    """Return what to do where another program has changed a ``row``; what is ``believable`` may be
    somebody's own work.
    """
    said = (
        "{row}: nothing more is stored or shown; if that was you, type here: archive mine; if not,"
        " type: quit, keep the archive, and bring the newest copy back with: plusthree restore"
        if believable
        else "{row}: end serve, keep the archive, and bring the newest copy back with: plusthree"
        " restore"
    )
    return Sentence(said, row=row)


def forged(tables: Sequence[int]) -> Sentence:
    """Return that boards at these ``tables`` have heard forged frames of the beacon."""
    return Sentence(
        "false frames of the beacon were heard at tables {tables}: no board believes them; if a"
        " board is missing, revoke it",
        tables=", ".join([*map(str, tables[:_NAMED]), *["…"] * (len(tables) > _NAMED)]),
    )


def clock_asked(span: str) -> Sentence:
    """Return what to ask where ``span`` (H:MM) may have passed in a running round, or not."""
    return Sentence(
        "this PC's clock says that {span} h went by while plusthree was not running; the round goes"
        " on from where it was: say whether that time has passed, or set the clock right",
        span=span,
    )


def clock_off(span: str, ahead: bool) -> Sentence:
    """Return that the PC's clock is off by ``span`` (H:MM)."""
    said = (
        "this PC's clock is {span} h ahead of the event's time: set it right; the rounds go on"
        " without it"
        if ahead
        else "this PC's clock is {span} h behind the event's time: set it right; the rounds go on"
        " without it"
    )
    return Sentence(said, span=span)


class Trouble(NamedTuple):
    """One trouble: its kind, since when (event ms), and what to do, None where nobody knows."""

    kind: str
    since_ms: int
    why: Sentence | None


class Troubles:
    """The troubles of a Station. All but the radio's are told to it with ``begin`` and ``end``."""

    def __init__(self, collector: Collector, desk: Desk):
        self._collector, self._desk = collector, desk
        self._told: dict[str, Trouble] = {}

    def begin(self, kind: str, now_ms: int, why: Sentence) -> bool:
        """Note a trouble, or another reason for it; say whether that is news."""
        before = self._told.get(kind)
        self._told[kind] = Trouble(kind, before.since_ms if before else now_ms, why)
        return self._told[kind] != before

    def end(self, kind: str) -> bool:
        """Note that a trouble is over; say whether there was one."""
        return self._told.pop(kind, None) is not None

    def __contains__(self, kind: str) -> bool:
        return kind in self._told

    def now(self, now_ms: int) -> list[Trouble]:
        """Return what goes wrong now, the radio first."""
        radio = self._radio(now_ms)
        return [*([radio] if radio else []), *self._told.values()]

    def _radio(self, now_ms: int) -> Trouble | None:
        collector = self._collector
        deaf_ms, heard_ms = collector.deaf_since_ms, collector.heard_ms
        if deaf_ms is not None and now_ms - deaf_ms >= _DEAF_MS:
            said = [one.sentence for one in collector.alarms if one.device is None]
            return Trouble(RADIO, deaf_ms, said[-1] if said else None)
        # boards in their box are silent too: somebody must still play
        if heard_ms is not None and now_ms - heard_ms >= _SILENT_MS and self._desk.open:
            return Trouble(RADIO, heard_ms, None)
        return None
