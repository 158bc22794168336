"""The radio in a process of its own: ``python -m host.collector.carriers.radio_child``, started by
``radio_process``.

A system's Bluetooth can stand still in a call that never returns, on Windows while it closes a
service (bleak's ``winrt/client.py:494``); then this process stands still, and the desk starts
another. It ends when its input does.
"""

import argparse
import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from host.base import prompt
from host.collector.carriers import failure_words, json_lines, platforms
from host.collector.carriers.json_lines import Part, Tell
from host.collector.carriers.radio import MOST_CONNECTIONS, Backends, Radio

BEAT_S = 1.0


def main(argv: Sequence[str] | None = None, backends: Backends = (None, None)) -> None:
    """Serve the radio over standard input and output until the input ends."""
    parser = argparse.ArgumentParser(
        prog="host.collector.carriers.radio_child", description=__doc__
    )
    parser.add_argument("--adapter", help="hci0, hci1, …")
    parser.add_argument("--links", type=int, default=MOST_CONNECTIONS, help="how many at a time")
    args = parser.parse_args(argv)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the desk's
    with _own_output() as output, contextlib.suppress(OSError):  # the desk may be gone
        asyncio.run(serve(args, backends, sys.stdin.buffer, output))


@contextlib.contextmanager
def _own_output() -> Iterator[BinaryIO]:
    """Keep standard output to ourselves: what a library prints goes to standard error."""
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0) as output:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        yield output


async def serve(
    args: argparse.Namespace, backends: Backends, source: BinaryIO, output: BinaryIO
) -> None:
    """Do the actions read from ``source``, and write reports to ``output``; ``args`` as in
    ``main``.
    """

    def tell(word: str, /, *rest: Part) -> None:
        output.write(json_lines.encode((word, *rest)))

    radio = Radio(tell, platforms.quirks(), backends, args.adapter, args.links)
    queue = prompt.lines(asyncio.get_running_loop(), source)
    tasks = [
        asyncio.ensure_future(work) for work in (radio.run(), _listen(queue, radio), _beat(tell))
    ]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            if (error := task.exception()) is not None:
                tell("said", failure_words.broken(error))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _listen(queue: asyncio.Queue[bytes | None], radio: Radio):
    while (line := await queue.get()) is not None:
        action = json_lines.decode_action(line)
        if action is not None:
            radio.do(action)


async def _beat(tell: Tell):
    while True:
        tell("alive")
        await asyncio.sleep(BEAT_S)


if __name__ == "__main__":
    main()
