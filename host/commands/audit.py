"""``plusthree audit``: verify an archive's tags, seals and folds, and say what does not fit."""

import json
import pathlib
import sqlite3
import tempfile

from host import rollbook, secret
from host.archive import Archive
from host.errors import Mistake
from host.inspection import inspect
from host.keyring import Keyring


def arguments(parser):
    """Add the options."""
    parser.add_argument("archive", type=pathlib.Path, help="an archive, or a copy of one")
    parser.add_argument("--key", type=pathlib.Path, help="the master key (default: the one beside the archive)")
    parser.add_argument("--rolls", action="store_true", help="recompute every roll from the seeds told")
    parser.add_argument("--json", action="store_true", help="print one object instead of lines")


def run(args):
    """Inspect a copy, so that the archive may be in use or read-only; 1 when something does not fit."""
    if not args.archive.is_file():
        raise Mistake(f"there is no archive {args.archive}")
    master = secret.load(args.key or secret.beside(args.archive))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "copy.db"
        try:
            with sqlite3.connect(args.archive) as original, sqlite3.connect(path) as copy:
                original.backup(copy)
            original.close()
            copy.close()
        except sqlite3.DatabaseError as failure:
            raise Mistake(f"{args.archive} cannot be read: {failure}") from None
        with Archive(path) as archive:
            report = inspect(archive, Keyring(master, archive.roster))
            if args.rolls and archive.roster.event:
                faults, remarks, report.rolls = rollbook.check(archive)
                report.faults += faults
                report.remarks += remarks
    if args.json:
        print(json.dumps(vars(report), ensure_ascii=False))
        return 1 if report.faults else 0
    for kind, sentences in (("DOES NOT FIT", report.faults), ("missing", report.remarks)):
        for sentence in sentences:
            print(f"{kind}: {sentence}")
    verdict = f"{len(report.faults)} things do not fit" if report.faults else "everything that is here fits"
    rolls = f", {report.rolls} rolls recomputed" if args.rolls else ""
    print(f"{report.records} records, {report.seals} seals, {report.results} results{rolls}: {verdict}.")
    return 1 if report.faults else 0
