"""Validates text from people, in files, forms, typed acts and options: visible characters only.

The same rules hold for every input. Control characters, and characters that reorder the text around
them or have no glyph, are refused: they let a name pass for another, and control a terminal.
Characters that spreadsheets, phones and word processors add (byte order and direction marks, soft
hyphens, zero width spaces) are removed. A joiner stays between letters of the scripts that need it.
"""

import codecs
import re
import unicodedata
from typing import NamedTuple

from host.base.sentences import Sentence

_HIDDEN = re.compile(
    "["
    "\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # controls, but for tab and the ends of lines
    "\u2028-\u202e\u2061-\u206f"  # ends of lines, overrides, isolates, invisible operators
    "\u034f\u115f\u1160\u17b4\u17b5\u180e\u2800\u3164\uffa0\ufff9-\ufffb"  # no glyph
    "\ud800-\uf8ff\ufdd0-\ufdef\ufffe\uffff"  # surrogates, private use, noncharacters
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U0010ffff"
    "]"
)
_LEFT_OUT = re.compile(
    "[\xad\u061c\u200b\u200e\u200f\u2060\ufeff]"
    "|(?<![\u0590-\U0010ffff])[\u200c\u200d]|[\u200c\u200d](?![\u0590-\U0010ffff])"
)
_NAMELESS = {
    "Cc": Sentence("a control character"),
    "Cs": Sentence("half a character"),
    "Co": Sentence("a private character"),
    "Cn": Sentence("no character"),
}
_LOST = "\ufffd"  # replaces bytes that a terminal sent in another encoding
_MOST_DIGITS = 20


def decode(raw: bytes) -> str:
    """Return the text of a file that a person wrote: UTF-8, or UTF-16 with a byte order mark, as
    Windows' shell and editors save it. Raises UnicodeDecodeError.
    """
    wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and len(raw) > 2
    return raw.decode("utf-16" if wide else "utf-8-sig")


def clean(text: str) -> str:
    """Return ``text`` without the characters that other programs add."""
    return text if text.isascii() else _LEFT_OUT.sub("", text)


def leftovers(text: str) -> list[tuple[int, str]]:
    """Return ``(index, code)`` of each character that ``clean`` removes."""
    return [(found.start(), f"U+{ord(found[0]):04X}") for found in _LEFT_OUT.finditer(text)]


class Fault(NamedTuple):
    """A refused character's position in its text, and a sentence."""

    position: int
    sentence: Sentence


def fault(text: str) -> Fault | None:
    """Return the Fault of the first refused character, None without one."""
    found = _HIDDEN.search(text)
    if found is None:
        return None
    char = found[0]
    kind = unicodedata.name(char, "").casefold() or _NAMELESS[unicodedata.category(char)]
    template = "holds U+{code} ({kind}), which nobody can see: type that text again"
    return Fault(found.start(), Sentence(template, code=f"{ord(char):04X}", kind=kind))


def visible(text: str) -> str:
    """Return ``text`` without refused and removed characters."""
    return _HIDDEN.sub("", clean(text))


def whole_number(text: str) -> int | None:
    """Return the number that a text of decimal digits says; None for other text, and for more
    digits than any number of ours has.
    """
    if not text.isdecimal() or len(text) > _MOST_DIGITS:
        return None
    return int(text)


def line(text: str) -> str:
    """Return ``text`` cleaned, with single spaces between words. Raises ValueError (Sentence)."""
    text = clean(" ".join(text.split()))
    found = fault(text)
    if found:
        raise ValueError(found.sentence)
    return text


def clean_line(text: str) -> str:
    """Return a line from a terminal or an option, cleaned. Raises ValueError (Sentence)."""
    if _LOST in text:
        raise ValueError(
            Sentence("the line holds letters that cannot be read: set this terminal to UTF-8")
        )
    return line(text)
