"""The boards' texts by key in any language: as the screens have them, and as a board's file.

English is ``firmware/ui/texts/en.json``; the other languages are made from their catalogues.
"""

import functools
import json
import pathlib

from host.base import catalogues

DOMAIN = "board"  # of the catalogues
FOLDER = pathlib.Path(__file__).resolve().parents[2] / "firmware" / "ui" / "texts"
ENGLISH = FOLDER / "en.json"


@functools.cache
def english() -> dict[str, str]:
    """Return the English texts in their order."""
    return json.loads(ENGLISH.read_text("utf-8"))


def texts(language: str) -> dict[str, str]:
    """Return the texts of a language by key, English where nobody has translated one."""
    said = catalogues.catalogue(language, DOMAIN)
    return {key: said.text(text, key) for key, text in english().items()}


def packed(language: str) -> bytes:
    """Return a language's file on a board: a text a line."""
    told = json.dumps(texts(language), ensure_ascii=False, indent=0)
    return f"{told}\n".encode()
