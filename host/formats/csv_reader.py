"""Reads a spreadsheet saved as CSV; every error is a sentence with file and line."""

import csv
import pathlib
from collections.abc import Iterator

from host.base.errors import UserError
from host.formats.formula_guard import unguarded

_MOST_BYTES = 8_000_000


class SheetError(UserError):
    """A fault of a file, as one sentence with file and line (None: the whole file)."""

    def __init__(self, path: str | pathlib.Path, line: int | None, sentence: str):
        place = f"{path}:{line}" if line else str(path)
        super().__init__(f"{place}: {sentence}")


def text_of(path: pathlib.Path) -> str:
    """Return the text of a UTF-8 file of at most 8 MB. Raises SheetError."""
    try:
        raw = path.read_bytes()
    except OSError as failure:
        raise SheetError(path, None, f"cannot be read: {failure.strerror}") from None
    if len(raw) > _MOST_BYTES:
        raise SheetError(path, None, "is far too large for such a file")
    if b"\0" in raw:
        line = raw[: raw.index(b"\0")].count(b"\n") + 1
        raise SheetError(path, line, "holds a NUL: save the sheet as CSV in UTF-8")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as failure:
        line = raw[: failure.start].count(b"\n") + 1
        raise SheetError(path, line, "is not UTF-8: save the sheet as CSV in UTF-8") from None


def rows_of(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield ``(line number, stripped cells)`` of every line that is not empty.

    The header decides the delimiter: comma, semicolon or tab. Raises csv.Error.
    """
    lines = text.splitlines(keepends=True)
    header = next(
        (line for line in lines if line.strip() and not line.lstrip('"').startswith("#")), ""
    )
    delimiter = max(",;\t", key=header.count)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    for cells in reader:
        cells = [unguarded(" ".join(cell.split())) for cell in cells]
        if any(cells):
            yield reader.line_num, cells
