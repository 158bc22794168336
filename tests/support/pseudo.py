"""A third language made up for tests: English with accents, as a translator's files."""

import re

from babel.messages.pofile import write_po

from host.base import catalogues
from host.cli.dev import extraction

CODE = "eo"
_PLAIN, _ACCENTED = "aeiouyncAEIOUN", "àèìòùýñçÀÈÌÒÙÑ"
_PLACES = re.compile(r"(\{[^{}]*\}|%[A-Za-z0-9])")


def said(text):
    """Return a text in the made-up language; its places stay."""
    table = str.maketrans(_PLAIN, _ACCENTED)
    parts = _PLACES.split(text)
    return "".join(part if at % 2 else part.translate(table) for at, part in enumerate(parts))


def lay(folder):
    """Write the language's catalogues below a ``folder`` of languages."""
    for domain in catalogues.DOMAINS:
        made = extraction.blank(domain, CODE)
        for one in extraction.template(domain):
            if one.id:
                forms = tuple(map(said, one.id)) if one.pluralizable else said(one.id)
                made.add(one.id, forms, context=one.context)
        path = folder / CODE / "LC_MESSAGES" / f"{domain}.po"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            write_po(file, made)
