"""The protocol between the desk and its radio process: one JSON list per line.

Its first element is a word of ``radio``, or ``"alive"``, which the process sends every second.
Frames are hex; a Sentence is ``{"says": template, ...values}``, a counted one with ``"many"``. Any
other line is read as None: it may come from another version, or from a library that prints.
"""

import json
from typing import Protocol, TypeAlias

from host.base.sentences import Sentence
from host.collector.actions import Action

Part: TypeAlias = str | bytes | bool | float | Sentence
Message: TypeAlias = tuple[str, *tuple[Part, ...]]


class Tell(Protocol):
    """Receives messages."""

    def __call__(self, word: str, /, *rest: Part) -> None:
        """Receive a message: its word and its arguments."""


_SHAPES = {  # word -> the types of its arguments
    "heard": (str, bytes), "received": (str, bytes), "opened": (str,), "closed": (str,),
    "deaf": (bool,),
    "delay": (float,), "said": (Sentence,), "missing": (Sentence,), "alive": (),
    "connect": (str,), "write": (str, bytes), "disconnect": (str,),
}  # fmt: skip
_SAYS, _MANY = "says", "many"


def encode(message: Message) -> bytes:
    """Return the line of a message, a tuple that begins with the word."""
    return json.dumps([_plain(part) for part in message]).encode() + b"\n"


def decode(line: bytes) -> Message | None:
    """Return the message of a line, or None."""
    try:
        word, *rest = json.loads(line)
        shape = _SHAPES[word]
        if len(rest) != len(shape):
            return None
        return word, *(_MADE.get(kind, kind)(part) for kind, part in zip(shape, rest, strict=True))
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError):
        return None


def decode_action(line: bytes) -> Action | None:
    """Return the action of a line, or None for any other line."""
    match decode(line):
        case ("connect", str(address)):
            return "connect", address
        case ("write", str(address), bytes(frame)):
            return "write", address, frame
        case ("disconnect", str(address)):
            return "disconnect", address
    return None


def _plain(part):
    if isinstance(part, bytes):
        return part.hex()
    if isinstance(part, Sentence):
        many = {_MANY: part.plural} if part.plural else {}
        values = {name: _plain(value) for name, value in part.values.items()}
        return {_SAYS: part.template} | many | values
    return part


def _sentence(part):
    """Return the Sentence of a JSON object, anything else as it is."""
    if not isinstance(part, dict):
        return part
    values = {name: _sentence(value) for name, value in part.items() if name not in (_SAYS, _MANY)}
    if _MANY in part:
        return Sentence.counted(part[_SAYS], part[_MANY], **values)
    return Sentence(part[_SAYS], **values)


_MADE = {bytes: bytes.fromhex, Sentence: _sentence}
