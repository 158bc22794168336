"""Reads whole lines of a file or a pipe in an asyncio program."""

import asyncio
import contextlib
import os
import select
import stat
import threading
from collections.abc import Iterable
from typing import AnyStr, TextIO


def lines(loop: asyncio.AbstractEventLoop, file: Iterable[AnyStr]) -> asyncio.Queue[AnyStr | None]:
    """Return an asyncio queue of the lines of ``file``, then None at its end.

    If the terminal is closed, nothing more is put into the queue, not even None.
    """
    queue: asyncio.Queue[AnyStr | None] = asyncio.Queue()

    def read():
        with contextlib.suppress(RuntimeError, ValueError, OSError):  # the loop may end first
            for line in file:
                loop.call_soon_threadsafe(queue.put_nowait, line)
            loop.call_soon_threadsafe(queue.put_nowait, None)

    threading.Thread(target=read, daemon=True).start()
    return queue


def silent(file: TextIO) -> bool:
    """Return whether nobody can type into ``file``: the input of a service, cron or ``nohup``."""
    try:
        number = file.fileno()
        device = stat.S_ISCHR(os.fstat(number).st_mode)
    except (OSError, ValueError):  # not a file of the operating system
        return False
    return (device and not os.isatty(number)) or _ended(number)


def _ended(number: int) -> bool:
    """Return whether a pipe is closed and empty; False if the system cannot tell."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(number, select.POLLIN)
    return [state for _, state in poll.poll(0)] == [select.POLLHUP]
