"""TOM's file as it was read last, beside the archive, so that it can be filled in at any time.

It holds names and birth dates. So it is its owner's alone, never part of the archive, of a copy on
a stick or of an export, each newer one takes its place, and the close of the event deletes it. The
archive has its name and digest: what others put in its place is not believed.
"""

import contextlib
import hashlib
import json
import pathlib
from collections.abc import Mapping
from typing import NamedTuple

from host.archive import places
from host.archive.store import Archive
from host.base import private_files
from host.base.errors import UserError
from host.base.json_values import Json
from host.base.sentences import Sentence
from host.event import event_log, scores
from host.event.fold import Hall
from host.formats import tom_file, tom_results
from host.formats.tom_file import Tdf
from host.formats.tom_results import DIFFERS, FILLED, MISSING, TIED, FilledFile, KnownResult
from host.formats.tom_xml import MOST_BYTES


class _Kept(NamedTuple):
    """What the archive has of it: the file's name and its SHA-256."""

    name: str
    sha256: str


def beside(archive: Archive) -> pathlib.Path:
    """Return the path of the copy."""
    return places.beside(archive.path, ".tdf")


def keep(archive: Archive, name: str, raw: bytes, author: str, unix_ms: int) -> None:
    """Keep a file that was read, in place of the one before. Raises UserError on a full disk."""
    kept = _Kept(name, hashlib.sha256(raw).hexdigest())
    try:
        private_files.write_whole(beside(archive), raw, secret=True)
    except OSError as failure:
        raise UserError(
            "TOM's file cannot be kept beside the archive ({why}): make room on its disk, and read"
            " it again",
            why=failure.strerror or "",
        ) from None
    if _newest(archive) != kept:
        archive.notices.add(event_log.TOMS_FILE, json.dumps(kept._asdict()), author, unix_ms)


def forget(archive: Archive) -> None:
    """Delete the copy, if there is one."""
    with contextlib.suppress(OSError):
        beside(archive).unlink(missing_ok=True)


def kept(archive: Archive, known: Tdf | None = None) -> Tdf:
    """Return TOM's file as it was read last, ``known`` if it is that. Raises UserError where it is
    not there any more.
    """
    newest = _newest(archive)
    if newest is None:
        raise UserError("no file of TOM was read here: read it, then it can be filled in")
    try:
        raw = private_files.read_small(beside(archive), MOST_BYTES)
    except OSError:
        raw = b""
    if hashlib.sha256(raw).hexdigest() != newest.sha256:
        said = "{file} is not beside the archive any more: read it again"
        raise UserError(said, file=newest.name)
    path = pathlib.Path(newest.name)
    same = known is not None and (known.path, known.raw) == (path, raw)
    return known if known is not None and same else tom_file.understood(path, raw)


def is_kept(archive: Archive) -> bool:
    """Whether a file of TOM was read in this event."""
    return _newest(archive) is not None


def filled(archive: Archive, hall: Hall, tdf: Tdf, round_number: int | None = None) -> FilledFile:
    """Return TOM's file with what is known of all rounds, or of one."""
    rounds = None if round_number is None else (round_number,)
    return tom_results.fill(tdf, _known(archive, hall, round_number), rounds)


def _known(archive: Archive, hall: Hall, round_number: int | None = None) -> list[KnownResult]:
    return [
        KnownResult(one.number, a.number, b.number, score.result.outcome)
        for one in scores.rounds_of(archive, hall, round_number)
        if round_number in (None, one.number)
        for score in one.scores
        if score.result and (a := score.pairing.a) and (b := score.pairing.b)
    ]


def remarks(archive: Archive, hall: Hall, tdf: Tdf) -> list[Sentence]:
    """Return what a person should know of TOM's file once it is filled: how much is filled in, what
    is open, and what to correct in TOM by hand.
    """
    filled = tom_results.compared(tdf, _known(archive, hall))
    done, missing = (len(filled.with_state(one)) for one in (FILLED, MISSING))
    filled_in = Sentence.counted(
        "{count} result is filled in", "{count} results are filled in", count=done
    )
    still_open = Sentence.counted(
        "{count} match has no result yet", "{count} matches have no result yet", count=missing
    )
    said = [filled_in, *([still_open] if missing else [])]
    for one in filled.matches:
        if one.state == DIFFERS:
            words = (
                "round {round}, table {table}, {a} – {b}: TOM has another result; correct it there"
                " by hand"
            )
        elif one.state == TIED:
            words = (
                "round {round}, table {table}, {a} – {b}: TOM knows no tie in elimination; ask the"
                " head judge"
            )
        else:
            continue
        a, b = (tdf.players[number].name for number in one.match.numbers)
        match = one.match
        said.append(Sentence(words, round=match.round, table=match.table, a=a, b=b))
    for one in filled.unmatched:
        words = "round {round}: {a} – {b} are not paired in {file}"
        said.append(Sentence(words, round=one.round, a=one.a, b=one.b, file=tdf.path.name))
    return said


def write(
    tdf: Tdf, filled: FilledFile, folder: pathlib.Path, original: bool
) -> tuple[list[pathlib.Path], list[str]]:
    """Write a filled copy into a folder, and beside it what to type into TOM; return the paths, and
    the lines of that list. ``original``: the file that was read is at its path.
    """
    lines, paths = tom_results.typing_list(tdf, filled), list[pathlib.Path]()
    if filled.with_state(FILLED):
        paths.append(tom_results.write_copy(tdf, filled, folder, original))
    if lines and paths:
        paths.append(paths[0].with_suffix(".txt"))
        private_files.write_whole(paths[1], "\n".join(lines) + "\n", new_folder=True)
    return paths, lines


def name_of(tdf: Tdf) -> str:
    """Return the name of a filled copy."""
    return f"{tdf.path.stem.partition('.plusthree')[0]}.plusthree.tdf"


def _newest(archive: Archive) -> _Kept | None:
    found = [one for one in archive.notices.read(event_log.TOMS_FILE, _read) if one is not None]
    return found[-1] if found else None


def _read(told: Mapping[str, Json]) -> _Kept | None:
    name, sha256 = told["name"], told["sha256"]
    return _Kept(name, sha256) if isinstance(name, str) and isinstance(sha256, str) else None
