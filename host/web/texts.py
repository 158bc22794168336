"""The pages' own texts: English in ``texts.toml``, other languages in their catalogues; pages fetch
them as JSON.

An intent on a page (``what.WORD``) and an incident (``happened.WORD``) have the title of their row
(``host/base/commands.py``), in the host's catalogue, unless ``texts.toml`` defines another.
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
    entries = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        key: (text,) if isinstance(text, str) else (text["one"], text["other"])
        for key, text in entries.items()
    }


def of_acts() -> dict[str, str]:
    """Return ``{key: title}`` of the desk's acts on pages, in English."""
    titled = [command for command in commands.COMMANDS if command.title]
    titles = {f"what.{command.word}": command.title for command in titled if command.word}
    titles |= {
        f"happened.{command.incident}": command.title for command in titled if command.incident
    }
    return {key: title for key, title in titles.items() if key not in english()}


def page_texts(language: str) -> dict:
    """Return what a page gets: its language, all languages, the texts, and the plural forms.

    ``plurals`` has a digit for each number below 200; a larger number n uses 100 + n % 100.
    """
    pages, acts = catalogues.catalogue(language, DOMAIN), catalogues.catalogue(language, "host")
    return {
        "language": catalogues.tag(language),
        "languages": [catalogues.tag(each) for each in catalogues.languages()],
        "plurals": "".join(str(pages.plural(number)) for number in range(2 * _PERIOD)),
        "texts": {key: _forms(pages, key, forms) for key, forms in english().items()}
        | {key: acts.text(title) for key, title in of_acts().items()},
    }


def _forms(pages: catalogues.Catalogue, key: str, forms: Forms) -> str | Forms:
    if len(forms) == 1:
        return pages.text(forms[0], key)
    return pages.texts.get((key, forms[0]), forms)
