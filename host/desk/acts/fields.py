"""The fields of acts: each has a kind, which validates a page's JSON and a typed word.

A typed line becomes the same JSON object that a page sends (``typed_line``), and ``read`` validates
both.
"""

import enum
import json
import math
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from host.base import plain_text
from host.base.errors import UserError
from host.base.json_values import Json
from host.base.sentences import Sentence

LARGEST = 16_384  # bytes of a body
ALL = "all"  # typed instead of a table's number


class Default(enum.Enum):
    """Marks a field without a default."""

    REQUIRED = enum.auto()


REQUIRED = Default.REQUIRED
ValueT = TypeVar("ValueT", covariant=True)
Value: TypeAlias = int | float | str | tuple[int, int] | tuple[str, bytes] | tuple[str, ...] | None


class Malformed(UserError):
    """A value that does not fit its field, as a sentence."""


@dataclass(frozen=True)
class Kind(Generic[ValueT]):
    """The type of a field. ``read(value)`` returns the value of a page's JSON, ``word(text)`` the
    JSON of a typed word; both raise ValueError with a Sentence. ``shape`` describes it for pages,
    which draw it; ``shown`` is its name in a typed act's usage ("": the field's name).
    """

    read: Callable[[Json], ValueT]
    shape: Mapping[str, Json]
    word: Callable[[str], Json] = str
    shown: str = ""

    def __call__(self, value: Json) -> ValueT:
        """Return the value of a page's JSON."""
        return self.read(value)


class Typed(enum.Enum):
    """The position of a field in a typed line."""

    WORD = "one word, in the order of the fields"
    TABLES = "a table's number, or ``all`` for None"
    FLAG = "the field's own name, anywhere after what must be there"
    NAMED = "the field's name and a word"
    PAIR = "two whole numbers, if there are two"
    LEADING = "a whole number before the words of the next field"
    REST = "all words that are left: a name, a reason"
    COLON = "what stands after a colon"
    NEVER = "pages alone send it"


class Field(NamedTuple):
    """A field of an act: its kind, its default, its position in a typed line, and the default of a
    typed line alone, for a field that a page must send.
    """

    kind: Kind[Value]
    default: Value | Default = REQUIRED
    typed: Typed = Typed.WORD
    untyped: Value | Default = REQUIRED


def body_of(raw: bytes) -> dict[str, Json]:
    """Return the JSON object in ``raw``. Raises Malformed."""
    try:
        found = json.loads(raw.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Malformed("the request is not JSON") from None
    if not isinstance(found, dict):
        raise Malformed("the request is not a JSON object")
    return found


def _no_number(text: str):
    """Refuse NaN and Infinity, which JSON does not have."""
    raise ValueError(text)


def read(
    fields: Mapping[str, Field], body: Mapping[str, Json], typed: bool = False
) -> dict[str, Value]:
    """Return the values of ``fields`` in a body; ``typed``: the body of a typed line.

    Raises Malformed.
    """
    unknown = sorted(set(body) - set(fields))
    if unknown:
        raise Malformed("{name!r} is not expected here", name=unknown[0][:40])
    values: dict[str, Value] = {}
    for name, field in fields.items():
        if typed and name not in body and field.untyped is not REQUIRED:
            values[name] = field.untyped
        else:
            values[name] = _value(name, field, body)
    return values


def _value(name: str, field: Field, body: Mapping[str, Json]) -> Value:
    """Return the value of a field in a body. Raises Malformed."""
    if name not in body and field.default is REQUIRED:
        raise Malformed("{name} is missing", name=label(name))
    if body.get(name) is None and field.default is not REQUIRED:
        return field.default
    try:
        return field.kind.read(body[name])
    except ValueError as error:
        raise Malformed("{name}: {why}", name=label(name), why=error.args[0]) from None


def label(name: str) -> Sentence:
    """Return a field's name for people."""
    return Sentence(name.replace("_", " "))


def _integer(text: str) -> Json:
    try:
        return int(text)
    except ValueError:
        raise ValueError(Sentence("{text!r} is not a whole number", text=text)) from None


def whole(least: int, most: int, words: Mapping[str, int] | None = None) -> Kind[int]:
    """Return a kind: whole numbers in these bounds, typed as one of ``words`` if given."""

    def check(value: Json) -> int:
        if type(value) is not int or not least <= value <= most:
            raise ValueError(
                Sentence("must be a whole number from {least} to {most}", least=least, most=most)
            )
        return value

    shape: dict[str, Json] = {"kind": "whole", "least": least, "most": most}
    if words is None:
        return Kind(check, shape, _integer)
    return Kind(check, shape, lambda text: words[_word_in(text, words)], "|".join(words))


def minutes(most: int) -> Kind[float]:
    """Return a kind: minutes from 0 to ``most``, with a fraction or without."""

    def check(value: Json) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
            raise ValueError(Sentence("must be a number of minutes from 0 to {most}", most=most))
        return value

    def parse(text: str) -> Json:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not 0 <= value <= most:
            raise ValueError(
                Sentence(
                    "{text!r} is not a number of minutes from 0 to {most}", text=text, most=most
                )
            )
        return value

    return Kind(check, {"kind": "minutes", "least": 0, "most": most}, parse)


def text(least: int, most: int) -> Kind[str]:
    """Return a kind: one line of ``least`` to ``most`` characters, after removing invisible and
    bidirectional controls.
    """

    def check(value: Json) -> str:
        if not isinstance(value, str):
            raise ValueError(Sentence("must be text"))
        line = unicodedata.normalize("NFC", plain_text.line(value))
        if not least <= len(line) <= most:
            raise ValueError(
                Sentence("must have {least} to {most} characters", least=least, most=most)
            )
        return line

    return Kind(check, {"kind": "text", "least": least, "most": most})


def block(most: int) -> Kind[str]:
    """Return a kind: lines of text, up to ``most`` characters in all."""

    def check(value: Json) -> str:
        if not isinstance(value, str):
            raise ValueError(Sentence("must be text"))
        if len(value) > most:
            raise ValueError(Sentence("must have {least} to {most} characters", least=0, most=most))
        return value

    return Kind(check, {"kind": "block", "least": 0, "most": most})


def choice(*words: str) -> Kind[str]:
    """Return a kind: one of these words; a typed word may differ in case."""

    def check(value: Json) -> str:
        if not isinstance(value, str) or value not in words:
            raise ValueError(Sentence("must be one of {words}", words=", ".join(words)))
        return value

    shape: dict[str, Json] = {"kind": "choice", "words": [*words]}
    return Kind(check, shape, lambda typed: _word_in(typed, words), "|".join(filter(None, words)))


def _word_in(typed: str, words: Mapping[str, int] | tuple[str, ...]) -> str:
    """Return the word of ``words`` that was typed. Raises ValueError for another one."""
    found = {word.casefold(): word for word in words}.get(typed.casefold())
    if found is None:
        listed = " ".join(words)
        raise ValueError(Sentence("{word!r} is none of {words}", word=typed, words=listed))
    return found


def switch(on: str = "on", off: str = "off") -> Kind[bool]:
    """Return a kind: true or false, typed as ``on`` or ``off``."""
    words = {on: 1, off: 0}
    return Kind(_truth, {"kind": "yes"}, lambda typed: bool(words[_word_in(typed, words)]),
                f"{on}|{off}")  # fmt: skip


def _truth(value: Json) -> bool:
    if not isinstance(value, bool):
        raise ValueError(Sentence("must be true or false"))
    return value


yes = switch()


def pair(kind: Kind[int]) -> Kind[tuple[int, int]]:
    """Return a kind: a list of two values of another kind; typed as two words, each of that."""

    def both(value: Json) -> tuple[int, int]:
        if not isinstance(value, list) or len(value) != 2:
            raise ValueError(Sentence("must be a list of two"))
        a, b = value
        return kind.read(a), kind.read(b)

    return Kind(both, {"kind": "pair", "of": kind.shape}, kind.word)


def several(kind: Kind[str], most: int) -> Kind[tuple[str, ...]]:
    """Return a kind: a list of up to ``most`` values of another kind."""

    def each(value: Json) -> tuple[str, ...]:
        if not isinstance(value, list) or len(value) > most:
            raise ValueError(Sentence("must be a list of up to {most}", most=most))
        return tuple(map(kind.read, value))

    return Kind(each, {"kind": "several", "of": kind.shape})


_TABLES = whole(1, 65535)
TABLE = Field(_TABLES)
EVERY = Field(_TABLES, None, Typed.TABLES)  # a table, or None for all
ROUND = Field(whole(1, 255))
DEVICE = Field(Kind(_TABLES.read, _TABLES.shape, _TABLES.word, "BOARD"))
MINUTES = Field(whole(1, 999))
EXTENSION = Field(whole(-120, 120))  # minutes; a negative number shortens one
WHY = Field(text(1, 200), REQUIRED, Typed.REST)
WHY_ON_PAGES = Field(text(1, 200), REQUIRED, Typed.REST, untyped="")
REASON = Field(text(0, 200), "", Typed.REST)
SURE = Field(yes, False, Typed.FLAG)
NUMBER = Field(text(1, 40))
NAME = Field(text(1, 60), REQUIRED, Typed.REST)
