"""Fills results into a copy of TOM's file, replacing only the outcome codes, byte by byte.

The file that TOM has open is never written. The copy has a new name (``cup.plusthree-1.tdf``), and
is read back and compared before it is reported. For users who keep TOM open there is a list of the
results to type, in the order of the tables.
"""

import os
import pathlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from host.base import private_files
from host.formats import tom_file as tdf_format
from host.formats.tom_file import (
    DOUBLE_LOSS,
    OPEN,
    OUTCOMES,
    PLAYER_1,
    PLAYER_2,
    TIE,
    Tdf,
    TdfMatch,
)
from host.formats.tom_xml import TdfError

_CODES = {  # if player 1 of the file is our a, and if player 1 is our b
    "A": (PLAYER_1, PLAYER_2),
    "B": (PLAYER_2, PLAYER_1),
    "tie": (TIE, TIE),
    "neither": (DOUBLE_LOSS, DOUBLE_LOSS),
}
FILLED, SAME, DIFFERS, TIED, MISSING = "filled", "same", "differs", "tied", "missing"
_MOST_COPIES = 999


@dataclass(frozen=True)
class KnownResult:
    """A result in our archive: round, numbers of a and b, and ``A``, ``B`` or ``tie``."""

    round: int
    a: str
    b: str
    outcome: str


@dataclass(frozen=True)
class FilledMatch:
    """A match of the file, its state (a word above), and our outcome code or None."""

    match: TdfMatch
    state: str
    code: int | None


@dataclass(frozen=True)
class FilledFile:
    """The patched bytes, the playable matches in table order, and results without a match."""

    raw: bytes
    matches: tuple[FilledMatch, ...]
    unmatched: tuple[KnownResult, ...]

    def with_state(self, state: str) -> list[TdfMatch]:
        """Return the matches in ``state``."""
        return [each.match for each in self.matches if each.state == state]


def fill(
    tdf: Tdf, results: Iterable[KnownResult], rounds: Collection[int] | None = None
) -> FilledFile:
    """Return the FilledFile of a Tdf with ``results``, in all rounds or only in ``rounds``.

    Only open matches are filled. A match with another outcome in TOM stays unchanged and is
    reported; so is a tie in an elimination round, which TOM does not have.
    """
    filled = compare(tdf, results, rounds)
    changes = {each.match.span: each.code for each in filled.matches if each.state == FILLED}
    raw = _patch(tdf.raw, changes)
    _check(tdf, raw, changes)
    return replace(filled, raw=raw)


def compare(
    tdf: Tdf, results: Iterable[KnownResult], rounds: Collection[int] | None = None
) -> FilledFile:
    """Return the FilledFile of a Tdf with its bytes unchanged."""
    known = {(result.round, frozenset((result.a, result.b))): result for result in results}
    matches = []
    for match in tdf.matches:
        if match.playable and (rounds is None or match.round in rounds):
            matches.append(_fill(match, known.pop((match.round, frozenset(match.numbers)), None)))
    matches.sort(key=lambda each: (each.match.round, each.match.table, each.match.pod))
    return FilledFile(tdf.raw, tuple(matches), tuple(known.values()))


def _fill(match, result):
    """Return a match of TOM's file with the code of our result."""
    if result is None:
        return FilledMatch(match, MISSING, None)
    code_as_paired, code_turned = _CODES[result.outcome]
    code = code_as_paired if result.a == match.numbers[0] else code_turned
    if code == TIE and match.elimination:
        state = TIED
    elif match.outcome == OPEN:
        state = FILLED
    elif match.outcome == code:
        state = SAME
    else:
        state = DIFFERS
    return FilledMatch(match, state, code)


def _patch(raw, changes):
    """Return bytes with the outcome codes at some spans replaced (``changes``: span → code)."""
    patched, copied = bytearray(), 0
    for (start, end), code in sorted(changes.items()):
        patched += raw[copied:start] + str(code).encode()
        copied = end
    return bytes(patched + raw[copied:])


def _check(before, raw, changes):
    """Read the patched bytes back; raise AssertionError if anything but outcomes differs."""
    after = tdf_format.tdf_of(before.path, raw)
    if (after.name, after.players) != (before.name, before.players):
        raise AssertionError("filling has changed the event or its players")
    for old, new in zip(before.matches, after.matches, strict=True):
        wanted = replace(old, outcome=changes.get(old.span, old.outcome))
        if replace(new, span=old.span, line=old.line) != wanted:
            raise AssertionError(f"filling has changed the match in line {old.line} otherwise")
    if _outside_outcomes(before) != _outside_outcomes(after):
        raise AssertionError("filling has changed more than outcomes")


def _outside_outcomes(tdf):
    """Return a file without its outcome codes. It checks ``_patch`` and so does not use it."""
    kept, copied = bytearray(), 0
    for start, end in sorted(match.span for match in tdf.matches):
        kept += tdf.raw[copied:start]
        copied = end
    return bytes(kept + tdf.raw[copied:])


def write_copy(
    tdf: Tdf, filled: FilledFile, folder: pathlib.Path, original: bool = True
) -> pathlib.Path:
    """Write the filled copy under a new name in ``folder``; return its path.

    Never replaces a file. Raises TdfError if TOM's file has changed since it was read, if
    ``original``: the file is at its path.
    """
    if original and tdf_format.read(tdf.path).raw != tdf.raw:
        raise TdfError(tdf.path, None, "changed on disk since it was read; try again")
    folder.mkdir(parents=True, exist_ok=True)
    stem, _, _ = tdf.path.stem.partition(".plusthree-")  # it may be such a copy itself
    path, file = _create_copy(folder, stem, tdf.path)
    with file:
        file.write(filled.raw)
        file.flush()
        os.fsync(file.fileno())
    if path.read_bytes() != filled.raw:
        raise TdfError(path, None, "was not written whole: is the disk full?")
    return path


def _create_copy(folder, stem, source):
    """Return the path of a new file, numbered on, and the open file. Raises TdfError."""
    for number in range(1, _MOST_COPIES + 1):
        path = folder / f"{stem}.plusthree-{number}.tdf"
        try:
            return path, private_files.create(path)
        except FileExistsError:
            continue
        except OSError as failure:
            raise TdfError(path, None, "cannot be written: {why}", why=failure.strerror) from None
    raise TdfError(
        source,
        None,
        "has {most} copies in {folder}: move some away",
        most=_MOST_COPIES,
        folder=str(folder),
    )


def typing_list(tdf: Tdf, filled: FilledFile) -> list[str]:
    """Return the lines of the list to type into TOM, in the order of the tables."""
    lines = []
    for filled_match in filled.matches:
        match = filled_match.match
        if filled_match.state not in (FILLED, DIFFERS, TIED):
            continue
        names = " – ".join(f"{tdf.players[number].name} ({number})" for number in match.numbers)
        outcome = _outcome_text(tdf, match, filled_match.code)
        line = f"round {match.round}  table {match.table:>3}  {names}  →  {outcome}"
        if filled_match.state == DIFFERS:
            line += f"  [TOM says: {_outcome_text(tdf, match, match.outcome)}; correct it by hand]"
        if filled_match.state == TIED:
            line += "  [TOM knows no tie in elimination; ask the head judge]"
        lines.append(line)
    return lines


def _outcome_text(tdf, match, code):
    if code in (PLAYER_1, PLAYER_2):
        return f"{code} ({tdf.players[match.numbers[code - 1]].name} wins)"
    return f"{code} ({OUTCOMES[code]})"
