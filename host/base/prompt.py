"""Reads whole lines of a file or a pipe in an asyncio program."""

import asyncio
import contextlib
import threading
from collections.abc import Iterable
from typing import AnyStr


def lines(loop: asyncio.AbstractEventLoop, file: Iterable[AnyStr]) -> asyncio.Queue[AnyStr | None]:
    """Return an asyncio queue of the lines of ``file``, then None; works on every system."""
    queue: asyncio.Queue[AnyStr | None] = asyncio.Queue()

    def read():
        with contextlib.suppress(RuntimeError, ValueError):  # the loop may end before the file
            for line in file:
                loop.call_soon_threadsafe(queue.put_nowait, line)
            loop.call_soon_threadsafe(queue.put_nowait, None)

    threading.Thread(target=read, daemon=True).start()
    return queue
