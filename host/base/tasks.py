"""Waits for asyncio's tasks: until the first of several ends, or with a time limit."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

Result = TypeVar("Result")


async def until_one_ends(*works: Coroutine[object, object, object]) -> None:
    """Run coroutines concurrently until the first one ends, or this is cancelled; then cancel the
    others.

    Raises the error of the one that ended.
    """
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def within(seconds: float, doing: Coroutine[object, object, Result]) -> Result:
    """Await ``doing``; after ``seconds`` cancel and abandon it, and raise TimeoutError.

    ``asyncio.timeout`` would wait for a coroutine that ignores its cancellation, as a hanging
    Bluetooth back end does.
    """
    task = asyncio.ensure_future(doing)
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        if not task.done():
            task.cancel()
            task.add_done_callback(_retrieve)
    if not task.done():
        raise TimeoutError(f"nothing within {seconds:g} s")
    if task.cancelled():  # cancelled from inside: a back end gave up
        raise ConnectionError("the system gave up")
    return task.result()


def _retrieve(task: asyncio.Task):
    """Retrieve an abandoned task's exception, so that asyncio does not warn about it."""
    if not task.cancelled():
        task.exception()
