"""``plusthree audit luck ARCHIVE...``: statistics of all rolls, as a page, a PDF or JSON."""

import contextlib
import json
from argparse import ArgumentParser, Namespace

from host.archive import master_key
from host.audit import examination, inspection, roll_statistics
from host.base.private_files import write_whole
from host.base.words import amount, misfits
from host.cli import options
from host.event.archive_view import ArchiveView
from host.keys.keyring import Keyring
from host.reports import exports
from host.reports.paper import pdf
from host.reports.paper import roll_report as report

TITLE = "What the boards rolled"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.add_argument(
        "archives",
        nargs="*",
        type=options.place,
        default=[options.place(options.ARCHIVE)],
        metavar="ARCHIVE",
        help=f"archives of one or more events (default: {options.ARCHIVE})",
    )
    options.add_path(parser, "--html", "FILE", "write a page that a head judge can sign")
    options.add_path(parser, "--pdf", "FILE", "write it as a PDF too (needs Chromium)")
    options.add_json(parser)


def run(args: Namespace) -> int:
    """Compute, write and print the report; return 0 whatever was rolled."""
    with contextlib.ExitStack() as stack:
        samples = roll_statistics.samples(
            [stack.enter_context(ArchiveView(path)) for path in args.archives]
        )
    checked = [_check(path) for path in args.archives]
    skipped = _write(args, report.page(samples, TITLE, checked))
    if args.json:
        print(json.dumps(_object(samples, checked) | {"pdf_skipped": skipped}))
        return 0
    _print(samples, checked)
    if skipped:
        print(pdf.SKIPPED)
    return 0


def _object(samples, checked):
    """Return samples and recomputed rolls as one JSON object."""
    return {
        "verdict": roll_statistics.verdict(samples),
        "samples": [sample.as_json() for sample in samples],
        "recomputed": [[result, faults] for _, result, faults in checked],
    }


def _print(samples, checked):
    for sample in samples:
        counts = " ".join(map(str, sample.counts))
        tests = ", ".join(
            f"{name} p {test.p:.3f} ({test.adjusted:.2f})" for name, test in sample.tests.items()
        )
        line = f"{sample.name}, {sample.randomizer}: {counts}"
        print(f"{line}; {tests}" if tests else line)
    for event, result, faults in checked:
        print(f"{event}: {result}", *faults, sep="\n  ")
    print(roll_statistics.verdict(samples))


def _check(path):
    """Return ``(event name, result of recomputing its rolls, contradictions)`` of an archive."""
    with examination.temporary_copy(path) as archive:
        event = archive.roster.event
        assert event is not None  # an ArchiveView of this path was opened before
        name = f"{event.name}, {exports.day_of(archive).isoformat()}"
        if not master_key.path_of(path).exists():
            no_key = "the master key does not lie beside the archive"
            return name, f"the rolls were not recomputed: {no_key}.", []
        keyring = Keyring(master_key.load(master_key.path_of(path)), archive.roster)
        report = examination.examine(archive, keyring)
    verdict = "everything that is here fits"
    if report.faults:
        verdict = misfits(len(report.faults))
    if report.remarks:
        verdict += f"; {amount(len(report.remarks), 'remark')} on what is missing"
    rolls = f"{report.rolls} rolls recomputed from their seeds"
    return name, f"{rolls}; {inspection.completeness(report)}: {verdict}.", report.faults


def _write(args, text):
    """Write the page and the PDF; return whether a PDF was wanted but could not be printed."""
    if args.html is None and args.pdf is None:
        return False
    page = args.html or args.pdf.with_suffix(".html")
    write_whole(page, text, new_folder=True)
    if args.pdf is None:
        return False
    browser = pdf.chromium()
    if browser:
        pdf.print_page(page, args.pdf, browser)
    return not browser
