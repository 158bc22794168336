"""Connects a radio to the sans-IO Collector: passes reports and actions, and polls it when due."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Iterator, Mapping

from host.collector.actions import Action
from host.collector.carriers.json_lines import Part
from host.collector.shared_radio import RadioSide

CALLBACKS = {  # of the Collector, by a report's first word
    "heard": "on_advert", "received": "on_notification",
    "opened": "on_connected", "closed": "on_disconnected", "deaf": "set_radio_down",
}  # fmt: skip
_TIMED = ("heard", "received", "deaf")


class BluetoothMissing(Exception):
    """There is no radio at the start; the message is the Sentence for the organiser."""


class Pump:
    """Passes a radio's reports to ``collector``, and the collector's actions to ``do``.

    ``now_ms()`` is the host's event time. ``other_reports`` maps the first words of reports that
    are not for the Collector to their handlers.
    """

    def __init__(
        self,
        collector: RadioSide,
        now_ms: Callable[[], int],
        do: Callable[[Action], None],
        other_reports: Mapping[str, Callable[..., None]],
    ):
        self.collector, self._now_ms, self._do = collector, now_ms, do
        self._other_reports = other_reports
        self._step_is_due = self._stopped = False
        self._listening: set[str] = set()
        self._radio_down: bool | None = None  # as last reported
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(0, lambda: None)
        self.failure: asyncio.Future[None] = loop.create_future()

    def take(self, word: str, /, *details: Part | None) -> None:
        """Process a radio's report (see ``radio``)."""
        if word in self._other_reports:
            self._other_reports[word](*details)
            return
        with self.guarded():
            callback = getattr(self.collector, CALLBACKS[word])
            if word in _TIMED:
                callback(*details, self._now_ms())
            else:
                callback(*details)
        if not self._step_is_due:  # once for all reports that came together
            self._step_is_due = True
            asyncio.get_running_loop().call_soon(self.step)

    def listens(self, source: str, hears: bool) -> None:
        """Note whether ``source`` (this PC's Bluetooth, gateways) hears boards now.

        For the Collector the radio is down while none does.
        """
        (self._listening.add if hears else self._listening.discard)(source)
        down = not self._listening
        if down != self._radio_down:
            self._radio_down = down
            self.take("deaf", down)

    def step(self) -> None:
        """Do the Collector's actions, and schedule the next poll."""
        self._step_is_due = False
        self._timer.cancel()
        if self._stopped:
            return
        with self.guarded():
            now_ms = self._now_ms()
            for action in self.collector.poll(now_ms):
                self._do(action)
            wait_s = max(1, self.collector.due_ms(now_ms) - now_ms) / 1000
            self._timer = asyncio.get_running_loop().call_later(wait_s, self.step)

    @contextlib.contextmanager
    def guarded(self) -> Iterator[None]:
        """Pass an error in a callback, which asyncio would swallow, to whoever waits for
        ``failure``.
        """
        try:
            yield
        except Exception as error:
            if not self.failure.done():
                self.failure.set_exception(error)

    async def run(self, work: Coroutine[object, object, None]) -> None:
        """Poll the Collector while ``work`` runs, the radio's own part, until it ends or something
        fails; raises that error. An error of the Collector (a full disk) ends it too: nothing may
        continue unarchived.
        """
        working = asyncio.ensure_future(work)
        try:
            self.step()
            await asyncio.wait({working, self.failure}, return_when=asyncio.FIRST_COMPLETED)
            for ended in (self.failure, working):
                if ended.done():
                    ended.result()
        finally:
            self.stop()
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)

    def stop(self) -> None:
        """Stop polling the Collector."""
        self._stopped = True
        self._timer.cancel()
