"""A time limit that holds even if the coroutine ignores its cancellation."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

_T = TypeVar("_T")


async def within(seconds: float, doing: Coroutine[object, object, _T]) -> _T:
    """Await the coroutine ``doing``; after ``seconds`` raise TimeoutError and abandon it.

    ``asyncio.timeout`` waits for the cancelled task to end, and a hanging back end may never end.
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
    if task.cancelled():  # cancelled from inside: a back end gave up
        raise ConnectionError("the system gave up")
    return task.result()


def _read(task: asyncio.Task):
    """Retrieve an abandoned task's exception, so that asyncio does not warn about it."""
    if not task.cancelled():
        task.exception()
