"""Lays everything the face needs into one file, ``firmware/ui/face.bin``, read lazily by offset.

u8 sections, u32 offsets (one more than sections), then the sections: screens, colours, a font
each (small, medium, large), the texts of each language, and for each panel its places and boxes,
its numerals, and the numerals of the minutes alone (empty where there are none). A text section:
u16 offsets (one more than texts), then Latin-1 with the key shapes as in ``glyphs.SPECIAL``.
"""

import pathlib
import struct

from host.screens import words
from host.screens.compiler import Compiler
from host.screens.theme import FONTS, Theme

GLYPHS = pathlib.Path(__file__).parent / "glyphs"
TARGET = words.UI / "face.bin"
LANGUAGES = ("en", "it")
SHAPES = {"^": "\x01", "@": "\x02", "…": "\x03", "–": "\x05", "*": "\x04"}


def build():
    """Return the bytes of ``face.bin``; raises SourceError with file and line."""
    theme = Theme()
    text_names, _ = words.texts(LANGUAGES[0])
    sections = [Compiler(theme, text_names).section(), b"".join(theme.colours.values())]
    sections += [_glyphs(f"{name}.font") for name in FONTS]
    sections += [_texts(language, text_names) for language in LANGUAGES]
    for panel, places in theme.panels.items():
        counts = bytes((len(theme.places), len(theme.boxes)))
        sections += [counts + places, _glyphs(f"{panel}.numerals"), _glyphs(f"{panel}-two.numerals")]
    at, offsets = 1 + 4 * (len(sections) + 1), []
    for section in sections:
        offsets.append(at)
        at += len(section)
    head = struct.pack(f"<B{len(offsets) + 1}I", len(sections), *offsets, at)
    return head + b"".join(sections)


def _glyphs(name):
    path = GLYPHS / name
    return path.read_bytes() if path.exists() else b""


def _texts(language, names):
    if not (words.UI / "texts" / f"{language}.txt").exists():
        language = LANGUAGES[0]
    found = dict(zip(*words.texts(language)))
    if list(found) != names:
        raise words.SourceError(f"{language}.txt: its names are not those of {LANGUAGES[0]}.txt")
    texts = [_letters(text) for text in found.values()]
    at, offsets = 2 * (len(texts) + 1), []
    for text in texts:
        offsets.append(at)
        at += len(text)
    return struct.pack(f"<{len(offsets) + 1}H", *offsets, at) + b"".join(texts)


def _letters(text):
    for shape, code in SHAPES.items():
        text = text.replace(shape, code)
    return text.encode("latin-1")
