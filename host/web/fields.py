"""Validates what pages send: every field of every act has a kind; anything else is refused."""

import enum
import json
import unicodedata
from collections.abc import Callable, Mapping
from typing import TypeAlias, TypeVar

from host.base import plain_text
from host.base.errors import UserError
from host.base.json_values import Json
from host.base.sentences import Sentence

LARGEST = 16_384  # bytes of a body


class Default(enum.Enum):
    """The value of a field that a page leaves out."""

    REQUIRED = enum.auto()


REQUIRED = Default.REQUIRED
ValueT = TypeVar("ValueT")
Value: TypeAlias = int | str | tuple[int, int] | None
Kind: TypeAlias = Callable[[Json], ValueT]
"""Returns the value of a field; raises ValueError with a Sentence for what is none."""
Field: TypeAlias = tuple[Kind[Value], Value | Default]
"""A field's kind, and its value where a page leaves it out."""


class Malformed(UserError):
    """A request that no page of ours sends, in one sentence."""


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


def read(spec: Mapping[str, Field], body: Mapping[str, Json]) -> dict[str, Value]:
    """Return the values of ``spec`` {name: (kind, default)} from a body; raises Malformed."""
    strange = sorted(set(body) - set(spec))
    if strange:
        raise Malformed("{name!r} is not expected here", name=strange[0][:40])
    return {name: _value(name, kind, default, body) for name, (kind, default) in spec.items()}


def _value(
    name: str, kind: Kind[Value], default: Value | Default, body: Mapping[str, Json]
) -> Value:
    missing = name not in body
    if missing and default is REQUIRED:
        raise Malformed("{name} is missing", name=_called(name))
    if (missing or body[name] is None) and default is not REQUIRED:
        return default
    try:
        return kind(body[name])
    except ValueError as mistake:
        raise Malformed("{name}: {why}", name=_called(name), why=mistake.args[0]) from None


def _called(name: str) -> Sentence:
    """Return a field's name for people."""
    return Sentence(name.replace("_", " "))


def whole(least: int, most: int) -> Kind[int]:
    """Return a kind: whole numbers in these bounds."""

    def kind(value: Json) -> int:
        if type(value) is not int or not least <= value <= most:
            raise ValueError(
                Sentence("must be a whole number from {least} to {most}", least=least, most=most)
            )
        return value

    return kind


def text(least: int, most: int) -> Kind[str]:
    """Return a kind: one line of ``least`` to ``most`` characters, without invisible and bidi
    ones.
    """

    def kind(value: Json) -> str:
        if not isinstance(value, str):
            raise ValueError(Sentence("must be text"))
        line = unicodedata.normalize("NFC", plain_text.line(value))
        if not least <= len(line) <= most:
            raise ValueError(
                Sentence("must have {least} to {most} characters", least=least, most=most)
            )
        return line

    return kind


def block(most: int) -> Kind[str]:
    """Return a kind: lines of text, ``most`` characters in all."""

    def kind(value: Json) -> str:
        if not isinstance(value, str):
            raise ValueError(Sentence("must be text"))
        if len(value) > most:
            raise ValueError(Sentence("must have {least} to {most} characters", least=0, most=most))
        return value

    return kind


def choice(*words: str) -> Kind[str]:
    """Return a kind: one of these words."""

    def kind(value: Json) -> str:
        if not isinstance(value, str) or value not in words:
            raise ValueError(Sentence("must be one of {words}", words=", ".join(words)))
        return value

    return kind


def yes(value: Json) -> bool:
    """Return true or false: a kind."""
    if not isinstance(value, bool):
        raise ValueError(Sentence("must be true or false"))
    return value


def pair(kind: Kind[int]) -> Kind[tuple[int, int]]:
    """Return a kind: a list of two values of another kind."""

    def both(value: Json) -> tuple[int, int]:
        if not isinstance(value, list) or len(value) != 2:
            raise ValueError(Sentence("must be a list of two"))
        a, b = value
        return kind(a), kind(b)

    return both


TABLE = whole(1, 65535), REQUIRED
ROUND = whole(1, 255), REQUIRED
DEVICE = whole(1, 65535), REQUIRED
MINUTES = whole(1, 999), REQUIRED
WHY = text(1, 200), REQUIRED
REASON = text(0, 200), ""
NUMBER = text(1, 40), REQUIRED
NAME = text(1, 60), REQUIRED
