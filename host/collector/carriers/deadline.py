"""A limit in time that holds even where what it limits does not listen to being cancelled."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

_T = TypeVar("_T")


async def within(seconds: float, doing: Coroutine[object, object, _T]) -> _T:
    """Return what the coroutine ``doing`` returns; after ``seconds`` raise TimeoutError and leave
    it alone.

    ``asyncio.timeout`` waits for the cancelled part to end, which a back end that hangs may never
    do.
    """
    task = asyncio.ensure_future(doing)
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        if not task.done():
            task.cancel()
            task.add_done_callback(_read)
    if not task.done():
        raise TimeoutError(f"nothing within {seconds:g} s")
    if task.cancelled():  # from inside: a back end gave up
        raise ConnectionError("the system gave up")
    return task.result()


def _read(task: asyncio.Task):
    """Look at how an abandoned task ended, so that nobody complains that nobody did."""
    if not task.cancelled():
        task.exception()
