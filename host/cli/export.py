"""``plusthree export``: write results for a spreadsheet, TOM, Cryodex or List Fortress."""

import json
from argparse import ArgumentParser, Namespace

from host.base.errors import UserError
from host.base.private_files import write_whole
from host.cli import options
from host.desk import tom_copy
from host.event.archive_view import view
from host.formats import tom_file, tom_results
from host.reports.export_forms import FORMS, TOMS

EPILOG = (
    "tdf: TOM's own file is never written. A checked copy is left beside the others under a new"
    " name, and a list of what to type into TOM, in the order of the tables. Without --tdf it is"
    " the file that was read last, until the event is closed."
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.add_argument(
        "format", metavar="FORM", choices=[*FORMS, TOMS], help=f"{', '.join([*FORMS, TOMS])}"
    )
    options.add_archive(parser)
    options.add_path(parser, "--out", "DIR", "the folder (default: here)", ".")
    options.add_path(
        parser,
        "--tdf",
        "FILE",
        "the file of TOM to fill in (it is only read; default: the one that was read last)",
    )
    parser.add_argument("--round", type=int, help="tdf: only this round")
    options.add_pack(parser)
    options.add_json(parser)
    parser.epilog = EPILOG


def run(args: Namespace) -> int:
    """Write the files and print their names; return 1 if a person must check TOM's file, else 0."""
    if args.format == TOMS:
        return _fill(args)
    with view(args.archive) as (archive, hall):
        name, text = FORMS[args.format](archive, hall, options.pack_of(args, archive))
    path = args.out / name
    write_whole(path, text, new_folder=True)
    print(json.dumps({"files": [str(path)]}) if args.json else path)
    return 0


def _fill(args):
    file = tom_file.read(args.tdf) if args.tdf else None
    with view(args.archive) as (archive, hall):
        file = file or _last_read(archive)
        filled = tom_copy.fill(archive, hall, file, args.round)
    paths, lines = tom_copy.write(file, filled, args.out, args.tdf is not None)
    _say(args, file, paths, lines, filled)
    to_correct = filled.with_state(tom_results.DIFFERS) or filled.with_state(tom_results.TIED)
    return 1 if to_correct or filled.unmatched else 0


def _last_read(archive):
    """Return the file of TOM that was read last; raises UserError, with the option instead."""
    try:
        return tom_copy.load(archive)
    except UserError as missing:
        missing.option = "--tdf FILE"
        raise


def _say(args, file, paths, lines, filled):
    counts = {
        state: len(filled.with_state(state))
        for state in ("filled", "same", "differs", "tied", "missing")
    }
    unmatched = [
        f"round {pairing.round}: {pairing.a} – {pairing.b} are not paired in {file.path}"
        for pairing in filled.unmatched
    ]
    if args.json:
        answer = {
            "files": list(map(str, paths)),
            "matches": counts,
            "type": lines,
            "not_in_file": unmatched,
        }
        print(json.dumps(answer))
        return
    print("Type these into TOM:" if lines else "There is nothing to type into TOM.")
    print("\n".join([*lines, *unmatched, *map(str, paths)]))
