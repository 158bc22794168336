"""The command line: a table of subcommands, each in a module of this package, loaded only when
chosen; imports everything.
"""

import argparse
import importlib
import sys
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from host.base import disk_errors, installation, standard_streams
from host.base.errors import UserError

DESCRIPTION = "A board for every tournament table, and the program that collects from all of them."

Command: TypeAlias = tuple[str, str, str]
"""A command's name, its module, and its help text."""

COMMANDS = (
    ("serve", "host.cli.serve", "collect from the boards of an event and show its tables"),
    ("gateway", "host.cli.gateway", "pass on what this machine's gateways hear, to a broker"),
    ("link", "host.cli.link", "make a person's link to the web desk, or revoke it"),
    ("backup", "host.cli.backup", "copy an archive to a second place, its keys sealed"),
    (
        "restore",
        "host.cli.restore",
        "bring an archive back from its copies, here or on another laptop",
    ),
    ("audit", "host.cli.audit", "check that an archive is complete and that nobody has changed it"),
    (
        "luck",
        "host.cli.luck",
        "test all boards' rolls for fairness, as a page that a head judge can sign",
    ),
    ("codes", "host.cli.codes", "print the judge's one-time codes of tables"),
    ("import", "host.cli.import", "store a round from TOM, Cryodex or an event file"),
    ("export", "host.cli.export", "write results for a spreadsheet, TOM, Cryodex or List Fortress"),
    ("status", "host.cli.status", "show how far the round is and who waits for a judge"),
    ("tables", "host.cli.tables", "list the tables of the round"),
    ("calls", "host.cli.calls", "list the calls for a judge"),
    ("top", "host.cli.top", "show the round live in the terminal, while serve runs"),
    ("results", "host.cli.results", "list the results of a round"),
    ("standings", "host.cli.standings", "rank the players, by the text or by a rule pack"),
    ("paper", "host.cli.paper", "print pairings, result slips, lists and the incident log"),
    ("pair", "host.cli.pair", "draft the next round as an event file"),
    ("provision", "host.cli.provision", "derive a board's key and write its settings"),
    ("deploy", "host.cli.deploy", "install the firmware on a board's mounted drive"),
    (
        "doctor",
        "host.cli.doctor",
        "check this PC's Bluetooth before an event, and say what to do",
    ),
    ("report", "host.cli.report", "pack the log, versions and archive figures for whoever helps"),
    ("bringup", "host.cli.bringup", "test a new board part by part"),
    ("teams", "host.cli.teams", "keep the teams of an event and their members"),
    ("squads", "host.cli.squads", "check X-Wing squad lists before an event"),
    ("demo", "host.cli.demo", "run one round at eight virtual tables and leave it in out/"),
    ("window", "host.cli.window", "open one virtual board in a window, its keys on the keyboard"),
)

DEV = (  # developers' commands, ``plusthree dev NAME``; ``plusthree NAME`` also works
    ("rules", "host.cli.dev.rules", "check a file of cases against the tables of rules"),
    ("simulate", "host.cli.dev.simulate", "run a virtual venue and print what happened"),
    (
        "torture",
        "host.cli.dev.torture",
        "run venues in which everything goes wrong and print what broke",
    ),
    ("screens", "host.cli.dev.screens", "compile the boards' screens, theme and texts"),
    ("air", "host.cli.dev.air", "hold the modelled air against published curves"),
    ("bench", "host.cli.dev.bench", "print figures beside naive baselines and physical limits"),
    ("shots", "host.cli.dev.shots", "draw the screens into PNG files"),
    ("flow", "host.cli.dev.flow", "play a script of presses at one virtual board"),
    ("tether", "host.cli.dev.tether", "serve an archive to a program that carries the frames"),
    ("imports", "host.cli.dev.imports", "draw which package of the host imports which"),
    ("words", "host.cli.dev.words", "bring the translators' templates and catalogues up to date"),
)


def as_typed(sentence: str) -> str:
    """Return a sentence with the commands that it names as they are typed in this shell."""
    return installation.as_typed(sentence, ["dev", *(name for name, _, _ in (*COMMANDS, *DEV))])


def build_parser(chosen: str | None = None) -> argparse.ArgumentParser:
    """Return the parser; only the module of the subcommand ``chosen`` is imported."""
    parser = argparse.ArgumentParser(prog="plusthree", description=DESCRIPTION)
    commands = parser.add_subparsers(dest="command", metavar="command", required=True)
    _add(commands, COMMANDS, chosen)
    dev = commands.add_parser(
        "dev", help="tools for developers of plusthree", description="Developers' commands."
    )
    _add(dev.add_subparsers(dest="tool", metavar="command", required=True), DEV, chosen)
    return parser


def _add(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    table: Iterable[Command],
    chosen: str | None,
) -> None:
    for name, module, help_text in table:
        command = commands.add_parser(
            name, help=help_text, description=help_text[0].upper() + help_text[1:] + "."
        )
        if name == chosen:
            loaded = importlib.import_module(module)
            loaded.arguments(command)
            command.set_defaults(run=loaded.run)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand; return its exit code: 0 done, 1 a check failed, 2 it cannot be done.

    A ``UserError``, a file that cannot be read or written, or a package that this PC lacks prints
    one sentence on stderr. Any other exception is a bug and is not caught.
    """
    with standard_streams.prepared():
        return _run(sys.argv[1:] if argv is None else list(argv))


def _run(argv: list[str]) -> int:
    tools = [name for name, _, _ in DEV]
    if argv[:1] and argv[0] in tools:
        argv = ["dev", *argv]
    names = tools if argv[:1] == ["dev"] else [name for name, _, _ in COMMANDS]
    chosen = next((word for word in argv if word in names), None)
    try:
        args = build_parser(chosen).parse_args(argv)
        code = args.run(args) or 0
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except Exception as failure:
        said = _sentence(failure)
        if said is None:
            raise
        print(f"plusthree {argv[0]}: {said}", file=sys.stderr)
        return 2


def _sentence(failure: Exception) -> str | None:
    """Return what to tell a person of a failure, or None for a bug."""
    if isinstance(failure, UserError):
        return as_typed(str(failure)) + (failure.option and f"; add: {failure.option}")
    if isinstance(failure, ModuleNotFoundError):
        line = installation.to_install(failure.name or "")
        return line and f"{failure.name} is not installed on this PC; run: {line}"
    return disk_errors.sentence(failure)
