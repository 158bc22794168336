"""The radio in a process of its own: ``python -m host.collector.carriers.radio_child``, started by ``radio_process``.

A system's Bluetooth can stand still in a call that never returns, on Windows while it closes a
service (bleak's ``winrt/client.py:494``); then this process stands still, and the desk starts another.
It ends when its input does.
"""

import argparse
import asyncio
import contextlib
import os
import signal
import sys

from host.base import prompt
from host.collector.carriers import failure_words, json_lines, platforms
from host.collector.carriers.radio import LINKS, Radio

BEAT_S = 1.0


def main(argv=None, backends=(None, None)):
    """Serve the radio over standard input and output until the input ends."""
    parser = argparse.ArgumentParser(
        prog="host.collector.carriers.radio_child", description=__doc__
    )
    parser.add_argument("--adapter", help="hci0, hci1, …")
    parser.add_argument("--links", type=int, default=LINKS, help="how many at a time")
    args = parser.parse_args(argv)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the desk's
    with _own_output() as output, contextlib.suppress(OSError):  # the desk may be gone
        asyncio.run(serve(args, backends, sys.stdin.buffer, output))


@contextlib.contextmanager
def _own_output():
    """Keep standard output to ourselves: what a library prints goes to standard error."""
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0) as output:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        yield output


async def serve(args, backends, asked, output):
    """Do what the lines of ``asked`` want, and write to ``output`` what befalls; ``args`` as in ``main``."""

    def told(*message):
        output.write(json_lines.packed(message))

    radio = Radio(told, platforms.terms(), backends, args.adapter, args.links)
    queue = prompt.lines(asyncio.get_running_loop(), asked)
    tasks = [
        asyncio.ensure_future(work) for work in (radio.run(), _listen(queue, radio), _beat(told))
    ]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            if (error := task.exception()) is not None:
                told("said", failure_words.broken(error))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _listen(queue, radio):
    while (line := await queue.get()) is not None:
        action = json_lines.unpacked(line)
        if action is not None:
            radio.do(action)


async def _beat(told):
    while True:
        told("alive")
        await asyncio.sleep(BEAT_S)


if __name__ == "__main__":
    main()
