"""The archives of ``plusthree serve A.db B.db``: each with a word for its pages and typed lines."""

import pathlib
import re
import unicodedata
from argparse import Namespace
from collections.abc import Sequence
from typing import NamedTuple

from host.archive import master_key, places
from host.archive.store import Archive
from host.base.errors import UserError
from host.cli import options
from host.web.event_desks import RESERVED

_ALONE = {  # an option: why it is for one event alone
    "standby": "a standby takes over one event: start one for each",
    "virtual": "a virtual venue has one event",
    "no_web": "several events are looked at in the browser",
    "plan": "enter each event's plan of the hall on its page (Whole room)",
    "draft": "an event file is of one event",
    "broker": "a hall with a broker has one event",
}
_LONGEST = 40


class Named(NamedTuple):
    """An archive, and the word for its event: its file's name, or its folder's."""

    word: str
    path: pathlib.Path


def name_archives(args: Namespace, archives: Sequence[str]) -> list[Named]:
    """Return the ``archives`` of the command line with their words. Raises UserError for an
    option or an archive that cannot be served together with others.
    """
    for option, reason in _ALONE.items():
        if getattr(args, option):
            raise UserError(f"--{option.replace('_', '-')} is not for several events: {reason}")
    if args.files:
        raise UserError(
            f"{args.files[0]} is no archive: several events are named by their archives, as cup.db;"
            " read the file on the event's page (Files)"
        )
    if args.backup and not args.backup.is_dir():
        raise UserError(f"there is no folder {args.backup}")
    archives_named: list[Named] = []
    for word in archives:
        archive = _name(word)
        for other in archives_named:
            if archive.path.resolve() == other.path.resolve():
                raise UserError(f"{word} is named twice: name each archive once")
            if archive.word == other.word:
                raise UserError(
                    f"{other.path} and {archive.path} would both be called {archive.word}: rename"
                    " one of the files, or its folder"
                )
        archives_named.append(archive)
    return archives_named


def _name(word: str) -> Named:
    if places.is_address(word):
        raise UserError(
            "several events are served from files; one on a server is served alone:"
            " plusthree serve postgresql://…"
        )
    path = file_of(word)
    name = path.resolve().parent.name if path.name == options.ARCHIVE else path.stem
    return Named(_word(name, path), path)


def file_of(given: str) -> pathlib.Path:
    """Return the path of an archive that was named, or of the one in a folder. Raises UserError for
    a new one whose name does not end in .db: it may be anything mistyped.
    """
    path = pathlib.Path(given)
    if path.is_dir():
        path /= options.ARCHIVE
    may_be_made = path.suffix == ".db" and path.parent.is_dir()
    if not path.exists() and not may_be_made:
        raise UserError(
            f"there is no archive {path}; a new one's name ends in .db, in a folder that is there"
        )
    return path


def _word(name: str, path: pathlib.Path) -> str:
    """Return a name as it stands in an address: small letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().casefold()
    word = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_LONGEST].strip("-")
    if not word or word in RESERVED:
        raise UserError(f"{path} has no name that an address can have: call it cup.db, or so")
    return word


def folder_of(archive: Named, every: Sequence[Named], out: pathlib.Path | None) -> pathlib.Path:
    """Return the folder of an event's results: the archive's own, or one called after its word
    where several events write there.
    """
    if out:
        return out / archive.word
    own_folder = archive.path.resolve().parent
    is_shared = sum(other.path.resolve().parent == own_folder for other in every) > 1
    return own_folder / archive.word if is_shared else own_folder


def folder_in(folder: pathlib.Path, word: str) -> pathlib.Path:
    """Return the folder of an event's copies in that of ``--backup``; make it if missing."""
    own = folder / word
    own.mkdir(exist_ok=True)
    return own


def make_keys(every: Sequence[Named]) -> None:
    """Give each new archive a master key: that of the first which has one, so that boards may be
    handed on. Never replaces a missing one that boards depend on.
    """
    key_paths = [master_key.path_of(named_archive.path) for named_archive in every]
    shared = next((master_key.load(key_path) for key_path in key_paths if key_path.exists()), None)
    for named_archive, key_path in zip(every, key_paths, strict=True):
        if key_path.exists():
            continue
        with Archive(named_archive.path) as archive:
            if archive.roster.boards:
                continue
        if shared is None:
            shared = master_key.load_or_make(key_path)
        else:
            master_key.keep(key_path, shared)
