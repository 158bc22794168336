"""What an act typed at the desk is: a word, what follows it, what it does."""

from dataclasses import dataclass

from host.base.errors import UserError


@dataclass(frozen=True)
class Act:
    """One word of the console; ``does(console, *words)`` returns lines or order ids."""

    word: str
    usage: str
    does: object
    help: str


def whole(text):
    """Return a whole number; raises UserError for anything else."""
    try:
        return int(text)
    except ValueError:
        raise UserError(f"{text!r} is not a whole number") from None
