"""Splits names into surname and given name, for sorted lists and searches.

A name is a single text, the given name first (or ``Surname, Given``). The surname is the last word,
with the particles before it, as in *de la Cruz* or *van der Berg*; a last word that only
distinguishes namesakes (*Jr.*, *III*, *2*, *Neto*) belongs to the surname before it.
"""

import anyascii

_PARTICLES = frozenset(
    "al ap bin d da dal dalla de del della delle den der di do dos du el ibn la le lo san st ten "
    "ter van vande vander von y zu".split()
)

_SUFFIXES = frozenset(
    "jr sr ii iii iv junior filho filha neto neta bisneto bisneta sobrinho sobrinha segundo "
    "terceiro hijo fils".split()
)


def split(name: str) -> tuple[str, str]:
    """Return ``(surname, given name)``; a single word is a surname."""
    surname, comma, given = name.partition(",")
    if comma and surname.strip():
        return " ".join(surname.split()), " ".join(given.split())
    words = name.split()
    first = max(len(words) - 1, 0)  # index of the surname's first word
    while first > 1 and _is_suffix(words[first]):
        first -= 1
    while first > 1 and _last_part(words[first - 1]) in _PARTICLES:
        first -= 1
    return " ".join(words[first:]), " ".join(words[:first])


def initial_word(name: str) -> str:
    """Return the word of the surname that gives its initial: the last that is not a suffix."""
    words = split(name)[0].split() or [""]
    while len(words) > 1 and _is_suffix(words[-1]):
        words.pop()
    return words[-1]


def _is_suffix(word: str) -> bool:
    return word.isdigit() or fold(word).strip(".") in _SUFFIXES


def _last_part(word: str) -> str:
    """Return the last part of a double surname (*Lo* of *Mastropasqua-Lo*), or the word itself."""
    return word.casefold().rpartition("-")[2].strip("'’.")


def by_surname(name: str) -> str:
    """Return a name for a list by surname: ``Surname, Given``."""
    surname, given = split(name)
    return f"{surname}, {given}" if given else surname


def order(name: str) -> tuple[str, str]:
    """Return the sort key of a list by surname: without accents and capitals."""
    surname, given = split(name)
    return fold(surname), fold(given)


def fold(text: str) -> str:
    """Return a text for comparison in a search: Latin letters without accents, in lower case."""
    return anyascii.anyascii(text).casefold()
