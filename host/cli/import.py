"""``plusthree import FILE``: store a round from TOM, Cryodex or an event file, or a list of teams
or squads.
"""

import json
import time
from argparse import ArgumentParser, Namespace
from dataclasses import replace

from host.archive import places
from host.archive.store import Archive
from host.archive.stored_acts import SHELL
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.base.standard_streams import printable
from host.base.words import amount
from host.cli import lists, options
from host.desk import event_name, file_reading, tom_copy
from host.desk.event_import import import_file
from host.desk.file_reading import Choices
from host.event import event_plan
from host.event.fold import Hall
from host.formats.csv_reader import removal_notice
from host.formats.import_file import ImportedFile
from host.formats.round_format import EXAMPLE, parse_format, words_of
from host.formats.tom_file import PODS

EPILOG = (
    "The file itself is only read. Finished rounds of TOM and Cryodex are read with their results; "
    "what tables or staff said counts more. A round that is not published yet is replaced. "
    + lists.HELP
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    options.add_files(
        parser,
        "TOM's .tdf, Cryodex's .json, an event file (.csv), or a sheet of teams or of squads (of"
        " squads several)",
        needed=True,
    )
    options.add_flag(parser, "--check", "only read and check the file: store nothing")
    parser.add_argument(
        "--format",
        metavar="WORDS",
        help=f'what is played, as in "{EXAMPLE}" (default: as the last round)',
    )
    options.add_system(parser)
    parser.add_argument(
        "--round",
        type=int,
        help="which round of the file (default: the one that is open, else the last)",
    )
    parser.add_argument(
        "--pod",
        choices=sorted(PODS),
        help="only this pod of a .tdf: " + ", ".join(f"{c} {n}" for c, n in PODS.items()),
    )
    options.add_pack(parser)
    parser.add_argument("--event", type=options.text, help="the event's name (default: the file's)")
    options.add_rename(parser)
    options.add_flag(parser, "--json", "print one object instead of a line")
    parser.epilog = EPILOG


def run(args: Namespace) -> int:
    """Read, check and store the file, and print a summary; return 0, or 1 for
    squads that break a rule.
    """
    files, archives = options.sorted_words(args.words)
    if not files:
        raise UserError(
            f"{args.words[0]} is no file to import: its ending is none of {options.ENDINGS}"
        )
    args.archive = options.place(options.one_archive(archives))
    kinds = {lists.kind_of(path) for path in files}
    if kinds == {"squads"}:
        return lists.store_squads(files, args.archive, args.check)
    if len(files) > 1:
        raise UserError("files are read one after another, but for lists of squads: name one")
    args.file = files[0]
    if kinds == {"teams"}:
        return lists.store_teams(args.file, args.archive, args.rename, args.check)
    return _round(args)


def _round(args):
    systems = options.systems(args)
    incoming = ImportedFile(args.file, systems)
    file, remarks = _requested(args, incoming, systems)
    if args.check:
        print(
            printable(_check_summary(file, systems)), *map(printable, map(str, remarks)), sep="\n"
        )
        return 0
    with Archive(args.archive) as archive:
        unix_ms = time.time_ns() // 1_000_000
        renamed = args.rename
        imported = import_file(archive, file, unix_ms, systems=systems, renamed=renamed)
        if incoming.of_tom:
            tom_copy.store(archive, args.file.name, incoming.raw, SHELL, unix_ms)
        summary = {
            "event": archive.roster.current_event.name,
            "round": imported.round,
            "rounds": archive.roster.rounds[-1],
            "format": words_of(file.format, systems),
            "matches": sum(pairing.b is not None for pairing in file.pairings),
            "byes": sum(pairing.b is None for pairing in file.pairings),
            "read": _rounds_read(file),
            "said": [*remarks, *imported.sentences, *_remarks(archive, file, imported.round)],
        }
    if args.json:
        print(json.dumps(summary))
    else:
        _print(summary)
    return 0


def _check_summary(file, systems):
    matches = amount(sum(pairing.b is not None for pairing in file.pairings), "match", "matches")
    byes = amount(sum(pairing.b is None for pairing in file.pairings), "bye")
    words = words_of(file.format, systems)
    return f"round {file.round}: {matches}, {byes}, {words}; nothing was stored"


def _print(summary):
    matches, byes = amount(summary["matches"], "match", "matches"), amount(summary["byes"], "bye")
    line = "{event}, round {round} of {rounds}: {pairings}, {format}"
    print(printable(line.format(**summary, pairings=f"{matches}, {byes}")))
    for read_round in summary["read"]:
        results = amount(read_round["results"], "result")
        matches = amount(read_round["matches"], "match", "matches")
        print(f"round {read_round['round']} was read: {results}, {matches}")
    print(*map(printable, summary["said"]), sep="\n", end="\n" if summary["said"] else "")


def _requested(args, incoming, systems):
    """Return the requested EventFile, and sentences on how its format was chosen."""
    choices = Choices(_format(args.format, systems), args.round, args.pod)
    last = _last_format(args.archive, args.event or incoming.event)
    file, usual = file_reading.choose_round(incoming, choices, last, systems)
    chosen = 'nothing says what is played, so it is "{words}"; another: --format'
    remarks = [Sentence(chosen, words=usual)] if usual else []
    pack = str(args.pack) if args.pack else file.pack
    file = replace(file, event=args.event or file.event, pack=pack)
    return file, [*removal_notice(args.file), *remarks]


def _rounds_read(file):
    """Return the rounds for which the file has results, with their counts, as JSON objects."""
    rounds = file.history.rounds if file.history else ()
    return [
        {
            "round": past.number,
            "results": len(past.results),
            "matches": sum(pairing.b is not None for pairing in past.pairings),
        }
        for past in rounds
        if past.results
    ]


def _remarks(archive, file, number):
    """Return sentences on the round, and on where the file and the archive differ."""
    remarks = file_reading.remarks(archive, file, number)
    if file.history is None:
        return remarks
    other = file_reading.differences(archive, Hall(archive), file)
    return [*remarks, *other, *file_reading.later(archive, number)]


def _format(words, systems):
    try:
        return parse_format(words, systems) if words else None
    except ValueError as error:
        raise UserError(str(error)) from None


def _last_format(path, name):
    """Return the Format of the event's last stored round, or None; never creates an archive."""
    if not places.exists(path):
        return None
    with Archive(path) as archive:
        event = archive.roster.event
        named = event is not None and (name is None or event_name.is_current(archive, name))
        return event_plan.last_format(archive) if named else None
