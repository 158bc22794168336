"""A carrier for tests: another program transports the frames and keeps time, over lines of JSON.

Asked ``["heard", address, hex, now_ms]``, ``["received", address, hex, now_ms]``, ``["opened",
address]``, ``["closed", address]``, ``["do", typed line, now_ms]`` or ``["poll", now_ms]``, it
answers null, the lines to show, or the actions with their frames as hex. Any other line is
answered ``{"refused": why}`` and changes nothing. It ends with its input, or when nobody reads.
"""

import json
from collections.abc import Callable, Iterator
from typing import BinaryIO, TextIO, TypeAlias

from host.collector.actions import Action
from host.collector.carriers.pump import CALLBACKS
from host.collector.collector import Collector
from host.collector.host_clock import LATEST_MS

_Asked: TypeAlias = tuple[str, list[str | bytes | int]]  # a word and its values
_SHAPES: dict[str, tuple[type, ...]] = {  # word -> types of its values; the numbers are times
    "heard": (str, bytes, int), "received": (str, bytes, int), "opened": (str,), "closed": (str,),
    "do": (str, int), "poll": (int,),
}  # fmt: skip
WORDS = tuple(_SHAPES)
LONGEST = 1 << 16  # bytes of a line
_REFUSED = {
    "refused": f"this is asked: a list of one of {', '.join(WORDS)} and what belongs to it, in a"
    f" line of at most {LONGEST} bytes, frames in hex, times from 0 to {LATEST_MS} ms"
}


def run(
    collector: Collector,
    run_line: Callable[[str], list[str]],
    asked: BinaryIO,
    answered: TextIO,
) -> int:
    """Serve ``collector`` until the lines of ``asked`` end; answers go to the file ``answered``.

    ``run_line`` is the console's. Returns how many lines were refused. Raises BrokenPipeError when
    nobody reads the answers.
    """
    refused = 0
    for line in _lines(asked):
        call = _read(line)
        refused += call is None
        answer = _REFUSED if call is None else _answer(collector, run_line, call)
        answered.write(json.dumps(answer) + "\n")
        answered.flush()
    return refused


def _lines(asked: BinaryIO) -> Iterator[bytes]:
    """Yield each line; of one that is too long, its beginning, which is no JSON."""
    while line := asked.readline(LONGEST + 1):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = asked.readline(LONGEST)
        yield line


def _read(line: bytes) -> _Asked | None:
    """Return a line's word and values, None for an invalid line."""
    try:
        word, *given = json.loads(line)
        shape = _SHAPES[word]
        if len(given) == len(shape):
            return word, [_MADE[kind](value) for kind, value in zip(shape, given, strict=True)]
    except (ValueError, TypeError, KeyError, RecursionError):
        pass
    return None


def _text(given: object) -> str:
    if not isinstance(given, str):
        raise TypeError
    return given


def _time_ms(given: object) -> int:
    if type(given) is not int or not 0 <= given <= LATEST_MS:
        raise ValueError
    return given


_MADE = {str: _text, bytes: lambda given: bytes.fromhex(_text(given)), int: _time_ms}


def _answer(collector: Collector, run_line: Callable[[str], list[str]], asked: _Asked):
    match asked:
        case ("do", [str(line), int(now_ms)]):
            collector.now_ms = now_ms
            return run_line(line)
    word, given = asked
    actions = getattr(collector, CALLBACKS.get(word, word))(*given)
    return [_plain(action) for action in actions] if word == "poll" else None


def _plain(action: Action) -> list[str]:
    return [part.hex() if isinstance(part, bytes) else part for part in action]
