"""Lays everything the face needs into one file, ``firmware/ui/face.bin``, read lazily by offset.

u8 sections, u32 offsets (one more than sections), then the sections: screens, colours, the texts of
each language, six fonts (small, medium, large, and again for panels with letters of their own), and
for each panel its places, its numerals and those of the turned clock (empty where there are none).
A panel's places: u8 places, boxes, first font (0, 3), layouts, slots, then u8 font and u16 width
for each bitmap that a text can be drawn into, the smallest first, then the layouts (``theme``). A
text section: u16 offsets (one more than texts), then Latin-1 with the key shapes as in
``glyphs.SPECIAL`` and the words as codes from 128 on (``firmware/ui/word.py``).
"""

import functools
import io
import pathlib
import re
import struct
from collections.abc import Sequence

from host.boards.screens import words
from host.boards.screens.compiler import Compiler
from host.boards.screens.theme import FONTS, Theme

GLYPHS = pathlib.Path(__file__).parent / "glyphs"
TARGET = words.UI / "face.bin"
LANGUAGES = ("en", "it")  # of every board, as ``firmware/ui/face.py`` has them
_FONTS = 2 + len(LANGUAGES)  # the first font's section: before it screens, colours and texts
_OF_PANEL = 3  # a panel's sections
SHAPES = {"^": "\x01", "@": "\x02", "…": "\x03", "–": "\x05", "*": "\x04", "»": "\x06", "«": "\x07"}


def build(languages: Sequence[str] = LANGUAGES) -> bytes:
    """Return the bytes of ``face.bin`` with the texts of two languages.

    Raises SourceError with file and line.
    """
    theme = Theme()
    text_names, _ = words.texts(LANGUAGES[0])
    sections = [Compiler(theme, text_names).section(), b"".join(theme.colours.values())]
    sections += [_texts(language) for language in languages]
    for letters in ["", *(f"{name}-" for name in theme.lettered)]:
        sections += [_glyphs(f"{letters}{name}.font") for name in FONTS]
    for panel, layouts in theme.panels.items():
        font = len(FONTS) * (panel in theme.lettered)
        slots = _slots(theme.slots[panel], sections[_FONTS + font : _FONTS + font + len(FONTS)])
        counts = bytes((len(theme.places), len(theme.boxes), font, len(layouts), len(slots)))
        sections += [counts + b"".join(slots) + b"".join(layouts)]
        sections += [_glyphs(f"{panel}{kind}.numerals") for kind in ("", "-turned")]
    return _joined(sections)


def opened(language: str) -> tuple[io.BytesIO, int]:
    """Return the pack of a board that speaks ``language``, as an open file, and which of its two
    languages that is (0, 1).
    """
    own = language in LANGUAGES
    return io.BytesIO(_whole("" if own else language)), LANGUAGES.index(language) if own else 1


@functools.cache
def _whole(third: str) -> bytes:
    return build((LANGUAGES[0], third)) if third else TARGET.read_bytes()


def _joined(sections: Sequence[bytes]) -> bytes:
    at, offsets = 1 + 4 * (len(sections) + 1), []
    for section in sections:
        offsets.append(at)
        at += len(section)
    head = struct.pack(f"<B{len(offsets) + 1}I", len(sections), *offsets, at)
    return head + b"".join(sections)


def _slots(slots: list[tuple[int, int]], fonts: Sequence[bytes]) -> list[bytes]:
    """Return the bytes of each slot, those first that take the least memory (rows of 32 bits)."""
    ordered = sorted(slots, key=lambda slot: (-(-slot[1] // 32) * fonts[slot[0]][0], slot))
    return [struct.pack("<BH", *slot) for slot in ordered]


def _glyphs(name: str) -> bytes:
    path = GLYPHS / name
    return path.read_bytes() if path.exists() else b""


def _texts(language: str) -> bytes:
    texts = [_letters(text) for text in words.texts(language)[1]]
    at, offsets = 2 * (len(texts) + 1), []
    for text in texts:
        offsets.append(at)
        at += len(text)
    return struct.pack(f"<{len(offsets) + 1}H", *offsets, at) + b"".join(texts)


def _letters(text: str) -> bytes:
    for shape, code in SHAPES.items():
        text = text.replace(shape, code)
    return re.sub("%([A-Za-z0-9])", _word, text).encode("latin-1")


def _word(found):
    return chr(words.FIRST + words.LETTERS.index(found[1]))
