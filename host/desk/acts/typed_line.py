"""Parses a typed line into an act and its fields, as the JSON object that a page would send."""

import shlex
from collections.abc import Collection, Sequence

from host.base import plain_text
from host.base.errors import UserError
from host.base.json_values import Json
from host.desk.acts.act import Act
from host.desk.acts.fields import ALL, REQUIRED, Default, Field, Malformed, Typed

_COLON = ":"
_ABSENT = REQUIRED  # what no field's words mean: the field is left out


def words_of(line: str) -> list[str]:
    """Return the words of a line. Double quotation marks group words; an apostrophe is a letter of
    a name. Raises UserError for an open quotation mark, and ValueError for an invisible character.
    """
    lexer = shlex.shlex(plain_text.clean_line(line), posix=True)
    lexer.whitespace_split, lexer.quotes, lexer.escape, lexer.commenters = True, '"', "", ""
    try:
        return list(lexer)
    except ValueError:
        raise UserError("a quotation mark is open: close it, or leave it out") from None


def find(acts: Collection[Act], words: Sequence[str]) -> Act | None:
    """Return the act with the most words that a line begins with, None without one."""
    folded = [word.casefold() for word in words]
    typed = [act for act in acts if act.typed]
    matching = [act for act in typed if act.typed.split() == folded[: _word_count(act)]]
    return max(matching, key=_word_count, default=None)


def _word_count(act: Act) -> int:
    """Return the number of an act's own words."""
    return len(act.typed.split())


def usage(act: Act) -> str:
    """Return the usage of an act's fields, for the words after its own."""
    return " ".join(
        _usage_of(name, field)
        for name, field in act.fields.items()
        if field.typed is not Typed.NEVER
    )


def _usage_of(name: str, field: Field) -> str:
    """Return the usage of a field."""
    plain = field.kind.shown or name.upper()
    optional = field.default is not REQUIRED or field.untyped is not REQUIRED
    match field.typed:
        case Typed.FLAG:
            return f"[{name}]"
        case Typed.NAMED:
            return f"[{name} N]"
        case Typed.LEADING:
            return f"[{name.upper()}]"
        case Typed.PAIR:
            return "[NUMBER_A NUMBER_B]"
        case Typed.COLON:
            return f"[{_COLON}{name.upper()}]"
        case Typed.REST:
            plain = f"{plain}…"
        case Typed.TABLES:
            return f"{name.upper()}|{ALL}"
    return f"[{plain}]" if optional else plain


def body(act: Act, words: Sequence[str]) -> dict[str, Json]:
    """Return the JSON object of an act's fields for ``words``, which are those after its own.

    Raises Malformed, with the act's usage, for words that do not fit.
    """
    left, values = [*words], dict[str, Json]()
    for name, field in act.fields.items():
        if field.typed is Typed.COLON:
            before, _, reason = " ".join(left).partition(_COLON)
            left, values[name] = before.split(), reason.strip()
    for name, field in act.fields.items():
        if field.typed is Typed.FLAG and name in left:
            left.remove(name)
            values[name] = True
    try:
        for name, field in act.fields.items():
            value = _take_words(name, field, left)
            if value is not _ABSENT:
                values[name] = value
    except ValueError as error:
        raise Malformed("{why}; say: {usage}", why=error.args[0], usage=full_usage(act)) from None
    if left:
        raise Malformed("say: {usage}", usage=full_usage(act))
    for name, field in act.fields.items():
        has_default = field.default is not REQUIRED or field.untyped is not REQUIRED
        required = not has_default or field.typed is Typed.TABLES
        if required and name not in values:
            raise Malformed("say: {usage}", usage=full_usage(act))
    return values


def full_usage(act: Act) -> str:
    """Return the usage of an act: its own words, then its fields."""
    return f"{act.typed} {usage(act)}".rstrip()


def _take_words(name: str, field: Field, left: list[str]) -> "Json | Default":
    """Remove a field's words from ``left``; return its JSON, ``_ABSENT`` if it is left out."""
    match field.typed:
        case Typed.WORD | Typed.TABLES if left:
            word = left.pop(0)
            every = field.typed is Typed.TABLES and word.casefold() == ALL
            return None if every else field.kind.word(word)
        case Typed.NAMED if len(left) > 1 and left[0].casefold() == name:
            del left[0]
            return field.kind.word(left.pop(0))
        case Typed.PAIR if len(left) > 1 and left[0].isdigit() and left[1].isdigit():
            return [field.kind.word(left.pop(0)), field.kind.word(left.pop(0))]
        case Typed.LEADING if left and left[0].isdigit():
            return left.pop(0)
        case Typed.REST if left:
            words = " ".join(left)
            left.clear()
            return words
    return _ABSENT
