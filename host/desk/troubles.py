"""The troubles that a running desk reports: their start, and what to do about them.

Pages show each as a banner: no board is heard, the disk is full, the stick for copies is missing,
the beacon is forged, the PC's clock cannot be right. Tests: ``tests/host/test_desk_goes_on.py``.
"""

import pathlib
from collections.abc import Sequence
from typing import NamedTuple

from host.base.sentences import Sentence
from host.collector.collector import Collector
from host.desk.desk import Desk

RADIO, DISK, BACKUP, FILES = "radio", "disk", "backup", "files"
ARCHIVE, BEACON = "archive", "beacon"
CLOCK, CLOCK_OFF = "clock", "clock_off"  # the first asks a question, the second only informs
NO_DISK = Sentence("the archive's disk is full: make room; the boards keep what they have")
DISK_BACK = Sentence("the archive can be written again")
WRITTEN = Sentence(
    "another program has written to the archive: close it, and see what has changed with:"
    " plusthree audit"
)
NO_BACKUP = Sentence("the copies cannot be written: plug the stick in again, or make room on it")
_NAMED = 4  # tables named in a sentence
_RADIO_DOWN_MS = 15_000  # a restarted scan hears nothing for some seconds
_NO_BOARD_MS = 60_000  # boards advertise at least twice a second


def no_files(failure: OSError) -> Sentence:
    """Return the trouble of a results file that cannot be written."""
    return Sentence(
        "{file} cannot be written ({why}): close the program that has it open, or make room",
        file=pathlib.Path(failure.filename or "results.csv").name,
        why=failure.strerror or str(failure),
    )


def changed_row(row: Sentence, believable: bool) -> Sentence:
    """Return the trouble of a ``row`` that another program has changed. ``believable``: it may be
    the organiser's own work, so that accepting it is offered.
    """
    text = (
        "{row}: nothing more is stored or shown; if that was you, type here: archive mine; if not,"
        " type: quit, keep the archive, and bring the newest copy back with: plusthree restore"
        if believable
        else "{row}: end serve, keep the archive, and bring the newest copy back with: plusthree"
        " restore"
    )
    return Sentence(text, row=row)


def forged_frames(tables: Sequence[int]) -> Sentence:
    """Return the trouble of forged beacon frames that boards at ``tables`` have heard."""
    named = [*map(str, tables[:_NAMED])]
    if len(tables) > _NAMED:
        named.append("…")
    return Sentence(
        "false frames of the beacon were heard at tables {tables}: no board believes them; if a"
        " board is missing, revoke it",
        tables=", ".join(named),
    )


def clock_question(span: str) -> Sentence:
    """Return the question whether ``span`` (H:MM) has passed in a running round."""
    return Sentence(
        "this PC's clock says that {span} h went by while plusthree was not running; the round goes"
        " on from where it was: say whether that time has passed, or set the clock right",
        span=span,
    )


def clock_off(span: str, ahead: bool) -> Sentence:
    """Return the trouble of a PC's clock that is off by ``span`` (H:MM)."""
    text = (
        "this PC's clock is {span} h ahead of the event's time: set it right; the rounds go on"
        " without it"
        if ahead
        else "this PC's clock is {span} h behind the event's time: set it right; the rounds go on"
        " without it"
    )
    return Sentence(text, span=span)


class Trouble(NamedTuple):
    """A trouble: its kind, its start (event ms), and what to do, None if that is not known."""

    kind: str
    since_ms: int
    why: Sentence | None


class Troubles:
    """The troubles of a Station. ``begin`` and ``end`` report all but the radio's, which it finds
    itself.
    """

    def __init__(self, collector: Collector, desk: Desk):
        self._collector, self._desk = collector, desk
        self._noted: dict[str, Trouble] = {}

    def begin(self, kind: str, now_ms: int, why: Sentence) -> bool:
        """Note a trouble, or a new reason for it; return whether that is news."""
        before = self._noted.get(kind)
        self._noted[kind] = Trouble(kind, before.since_ms if before else now_ms, why)
        return self._noted[kind] != before

    def end(self, kind: str) -> bool:
        """Note that a trouble is over; return whether there was one."""
        return self._noted.pop(kind, None) is not None

    def __contains__(self, kind: str) -> bool:
        return kind in self._noted

    def now(self, now_ms: int) -> list[Trouble]:
        """Return the current troubles, the radio's first."""
        radio, others = self._radio(now_ms), [*self._noted.values()]
        return [radio, *others] if radio else others

    def _radio(self, now_ms: int) -> Trouble | None:
        """Return the radio's trouble: it does not scan, or no board is heard although some play."""
        collector = self._collector
        down_ms, heard_ms = collector.radio_down_since_ms, collector.heard_ms
        if down_ms is not None and now_ms - down_ms >= _RADIO_DOWN_MS:
            reasons = [alarm.sentence for alarm in collector.alarms if alarm.device is None]
            return Trouble(RADIO, down_ms, reasons[-1] if reasons else None)
        # only while a table plays: boards that are packed up are silent, too
        if heard_ms is not None and now_ms - heard_ms >= _NO_BOARD_MS and self._desk.open:
            return Trouble(RADIO, heard_ms, None)
        return None
