"""Reads the small line languages of ``firmware/ui``: words on lines, ``#`` starts a comment line."""

import pathlib

UI = pathlib.Path(__file__).resolve().parents[3] / "firmware" / "ui"
LETTERS = (
    "12atlrgnmsoedckfbupqvwxhyzCMRG"  # %letter in a text, in the order of ``firmware/ui/word.py``
)
FIRST = 128  # the code that stands for the first of them


class SourceError(ValueError):
    """A source line that means nothing; the message begins with file and line."""


def lines(path):
    """Yield ``(where, words)`` for every line that says something."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        words = line.split()
        if words and not words[0].startswith("#"):
            yield f"{path.name}:{number}", words


def number_of(where, what, name, names):
    """Return the place of ``name`` in ``names``; raises SourceError for a name that is not there."""
    if name not in names:
        raise SourceError(f"{where}: no {what} is called {name!r}")
    return names.index(name)


def facts():
    """Return the names of the facts in the order of their bits."""
    return [words[0] for _, words in lines(UI / "facts.txt")]


def texts(language):
    """Return ``(names, texts)`` of a language in the order of its file."""
    names, found = [], []
    for line in (UI / "texts" / f"{language}.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, text = line.partition(" ")
            names.append(name)
            found.append(text)
    return names, found
