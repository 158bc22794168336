"""``plusthree dev screens words``: update the templates and catalogues in ``host/locale``."""

import io
import pathlib
import re
from argparse import ArgumentParser, Namespace

from babel.messages.pofile import read_po, write_po

from host.base import catalogues
from host.base.private_files import write_whole
from host.cli import options
from host.cli.dev import extraction

_WIDTH = 100
# header lines that change with each run, or that are empty
_EMPTY = re.compile(
    r'^"(POT-Creation-Date|Generated-By|Project-Id-Version|Report-Msgid-Bugs-To: EMAIL'
    r"|PO-Revision-Date: YEAR|Last-Translator: FULL|Language-Team: (\w+ )?<?L).*\n",
    re.MULTILINE,
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    options.add_flag(parser, "--check", "write nothing: end with 1 where something would change")


def run(args: Namespace) -> int:
    """Write changed catalogues and print missing translations; return 0, or 1 if --check fails."""
    catalogues.check()  # refuses a broken catalogue instead of overwriting it
    stale = [(path, text) for path, text in write().items() if _there(path) != text]
    for path, text in stale:
        if not args.check:
            write_whole(path, text)
        print(f"{path}: {'not up to date' if args.check else 'written'}")
    for language in catalogues.languages()[1:]:
        for domain in catalogues.DOMAINS:
            count = len(missing(language, domain))
            if count:
                print(f"{language}, {domain}: {count} texts are not translated")
    return int(bool(stale) and args.check)


def write() -> dict[pathlib.Path, str]:
    """Return ``{path: text}`` of every template and of each language's catalogues."""
    catalogue_texts = {}
    for domain in catalogues.DOMAINS:
        template = extraction.template(domain)
        catalogue_texts[catalogues.FOLDER / f"{domain}.pot"] = _text(template)
        for language in catalogues.languages()[1:]:
            path = catalogues.path_of(language, domain)
            catalogue_texts[path] = _text(_update(path, language, template))
    return catalogue_texts


def missing(language: str, domain: str) -> list[tuple[str, str | None]]:
    """Return ``(English, key or None)`` of each text that a language lacks."""
    translations = catalogues.catalogue(language, domain)
    texts = dict.fromkeys((text.english, text.context) for text in extraction.entries(domain))
    return [text for text in texts if not translations.has(*text)]


def _update(path, language, template):
    """Return a catalogue with exactly the template's entries, keeping their translations."""
    old = extraction.blank(template.domain, language)
    if path.is_file():
        there = io.StringIO(_there(path).removeprefix("\ufeff"))  # as Notepad begins a file
        old = read_po(there, locale=language, domain=template.domain)
    old.update(template, no_fuzzy_matching=True)
    old.obsolete.clear()
    return old


def _text(catalog):
    for message in catalog:
        message.flags.discard("python-format")  # Babel mistakes a board text's % for it
    data = io.BytesIO()
    write_po(data, catalog, width=_WIDTH, include_lineno=False)
    return _EMPTY.sub("", data.getvalue().decode("utf-8"))


def _there(path):
    return path.read_text(encoding="utf-8") if path.is_file() else ""
