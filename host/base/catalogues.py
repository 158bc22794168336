"""Translations: gettext's .po files in ``host/locale``, a folder per language, a file per domain.

The domains are ``host`` (its messages), ``pages`` (the web pages' own texts), ``paper`` and
``board``. English is in the sources. A new folder adds a language; texts that are empty or fuzzy in
it are shown in English.
"""

import functools
import gettext
import io
import pathlib
import re
import string
from collections.abc import Callable, Iterable

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileError, read_po

from host.base.errors import UserError

ENGLISH = "en"
DOMAINS = ("host", "pages", "paper", "board")
FOLDER = pathlib.Path(__file__).resolve().parents[1] / "locale"
_MESSAGES = "LC_MESSAGES"  # the folder's name that gettext expects
_LINE = re.compile(
    r'(#.*|((msgctxt|msgid|msgid_plural|msgstr|msgstr\[\d\]) +)?"([^"\\]|\\[\\"abfnrtv])*")?'
)
_MORE = "▲●✔►◄…–"  # characters of the boards' fonts beyond Latin-1


class Catalogue:
    """A domain in a language; ``texts`` maps (context, English) to the forms in that language.

    ``plural(count)`` returns the index of the form.
    """

    def __init__(self, texts: dict, plural: Callable[[int], int]):
        self.texts, self.plural = texts, plural

    def has(self, english: str, context: str | None = None) -> bool:
        """Return whether a text is translated."""
        return (context, english) in self.texts

    def text(self, english: str, context: str | None = None) -> str:
        """Return a text in this language, or the English if it is not translated."""
        return self.texts.get((context, english), (english,))[0]

    def counted(self, singular: str, plural: str, count: int, context: str | None = None) -> str:
        """Return the form for ``count`` of a text with these English forms."""
        forms = self.texts.get((context, singular))
        if forms is None:
            return singular if count == 1 else plural
        return forms[min(self.plural(count), len(forms) - 1)]


def languages() -> tuple[str, ...]:
    """Return the codes of the available languages (``it``, ``pt_BR``), English first."""
    return _languages(FOLDER)


def catalogue(language: str, domain: str) -> Catalogue:
    """Return a domain in a language. Raises UserError with the file and line of an error."""
    return _catalogue(path_of(language, domain), domain)


def path_of(language: str, domain: str) -> pathlib.Path:
    """Return the path of a language's catalogue of a domain."""
    return FOLDER / language / _MESSAGES / f"{domain}.po"


def matching(asked: Iterable[str]) -> str:
    """Return the first available language among those ``asked`` for (``it-IT``), else English."""
    ours = {code.casefold(): code for code in languages()}
    for tag in asked:
        whole = tag.strip().casefold().replace("-", "_")
        for code in (whole, whole.partition("_")[0]):
            if code in ours:
                return ours[code]
    return ENGLISH


def tag(language: str) -> str:
    """Return a language's code as browsers write it: ``pt-BR``."""
    return language.replace("_", "-")


def places(text: str) -> set[str]:
    """Return the names of a text's placeholders. Raises ValueError for unpaired braces."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def _fields(text: str) -> dict[str, str]:
    """Return a text's placeholders as they are written, ``{name!r}``, with their names."""
    fields: dict[str, str] = {}
    for _, name, form, conversion in string.Formatter().parse(text):
        if name is not None:
            ending = (f"!{conversion}" if conversion else "") + (f":{form}" if form else "")
            fields[f"{{{name}{ending}}}"] = name
    return fields


def check() -> None:
    """Read every catalogue. Raises UserError for the first broken catalogue, and for a folder whose
    name is not a language's code.
    """
    for code in _codes(FOLDER):
        if not _is_language(code):
            raise UserError(
                "{folder} is no language's code: name it as gettext does, it or pt_BR",
                folder=str(FOLDER / code),
            )
    for language in languages():
        for domain in DOMAINS:
            catalogue(language, domain)


@functools.cache
def _languages(folder: pathlib.Path) -> tuple[str, ...]:
    return (ENGLISH, *(code for code in _codes(folder) if code != ENGLISH and _is_language(code)))


def _codes(folder: pathlib.Path) -> list[str]:
    return sorted(path.parent.name for path in folder.glob(f"*/{_MESSAGES}"))


def _is_language(code: str) -> bool:
    try:
        Locale.parse(code)
    except (UnknownLocaleError, ValueError):
        return False
    return True


@functools.cache
def _catalogue(path: pathlib.Path, domain: str) -> Catalogue:
    if not path.is_file():
        return Catalogue({}, lambda count: int(count != 1))
    catalog = _read(path, domain)
    texts = {}
    for message in catalog:
        if message.id and not message.fuzzy and any(_forms(message)):
            texts[message.context, _ids(message)[0]] = _check(path, domain, message)
    try:
        return Catalogue(texts, gettext.c2py(catalog.plural_expr))
    except ValueError as error:
        raise _broken(path, 1, f"Plural-Forms: {error}") from None


def _read(path: pathlib.Path, domain: str) -> Catalog:
    """Return a .po file as Babel's Catalog. Raises UserError with the line of an error."""
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _broken(path, data[: error.start].count(b"\n") + 1, "this is not UTF-8") from None
    for number, line in enumerate(text.splitlines(), 1):
        if not _LINE.fullmatch(line.strip()):
            raise _broken(path, number, "this is no line of a .po file")
    try:
        return read_po(io.StringIO(text), domain=domain, ignore_obsolete=True, abort_invalid=True)
    except PoFileError as error:
        raise _broken(path, error.lineno + 1, str(error).rpartition(" on ")[0]) from None
    # Babel's parser fails so on other files
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise _broken(path, 1, str(error)) from None


def _check(path: pathlib.Path, domain: str, message: Message) -> tuple[str, ...]:
    """Return a message's forms. Raises UserError if a form is missing or has other placeholders."""
    forms, line = _forms(message), message.lineno or 1
    known = set().union(*(places(text) for text in _ids(message)))
    for form in forms:
        if not form:
            raise _broken(path, line, "a form of the plural is missing")
        try:
            found = places(form)
        except ValueError as error:
            raise _broken(path, line, f"{form}: {error}") from None
        letter = _without_glyph(form) if domain == "board" else ""
        if letter:
            raise _broken(path, line, f"no board has the letter {letter!r}")
        # a singular form may leave the number out
        missing = known - found if len(forms) == 1 else set()
        if missing or found - known:
            raise _broken(path, line, _differing(missing, found - known))
        for field, name in _fields(form).items():  # another way may raise when it is filled
            ways = [
                way for text in _ids(message) for way, of in _fields(text).items() if of == name
            ]
            if field not in (*ways, f"{{{name}}}"):
                raise _broken(path, line, f"{field}: write {ways[0]}")
    return forms


def _without_glyph(text: str) -> str:
    """Return a text's first character that the boards' fonts lack, "" without one; the fonts have
    Latin-1 and ``_MORE``.
    """
    return next((char for char in text if char not in _MORE and not _is_latin_1(char)), "")


def _is_latin_1(char: str) -> bool:
    return char.isprintable() and ord(char) < 256


def _differing(missing: set[str], unknown: set[str]) -> str:
    """Return the fault of a form with other placeholders."""
    faults = []
    for verb, names in (("lacks", missing), ("has no", unknown)):
        if names:
            faults.append(f"the text {verb} {{{', '.join(sorted(names))}}}")
    return "; ".join(faults)


def _ids(message: Message) -> tuple[str, ...]:
    """Return a message's English text, or its singular and plural."""
    return tuple(message.id) if isinstance(message.id, (tuple, list)) else (message.id,)


def _forms(message: Message) -> tuple[str, ...]:
    """Return a message's translated form or forms."""
    found = message.string
    return tuple(found) if isinstance(found, (tuple, list)) else (found or "",)


def _broken(path: pathlib.Path, line: int, why: str) -> UserError:
    return UserError("{path}:{line}: {why}", path=str(path), line=line, why=why)
