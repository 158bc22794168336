"""Compares an archive with an earlier copy of it: all of the copy must still be there.

The host itself may change some of the set-up, such as a pairing before its round. Such a change is
no fault, but it is reported: if somebody made the host sign it, it shows here.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from host.archive import audited_tables
from host.archive.schema import GUARDED
from host.archive.store import Archive
from host.audit import log_check
from host.base.words import amount

_APPENDED = {*GUARDED, "commands"}  # tables whose rows the program only ever adds
_PASSING = audited_tables.LATER  # the host changes them with each order
_MOST = 20


@dataclass
class Comparison:
    """Sentences on what contradicts the copy, and on what has changed or come since."""

    faults: list[str] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)


def compare(archive: Archive, copy: Archive) -> Comparison:
    """Compare an open archive's records, audit log and set-up with those of a copy."""
    comparison = Comparison(log_check.missing_records(archive, copy))
    comparison.faults += _chain(archive, copy)
    _compare_set_up(archive, copy, comparison)
    return comparison


def _chain(archive: Archive, copy: Archive) -> Iterator[str]:
    """Yield a sentence if the copy's audit log is not the beginning of the archive's."""
    ours, theirs = archive.audit_log.rows, copy.audit_log.rows
    for number, row in enumerate(theirs, 1):
        if number > len(ours):
            yield (
                f"the audit log ends at row {len(ours)}, and the copy's has {len(theirs)}: the copy"
                " is the newer one, or an end was cut off"
            )
            return
        if ours[number - 1] != row:
            yield (
                f"the audit log differs from the copy's from row {number} on: it was written anew,"
                " or the two went on apart, as after a restore"
            )
            return


def _compare_set_up(archive: Archive, copy: Archive, comparison: Comparison) -> None:
    """Add what differs in the set-up: a fault in tables that only grow, else a change."""
    ours, theirs = audited_tables.row_digests(archive), audited_tables.row_digests(copy)
    changes = []
    for row, digest in theirs.items():
        if row.sheet in _PASSING or ours.get(row) == digest:
            continue
        name = audited_tables.row_name(row)
        if row.sheet in _APPENDED:
            reason = log_check.OTHER if row in ours else log_check.GONE
            comparison.faults.append(f"{name}: {reason}")
        else:
            reason = "not as in the copy" if row in ours else "in the copy alone"
            changes.append(f"{name}: {reason}")
    new = Counter(row.sheet for row in ours.keys() - theirs.keys() if row.sheet not in _PASSING)
    comparison.changes += changes[:_MOST]
    if len(changes) > _MOST:
        comparison.changes.append(f"{len(changes) - _MOST} more rows are not as in the copy")
    comparison.changes += [
        f"{sheet}: {amount(count, 'new row')}" for sheet, count in sorted(new.items())
    ]
