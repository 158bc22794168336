"""The pages' own texts: English in ``texts.toml``, the other languages' in their catalogues; pages
fetch them as JSON.

What pages call an intent (``what.WORD``) and an incident (``happened.WORD``) is the title of its
row (``host/base/commands.py``), in the host's catalogue, unless ``texts.toml`` says it otherwise.
"""

import functools
import pathlib
import tomllib
from typing import TypeAlias

from host.base import catalogues, commands

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


def of_acts() -> dict[str, str]:
    """Return ``{key: title}`` of what the rows of the desk's acts say on pages, in English."""
    titled = [one for one in commands.COMMANDS if one.title]
    said = {f"what.{one.word}": one.title for one in titled if one.word}
    said |= {f"happened.{one.incident}": one.title for one in titled if one.incident}
    return {key: title for key, title in said.items() if key not in english()}


def spoken(language: str) -> dict:
    """Return what a page is sent: its language, all languages, the texts, and the plural forms.

    ``plurals`` has a digit for each number below 200; a larger number n uses 100 + n % 100.
    """
    said, acts = catalogues.catalogue(language, DOMAIN), catalogues.catalogue(language, "host")
    return {
        "language": catalogues.tag(language),
        "languages": [catalogues.tag(one) for one in catalogues.languages()],
        "plurals": "".join(str(said.plural(number)) for number in range(2 * _PERIOD)),
        "texts": {key: _forms(said, key, forms) for key, forms in english().items()}
        | {key: acts.text(title) for key, title in of_acts().items()},
    }


def _forms(said: catalogues.Catalogue, key: str, forms: Forms) -> str | Forms:
    if len(forms) == 1:
        return said.text(forms[0], key)
    return said.texts.get((key, forms[0]), forms)
