"""``plusthree audit``: verify an archive's tags, audit log, seals and folds; report every fault."""

import json
from argparse import ArgumentParser, Namespace

from host.archive import chain_head, master_key
from host.archive.table_shapes import SchemaMismatch, odd_rows
from host.audit import comparison, receipt_check
from host.audit.examination import examine, temporary_copy
from host.audit.inspection import Report, completeness
from host.base.words import misfits
from host.cli import options
from host.keys.keyring import Keyring

_FLAGS = {
    "--rolls": "recompute every roll from the seeds that boards have revealed",
    "--final": "the event is over: a journal without its end is a fault",
    "--older": "accept an archive without an audit log, from an older plusthree",
}


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    options.add_archive(parser, "an archive, or a copy of one")
    options.add_path(
        parser, "--key", "FILE", "the master key (default: the one beside the archive)"
    )
    for flag, about in _FLAGS.items():
        parser.add_argument(flag, action="store_true", help=about)
    parser.add_argument(
        "--against",
        type=options.place,
        metavar="COPY",
        help="an earlier copy: all of it must be here; what has changed since is listed",
    )
    parser.add_argument(
        "--receipt",
        metavar="WORDS",
        help="the twelve words that were hung up as the event was closed: is this that event?",
    )
    options.add_json(parser)


def run(args: Namespace) -> int:
    """Audit a copy, so that the archive may be in use or read-only; return 0, or 1 for a fault."""
    try:
        report = _report(args)
    except SchemaMismatch as mismatch:
        report = Report(faults=[str(mismatch)])
    _tell(report, args)
    return 1 if report.faults else 0


def _report(args):
    """Return the Report on an archive, its receipt and another copy, as the options ask."""
    key = args.key or master_key.path_of(args.archive)
    head_path = chain_head.path_for_key(key)
    head_text = chain_head.text_of(head_path)  # before the copy is made: a running host goes on
    with temporary_copy(args.archive) as archive:
        odd = odd_rows(archive)
        if odd:
            return Report(faults=odd)
        keyring = Keyring(master_key.load(key), archive.roster)
        report = examine(archive, keyring, args.rolls, args.final, args.older)
        head = chain_head.read(head_path, head_text, keyring.audit_log)
        differs = archive.audit_log.departs_from(head) if head else None
        if head and differs:
            shorter = archive.audit_log.length < head.length
            # an older copy may be given with the key of the archive that went on
            is_older_copy = bool(args.key) and shorter and not args.final
            (report.remarks if is_older_copy else report.faults).append(differs)
        if args.receipt:
            report.faults += receipt_check.differences(archive, args.receipt)
            report.changes += receipt_check.later_sheets(archive, args.receipt)
        if args.against:
            with temporary_copy(args.against) as other:
                compared = comparison.compare(archive, other)
            report.faults += compared.faults
            report.changes += compared.changes
    return report


def _tell(report, args):
    if args.json:
        print(json.dumps(vars(report)))
        return
    findings = (
        ("DOES NOT FIT", report.faults),
        ("missing", report.remarks),
        ("noted", report.notes),
        ("changed", report.changes),
    )
    for kind, sentences in findings:
        for sentence in sentences:
            print(f"{kind}: {sentence}")
    verdict = "everything that is here fits"
    if report.faults:
        verdict = misfits(len(report.faults))
    rolls = f", {report.rolls} rolls recomputed" if args.rolls else ""
    print(
        f"{report.records} records, {report.seals} seals, {report.results} results{rolls};"
        f" {completeness(report)}: {verdict}."
    )
