"""A copy of TOM's file as last read, beside the archive, so that results can be written into it at
any time.

It has names and birth dates. So only its owner can read it; it is never part of the archive, of a
backup copy or of an export; each newer file replaces it, and the close of the event deletes it. The
archive has its name and digest, so a file that somebody else put there is not used.
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
from host.base.json_values import Json, filled
from host.base.sentences import Sentence
from host.event import event_log, scores
from host.event.fold import Hall
from host.formats import tom_file, tom_results
from host.formats.tom_file import Tdf
from host.formats.tom_results import DIFFERS, FILLED, MISSING, TIED, FilledFile, KnownResult
from host.formats.tom_xml import MOST_BYTES


class _FileId(NamedTuple):
    """The file's name and SHA-256, as the archive has them."""

    name: str
    sha256: str


def path_of(archive: Archive) -> pathlib.Path:
    """Return the path of the copy."""
    return places.sibling(archive.path, ".tdf")


def store(archive: Archive, name: str, raw: bytes, author: str, unix_ms: int) -> None:
    """Store a file that was read, in place of an earlier one. Raises UserError on a full disk."""
    file_id = _FileId(name, hashlib.sha256(raw).hexdigest())
    try:
        private_files.write_whole(path_of(archive), raw, secret=True)
    except OSError as failure:
        raise UserError(
            "TOM's file cannot be kept beside the archive ({why}): make room on its disk, and read"
            " it again",
            why=failure.strerror or "",
        ) from None
    if _newest(archive) != file_id:
        archive.notices.add(event_log.TOMS_FILE, json.dumps(file_id._asdict()), author, unix_ms)


def delete(archive: Archive) -> None:
    """Delete the copy, if there is one."""
    with contextlib.suppress(OSError):
        path_of(archive).unlink(missing_ok=True)


def load(archive: Archive, known: Tdf | None = None) -> Tdf:
    """Return TOM's file as last read: ``known`` if that is the same file. Raises UserError if the
    copy is gone.
    """
    newest = _newest(archive)
    if newest is None:
        raise UserError("no file of TOM was read here: read it, then it can be filled in")
    try:
        raw = private_files.read_small(path_of(archive), MOST_BYTES)
    except OSError:
        raw = b""
    if hashlib.sha256(raw).hexdigest() != newest.sha256:
        refusal = "{file} is not beside the archive any more: read it again"
        raise UserError(refusal, file=newest.name)
    path = pathlib.Path(newest.name)
    if known is not None and (known.path, known.raw) == (path, raw):
        return known
    return tom_file.tdf_of(path, raw)


def is_stored(archive: Archive) -> bool:
    """Whether a file of TOM was read in this event."""
    return _newest(archive) is not None


def fill(archive: Archive, hall: Hall, tdf: Tdf, round_number: int | None = None) -> FilledFile:
    """Return TOM's file with the known results of all rounds, or of one."""
    rounds = None if round_number is None else (round_number,)
    return tom_results.fill(tdf, _known_results(archive, hall, round_number), rounds)


def _known_results(
    archive: Archive, hall: Hall, round_number: int | None = None
) -> list[KnownResult]:
    """Return the known results of all rounds, or of one."""
    rounds = scores.rounds_of(archive, hall, round_number)
    if round_number is not None:
        rounds = rounds[-1:]
    found = list[KnownResult]()
    for played in rounds:
        for score in played.scores:
            a, b, result = score.pairing.a, score.pairing.b, score.result
            if b is not None and result is not None:
                found.append(KnownResult(played.number, a.number, b.number, result.outcome))
    return found


def remarks(archive: Archive, hall: Hall, tdf: Tdf) -> list[Sentence]:
    """Return remarks on TOM's filled file: the number of results filled in and missing, and what to
    correct in TOM by hand.
    """
    filled = tom_results.compare(tdf, _known_results(archive, hall))
    done, missing = len(filled.with_state(FILLED)), len(filled.with_state(MISSING))
    filled_in = Sentence.counted(
        "{count} result is filled in", "{count} results are filled in", count=done
    )
    still_open = Sentence.counted(
        "{count} match has no result yet", "{count} matches have no result yet", count=missing
    )
    sentences = [filled_in, still_open] if missing else [filled_in]
    for filled_match in filled.matches:
        if filled_match.state == DIFFERS:
            words = (
                "round {round}, table {table}, {a} – {b}: TOM has another result; correct it there"
                " by hand"
            )
        elif filled_match.state == TIED:
            words = (
                "round {round}, table {table}, {a} – {b}: TOM knows no tie in elimination; ask the"
                " head judge"
            )
        else:
            continue
        match = filled_match.match
        a, b = (tdf.players[number].name for number in match.numbers)
        sentences.append(Sentence(words, round=match.round, table=match.table, a=a, b=b))
    for result in filled.unmatched:
        words = "round {round}: {a} – {b} are not paired in {file}"
        values = {"round": result.round, "a": result.a, "b": result.b}
        sentences.append(Sentence(words, **values, file=tdf.path.name))
    return sentences


def write(
    tdf: Tdf, filled: FilledFile, folder: pathlib.Path, original: bool
) -> tuple[list[pathlib.Path], list[str]]:
    """Write a filled copy into a folder, and beside it the list of results to type into TOM; return
    the paths, and the lines of that list. ``original``: whether the file that was read still is at
    its path.
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


def _newest(archive: Archive) -> _FileId | None:
    found = [each for each in archive.notices.read(event_log.TOMS_FILE, _read) if each]
    return found[-1] if found else None


def _read(notice: Mapping[str, Json]) -> _FileId:
    return filled(_FileId, notice)
