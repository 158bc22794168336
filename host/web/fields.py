"""What pages may send: every field of every act has a kind, and nothing else is taken."""

import json
import unicodedata

from host.base.errors import UserError
from host.base.sentences import Sentence

LARGEST = 16_384  # bytes of a body
REQUIRED = object()
# characters that turn the direction of what stands after them, or that no screen shows
_TURNING = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class Malformed(UserError):
    """A request that no page of ours sends, in one sentence."""


def body_of(raw):
    """Return the JSON object that ``raw`` bytes hold; raises Malformed."""
    try:
        found = json.loads(raw.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Malformed("the request is not JSON") from None
    if not isinstance(found, dict):
        raise Malformed("the request is not a JSON object")
    return found


def _no_number(text):
    raise ValueError(text)


def read(spec, body):
    """Return the values of ``spec`` {name: (kind, default)} from a body; raises Malformed."""
    strange = sorted(set(body) - set(spec))
    if strange:
        raise Malformed("{name!r} is not asked for here", name=strange[0][:40])
    return {name: _value(name, kind, default, body) for name, (kind, default) in spec.items()}


def _value(name, kind, default, body):
    if name not in body or (body[name] is None and default is not REQUIRED):
        if default is REQUIRED:
            raise Malformed("{name} is missing", name=_called(name))
        return default
    try:
        return kind(body[name])
    except ValueError as mistake:
        raise Malformed("{name}: {why}", name=_called(name), why=mistake.args[0]) from None


def _called(name):
    """Return a field's name as people read it."""
    return Sentence(name.replace("_", " "))


def whole(least, most):
    """Return a kind: whole numbers in these bounds."""

    def kind(value):
        if type(value) is not int or not least <= value <= most:
            raise ValueError(
                Sentence("a whole number from {least} to {most} is wanted", least=least, most=most)
            )
        return value

    return kind


def text(least, most):
    """Return a kind: one line of so many characters, without any that turn or hide what follows."""

    def kind(value):
        if not isinstance(value, str):
            raise ValueError(Sentence("text is wanted"))
        line = unicodedata.normalize("NFC", " ".join(value.split()))
        if not least <= len(line) <= most:
            raise ValueError(
                Sentence("from {least} to {most} characters are wanted", least=least, most=most)
            )
        if any(one in _TURNING or unicodedata.category(one) in ("Cc", "Cs", "Co") for one in line):
            raise ValueError(Sentence("it has characters that cannot be shown"))
        return line

    return kind


def block(most):
    """Return a kind: lines of text, so many characters in all."""

    def kind(value):
        if not isinstance(value, str):
            raise ValueError(Sentence("text is wanted"))
        if len(value) > most:
            raise ValueError(
                Sentence("from {least} to {most} characters are wanted", least=0, most=most)
            )
        return value

    return kind


def choice(*words):
    """Return a kind: one of these words."""

    def kind(value):
        if not isinstance(value, str) or value not in words:
            raise ValueError(Sentence("one of {words} is wanted", words=", ".join(words)))
        return value

    return kind


def yes(value):
    """A kind: true or false."""
    if not isinstance(value, bool):
        raise ValueError(Sentence("true or false is wanted"))
    return value


def pair(kind):
    """Return a kind: a list of two values of another kind."""

    def both(value):
        if not isinstance(value, list) or len(value) != 2:
            raise ValueError(Sentence("a list of two is wanted"))
        return tuple(kind(one) for one in value)

    return both


TABLE = whole(1, 65535), REQUIRED
ROUND = whole(1, 255), REQUIRED
DEVICE = whole(1, 65535), REQUIRED
MINUTES = whole(1, 999), REQUIRED
WHY = text(1, 200), REQUIRED
REASON = text(0, 200), ""
NUMBER = text(1, 40), REQUIRED
NAME = text(1, 60), REQUIRED
