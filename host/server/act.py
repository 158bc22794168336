"""An act typed at the desk: a word, its arguments, its function."""

import shlex
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TypeAlias

from host.base import plain_text
from host.base.errors import UserError

Answer: TypeAlias = list[str] | list[int] | list[str | int]
"""What a typed act returns: lines to show, the ids of the orders that it made, or both."""


@dataclass(frozen=True)
class Act:
    """One word of the console.

    ``does(operator, *words)`` returns lines to show, or the ids of the orders that it made;
    ``operator`` is an ``Operator``. It raises UserError for invalid words.
    """

    word: str
    usage: str
    does: Callable[..., Answer]
    help: str


class Misread(UserError):
    """Words that do not fit an act: the answer adds how the act is used."""


def words_of(line: str) -> list[str]:
    """Return the words of a line; double quotation marks hold several together, and an apostrophe
    is a letter of a name. Raises UserError for a mark that is not closed, and ValueError for a
    character that cannot be seen.
    """
    lexer = shlex.shlex(plain_text.typed(line), posix=True)
    lexer.whitespace_split, lexer.quotes, lexer.escape, lexer.commenters = True, '"', "", ""
    try:
        return list(lexer)
    except ValueError:
        raise UserError("a quotation mark is open: close it, or leave it out") from None


def whole(text: str) -> int:
    """Return a whole number; raises Misread for anything else."""
    try:
        return int(text)
    except ValueError:
        raise Misread(f"{text!r} is not a whole number") from None


def choice(word: str, choices: Collection[str]) -> str:
    """Return a word that is one of ``choices``; raises Misread for another."""
    if word not in choices:
        raise Misread(f"{word!r} is none of {' '.join(choices)}")
    return word
