"""A page of paper read back as blocks, for what prints it without a browser (``plain_pdf``)."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

BOX, LINE = "\ue000", "\ue001"  # in a text: an empty box, and a line to write on
_MARKS = {"box": BOX, "line": LINE}


@dataclass
class Table:
    """A table: the heads with their classes, and the rows of cells."""

    heads: list[tuple[str, str]] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)


@dataclass
class Block:
    """A heading, a paragraph (its ``kind`` is the tag, or the class) or a table."""

    kind: str
    text: str = ""
    table: Table | None = None


@dataclass
class Page:
    """A page's title and blocks; ``slips`` holds the blocks of each slip."""

    blocks: list[Block] = field(default_factory=list)
    slips: list[list[Block]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text of the page."""
        pieces = []
        for block in (*self.blocks, *(each for slip in self.slips for each in slip)):
            pieces.append(block.text)
            if block.table is not None:
                pieces += [head for head, _ in block.table.heads]
                pieces += [cell for row in block.table.rows for cell in row]
        return " ".join(pieces)


def read(text: str) -> Page:
    """Return the Page of an HTML file that ``sheet.page`` made."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return reader.page


class _Reader(HTMLParser):
    """Collects the blocks; every cell and every paragraph is one text."""

    def __init__(self):
        super().__init__()
        self.page = Page()
        self._into = self.page.blocks
        self._block: Block | None = None
        self._table: Table | None = None
        self._cell: tuple[str, str] | None = None
        self._text: list[str] | None = None
        self._divs: list[str] = []

    def handle_starttag(self, tag, attrs):
        """Open a block, a cell, a slip or a mark."""
        kind = dict(attrs).get("class") or ""
        match tag:
            case "div":
                self._open_div(kind)
            case "table":
                self._table = Table()
                self._into.append(Block("table", table=self._table))
            case "tr" if self._table is not None:
                self._table.rows.append([])
            case "td" | "th":
                self._cell, self._text = (tag, kind), []
            case "h1" | "h2" | "p" | "li":
                self._block, self._text = Block(kind or tag), []
                self._into.append(self._block)
            case "span" if self._text is not None:
                gap = "\t" if self._text else ""
                self._text.append(_MARKS.get(kind.rpartition(" ")[2], gap))  # "short line", too

    def _open_div(self, kind: str) -> None:
        self._divs.append(kind)
        if kind == "slip":
            self.page.slips.append([])
            self._into = self.page.slips[-1]

    def handle_endtag(self, tag):
        """Close what was opened."""
        if tag == "div" and self._divs and self._divs.pop() == "slip":
            self._into = self.page.blocks
        elif tag in ("td", "th") and self._cell is not None and self._table is not None:
            self._end_cell(self._table, self._cell, self._take_text())
        elif tag == "table":
            self._end_table()
        elif self._block is not None and tag in ("h1", "h2", "p", "li"):
            self._block.text = self._take_text()
            self._block = None

    def handle_data(self, data):
        """Add to the text that is open."""
        if self._text is not None:
            self._text.append(data.replace("\n", " "))

    def _take_text(self):
        text = "".join(self._text or ())
        self._text = None
        return "\t".join(" ".join(part.split(" ")).strip(" ") for part in text.split("\t"))

    def _end_cell(self, table: Table, cell: tuple[str, str], text: str) -> None:
        tag, kind = cell
        self._cell = None
        if tag == "th":
            table.heads.append((text, kind))
        else:
            table.rows[-1].append(text)

    def _end_table(self):
        if self._table is not None:
            self._table.rows = [row for row in self._table.rows if row]
        self._table = None
