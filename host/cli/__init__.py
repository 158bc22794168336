"""The command line: a table of commands, each in a module of this package, loaded only when
chosen; imports everything.

A command is one word or more (``show calls``). Words and options may stand in any order after it;
an archive is always the last word, and may be left out.
"""

import argparse
import difflib
import importlib
import sys
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from host.base import errors, installation, standard_streams
from host.base.errors import UserError
from host.cli import renamed

DESCRIPTION = "A board for every tournament table, and the program that collects from all of them."

Command: TypeAlias = tuple[str, str, str]
"""A command's name, its module, and its help text."""

COMMANDS = (
    ("serve", "host.cli.serve", "collect from the boards of an event and show its tables"),
    ("import", "host.cli.import", "store a round from TOM, Cryodex or an event file, or a list"),
    ("export", "host.cli.export", "write results for a spreadsheet, TOM, Cryodex or List Fortress"),
    ("pair", "host.cli.pair", "draft the next round as an event file"),
    ("backup", "host.cli.backup", "copy an archive to a second place, its keys sealed"),
    (
        "restore",
        "host.cli.restore",
        "bring an archive back from its copies, here or on another laptop",
    ),
    (
        "doctor",
        "host.cli.doctor",
        "check this PC's Bluetooth before an event, and say what to do",
    ),
    (
        "doctor report",
        "host.cli.report",
        "pack the log, versions and archive figures for whoever helps",
    ),
    ("demo", "host.cli.demo", "run one round at eight virtual tables and leave it in out/"),
    (
        "demo window",
        "host.cli.window",
        "open one virtual board in a window, its keys on the keyboard",
    ),
    ("link", "host.cli.link", "make a person's link to the web desk, list links, or revoke one"),
    ("show status", "host.cli.status", "show how far the round is and who waits for a judge"),
    ("show tables", "host.cli.tables", "list the tables of the round"),
    ("show calls", "host.cli.calls", "list the calls for a judge"),
    ("show results", "host.cli.results", "list the results of a round"),
    ("show standings", "host.cli.standings", "rank the players, by the text or by a rule pack"),
    ("paper", "host.cli.paper", "print pairings, result slips, lists and the incident log"),
    ("paper codes", "host.cli.codes", "print the judge's one-time codes of tables"),
    ("audit", "host.cli.audit", "check that an archive is complete and that nobody has changed it"),
    (
        "audit luck",
        "host.cli.luck",
        "test all boards' rolls for fairness, as a page that a head judge can sign",
    ),
    ("board provision", "host.cli.provision", "derive a board's key and write its settings"),
    ("board deploy", "host.cli.deploy", "install the firmware on a board's mounted drive"),
    ("board bringup", "host.cli.bringup", "test a new board part by part"),
    (
        "board gateway",
        "host.cli.gateway",
        "pass on what this machine's gateways hear, to a broker",
    ),
)

DEV = (  # developers' commands, ``plusthree dev NAME``
    ("simulate", "host.cli.dev.simulate", "run a virtual venue and print what happened"),
    (
        "simulate torture",
        "host.cli.dev.torture",
        "run venues in which everything goes wrong and print what broke",
    ),
    (
        "simulate tether",
        "host.cli.dev.tether",
        "serve an archive to a program that carries the frames",
    ),
    ("screens", "host.cli.dev.screens", "write what the desk's acts say at boards"),
    ("screens shots", "host.cli.dev.shots", "draw the screens into PNG files"),
    ("screens page", "host.cli.dev.list_page", "draw the screens in a browser, from display lists"),
    (
        "screens words",
        "host.cli.dev.words",
        "bring the translators' templates and catalogues up to date",
    ),
    ("rules", "host.cli.dev.rules", "check a file of cases against the tables of rules"),
    ("rules flow", "host.cli.dev.flow", "play a script of presses at one virtual board"),
    ("rules imports", "host.cli.dev.imports", "draw which package of the host imports which"),
    ("bench", "host.cli.dev.bench", "print figures beside naive baselines and physical limits"),
)

GROUPS = (  # by who uses them: the first words of commands
    ("The organiser", ("serve", "import", "pair", "export", "backup", "restore", "doctor", "demo")),
    ("At the judges' desk", ("link", "show", "paper", "audit")),
    ("Who builds boards or changes the program", ("board", "dev")),
)
_FAMILIES = {  # first words that are no command of their own: what they are for
    "show": "show what an archive holds, with --watch again and again",
    "board": "give boards a key and the program, and test them",
    "dev": "tools for developers of plusthree",
}
_WITHOUT = {"show": "show status"}  # the command that a first word alone means

_EVERY = {
    name: (module, text)
    for name, module, text in (*COMMANDS, *((f"dev {row[0]}", *row[1:]) for row in DEV))
}
FIRST = tuple(word for _, words in GROUPS for word in words)


class _Parser(argparse.ArgumentParser):
    """A parser whose help ends with a ``listing``, and whose errors name the command for help."""

    listing = ""

    def format_help(self) -> str:
        return super().format_help() + self.listing

    def error(self, message: str):
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: error: {message}; help: {self.prog} --help\n")


def as_typed(sentence: str) -> str:
    """Return a sentence with the commands that it names as they are typed in this shell."""
    return installation.as_typed(sentence, FIRST)


def parser_of(name: str) -> argparse.ArgumentParser:
    """Return the parser of a command, with its module's ``run``; no other module is imported."""
    module, text = _EVERY[name]
    parser = _Parser(prog=f"plusthree {name}", description=_sentence_of(text))
    loaded = importlib.import_module(module)
    loaded.add_arguments(parser)
    parser.set_defaults(run=loaded.run)
    parser.listing = _listing("Further", _below(name))
    return parser


def _top() -> _Parser:
    """Return the parser of a line that begins with no command."""
    parser = _Parser(
        prog="plusthree",
        description=DESCRIPTION,
        usage="plusthree [-h] [--version] COMMAND [--help] …",
    )
    version = f"plusthree {installation.version()}"
    parser.add_argument("--version", action="version", version=version)
    for title, words in GROUPS:
        parser.listing += _listing(title, ((word, _purpose(word)) for word in words))
    return parser


def _family(word: str) -> _Parser:
    """Return the parser of a first word to which a second one belongs."""
    parser = _Parser(
        prog=f"plusthree {word}",
        description=_sentence_of(_FAMILIES[word]),
        usage=f"plusthree {word} [-h] COMMAND [--help] …",
    )
    parser.listing = _listing("Commands", _below(word))
    return parser


def _purpose(word: str) -> str:
    """Return the purpose of a first word, with the second words that it may have."""
    names = [name.split() for name, _ in _below(word)]
    further = ", ".join(words[1] for words in names if len(words) == 2)
    if word in _FAMILIES:
        return f"{_FAMILIES[word]}: {further}"
    _, purpose = _EVERY[word]
    return f"{purpose} (also: {further})" if further else purpose


def _below(word: str) -> list[tuple[str, str]]:
    """Return the commands of two words that begin with ``word``, with their help."""
    return [(name, text) for name, (_, text) in _EVERY.items() if name.startswith(f"{word} ")]


def _listing(title: str, rows: Iterable[tuple[str, str]]) -> str:
    lines = [f"  {name:<22} {text}" for name, text in rows]
    return "\n".join(["", f"{title}:", *lines, ""]) if lines else ""


def _sentence_of(text: str) -> str:
    return text[0].upper() + text[1:] + "."


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code: 0 done, 1 a check failed, 2 it cannot be done.

    A ``UserError``, a file that cannot be read or written, or a package that this PC lacks prints
    one sentence on stderr. Any other exception is a bug and is not caught.
    """
    with standard_streams.prepare():
        return _run(sys.argv[1:] if argv is None else list(argv))


def _run(argv: list[str]) -> int:
    new = renamed.in_new_words(argv)
    if new != argv:
        print(renamed.notice(new), file=sys.stderr)
    name, words = _choose(new)
    try:
        args = parser_of(name).parse_intermixed_args(words)
        code = args.run(args) or 0
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except Exception as failure:
        sentence = _sentence(failure)
        if sentence is None:
            raise
        print(f"plusthree {name}: {sentence}", file=sys.stderr)
        return 2


def _choose(argv: list[str]) -> tuple[str, list[str]]:
    """Return the command that a line names, and its other words; leaves the program with help or
    a refusal where it names none.
    """
    first, words = (argv[0] if argv else ""), argv[1:]
    if first not in FIRST:
        _top().parse_known_args(argv[:1] if first.startswith("-") else [])
        _top().error(_unknown(first, FIRST) if first else "say which command")
    name = first
    word = _next_word(words)
    while word and _begins_command(f"{name} {word}"):  # options may stand before the second word
        name = f"{name} {word}"
        words.remove(word)
        word = _next_word(words)
    if name in _EVERY:
        return name, words
    if word and name not in _WITHOUT:
        seconds = [command.split()[1] for command, _ in _below(name)]
        _family(name).error(_unknown(word, seconds))
    if not word:
        asks = [option for option in words if option in ("-h", "--help")]
        if asks or name not in _WITHOUT:
            _family(name).parse_known_args(asks)
            _family(name).error("say which of its commands")
    return _WITHOUT[name], words


def _begins_command(words: str) -> bool:
    """Whether ``words`` are a command, or its first words."""
    return any(command == words or command.startswith(f"{words} ") for command in _EVERY)


def _next_word(words: Sequence[str]) -> str | None:
    """Return the first word that is no option."""
    return next((word for word in words if not word.startswith("-")), None)


def _unknown(word: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(word, known, 1)
    hint = f"; did you mean {close[0]}?" if close else ""
    return f"there is no command {word!r}{hint}"


def _sentence(failure: Exception) -> str | None:
    """Return the sentence for a person on a failure, or None for a bug."""
    if isinstance(failure, UserError):
        sentence = as_typed(str(failure))
        return f"{sentence}; add: {failure.option}" if failure.option else sentence
    if isinstance(failure, ModuleNotFoundError):
        line = installation.to_install(failure.name or "")
        return line and f"{failure.name} is not installed on this PC; run: {line}"
    return errors.disk_sentence(failure)
