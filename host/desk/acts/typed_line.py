"""A typed line as an act and its fields: the same JSON object that a page would send."""

import shlex
from collections.abc import Collection, Sequence

from host.base import plain_text
from host.base.errors import UserError
from host.base.json_values import Json
from host.desk.acts.act import Act
from host.desk.acts.fields import ALL, REQUIRED, Default, Field, Malformed, Typed

_COLON, _ABSENT = ":", REQUIRED


def words_of(line: str) -> list[str]:
    """Return the words of a line; double quotation marks hold several together, and an apostrophe
    is a letter of a name. Raises UserError for a mark that is not closed, and ValueError for a
    character that cannot be seen.
    """
    lexer = shlex.shlex(plain_text.typed(line), posix=True)
    lexer.whitespace_split, lexer.quotes, lexer.escape, lexer.commenters = True, '"', "", ""
    try:
        return list(lexer)
    except ValueError:
        raise UserError("a quotation mark is open: close it, or leave it out") from None


def found(acts: Collection[Act], words: Sequence[str]) -> Act | None:
    """Return the act that words begin, the one of the most words; None for none."""
    said = [word.casefold() for word in words]
    fit = [one for one in acts if one.typed and one.typed.split() == said[: _count(one)]]
    return max(fit, key=_count, default=None)


def _count(act: Act) -> int:
    return len(act.typed.split())


def usage(act: Act) -> str:
    """Return how the words after an act's own are typed."""
    typed = (one for one in act.fields.items() if one[1].typed is not Typed.NEVER)
    return " ".join(_shown(name, field) for name, field in typed)


def _shown(name: str, field: Field) -> str:
    plain = field.kind.shown or name.upper()
    missing = field.default is not REQUIRED or field.untyped is not REQUIRED
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
    return f"[{plain}]" if missing else plain


def body(act: Act, words: Sequence[str]) -> dict[str, Json]:
    """Return what ``words``, without the act's own, say of its fields.

    Raises Malformed for words that do not fit, with how the act is typed.
    """
    left, told = [*words], dict[str, Json]()
    for name, field in act.fields.items():
        if field.typed is Typed.COLON:
            before, _, reason = " ".join(left).partition(_COLON)
            left, told[name] = before.split(), reason.strip()
    for name, field in act.fields.items():
        if field.typed is Typed.FLAG and name in left:
            left.remove(name)
            told[name] = True
    try:
        for name, field in act.fields.items():
            if (value := _taken(name, field, left)) is not _ABSENT:
                told[name] = value
    except ValueError as mistake:
        raise Malformed("{why}; say: {usage}", why=mistake.args[0], usage=whole(act)) from None
    if left:
        raise Malformed("say: {usage}", usage=whole(act))
    for name, field in act.fields.items():
        missing = field.default is REQUIRED and field.untyped is REQUIRED
        needed = missing or field.typed is Typed.TABLES
        if needed and name not in told:
            raise Malformed("say: {usage}", usage=whole(act))
    return told


def whole(act: Act) -> str:
    """Return an act's own words and those that follow."""
    return f"{act.typed} {usage(act)}".rstrip()


def _taken(name: str, field: Field, left: list[str]) -> "Json | Default":
    """Take a field's words off the line; return its JSON, ``_ABSENT`` where it is left out."""
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
