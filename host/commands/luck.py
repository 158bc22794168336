"""``plusthree luck ARCHIVE...``: what all boards rolled, counted and weighed; as a page, a PDF, or JSON."""

import contextlib
import json
import pathlib

from host import fleet
from host.errors import Mistake
from host.exports import write_whole
from host.paper import fleet as report
from host.paper import pdf
from host.reader import ArchiveView

TITLE = "What the boards rolled"


def arguments(parser):
    """Add the command's arguments."""
    parser.add_argument("archives", nargs="+", metavar="ARCHIVE", help="archives of one or more events")
    parser.add_argument("--html", type=pathlib.Path, metavar="FILE", help="write a page that a head judge can sign")
    parser.add_argument("--pdf", type=pathlib.Path, metavar="FILE", help="and print it (needs Chromium)")
    parser.add_argument("--json", action="store_true", help="print one object instead of lines")


def run(args):
    """Weigh, write and print; returns 0 whatever was rolled: a report judges nobody."""
    with contextlib.ExitStack() as stack:
        found = fleet.samples([stack.enter_context(ArchiveView(path)) for path in args.archives])
    skipped = _written(args, report.page(found, TITLE))
    if args.json:
        told = [one.told() for one in found]
        print(json.dumps({"verdict": fleet.verdict(found), "samples": told, "pdf_skipped": skipped}))
        return 0
    for one in found:
        tests = ", ".join(f"{name} p {p:.3f} ({made_up:.2f})" for name, (_, p, made_up) in one.tests.items())
        print(f"{one.name}, {one.randomizer}: {' '.join(map(str, one.counts))}{'; ' + tests if tests else ''}")
    print(fleet.verdict(found))
    if skipped:
        print(f"No PDF: there is no Chromium here ({', '.join(pdf.NAMES)}). Any browser prints the HTML.")
    return 0


def _written(args, text):
    """Write page and PDF as asked; say whether a PDF had to be left out."""
    target = args.html or args.pdf and args.pdf.with_suffix(".html")
    if target is None:
        return False
    try:
        write_whole(target, text)
    except OSError as failure:
        raise Mistake(f"{target} cannot be written: {failure.strerror}") from None
    browser = args.pdf and pdf.chromium()
    if browser:
        pdf.printed(browser, target, args.pdf)
    return bool(args.pdf) and not browser
