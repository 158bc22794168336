"""A carrier for tests: another program transports the frames and keeps time, over lines of JSON.

Asked ``["heard", address, hex, now_ms]``, ``["received", address, hex, now_ms]``, ``["opened",
address]``, ``["closed", address]``, ``["do", typed line, now_ms]`` or ``["poll", now_ms]``, it
answers null, the lines to show, or the actions with their frames as hex. It ends with its input.
"""

import json
from collections.abc import Callable, Iterable
from typing import TextIO

from host.collector.actions import Action
from host.collector.collector import Collector

_FRAMED = ("heard", "received")


def run(
    collector: Collector,
    run_line: Callable[[str], list[str]],
    asked: Iterable[str],
    answered: TextIO,
) -> None:
    """Serve ``collector`` until the lines of ``asked`` end; answers go to the file ``answered``.

    ``run_line`` is the console's. Raises ValueError for an unknown word.
    """
    for line in asked:
        word, *rest = json.loads(line)
        if word in _FRAMED:
            address, text, now_ms = rest
            answer = getattr(collector, word)(address, bytes.fromhex(text), now_ms)
        elif word == "do":
            collector.now_ms = rest[1]
            answer = run_line(rest[0])
        elif word == "poll":
            answer = [_plain(action) for action in collector.poll(*rest)]
        elif word in ("opened", "closed"):
            answer = getattr(collector, word)(*rest)
        else:
            raise ValueError(f"{word!r} is not asked of a carrier")
        answered.write(json.dumps(answer) + "\n")
        answered.flush()


def _plain(action: Action) -> list[str]:
    return [part.hex() if isinstance(part, bytes) else part for part in action]
