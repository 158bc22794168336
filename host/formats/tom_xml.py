"""Parses untrusted XML of TOM into a tree of elements with their byte offsets.

defusedxml parses it with DTDs forbidden: no entities, no external references, no expansion. Only
UTF-8 is read, because results are patched into the original bytes.
"""

import pathlib
import re
from dataclasses import dataclass, field
from typing import NoReturn
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from host.base import plain_text
from host.base.sentences import SentenceValue
from host.formats.csv_reader import SheetError as TdfError

MOST_BYTES = 8_000_000
_DEEPEST = 24
_MOST_ELEMENTS = 200_000
_ATTRIBUTE = re.compile(rb"""\s+([^\s=/>"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")


@dataclass(slots=True)
class Element:
    """One element; ``start``: byte offset of its ``<``; ``line`` counts from 1."""

    name: str
    attributes: dict[str, str]
    start: int
    line: int
    children: "list[Element]" = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The element's own text."""
        return plain_text.clean("".join(self.pieces))

    def all(self, name: str, *path: str) -> "list[Element]":
        """Return all elements at a path of names below this one, in file order."""
        matching = [child for child in self.children if child.name == name]
        if not path:
            return matching
        return [element for child in matching for element in child.all(*path)]

    def first(self, name: str, *path: str) -> "Element | None":
        """Return the first element at a path, or None."""
        return next(iter(self.all(name, *path)), None)

    def words(self, name: str, *path: str) -> str:
        """Return the text at a path with its whitespace collapsed, empty if there is none."""
        element = self.first(name, *path)
        return " ".join(element.text.split()) if element else ""


def parse(path: pathlib.Path, raw: bytes) -> Element:
    """Return the root Element of a file's bytes. Raises TdfError naming ``path``."""
    _require_text(path, raw)
    builder = _TreeBuilder(path)
    try:
        builder.parser.feed(raw)
        builder.parser.close()
        return builder.root
    except DefusedXmlException:
        line = builder.parser.parser.CurrentLineNumber
        raise TdfError(path, line, "holds a DTD or an entity, which TOM never writes") from None
    except ParseError as failure:
        line, _ = failure.position
        reason = str(failure).partition(":")[0]
        raise TdfError(
            path, line, "is not whole: {what} (save it again in TOM)", what=reason
        ) from None
    except (ValueError, LookupError):
        raise TdfError(path, 1, "names an encoding that is not UTF-8") from None


def _require_text(path, raw):
    if len(raw) > MOST_BYTES:
        raise TdfError(
            path, None, "has {bytes} bytes: far too large for a tournament", bytes=len(raw)
        )
    if not raw.strip():
        raise TdfError(path, None, "is empty")
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise TdfError(path, 1, "is UTF-16, not UTF-8")
    if b"\0" in raw:
        line = raw[: raw.index(b"\0")].count(b"\n") + 1
        raise TdfError(path, line, "holds a NUL")
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as failure:
        line = raw[: failure.start].count(b"\n") + 1
        raise TdfError(path, line, "is not UTF-8") from None


class _TreeBuilder:
    """Builds the tree from the parser's events."""

    def __init__(self, path):
        self._path, self._count = path, 0
        self._open: list[Element] = []
        self._root: Element | None = None
        self.parser = DefusedXMLParser(target=self, forbid_dtd=True)
        self.parser.parser.XmlDeclHandler = self._check_declaration

    def _check_declaration(self, _version, encoding, _standalone):
        if encoding and encoding.casefold() not in ("utf-8", "utf8"):
            self.refuse("says that it is {encoding!a}, not UTF-8", encoding=encoding)

    def refuse(self, sentence: str, **values: SentenceValue) -> NoReturn:
        """Raise TdfError for the current line."""
        raise TdfError(self._path, self.parser.parser.CurrentLineNumber, sentence, **values)

    def _check_text(self, text):
        fault = plain_text.fault(text)
        if fault:
            self.refuse(fault.sentence)

    def start(self, name, attributes):
        """Begin an element."""
        expat = self.parser.parser
        self._count += 1
        if len(self._open) >= _DEEPEST or self._count > _MOST_ELEMENTS:
            self.refuse("is nested or filled as no tournament is")
        for key, value in attributes.items():
            self._check_text(value)
            attributes[key] = plain_text.clean(value)
        element = Element(name, attributes, expat.CurrentByteIndex, expat.CurrentLineNumber)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)

    def end(self, _name):
        """Finish the innermost element."""
        self._open.pop()

    def data(self, text):
        """Add text to the innermost element."""
        if text.isascii() and text.isspace():  # between two elements
            return
        self._check_text(text)
        self._open[-1].pieces.append(text)

    def close(self):
        """Finish the tree; the parser has refused a file without a root."""

    @property
    def root(self) -> Element:
        """The tree, once the parser is closed."""
        assert self._root is not None
        return self._root


def value_span(raw: bytes, element: Element, attribute: str) -> tuple[int, int]:
    """Return ``(start, end)`` of an attribute's value in the bytes, without its quotes."""
    match = _ATTRIBUTE.match(raw, element.start + 1 + len(element.name.encode()))
    while match:
        if match[1].decode() == attribute:
            return match.span(2) if match[2] is not None else match.span(3)
        match = _ATTRIBUTE.match(raw, match.end())
    raise LookupError(attribute)  # impossible: expat has just reported this attribute
