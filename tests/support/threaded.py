"""What serves in a thread of its own while a test asks it: the base of every desk on a real socket."""

import asyncio
import contextlib
import threading


class Threaded:
    """Use as a context: ``served``, an asynchronous context, lasts as long in a thread of its own."""

    def __enter__(self):
        self._ready, self._failure = threading.Event(), None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._ready.wait(60), "it did not begin"
        if self._failure:
            raise self._failure
        return self

    def __exit__(self, *failure):
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(30)
        assert not self._thread.is_alive(), "it did not close"

    def _run(self):
        try:
            asyncio.run(self._serve())
        except Exception as failure:
            self._failure = failure
        finally:
            self._ready.set()

    async def _serve(self):
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        async with self.served():
            self._ready.set()
            await self._over.wait()

    def do(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    def call(self, function, *args):
        async def run():
            return function(*args)

        return self.do(run())


@contextlib.asynccontextmanager
async def running(*coroutines):
    """Run coroutines beside what is done within this."""
    tasks = [asyncio.ensure_future(one) for one in coroutines]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
