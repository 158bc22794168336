"""``plusthree dev rules FILE...``: run case files on the code that runs on the board.

It also shows the tables of rules: ``--explain`` as sentences, ``--toml`` as a start for an
organiser's own file, ``--diagram`` as the state diagram in ``firmware/README.md``. ``--write``
writes our own for boards.
"""

import json
import re
import sys
from argparse import ArgumentParser, Namespace

from rich.console import Console

from host.base import installation
from host.base.errors import UserError
from host.base.private_files import write_whole
from host.base.standard_streams import colour_stream
from host.cases import case_file
from host.cli import options
from host.formats.round_format import parse_format
from host.systems import board_form, catalogue, diagram, explain
from host.systems.match_facts import usual_minutes
from host.systems.rules import OwnRules

EPILOG = "Exit 0 when all cases hold, 1 when one does not, 2 for a file that is not a case file."


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.add_argument("files", nargs="*", metavar="FILE", help="a JSON case file (docs/cases.md)")
    options.add_json(parser, "array")
    parser.add_argument(
        "--system", action="append", metavar="FILE", help="an organiser's system (docs/systems.md)"
    )
    parser.add_argument(
        "--explain",
        nargs="+",
        metavar="WORD",
        help="a system and a format, such as: p18 elimination bo3",
    )
    parser.add_argument(
        "--toml", metavar="SYSTEM", help="print one of our systems to start your own from"
    )
    options.add_flag(parser, "--diagram", "draw the phases into firmware/README.md")
    options.add_flag(
        parser,
        "--write",
        "write firmware/core/systems from the TOML files in host/systems/built_in",
    )
    parser.epilog = EPILOG


def run(args: Namespace) -> int:
    """Run the cases or print the tables; return 1 if a case failed, else 0."""
    systems = catalogue.with_files(args.system)
    if args.explain:
        return _explain(args.explain, systems)
    if args.toml:
        return _print_toml(args.toml)
    if args.diagram:
        return diagram.main()
    if args.write:
        return _write()
    if not args.files and args.system:
        for name, rules in systems.items():
            if isinstance(rules, OwnRules):
                print(f"{name}: a valid system, number {rules.NUMBER}")
        return 0
    if not args.files:
        raise UserError("give a case file, or --explain SYSTEM ...")
    return _play(args, systems)


def _play(args, systems):
    """Run every case of every file; print one line per case, or one JSON array."""
    cases = [case for path in args.files for case in case_file.load(path, systems)]
    answers = [(case["name"], *case_file.run(case, systems)) for case in cases]
    failed = sum(not ok for _, ok, _, _ in answers)
    if args.json:
        objects = [{"name": name, "ok": ok, "got": got} for name, ok, got, _ in answers]
        print(json.dumps(objects, indent=1))
    else:
        for name, ok, _, differences in answers:
            print(f"ok    {name}" if ok else f"FAIL  {name}: {'; '.join(differences)}")
        print(f"{len(answers) - failed} of {len(answers)} cases hold.")
    return 1 if failed else 0


def _explain(words, systems):
    """Print a system's tables for a format, whose minutes may be left out.

    ``words``: the system's name, or the path of a TOML file, and the words of the format.
    """
    words = [part for word in words for part in word.replace(",", " ").split()]
    if words[0].casefold().endswith(".toml"):
        own = catalogue.load(words[0])
        if own.name not in systems:
            catalogue.add(systems, own, words[0])
        words[0] = own.name
    name = words[0].casefold()
    if name not in systems:
        raise UserError(f"there is no system {words[0]}; there are {', '.join(systems)}")
    has_minutes = any(map(str.isdecimal, words))
    try:
        form = parse_format(" ".join(words if has_minutes else [*words, "1"]), systems)
    except ValueError as mistake:
        raise UserError(str(mistake)) from None
    minutes = form.minutes if has_minutes else usual_minutes(form.bits, systems[name])
    width = None if sys.stdout.isatty() else 110
    Console(file=colour_stream(), width=width, highlight=False, emoji=False).print(
        explain.explain(name, systems[name], form.bits, minutes)
    )
    return 0


def _print_toml(word):
    name = word.casefold()
    if name not in catalogue.built_in():
        raise UserError(f"there is no system {word}; there are {', '.join(catalogue.built_in())}")
    print(f"# {name} as a table; give it your own name and title (docs/systems.md)")
    # without our number: the copy is given another
    print(re.sub(r"^number = .*\n", "", catalogue.source_of(name), flags=re.MULTILINE), end="")
    return 0


def _write():
    """Write the literals of our systems where they differ from their TOML texts."""
    for path, source in board_form.sources_of().items():
        stale = not path.exists() or path.read_text(encoding="utf-8") != source
        if stale:
            write_whole(path, source.encode("utf-8"))
        print(f"{installation.display_path(path)}: {'written' if stale else 'up to date'}")
    return 0
