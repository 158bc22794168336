"""Options that several commands share."""

import pathlib
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence

from host.archive import places
from host.archive.store import Archive
from host.base import plain_text
from host.base.errors import UserError
from host.event import event_systems
from host.formats import import_file
from host.systems import catalogue
from host.systems.rules import Catalogue
from host.tournament import event_pack, rule_packs
from host.tournament.rule_packs import Pack

ARCHIVE = "plusthree.db"  # where nothing else is asked for


def place(text: str) -> places.Place:
    """Return where an archive is, as a person typed it; of a folder, the one in it. Only an address
    imports ``host.hall``.
    """
    if not text.startswith(places.SCHEMES):
        folder = pathlib.Path(text)
        return folder / ARCHIVE if folder.is_dir() else places.parse(text)
    from host.hall.database import Database

    return Database(text)


def add_flag(parser: ArgumentParser, name: str, about: str) -> None:
    """Add an option without a value; ``about`` is its help text."""
    parser.add_argument(name, action="store_true", help=about)


def add_path(
    parser: ArgumentParser,
    name: str,
    metavar: str,
    about: str,
    default: str | pathlib.Path | None = None,
) -> None:
    """Add an option whose value is the path of a file or folder; ``about`` is its help text."""
    parser.add_argument(name, metavar=metavar, type=pathlib.Path, default=default, help=about)


def add_archive(
    parser: ArgumentParser, what: str = "the archive", default: str | None = ARCHIVE
) -> None:
    """Add ``archive``, the last word: the path or address of an event's archive; ``what`` is its
    help text.
    """
    parser.add_argument(
        "archive",
        metavar="ARCHIVE",
        nargs="?",
        type=place,
        default=default,
        help=f"{what} ({_default_of(default)})",
    )


_FILES = (*import_file.SHEETS, ".tdf", ".json")
ENDINGS = " ".join(_FILES)


def add_files(parser: ArgumentParser, what: str, more: str = "", needed: bool = False) -> None:
    """Add ``words``: files to read, then archives (``sorted_words``); ``what`` is said of the
    files, ``more`` of the archives.
    """
    more = more and f"; {more}"
    parser.add_argument(
        "words",
        metavar="FILE",
        nargs="+" if needed else "*",
        help=f"{what}; then the archive, any name with another ending than {ENDINGS}"
        f" (default: {ARCHIVE}), or postgresql://USER@HOST/NAME: docs/hall.md{more}",
    )


def sorted_words(words: Sequence[str]) -> tuple[list[pathlib.Path], list[str]]:
    """Return the files that are to be read and the archives, as typed."""
    read = [word for word in words if pathlib.PurePath(word).suffix.casefold() in _FILES]
    return [pathlib.Path(word) for word in read], [word for word in words if word not in read]


def one_archive(archives: Sequence[str]) -> str:
    """Return the one archive that was named, or where it is without a name. Raises UserError for
    several.
    """
    if len(archives) > 1:
        raise UserError(f"name one archive, not {' and '.join(archives)}")
    return archives[0] if archives else ARCHIVE


def _default_of(default: str | None) -> str:
    default_words = f"default: {default}; " if default else ""
    return f"{default_words}a file, or postgresql://USER@HOST/NAME: docs/hall.md"


def add_broker(parser: ArgumentParser, required: bool = False) -> None:
    """Add ``--broker`` and ``--ca``: the MQTT broker between machines and collector."""
    parser.add_argument(
        "--broker",
        required=required,
        metavar="URL",
        help="the hall's MQTT broker: mqtts://USER@HOST/HALL (docs/hall.md)",
    )
    parser.add_argument(
        "--ca", metavar="FILE", help="who signs the broker's certificate (default: the system's)"
    )


def add_system(parser: ArgumentParser) -> None:
    """Add ``--system``, the TOML file of an organiser's own system (docs/systems.md)."""
    parser.add_argument(
        "--system", metavar="FILE", help="an organiser's system (TOML) that the format names"
    )


def systems(args: Namespace) -> Catalogue:
    """Return the built-in systems, those of the archive's event and that of ``--system``.

    Never creates an archive. Raises UserError for a file that is no system.
    """
    known = catalogue.built_in()
    if places.exists(args.archive):
        with Archive(args.archive) as archive:
            known = event_systems.of(archive)
    return catalogue.join(known, args.system)


def add_rename(parser: ArgumentParser) -> None:
    """Add ``--rename``, the numbers whose new names the user has checked."""
    parser.add_argument(
        "--rename", action="append", default=[], metavar="NUMBER",
        help="take the file's name for this number: it was corrected, and is the same person",
    )  # fmt: skip


def text(given: str) -> str:
    """Return a text for people to read; an argument's ``type``."""
    try:
        return plain_text.clean_line(given)
    except ValueError as mistake:
        raise ArgumentTypeError(str(mistake)) from None


def add_pack(parser: ArgumentParser) -> None:
    """Add ``--pack``, the rule pack of the event."""
    parser.add_argument(
        "--pack",
        type=pathlib.Path,
        metavar="FILE",
        help="the event's rule pack (TOML), or the name of one that comes along; needed once",
    )


def pack_of(args: Namespace, archive: Archive) -> Pack | None:
    """Return the event's pack, or that of ``--pack``. Raises UserError for another than chosen."""
    given = rule_packs.load(args.pack) if args.pack else None
    return event_pack.of_event(archive, given)


def add_json(parser: ArgumentParser, what: str = "object") -> None:
    """Add ``--json``: print one JSON object (or ``what`` else) on standard output."""
    add_flag(parser, "--json", f"print one {what} instead of lines")
