"""Reads a spreadsheet saved as text; every error is a sentence with file and line.

UTF-8, or UTF-16 like Excel's "Unicode text", with commas, semicolons or tabs, or with the separator
of a first line ``sep=;``. A line above the header that begins with ``#`` is a note. Below the
header only a line with ``#``, a blank and words in a single cell is one: any other line is data,
and no cell of it is ignored. Cells to be written are ``guard``, so that no spreadsheet takes one
for a formula (CSV injection).
"""

import codecs
import csv
import io
import itertools
import pathlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from host.base import plain_text
from host.base.errors import UserError
from host.base.sentences import Sentence, SentenceValue

_MOST_BYTES = 8_000_000
_SEPARATOR = re.compile(r'"?sep=(\\t|[^\w\s"]|\t)?"?[,;\t ]*', re.IGNORECASE)
_NOTE = re.compile(r"#+( .*)?")
_ERRORS = re.compile(  # what a spreadsheet saves for a formula that failed, or a narrow column
    r"#(n/[ad]|ref!|rif!|name\?|nome\?|value!|valore!|div/0!|num!|null!|nullo!|#+)", re.IGNORECASE
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_GUARD = "'"


class SheetError(UserError):
    """A fault of a file, as one sentence with file and line (None: the whole file).

    ``sentence`` is a template for ``values``, as in UserError. ``why`` is the sentence without file
    and ``line``.
    """

    def __init__(
        self, path: str | pathlib.Path, line: int | None, sentence: str, /, **values: SentenceValue
    ):
        place = f"{path}:{line}" if line else str(path)
        why = sentence if isinstance(sentence, Sentence) else Sentence(sentence, **values)
        super().__init__("{place}: {why}", place=place, why=why)
        self.line, self.why = line, why


class ColumnMissing(SheetError):
    """A sheet without a needed column; ``columns`` are those that it has."""

    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """A sheet: its notes and rows, each with its line number, and the line of its header.

    A row is the cells of the requested columns, by the column's name.
    """

    notes: list[tuple[int, str]]
    header: int
    rows: list[tuple[int, dict[str, str]]]


def text_of(path: pathlib.Path, raw: bytes | None = None) -> str:
    """Return the text of a UTF-8 or UTF-16 file of at most 8 MB, without invisible characters.

    ``raw``: its bytes, None to read them at ``path``. Raises SheetError.
    """
    text = _decode(path, raw)
    fault = plain_text.fault(text)
    if fault:
        raise SheetError(path, text.count("\n", 0, fault.position) + 1, fault.sentence)
    return plain_text.clean(text)


def removal_notice(path: str | pathlib.Path, raw: bytes | None = None) -> list[Sentence]:
    """Return a sentence on the invisible characters of a file that were left out, if any."""
    text = _decode(pathlib.Path(path), raw)
    first_lines: dict[str, int] = {}
    for index, code in plain_text.leftovers(text):
        first_lines.setdefault(code, text.count("\n", 0, index) + 1)
    if not first_lines:
        return []
    places = [f"{code} (first in line {line})" for code, line in first_lines.items()]
    template = "{path}: left out what nobody can see: {places}"
    return [Sentence(template, path=str(path), places=", ".join(places))]


def _decode(path: pathlib.Path, raw: bytes | None) -> str:
    raw = _bytes_at(path) if raw is None else raw
    if len(raw) > _MOST_BYTES:
        raise SheetError(path, None, "is far too large for such a file")
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            raw = raw.decode("utf-16").encode()
        except UnicodeError:
            raise SheetError(path, None, "is not UTF-16: save the sheet as CSV in UTF-8") from None
    if b"\0" in raw:
        line = raw[: raw.index(b"\0")].count(b"\n") + 1
        raise SheetError(path, line, "holds a NUL: save the sheet as CSV in UTF-8")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as failure:
        line = raw[: failure.start].count(b"\n") + 1
        raise SheetError(path, line, "is not UTF-8: save the sheet as CSV in UTF-8") from None


def _bytes_at(path: pathlib.Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as failure:
        raise SheetError(path, None, "cannot be read: {why}", why=failure.strerror) from None


def read(
    path: pathlib.Path,
    needed: Sequence[str],
    optional: Sequence[str] = (),
    raw: bytes | None = None,
) -> Sheet:
    """Return the Sheet at ``path`` with the columns ``needed``, and the ``optional`` ones that it
    has. ``raw`` as in ``text_of``. Raises SheetError.
    """
    return _Reading(path, needed, optional).sheet(text_of(path, raw))


class _Reading:
    """The state while a sheet is read."""

    def __init__(self, path: pathlib.Path, needed: Sequence[str], optional: Sequence[str]):
        self._path, self._needed, self._optional = path, needed, optional
        self._notes: list[tuple[int, str]] = []
        self._line = 0

    def sheet(self, text: str) -> Sheet:
        """Return the Sheet in a text. Raises SheetError."""
        lines = list(io.StringIO(text, newline=""))
        named = self._take_separator(lines)
        top = next((index for index, line in enumerate(lines) if _is_data(line)), len(lines))
        delimiter = _delimiter(lines[top] if top < len(lines) else "", named)
        try:
            for self._line, line in enumerate(lines[:top], 1):
                self._note_above(line, delimiter)
            rows = self._rows(lines, top, delimiter)
            header = self._header(next(rows, None))
            header_line = self._line
            return Sheet(self._notes, header_line, list(self._data(rows, header, delimiter)))
        except csv.Error as failure:
            self.refuse("this is not CSV: {why}", why=str(failure))

    def _take_separator(self, lines: list[str]) -> str | None:
        """Blank Excel's own first line; return the separator that it names, or None."""
        first = next((index for index, line in enumerate(lines) if line.strip()), None)
        if first is None:
            return None
        match = _SEPARATOR.fullmatch(lines[first].strip("\r\n"))
        if not match:
            return None
        lines[first] = "\n"
        return "\t" if match[1] == r"\t" else match[1]

    def _note_above(self, line: str, delimiter: str) -> None:
        """Store a note, which a spreadsheet may have split into cells or put in quotation marks."""
        if line.lstrip().startswith("#"):
            cells = line.split(delimiter)
        else:
            cells = next(_csv([line], delimiter), [])
        text = ", ".join(cell for cell in map(_tidy, cells) if cell)
        if text:
            self._notes.append((self._line, text))

    def _rows(self, lines: list[str], top: int, delimiter: str) -> Iterator[list[str]]:
        """Yield the cells of each line that is not empty, from the line at index ``top`` on."""
        reader = _csv(lines[top:], delimiter)
        while True:
            self._line = top + reader.line_num + 1  # of the line that csv.Error is about
            cells = next(reader, None)
            if cells is None:
                return
            self._line = top + reader.line_num
            if any("\n" in cell or "\r" in cell for cell in cells):
                self.refuse("a cell goes on in another line: is a quotation mark missing?")
            cells = [_tidy(cell) for cell in cells]
            if any(cells):
                yield cells

    def _header(self, cells: list[str] | None) -> list[str]:
        """Return the names of the columns."""
        if cells is None:
            self._line = self._notes[-1][0] if self._notes else 0
            self.refuse("has no header line: {needed}", needed=",".join(self._needed))
        names = [cell.casefold() for cell in cells]
        for name in (*self._needed, *self._optional):
            if name in self._needed and name not in names:
                text = "the column {name} is missing (needed: {needed})"
                needed = ",".join(self._needed)
                missing = ColumnMissing(self._path, self._line, text, name=name, needed=needed)
                missing.columns = tuple(names)
                raise missing
            if names.count(name) > 1:
                self.refuse("the column {name} is there twice", name=name)
        return names

    def _data(
        self, rows: Iterator[list[str]], header: list[str], delimiter: str
    ) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield the number and the wanted cells of each line of data."""
        wanted = [name for name in header if name in (*self._needed, *self._optional)]
        for cells in rows:
            if self._is_note(cells):
                self._notes.append((self._line, cells[0]))
                continue
            self._require_columns(cells, header, delimiter)
            row = dict(zip(header, cells, strict=False))
            for name in wanted:
                if _ERRORS.fullmatch(row.setdefault(name, "")):
                    self.refuse(
                        "{cell} in the column {name} is a spreadsheet's error",
                        cell=row[name],
                        name=name,
                    )
            yield self._line, {name: row[name] for name in wanted}

    def _require_columns(self, cells: list[str], header: list[str], delimiter: str) -> None:
        """Refuse a cell without a column."""
        for cell, name in itertools.zip_longest(cells, header, fillvalue=""):
            if cell and not name:
                self.refuse(
                    "{cell!r} stands in no column: a cell that holds {delimiter!r} needs"
                    " quotation marks around it",
                    cell=cell, delimiter=delimiter,
                )  # fmt: skip

    def _is_note(self, cells: list[str]) -> bool:
        if not _NOTE.fullmatch(cells[0]):
            return False
        if any(cells[1:]):
            self.refuse("begins with # as a comment does, below the header: move it above that")
        return True

    def refuse(self, sentence: str, **values: SentenceValue) -> NoReturn:
        """Raise SheetError for the current line."""
        raise SheetError(self._path, self._line or None, sentence, **values)


def is_separator(line: str) -> bool:
    """Whether a line is Excel's own first one, such as ``sep=;``."""
    return bool(_SEPARATOR.fullmatch(line))


def _is_data(line: str) -> bool:
    return bool(line.strip(',;"\t\r\n ')) and not line.lstrip('" \t').startswith("#")


def _delimiter(header: str, named: str | None) -> str:
    if named and named in header:
        return named
    return max(",;\t", key=header.count)


def _csv(lines: list[str], delimiter: str):
    return csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True)


def _tidy(cell: str) -> str:
    return unguard(" ".join(cell.split()))


def guard(value: str | int | float | None) -> str:
    """Return a cell's text, with an apostrophe in front if it could be a formula."""
    text = "" if value is None else str(value)
    return _GUARD + text if text.startswith((*_FORMULA, _GUARD)) else text


def unguard(text: str) -> str:
    """Return a text without its guard: an apostrophe, or ``="…"`` around it."""
    if text.startswith(_GUARD) and text[1:].startswith((*_FORMULA, _GUARD)):
        return text[1:]
    quoted = re.fullmatch('="(.*)"', text)
    return quoted[1].replace('""', '"') if quoted else text
