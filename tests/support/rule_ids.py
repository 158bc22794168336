"""The ids of RULES.md §1-§7, kept here so that they hold where that page is absent."""

import pathlib
import re

# P1-P12 are rows of §1 and §2, D and X ids stand in tables and in prose
IDS = tuple(
    "P1 P2 P3 P4 P5 P6 P7 P8 P9 P10 P11 P12 P13 P15 P16 P19 P20 P21 P22 P23 P24 P25 P26 P27 P28 P29 P30 "
    "P31 P32 P34 P35 P36 P37 "
    "D1 D2 D3 D4 D5 D6 D7 D8 D9 D10 D11 D12 D13 D14 D16 D17 D18 D19 D20 D21 D22 D23 D24 D25 "
    "X1 X2 X3 X4 X6 X7 X8 X9 X10 X11 X12 X13 X14 X15 X16 X17 X18 X19 X20 X21 X22 F1".split()
)
SOURCES = ("P18",)  # the name of a text, not an id
ORIGINAL = pathlib.Path(__file__).resolve().parents[3] / "shared" / "RULES.md"


def ids_of(text):
    """Return the ids that a text names, ``P28-29`` as both, in the order of their letters and numbers."""
    found = set()
    for letter, first, last in re.findall(r"\b([PDXF])([1-9]\d?)(?:-(\d{1,2}))?\b(?!\.\d)", text):
        found |= {f"{letter}{number}" for number in range(int(first), int(last or first) + 1)}
    return {one for one in found if one not in SOURCES}


def ids_of_page(text):
    """Return the ids of RULES.md's sections 1 to 7."""
    return ids_of(text[text.index("\n## 1.") : text.index("\n## 8.")])


def named_in(name):
    """Return the ids that a case's name begins with: ``P28-29 …``, ``D3, P21: …``."""
    head = re.match(r"(?:[PDXF]\d+(?:-\d+)?[,;]? ?)+", name)
    return ids_of(head.group()) if head else set()
