"""The rules' ids: those that docs/rules.md gives, and those that a case's name begins with."""

import re

import tree

PAGE = tree.ROOT / "docs" / "rules.md"
SOURCES = ("P18",)  # the name of a text, not an id
_ROW = re.compile(r"^\| ([PDXF][1-9]\d?) \| ([^|]+) \| ([^|]+) \|$", re.M)


def rows():
    """Return ``(id, section, rule)`` of every row of docs/rules.md that begins with an id, in its
    order.
    """
    return _ROW.findall(PAGE.read_text(encoding="utf-8"))


def ids_of(text):
    """Return the set of ids that a text names, ``P28-29`` as both."""
    found = set()
    for letter, first, last in re.findall(r"\b([PDXF])([1-9]\d?)(?:-(\d{1,2}))?\b(?!\.\d)", text):
        found |= {f"{letter}{number}" for number in range(int(first), int(last or first) + 1)}
    return {one for one in found if one not in SOURCES}


def named_in(name):
    """Return the ids that a case's name begins with: ``P28-29 …``, ``D3, P21: …``."""
    head = re.match(r"(?:[PDXF]\d+(?:-\d+)?[,;]? ?)+", name)
    return ids_of(head.group()) if head else set()
