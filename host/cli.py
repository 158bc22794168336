"""The command line: a table of subcommands, each in its own module, loaded only when chosen."""

import argparse
import importlib
import sys

from host import disk
from host.errors import Mistake

DESCRIPTION = "A board for every tournament table, and the program that collects from all of them."

COMMANDS = (
    ("serve", "host.commands.serve", "collect from the boards of an event and show its tables"),
    ("link", "host.commands.link", "make a person's link to the web desk, or revoke it"),
    ("backup", "host.commands.backup", "copy an archive to a second place, its keys sealed"),
    ("restore", "host.commands.restore", "bring an archive back from its copies, here or on another laptop"),
    ("audit", "host.commands.audit", "verify an archive's tags, seals and folds"),
    ("luck", "host.commands.luck", "weigh what all boards rolled, as a page that a head judge can sign"),
    ("codes", "host.commands.codes", "print the judge's one-time codes of tables"),
    ("import", "host.commands.import", "store a round from TOM, Cryodex or an event file"),
    ("export", "host.commands.export", "write results for a spreadsheet, TOM, Cryodex or List Fortress"),
    ("status", "host.commands.status", "say how far the round is and who waits for a judge"),
    ("tables", "host.commands.tables", "list the tables of the round"),
    ("calls", "host.commands.calls", "list the calls for a judge"),
    ("top", "host.commands.top", "a live view of the round in the terminal, beside serve"),
    ("results", "host.commands.results", "list the results of a round"),
    ("standings", "host.commands.standings", "rank the players, by the text or by a rule pack"),
    ("paper", "host.commands.paper", "print pairings, result slips, lists and the incident log"),
    ("pair", "host.commands.pair", "draft the next round as an event file"),
    ("provision", "host.commands.provision", "derive a board's key and write its settings"),
    ("deploy", "host.commands.deploy", "lay the firmware on a board's mounted drive"),
    ("doctor", "host.commands.doctor", "look at this PC's Bluetooth before an event, and say what to do"),
    ("bringup", "host.commands.bringup", "test a new board part by part"),
    ("squads", "host.commands.squads", "check X-Wing squad lists before an event"),
    ("demo", "host.commands.demo", "run one round at eight virtual tables and leave it in out/"),
    ("window", "host.commands.window", "open one virtual board in a window, its keys on the keyboard"),
)

DEV = (  # what only developers run: ``plusthree dev NAME``; the bare names go on meaning the same
    ("rules", "host.commands.rules", "check a file of cases against the tables of rules"),
    ("simulate", "host.commands.simulate", "run a virtual venue and print what happened"),
    ("torture", "host.commands.torture", "run venues in which everything goes wrong and print what broke"),
    ("shots", "host.commands.shots", "draw the screens into PNG files"),
    ("flow", "host.commands.flow", "play a script of presses at one virtual board"),
    ("tether", "host.commands.tether", "serve an archive to a program that carries the frames"),
    ("imports", "host.commands.imports", "draw which package of the host imports which"),
)


def build_parser(chosen=None):
    """Return the parser; only the module of ``chosen`` (a subcommand's name) is imported."""
    parser = argparse.ArgumentParser(prog="plusthree", description=DESCRIPTION)
    commands = parser.add_subparsers(dest="command", metavar="command", required=True)
    _add(commands, COMMANDS, chosen)
    dev = commands.add_parser("dev", help="what only developers of plusthree run", description="Developers' commands.")
    _add(dev.add_subparsers(dest="tool", metavar="command", required=True), DEV, chosen)
    return parser


def _add(commands, table, chosen):
    for name, module, help_text in table:
        command = commands.add_parser(name, help=help_text, description=help_text.capitalize() + ".")
        if name == chosen:
            loaded = importlib.import_module(module)
            loaded.arguments(command)
            command.set_defaults(run=loaded.run)


def main(argv=None):
    """Run one subcommand and return its exit code: 0 done, 1 did not hold, 2 cannot be done.

    A ``Mistake`` is one sentence on stderr, as is a disk that takes nothing; any other exception is a bug
    and shows itself.
    """
    argv = sys.argv[1:] if argv is None else list(argv)
    tools = [name for name, _, _ in DEV]
    if argv[:1] and argv[0] in tools:
        argv = ["dev", *argv]
    names = tools if argv[:1] == ["dev"] else [name for name, _, _ in COMMANDS]
    chosen = next((word for word in argv if word in names), None)
    args = build_parser(chosen).parse_args(argv)
    try:
        return args.run(args) or 0
    except Mistake as mistake:
        print(f"plusthree {args.command}: {mistake}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except Exception as failure:
        said = disk.sentence(failure)
        if said is None:
            raise
        print(f"plusthree {args.command}: {said}", file=sys.stderr)
        return 2
