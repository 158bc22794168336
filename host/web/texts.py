"""The pages' own texts: English in ``texts.toml``, the other languages' in their catalogues; pages
fetch them as JSON.
"""

import functools
import pathlib
import tomllib
from typing import TypeAlias

from host.base import catalogues

DOMAIN = "pages"
FILE = pathlib.Path(__file__).parent / "texts.toml"
_PERIOD = 100  # gettext's plural rules repeat with this period from 100 on

Forms: TypeAlias = tuple[str, ...]  # one form, or singular and plural


@functools.cache
def english() -> dict[str, Forms]:
    """Return ``{key: forms}`` in the order of the file."""
    told = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        key: (text,) if isinstance(text, str) else (text["one"], text["other"])
        for key, text in told.items()
    }


def spoken(language: str) -> dict:
    """Return what a page is sent: its language, all languages, the texts, and the plural forms.

    ``plurals`` has a digit for each number below 200; a larger number n uses 100 + n % 100.
    """
    said = catalogues.catalogue(language, DOMAIN)
    return {
        "language": catalogues.tag(language),
        "languages": [catalogues.tag(one) for one in catalogues.languages()],
        "plurals": "".join(str(said.plural(number)) for number in range(2 * _PERIOD)),
        "texts": {key: _forms(said, key, forms) for key, forms in english().items()},
    }


def _forms(said: catalogues.Catalogue, key: str, forms: Forms) -> str | Forms:
    if len(forms) == 1:
        return said.text(forms[0], key)
    return said.texts.get((key, forms[0]), forms)
