"""Reads the small line languages of ``firmware/ui``: words on lines, ``#`` starts a
comment line.
"""

import difflib
import pathlib
from collections.abc import Collection, Iterator

from host.base import catalogues

UI = pathlib.Path(__file__).resolve().parents[3] / "firmware" / "ui"
# %letter in a text, in the order of ``firmware/ui/word.py``
LETTERS = "12atlrgnmsoedckfbupqvwxhyzCMRGjFY"
_FEW = 12  # names that are told where none is like a wrong one
DOMAIN = "board"  # of the catalogues
TEXTS = UI / "texts" / "en.txt"
FIRST = 128  # the code that stands for the first of them


class SourceError(ValueError):
    """A source line that means nothing; the message begins with file and line."""


def lines(path: pathlib.Path) -> Iterator[tuple[str, list[str]]]:
    """Yield ``(where, words)`` for every line that says something."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        words = line.split()
        if words and not words[0].startswith("#"):
            yield f"{path.name}:{number}", words


def number_of(where: str, what: str, name: str, names: Collection[str]) -> int:
    """Return the place of ``name`` in ``names``; SourceError: it is not there, and which ones are
    like it.
    """
    if name not in names:
        like = difflib.get_close_matches(name, names, 3) or list(names)[:_FEW]
        raise SourceError(f"{where}: no {what} is called {name!r}; try {', '.join(like)}")
    return list(names).index(name)


def texts(language: str) -> tuple[list[str], list[str]]:
    """Return ``(names, texts)`` of a language: English as its file has them, another by its
    catalogue.
    """
    told = [line for line in TEXTS.read_text("utf-8").splitlines() if line[:1] not in ("", "#")]
    names, _, english = zip(*(line.partition(" ") for line in told))
    said = catalogues.catalogue(language, DOMAIN)
    return list(names), [said.text(text, name) for name, text in zip(names, english)]
