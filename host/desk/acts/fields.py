"""The fields of acts: each has a kind, which a page's JSON and a typed word must fit.

A typed line becomes the same JSON object that a page sends (``typed_line``), so there is one door
for both: ``read``. Anything else is refused in a sentence.
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
ALL = "all"  # is typed for every table


class Default(enum.Enum):
    """The value of a field that is left out."""

    REQUIRED = enum.auto()


REQUIRED = Default.REQUIRED
ValueT = TypeVar("ValueT", covariant=True)
Value: TypeAlias = int | float | str | tuple[int, int] | tuple[str, bytes] | tuple[str, ...] | None


class Malformed(UserError):
    """What does not fit a field, in one sentence."""


@dataclass(frozen=True)
class Kind(Generic[ValueT]):
    """What a field holds. ``read(value)`` returns the value of a page's JSON, ``word(text)`` the
    JSON of a typed word; both raise ValueError with a Sentence. ``shown`` is how a typed act's
    usage names it ("": by the field's name), ``shape`` what a page needs to draw it.
    """

    read: Callable[[Json], ValueT]
    shape: Mapping[str, Json]
    word: Callable[[str], Json] = str
    shown: str = ""

    def __call__(self, value: Json) -> ValueT:
        """Return the value of a page's JSON."""
        return self.read(value)


class Typed(enum.Enum):
    """Where a field stands in a typed line."""

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
    """A field of an act: its kind, its value where it is left out, its place in a typed line, and
    its value where who types leaves out what a page must send.
    """

    kind: Kind[Value]
    default: Value | Default = REQUIRED
    typed: Typed = Typed.WORD
    untyped: Value | Default = REQUIRED


def body_of(raw: bytes) -> dict[str, Json]:
    """Return the JSON object that ``raw`` bytes hold; raises Malformed."""
    try:
        found = json.loads(raw.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Malformed("the request is not JSON") from None
    if not isinstance(found, dict):
        raise Malformed("the request is not a JSON object")
    return found


def _no_number(text: str):
    raise ValueError(text)


def read(
    fields: Mapping[str, Field], body: Mapping[str, Json], typed: bool = False
) -> dict[str, Value]:
    """Return the values of ``fields`` from a body; ``typed``: one that a line was turned into.

    Raises Malformed.
    """
    strange = sorted(set(body) - set(fields))
    if strange:
        raise Malformed("{name!r} is not expected here", name=strange[0][:40])
    return {
        name: field.untyped
        if typed and name not in body and field.untyped is not REQUIRED
        else _value(name, field, body)
        for name, field in fields.items()
    }


def _value(name: str, field: Field, body: Mapping[str, Json]) -> Value:
    missing, default = name not in body, field.default
    if default is REQUIRED:
        if missing:
            raise Malformed("{name} is missing", name=label(name))
    elif missing or body[name] is None:
        return default
    try:
        return field.kind.read(body[name])
    except ValueError as mistake:
        raise Malformed("{name}: {why}", name=label(name), why=mistake.args[0]) from None


def label(name: str) -> Sentence:
    """Return a field's name for people."""
    return Sentence(name.replace("_", " "))


def _integer(text: str) -> Json:
    try:
        return int(text)
    except ValueError:
        raise ValueError(Sentence("{text!r} is not a whole number", text=text)) from None


def whole(least: int, most: int, words: Mapping[str, int] | None = None) -> Kind[int]:
    """Return a kind: whole numbers in these bounds; who types says one of ``words``, if given."""

    def value(told: Json) -> int:
        if type(told) is not int or not least <= told <= most:
            raise ValueError(
                Sentence("must be a whole number from {least} to {most}", least=least, most=most)
            )
        return told

    shape: dict[str, Json] = {"kind": "whole", "least": least, "most": most}
    if words is None:
        return Kind(value, shape, _integer)
    return Kind(value, shape, lambda text: words[_one_of(text, words)], "|".join(words))


def minutes(most: int) -> Kind[float]:
    """Return a kind: minutes from 0 to ``most``, with a fraction or without."""

    def value(told: Json) -> float:
        if isinstance(told, bool) or not isinstance(told, int | float) or not 0 <= told <= most:
            raise ValueError(Sentence("must be a number of minutes from 0 to {most}", most=most))
        return told

    def word(text: str) -> Json:
        try:
            told = float(text)
        except ValueError:
            told = math.nan
        if not 0 <= told <= most:
            raise ValueError(
                Sentence(
                    "{text!r} is not a number of minutes from 0 to {most}", text=text, most=most
                )
            )
        return told

    return Kind(value, {"kind": "minutes", "least": 0, "most": most}, word)


def text(least: int, most: int) -> Kind[str]:
    """Return a kind: one line of ``least`` to ``most`` characters, without invisible and bidi
    ones.
    """

    def value(told: Json) -> str:
        if not isinstance(told, str):
            raise ValueError(Sentence("must be text"))
        line = unicodedata.normalize("NFC", plain_text.line(told))
        if not least <= len(line) <= most:
            raise ValueError(
                Sentence("must have {least} to {most} characters", least=least, most=most)
            )
        return line

    return Kind(value, {"kind": "text", "least": least, "most": most})


def block(most: int) -> Kind[str]:
    """Return a kind: lines of text, ``most`` characters in all."""

    def value(told: Json) -> str:
        if not isinstance(told, str):
            raise ValueError(Sentence("must be text"))
        if len(told) > most:
            raise ValueError(Sentence("must have {least} to {most} characters", least=0, most=most))
        return told

    return Kind(value, {"kind": "block", "least": 0, "most": most})


def choice(*words: str) -> Kind[str]:
    """Return a kind: one of these words; case counts for nothing where it is typed."""

    def value(told: Json) -> str:
        if not isinstance(told, str) or told not in words:
            raise ValueError(Sentence("must be one of {words}", words=", ".join(words)))
        return told

    shape: dict[str, Json] = {"kind": "choice", "words": [*words]}
    return Kind(value, shape, lambda typed: _one_of(typed, words), "|".join(filter(None, words)))


def _one_of(typed: str, words: Mapping[str, int] | tuple[str, ...]) -> str:
    """Return which of ``words`` was typed; raises ValueError for none."""
    found = {word.casefold(): word for word in words}.get(typed.casefold())
    if found is None:
        said = " ".join(words)
        raise ValueError(Sentence("{word!r} is none of {words}", word=typed, words=said))
    return found


def switch(on: str = "on", off: str = "off") -> Kind[bool]:
    """Return a kind: true or false, typed as one of two words."""
    words = {on: 1, off: 0}
    return Kind(_truth, {"kind": "yes"}, lambda typed: bool(words[_one_of(typed, words)]),
                f"{on}|{off}")  # fmt: skip


def _truth(told: Json) -> bool:
    if not isinstance(told, bool):
        raise ValueError(Sentence("must be true or false"))
    return told


yes = switch()


def pair(kind: Kind[int]) -> Kind[tuple[int, int]]:
    """Return a kind: a list of two values of another kind."""

    def both(told: Json) -> tuple[int, int]:
        if not isinstance(told, list) or len(told) != 2:
            raise ValueError(Sentence("must be a list of two"))
        a, b = told
        return kind.read(a), kind.read(b)

    return Kind(both, {"kind": "pair", "of": {**kind.shape}}, kind.word)


def several(kind: Kind[str], most: int) -> Kind[tuple[str, ...]]:
    """Return a kind: a list of up to ``most`` values of another kind."""

    def each(told: Json) -> tuple[str, ...]:
        if not isinstance(told, list) or len(told) > most:
            raise ValueError(Sentence("must be a list of up to {most}", most=most))
        return tuple(map(kind.read, told))

    return Kind(each, {"kind": "several", "of": kind.shape})


_TABLES = whole(1, 65535)
TABLE = Field(_TABLES)
EVERY = Field(_TABLES, None, Typed.TABLES)  # a table, or None for all
ROUND = Field(whole(1, 255))
DEVICE = Field(Kind(_TABLES.read, _TABLES.shape, _TABLES.word, "BOARD"))
MINUTES = Field(whole(1, 999))
WHY = Field(text(1, 200), REQUIRED, Typed.REST)
WHY_ON_PAGES = Field(text(1, 200), REQUIRED, Typed.REST, untyped="")
REASON = Field(text(0, 200), "", Typed.REST)
SURE = Field(yes, False, Typed.FLAG)
NUMBER = Field(text(1, 40))
NAME = Field(text(1, 60), REQUIRED, Typed.REST)
