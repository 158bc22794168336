"""A round in a few numbers: progress, missing results, open calls; from the archive alone."""

from dataclasses import dataclass

from firmware.core import events, intents
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.event import file_minutes, table_rows
from host.event.fold import Hall
from host.event.imported_results import ImportedRounds
from host.event.judge_calls import Call, calls

_OVERTIME = ("time", "overtime", "finishing")


@dataclass(frozen=True)
class Overview:
    """One round: counts of tables, open calls, and when the last record came (event ms, or
    None).
    """

    event: str
    round: int
    rounds: int
    state: str  # stored, published, started or over
    tables: int
    results: int
    playing: int
    overtime: int
    frozen: int
    extended: int
    calls: tuple[Call, ...]
    heard_ms: int | None
    said: tuple[Sentence, ...]  # notes for people on the round's file and boards (a key of --json)


def overview(archive: Archive, hall: Hall, now_ms: int) -> tuple[Overview, list[table_rows.Row]]:
    """Return ``(Overview, rows)`` of the round published last, else of the round stored last.

    ``now_ms`` is event time. Raises UserError if no round is stored.
    """
    roster = archive.roster
    if not roster.rounds:
        raise UserError("there is no round yet: import or draft one first")
    published = archive.orders.last_round(intents.SET_ROUND)
    number = published or roster.rounds[-1]
    rows = [
        row
        for row in table_rows.rows(archive, hall, None, number, now_ms)
        if row.pairing.b is not None
    ]
    open_rows = [row for row in rows if row.result is None]
    last = "SELECT received_ms FROM records WHERE event = ? ORDER BY received_ms DESC LIMIT 1"
    heard_ms = next(iter(archive.select(int, last, roster.current_event.number)), None)
    waiting = tuple(call for call in calls(archive) if call.open and call.round == number)
    shown = Overview(
        event=roster.current_event.name,
        round=number,
        rounds=roster.rounds[-1],
        state=_state(archive, number, published, open_rows),
        tables=len(rows),
        results=len(rows) - len(open_rows),
        playing=_count(open_rows, ("playing",)),
        overtime=_count(open_rows, _OVERTIME),
        frozen=_count(open_rows, ("frozen",)),
        extended=sum(1 for row in rows if row.extension_s),
        calls=waiting,
        heard_ms=heard_ms,
        said=_notes(archive, number),
    )
    return shown, rows


def _notes(archive: Archive, number: int) -> tuple[Sentence, ...]:
    form = archive.roster.stored_format(number)
    notes = (unread_remark(archive), file_minutes.remark(archive, form), _listeners(archive))
    return tuple(note for note in notes if note)


def _listeners(archive: Archive) -> Sentence | None:
    """Return a Sentence on the boards that have answered the beacon, None if none has."""
    current = {board.key for board in archive.roster.current_boards.values()}
    answers = archive.records(kinds=(events.ANSWERED,))
    count = len(current & {record.board for record in answers if record.answers_beacon})
    if not count:
        return None
    return Sentence.counted(
        "one board takes its start from the beacon",
        "{count} boards take their start from the beacon",
        count=count,
    )


def _count(rows: list[table_rows.Row], phases: tuple[str, ...]) -> int:
    return sum(1 for row in rows if row.phase in phases)


def _state(
    archive: Archive, number: int, published: int | None, open_rows: list[table_rows.Row]
) -> str:
    if not open_rows and (published is not None or ImportedRounds(archive).finished(number)):
        return "over"
    if published is None:
        return "stored"
    return "started" if archive.orders.started(number) else "published"


def unread_rounds(archive: Archive) -> list[int]:
    """Return the numbers below the event's last round that are not stored: standings and opponents
    leave these rounds out.
    """
    stored = archive.roster.rounds
    return [number for number in range(1, max(stored, default=0)) if number not in stored]


def unread_remark(archive: Archive) -> Sentence | None:
    """Return a note for people on rounds that were not read, or None."""
    missing = unread_rounds(archive)
    if not missing:
        return None
    singular = (
        "round {rounds} is not in this archive: standings and opponents leave it out "
        "(plusthree import FILE reads finished rounds)"
    )
    plural = (
        "rounds {rounds} are not in this archive: standings and opponents leave them out "
        "(plusthree import FILE reads finished rounds)"
    )
    return Sentence.counted(
        singular, plural, count=len(missing), rounds=", ".join(map(str, missing))
    )
