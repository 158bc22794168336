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


def named(args: Namespace, archives: Sequence[str]) -> list[Named]:
    """Return the ``archives`` of the command line with their words. Raises UserError for what
    cannot be served so.
    """
    for option, why in _ALONE.items():
        if getattr(args, option):
            raise UserError(f"--{option.replace('_', '-')} is not for several events: {why}")
    if args.files:
        raise UserError(
            f"{args.files[0]} is no archive: several events are named by their archives, as cup.db;"
            " read the file on the event's page (Files)"
        )
    if args.backup and not args.backup.is_dir():
        raise UserError(f"there is no folder {args.backup}")
    found: list[Named] = []
    for given in archives:
        one = _named(given)
        for other in found:
            if one.path.resolve() == other.path.resolve():
                raise UserError(f"{given} is named twice: name each archive once")
            if one.word == other.word:
                raise UserError(
                    f"{other.path} and {one.path} would both be called {one.word}: rename one of"
                    " the files, or its folder"
                )
        found.append(one)
    return found


def _named(given: str) -> Named:
    if places.is_address(given):
        raise UserError(
            "several events are served from files; one on a server is served alone:"
            " plusthree serve postgresql://…"
        )
    path = file_of(given)
    name = path.resolve().parent.name if path.name == options.ARCHIVE else path.stem
    return Named(_word(name, path), path)


def file_of(given: str) -> pathlib.Path:
    """Return the path of an archive that was named, or of the one in a folder. Raises UserError for
    a new one whose name does not end in .db: it may be anything mistyped.
    """
    path = pathlib.Path(given)
    path = path / options.ARCHIVE if path.is_dir() else path
    if not path.exists() and (path.suffix != ".db" or not path.parent.is_dir()):
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


def folder_of(one: Named, every: Sequence[Named], out: pathlib.Path | None) -> pathlib.Path:
    """Return the folder of an event's results: the archive's own, or one called after its word
    where several events write there.
    """
    own = one.path.resolve().parent
    shared = sum(other.path.resolve().parent == own for other in every) > 1
    return (out or own) / one.word if out or shared else own


def folder_in(folder: pathlib.Path, word: str) -> pathlib.Path:
    """Return the folder of an event's copies in that of ``--backup``; make it if missing."""
    own = folder / word
    own.mkdir(exist_ok=True)
    return own


def make_keys(every: Sequence[Named]) -> None:
    """Give each new archive a master key: that of the first which has one, so that boards may be
    handed on. Never replaces a missing one that boards depend on.
    """
    places_of = [master_key.beside(one.path) for one in every]
    shared = next((master_key.load(place) for place in places_of if place.exists()), None)
    for one, place in zip(every, places_of, strict=True):
        if place.exists():
            continue
        with Archive(one.path) as archive:
            if archive.roster.boards:
                continue
        if shared is None:
            shared = master_key.load_or_make(place)
        else:
            master_key.keep(place, shared)
