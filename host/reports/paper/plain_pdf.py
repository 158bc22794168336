"""PDF without a browser, from the same page: fpdf2 sets its headings, tables and slips.

The font is that of the pages. Missing letters come from a font of this machine, if one has them,
else they are written in Latin letters.
"""

import io
import os
import pathlib
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Iterable, Sequence

from anyascii import anyascii
from fpdf import FPDF
from fpdf.enums import TableBordersLayout
from fpdf.fonts import FontFace

from host.base.private_files import write_whole
from host.reports.paper import letters, page_reader
from host.reports.paper.page_reader import BOX, LINE, Block, Page, Table

_FONT, _OTHER = "Source Sans 3", "Other"
_WEIGHTS = {"": 400, "B": 700}
_MARGIN_MM = 12
_SIZES = {"h1": 17, "h2": 12, "under": 11}
_PT = 11
_SLIP_PT, _SLIP_WIDE_MM, _SLIP_HIGH_MM, _GAP_MM, _PAD_MM = 9.5, 91.5, 64, 3, 3
_SLIP_LINES_MM = {"head": 6, "lines": 9}  # from a line to the next, by class
_SCORE_MM = 20, 26  # columns of a slip's table beside the name
_ROWS, _COLUMNS = 4, 2  # of slips on a page
_LEAST_PT, _LEAST_MEMBERS_PT = 6.5, 5
_WIDTHS = {"p": 5.0, "": 3.0, "n": 2.0, "n table": 1.4}  # of columns, by class
_GREY = (241, 241, 241)
_BOX_MM = 4
_AFTER_MM = 2.4  # between a piece of text and what follows it

# fonts that this machine may have, for Chinese, Japanese and Korean
_FONTS = {
    "win32": ("msyh.ttc", "YuGothR.ttc", "malgun.ttf", "meiryo.ttc", "arial.ttf"),
    "darwin": ("PingFang.ttc", "AppleSDGothicNeo.ttc", "Arial Unicode.ttf"),
}
_FOLDERS = {
    "win32": (r"C:\Windows\Fonts",),
    "darwin": ("/System/Library/Fonts", "/System/Library/Fonts/Supplemental", "/Library/Fonts"),
}
_ELSEWHERE = (
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
    "/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
)


def other_fonts(system: str = sys.platform) -> list[str]:
    """Return where a system (``sys.platform``) may keep a font with more letters."""
    names = [
        os.path.join(folder, name) for name in _FONTS.get(system, ()) for folder in _FOLDERS[system]
    ]
    return names or list(_ELSEWHERE)


def print_page(
    page: pathlib.Path,
    target: pathlib.Path,
    fonts: Iterable[str] | None = None,
    *,
    secret: bool = False,
) -> None:
    """Print a printable page's file into ``target``; ``fonts``: paths, this machine's if None.

    Raises OSError if the PDF cannot be written.
    """
    content = page_reader.read(page.read_text(encoding="utf-8"))
    sheet = _Sheet(content, other_fonts() if fonts is None else fonts)
    write_whole(target, bytes(sheet.output()), secret=secret)


class _Sheet:
    """One document: a Page set on A4."""

    def __init__(self, page: Page, fonts: Iterable[str]):
        self._pdf = FPDF(format="A4")
        self._pdf.set_margins(_MARGIN_MM, _MARGIN_MM)
        self._pdf.set_auto_page_break(True, 14)
        self._known = [letters.letters_of()]
        self._fall_back(fonts)
        used = frozenset(map(ord, self._printable(page.text))) | frozenset(range(32, 127))
        with tempfile.TemporaryDirectory() as folder:
            for style, weight in _WEIGHTS.items():
                path = pathlib.Path(folder, f"{weight}.ttf")
                self._pdf.add_font(_FONT, style, letters.write(used, weight, path))
        self._pdf.set_font(_FONT, size=_PT)
        self._pdf.add_page()
        if page.slips:
            self._slips(page.slips)
        else:
            self._blocks(page.blocks)

    def output(self) -> bytes:
        """Return the PDF."""
        written = io.BytesIO()
        self._pdf.output(written)
        return written.getvalue()

    def _fall_back(self, fonts: Iterable[str]) -> None:
        path = next(filter(os.path.isfile, fonts), None)
        if path is None:
            return
        try:
            code_points = letters.letters_of(pathlib.Path(path))
            self._pdf.add_font(_OTHER, "", path)
        except Exception:  # a broken font of this machine is not needed
            return
        self._pdf.set_fallback_fonts([_OTHER], exact_match=False)
        self._known.append(code_points)

    def _printable(self, text: str) -> str:
        """Return a text with letters that no font has replaced by Latin ones."""
        return "".join(char if self._sets(char) else anyascii(char) for char in text)

    def _sets(self, char: str) -> bool:
        """Return whether a letter can be set: a font has it, and it is not joined to its
        neighbours.
        """
        joined = unicodedata.bidirectional(char) == "AL"
        return not joined and any(ord(char) in known for known in self._known)

    def _blocks(self, blocks: Sequence[Block]) -> None:
        for block in blocks:
            if block.table is not None:
                self._table(block.table)
                self._pdf.ln(2)
            else:
                self._pdf.set_font(_FONT, "B" if block.kind in ("h1", "h2") else "")
                self._pdf.set_font_size(_SIZES.get(block.kind, _PT))
                self._pdf.multi_cell(0, text=self._printable(_flat(block.text)), align="L")
                self._pdf.ln(5 if block.kind == "under" else 2)

    def _table(self, content: Table) -> None:
        kinds = [kind for _, kind in content.heads]
        self._pdf.set_font(_FONT, "", _PT)
        with self._pdf.table(
            borders_layout=TableBordersLayout.SINGLE_TOP_LINE,
            col_widths=tuple(_WIDTHS.get(kind, 3.0) for kind in kinds),
            text_align=tuple("RIGHT" if "n" in kind.split() else "LEFT" for kind in kinds),
            headings_style=FontFace(emphasis="B"),
            cell_fill_color=_GREY,
            cell_fill_mode="ROWS",
            line_height=6.5,
        ) as table:
            for cells in ([head for head, _ in content.heads], *content.rows):
                row = table.row()
                for cell in cells:
                    row.cell(self._printable(_flat(cell)))

    def _slips(self, slips: Sequence[Sequence[Block]]) -> None:
        self._pdf.set_auto_page_break(False)
        for number, blocks in enumerate(slips):
            on_page = number % (_ROWS * _COLUMNS)
            if number and on_page == 0:
                self._pdf.add_page()
            row, column = divmod(on_page, _COLUMNS)
            x = _MARGIN_MM + column * (_SLIP_WIDE_MM + _GAP_MM)
            y = _MARGIN_MM + row * (_SLIP_HIGH_MM + _GAP_MM)
            self._slip(blocks, x, y)

    def _slip(self, blocks: Sequence[Block], x: float, y: float) -> None:
        """Draw a result slip with its upper left corner at a place in mm."""
        pdf = self._pdf
        pdf.set_dash_pattern(2, 1)
        pdf.rect(x, y, _SLIP_WIDE_MM, _SLIP_HIGH_MM)
        pdf.set_dash_pattern()
        left, wide, top = x + _PAD_MM, _SLIP_WIDE_MM - 2 * _PAD_MM, y + _PAD_MM
        for block in blocks:
            if block.table is not None:
                top = self._draw_score(block.table, left, top, wide) + 2
                continue
            if block.kind.startswith("members"):
                top = self._write_members(block.text, left, top, wide)
                continue
            head = block.kind == "head"
            pdf.set_font(_FONT, "B" if head else "", 12 if head else _SLIP_PT)
            parts = block.text.split("\t")
            part_mm = wide / len(parts)
            for index, part in enumerate(parts):
                align = "R" if head and index else "L"
                self._write_line(part, left + index * part_mm, top, part_mm - 1, align)
            top += _SLIP_LINES_MM.get(block.kind, 6.5)

    def _write_members(self, text: str, x: float, y: float, wide: float) -> float:
        """Write a team's members on one line, as small as needed; return the y of its end."""
        size = _SLIP_PT
        while size > _LEAST_MEMBERS_PT and self._width_mm(text, size) > wide:
            size -= 0.5
        self._write_line(text, x, y - 1, wide, "L")
        return y + 3

    def _width_mm(self, text: str, size: float) -> float:
        """Return the width of a line with its boxes in ``size`` pt, which stays the font's size."""
        self._pdf.set_font(_FONT, "", size)
        width_mm = 0
        for piece in _pieces(text):
            if piece == BOX:
                width_mm += _BOX_MM
            elif piece:
                width_mm += self._pdf.get_string_width(self._printable(piece)) + _AFTER_MM
        return width_mm

    def _draw_score(self, content: Table, x: float, y: float, wide: float) -> float:
        """Draw a slip's table; return the y of its end."""
        self._pdf.set_font(_FONT, "", _SLIP_PT)
        widths = (wide - sum(_SCORE_MM), *_SCORE_MM)
        self._draw_cells([head for head, _ in content.heads], widths, x, y, 7)
        y += 7
        for who, *counts in content.rows:
            self._pdf.rect(x, y, widths[0], 12)
            self._name(who, x + 1, y + 1, widths[0] - 2)
            self._draw_cells(counts, widths[1:], x + widths[0], y, 12)
            y += 12
        return y

    def _draw_cells(
        self, cells: Sequence[str], widths: Sequence[float], x: float, y: float, height: float
    ) -> None:
        """Draw a row of boxes, each with its text on one line."""
        for cell, width in zip(cells, widths, strict=True):
            self._pdf.rect(x, y, width, height)
            self._write_line(cell, x + 1, y + (height - 5) / 2, width - 2, "L")
            x += width

    def _name(self, text: str, x: float, y: float, wide: float) -> None:
        """Write a name on at most two lines."""
        shown, size = self._printable(_flat(text)), _SLIP_PT
        lines = self._in_lines(shown, wide, size)
        while len(lines) > 2 and size > _LEAST_PT:
            size -= 0.5
            lines = self._in_lines(shown, wide, size)
        for at, line in enumerate(lines[:2]):
            self._pdf.set_xy(x, y + 5 * at)
            self._pdf.cell(wide, 5, line)
        self._pdf.set_font_size(_SLIP_PT)

    def _in_lines(self, shown: str, wide: float, size: float) -> list[str]:
        """Set the font's ``size`` in points; return a text's lines in it."""
        self._pdf.set_font_size(size)
        lines = self._pdf.multi_cell(wide, 5, shown, align="L", dry_run=True, output="LINES")
        return [str(line) for line in lines] if isinstance(lines, list) else [shown]

    def _write_line(self, text: str, x: float, y: float, wide: float, align: str) -> None:
        """Write one line; boxes and lines to write on are drawn."""
        pdf, right = self._pdf, x + wide
        for piece in _pieces(text):
            if piece == BOX:
                pdf.rect(x, y + 0.6, _BOX_MM, _BOX_MM)
                x += _BOX_MM
            elif piece == LINE:
                pdf.line(x + 1, y + 4.6, right, y + 4.6)
                x = right
            elif piece:
                shown = _shorten(self._printable(piece), right - x, pdf.get_string_width)
                pdf.set_xy(x, y)
                pdf.cell(right - x, 5, shown, align=align)
                x += pdf.get_string_width(shown) + _AFTER_MM


def _pieces(text: str) -> list[str]:
    """Return what stands between a line's tabs; a box or a line to write on is a piece, too."""
    for drawn in (BOX, LINE):
        text = text.replace(drawn, f"\t{drawn}\t")
    return [piece.strip() for piece in text.split("\t")]


def _flat(text: str) -> str:
    return text.replace("\t", " ").replace(BOX, "").replace(LINE, "")


def _shorten(text: str, wide: float, width: Callable[[str], float]) -> str:
    """Return the beginning of a text that fits into ``wide`` mm."""
    while text and width(text) > wide:
        text = text[:-1]
    return text
