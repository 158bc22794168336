"""``plusthree import FILE``: store a round from TOM, from Cryodex or from an event file."""

import json
import pathlib
import time
from argparse import ArgumentParser, Namespace
from dataclasses import replace

from host.archive.store import Archive
from host.base.errors import UserError
from host.cli import options
from host.desk.event_import import import_event
from host.formats.import_file import ImportedFile
from host.formats.round_format import EXAMPLE, parse_format, words_of
from host.formats.tom_file import PODS

EPILOG = "The file itself is only read. A round that is stored already must say the same."


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "file",
        metavar="FILE",
        type=pathlib.Path,
        help="a .tdf of TOM, a .json of Cryodex, a .csv of ours",
    )
    options.archive(parser)
    parser.add_argument(
        "--format",
        metavar="WORDS",
        help=f'what is played, as in "{EXAMPLE}" (default: as the last round)',
    )
    parser.add_argument(
        "--round", type=int, help="which round of the file (default: the one that is open)"
    )
    parser.add_argument(
        "--pod",
        choices=sorted(PODS),
        help="only this pod of a .tdf: " + ", ".join(f"{c} {n}" for c, n in PODS.items()),
    )
    parser.add_argument("--event", help="the event's name (default: the file's)")
    parser.add_argument("--json", action="store_true", help="print one object instead of a line")
    parser.epilog = EPILOG


def run(args: Namespace) -> int:
    """Read and check the file, store its round, say what was stored; returns 0."""
    incoming = ImportedFile(args.file)
    form = _format(args.format)
    if form is None and incoming.formless:
        form = _last_format(args.archive, args.event or incoming.event)
    file = incoming.event_file(form, args.round, args.pod)
    if args.event:
        file = replace(file, event=args.event)
    with Archive(args.archive) as archive:
        number = import_event(archive, file, time.time_ns() // 1_000_000)
        event = archive.roster.event
        assert event is not None  # the round was just stored in it
        told = {
            "event": event.name,
            "round": number,
            "format": words_of(file.format),
            "matches": sum(one.b is not None for one in file.pairings),
            "byes": sum(one.b is None for one in file.pairings),
        }
    if args.json:
        print(json.dumps(told, ensure_ascii=False))
    else:
        print("{event}, round {round}: {matches} matches and {byes} byes, {format}".format(**told))
    return 0


def _format(words):
    try:
        return parse_format(words) if words else None
    except ValueError as mistake:
        raise UserError(str(mistake)) from None


def _last_format(path, name):
    """Return the Format of the last stored round of the event, or None; an archive is not made for
    it.
    """
    if not pathlib.Path(path).exists():
        return None
    with Archive(path) as archive:
        roster = archive.roster
        if roster.event is None or not roster.rounds or name not in (None, roster.event.name):
            return None
        return roster.format_of(roster.rounds[-1])
