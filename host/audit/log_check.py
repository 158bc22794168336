"""An archive against its audit log: what was stored and is gone, is other, or never came this way."""

import bisect
import json
from dataclasses import dataclass, field

from firmware.core import events, frames
from host.archive import audit_log, audited_tables
from host.event import nonces

GONE = "stored here once, and gone"
OTHER = "not what was stored here"
STRANGE = "never stored by this host"
_BETWEEN = "between matches"
_MOST = 5


@dataclass
class Evidence:
    """What the audit log of an archive says of it; ``faults`` are contradictions."""

    faults: list = field(default_factory=list)
    heads: dict = field(
        default_factory=dict
    )  # (device, generation, epoch) -> head of the journal told of
    sealed: bool = False  # the chain's last word is that this is all
    covers: bool = True  # the set-up, too


@dataclass
class _Named:
    """What the rows name that fit."""

    records: dict = field(default_factory=dict)
    quarantined: set = field(default_factory=set)
    notices: set = field(default_factory=set)
    heads: dict = field(default_factory=dict)
    rows: dict = field(default_factory=dict)
    last: str = ""


def gathered(archive, key, older=False):
    """Return the Evidence on an open Archive; ``key`` is that of the audit log.

    ``older``: the archive may be of a plusthree that kept none.
    """
    rows, entries = archive.audit_log.rows, archive.records()
    if not rows and (older or not entries):
        return Evidence()
    if not rows:
        return Evidence(["there is no audit log: somebody took it out, or it was kept by a plusthree "
                         "that had none yet; if you know that, add --older"])  # fmt: skip
    named, torn = _named(rows, key)
    found = [
        f"row {number} of {len(rows)} of the audit log does not fit what stands before it"
        for number in torn
    ]
    found += _records(named.records, entries) + list(_aside(named.quarantined, archive.quarantined))
    found += list(_notices(named.notices, archive))
    if named.rows:
        found += list(_rows(named.rows, audited_tables.state(archive)))
    return Evidence(found, named.heads, named.last == audit_log.SEALED, bool(named.rows))


def _named(rows, key):
    """Return what the rows name, and the numbers of those that do not fit."""
    named, torn, before = _Named(), [], b""
    for number, (what, body, mark) in enumerate(rows, 1):
        if audit_log.mark(key, before, what, body) == mark:
            _READ[what](named, body)
            named.last = what
        else:
            torn.append(number)
        before = mark
    return named, torn


def _read_records(named, body):
    named.records.update(audit_log.named(body))


def _read_quarantined(named, body):
    named.quarantined.update(audit_log.named(body))


def _read_notice(named, body):
    named.notices.add(tuple(json.loads(body)))


def _read_head(named, body):
    place, head = audit_log.unpacked_head(body)
    named.heads[place] = max(head, named.heads.get(place, 0))


def _read_rows(named, body):
    named.rows.update(audited_tables.unpacked(body))


def _read_seal(named, body):
    pass


_READ = {
    audit_log.BEGUN: _read_records,
    audit_log.RECORDS: _read_records,
    audit_log.QUARANTINED: _read_quarantined,
    audit_log.NOTICE: _read_notice,
    audit_log.HEAD: _read_head,
    audit_log.ROWS: _read_rows,
    audit_log.SEALED: _read_seal,
}


def _records(named, entries):
    """Return what is wrong with the records, a sentence for each run of them."""
    held = {entry.id: audit_log.seen(entry) for entry in entries}
    wrong = {}
    for place in sorted(named.keys() | held.keys()):
        if named.get(place) != held.get(place):
            wrong[place] = GONE if place not in held else OTHER if place in named else STRANGE
    return list(_runs(wrong, Matches(entries)))


def _runs(wrong, matches):
    runs = []
    for place, why in wrong.items():
        what = why, matches.of(place)
        if runs and runs[-1][2] == what and runs[-1][1] == (*place[:3], place[3] - 1):
            runs[-1][1] = place
        else:
            runs.append([place, place, what])
    for first, last, (why, match) in runs:
        to = "" if first == last else f" to {last[2]}/{last[3]}"
        yield f"{name(first)}{to}, {match}: {why}"


def name(place):
    """Return how a record is called: its board, the board's key, its boot and counter."""
    return f"board {place[0]} (key {place[1]}), record {place[2]}/{place[3]}"


class Matches:
    """Which match each record of an archive lies in."""

    def __init__(self, entries):
        self._begun = {}  # (device, generation) -> [(epoch, counter, match)], in order
        for entry in entries:
            kind, _, a, b, _ = frames.event_of(entry.frame)
            if kind in (events.ROUND_SET, events.ROUND_CLEARED):
                match = f"round {a}, table {b}" if kind == events.ROUND_SET else _BETWEEN
                self._begun.setdefault(entry.id[:2], []).append((*entry.id[2:], match))

    def of(self, place):
        """Return the words for the match at ``(device, generation, epoch, counter)``."""
        begun = self._begun.get(place[:2], [])
        at = bisect.bisect_right(begun, place[2:], key=lambda one: one[:2])
        return begun[at - 1][2] if at else _BETWEEN


def lacking(archive, other):
    """Return sentences on records of the Archive ``other`` that ``archive`` has not, or has otherwise."""
    wanted, held = other.records(), {entry.id: entry.frame for entry in archive.records()}
    differing = {e.id: OTHER if e.id in held else GONE for e in wanted if held.get(e.id) != e.frame}
    return list(_runs(differing, Matches(wanted)))


def _aside(named, entries):
    for place, _ in named - {(entry.id, audit_log.seen(entry)) for entry in entries}:
        yield f"{name(place)}: another record once claimed this place, and is gone from the quarantine"


def _notices(named, archive):
    sql = "SELECT event, what, value, author, unix_ms FROM notices ORDER BY id"
    held = set(archive.query(sql))
    for _, what, value, _, _ in sorted(named - held):
        yield f"the notice {what} {value!r} was kept here, and is gone or another"
    for _, what, value, _, _ in sorted(held - named):
        if what == nonces.GIVEN:
            yield f"the nonce {value!r} was never given by this host"


def _rows(named, held):
    """Return sentences on rows of the set-up; of a table with many wrong ones the first few."""
    wrong = {}
    for sheet, key in named.keys() | held.keys():
        told, there = named.get((sheet, key)), held.get((sheet, key))
        if told != there:
            wrong.setdefault(sheet, []).append(
                (str(key), key, GONE if there is None else OTHER if told else STRANGE)
            )
    for sheet, rows in sorted(wrong.items()):
        for _, key, why in sorted(rows)[:_MOST]:
            place = ", ".join(
                f"{name} {value}"
                for name, value in zip(audited_tables.SHEETS[sheet][0].split(), key, strict=True)
            )
            yield f"{sheet}, {place}: {why}"
        if len(rows) > _MOST:
            yield f"{sheet}: {len(rows) - _MOST} more rows do not fit"
