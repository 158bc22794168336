"""Between a radio and the sans-IO Collector: what one tells the other, and when it is asked."""

import asyncio
import contextlib

_TIMED = ("heard", "received", "deaf")


class BluetoothMissing(Exception):
    """There is no radio to begin with; the message is the Sentence for the organiser."""


class Pump:
    """Tells ``collector`` what a radio told, and has ``do(action)`` done what it wants then.

    ``now_ms()`` is the host's event time. ``words`` maps what else a radio tells to what takes it.
    """

    def __init__(self, collector, now_ms, do, words):
        self.collector, self._now_ms, self._do = collector, now_ms, do
        self._words = words
        self._nudged = self._over = False
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(0, lambda: None)
        self.failure = loop.create_future()

    def told(self, word, *said):
        """Take what a radio tells (see ``radio``)."""
        if word in self._words:
            self._words[word](*said)
            return
        with self.watched():
            note = getattr(self.collector, word)
            note(*said, self._now_ms()) if word in _TIMED else note(*said)
        if not self._nudged:  # once for all that has come in together
            self._nudged = True
            asyncio.get_running_loop().call_soon(self.turn)

    def turn(self):
        """Do what the Collector wants, and come back when it is due."""
        self._nudged = False
        self._timer.cancel()
        if self._over:
            return
        with self.watched():
            now_ms = self._now_ms()
            for action in self.collector.poll(now_ms):
                self._do(action)
            wait_s = max(1, self.collector.due_ms(now_ms) - now_ms) / 1000
            self._timer = asyncio.get_running_loop().call_later(wait_s, self.turn)

    @contextlib.contextmanager
    def watched(self):
        """Let an error in a callback, where it would be swallowed, end whoever waits for ``failure``."""
        try:
            yield
        except Exception as error:
            if not self.failure.done():
                self.failure.set_exception(error)

    async def until(self, task):
        """Wait until ``task`` ends or something failed; raises what was raised."""
        await asyncio.wait({task, self.failure}, return_when=asyncio.FIRST_COMPLETED)
        for one in (self.failure, task):
            if one.done():
                one.result()

    def stop(self):
        """Ask no more."""
        self._over = True
        self._timer.cancel()
