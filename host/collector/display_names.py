"""The name that a board shows: short, and in characters of its font (Latin-1).

Given name first: the first word is kept, the surname is shortened to an initial; "Family, Given" is
reversed. Letters outside Latin-1 are transliterated (anyascii); the original spelling stays in the
archive and the exports, beside the player's number.
"""

import unicodedata

import anyascii

from host.archive.roster import Player
from host.base import surnames

LIMIT = 20
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'"})


def for_board(name: str, number: str = "") -> str:
    """Return first name and initial, at most 20 Latin-1 characters; the number if none is left."""
    words = _split(name)
    if not words:
        return _split(number)[0][:LIMIT] if _split(number) else "?"
    surname = _split(surnames.initial_word(name)) or words
    initial = _initial(surname[-1]) if len(words) > 1 else ""
    if not initial:
        return _shorten(words[0], LIMIT)
    return _shorten(words[0], LIMIT - 3) + " " + initial + "."


def for_table(a: Player, b: Player) -> list[str]:
    """Return the board names of two opponents, made different if they would be equal."""
    pair = [for_board(player.name, player.number) for player in (a, b)]
    if pair[0].casefold() != pair[1].casefold():
        return pair
    whole = [_shorten(" ".join(_split(player.name)), LIMIT) for player in (a, b)]
    if all(whole) and whole[0].casefold() != whole[1].casefold():
        return whole
    tails = ["".join(_split(player.number))[-6:] for player in (a, b)]
    return [
        _shorten(name, LIMIT - len(tail) - 1) + " " + tail
        for name, tail in zip(pair, tails, strict=True)
    ]


def _split(text: str) -> list[str]:
    """Split into words of printable Latin-1; scripts without capitals get one."""
    family, _, given = text.partition(",")
    plain = unicodedata.normalize("NFC", f"{given} {family}").translate(_APOSTROPHES)
    latin = "".join(_latin(char) for char in plain)
    words = [word.strip(".,;:-'\"") for word in latin.split()]
    words = [word for word in words if any(map(str.isalnum, word))]
    return [_capital(word[0]) + word[1:] if word.islower() else word for word in words]


def _capital(char: str) -> str:
    """Capitalise if the font has the capital: those of µ, ß and ÿ are outside Latin-1."""
    upper = char.upper()
    return upper if len(upper) == 1 and upper <= "ÿ" else char


def _latin(char: str) -> str:
    if char.isspace():
        return " "
    if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn"):
        return ""
    if char.isascii() or (char <= "ÿ" and char.isalpha()):
        return char
    return anyascii.anyascii(char)


def _initial(word: str) -> str:
    return next((_capital(char) for char in word if char.isalpha() and char != "ß"), "")


def _shorten(word: str, limit: int) -> str:
    """Shorten a word, with a point in place of the missing part."""
    return word if len(word) <= limit else word[: limit - 1].rstrip() + "."
