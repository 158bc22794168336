"""An act typed at the desk: a word, its arguments, its function."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

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


def whole(text: str) -> int:
    """Return a whole number; raises UserError for anything else."""
    try:
        return int(text)
    except ValueError:
        raise UserError(f"{text!r} is not a whole number") from None
