"""One radio for the Collectors of several events: each hears its own boards.

A carrier drives it as it drives one Collector. A frame goes to the event whose board it is from, a
connection belongs to the event that asked for it, and all together hold as many as the adapter
does. Where one Collector fails (its disk is full) the others go on.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import Protocol

from firmware.core import frames
from host.base.sentences import Sentence
from host.collector.actions import Action
from host.collector.collector import MOST_CONNECTIONS, Collector

_IDLE_MS = 500


class RadioSide(Protocol):
    """The object that a carrier drives: a Collector, or several behind a SharedRadio."""

    def on_advert(self, address: str | None, frame: bytes, now_ms: int) -> None:
        """Process a frame from an advert."""
        ...

    def on_notification(self, address: str, frame: bytes, now_ms: int) -> None:
        """Process a frame, notified on a connection."""
        ...

    def on_connected(self, address: str) -> None:
        """Note that a connection is open."""
        ...

    def on_disconnected(self, address: str) -> None:
        """Note that a connection has ended, or could not be made."""
        ...

    def set_radio_down(self, down: bool, now_ms: int) -> None:
        """Note that nothing can be heard (``down``), or that adverts can be heard again."""
        ...

    def poll(self, now_ms: int) -> list[Action]:
        """Return the actions due."""
        ...

    def due_ms(self, now_ms: int) -> int:
        """Return when to call ``poll`` again if nothing is heard before."""
        ...

    def has_work(self, now_ms: int) -> bool:
        """Return whether ``poll`` has anything to do at once."""
        ...


class Share:
    """One event's part of a SharedRadio: the carrier of its ``collector``, whose event time is
    ``now_ms()``. ``report(sentence)`` gets the radio's messages.
    """

    gateways = None  # a beacon is of one event alone

    def __init__(
        self,
        radio: "SharedRadio",
        collector: Collector,
        now_ms: Callable[[], int],
        report: Callable[[Sentence], None],
    ):
        self._radio, self.collector, self.now_ms, self.report = radio, collector, now_ms, report
        self._failure: asyncio.Future[None] | None = None

    @property
    def delay_s(self) -> float | None:
        """The delay of a changed advert, None while unknown."""
        return self._radio.delay_s()

    async def run(self) -> None:
        """Take part until cancelled; an error of the Collector ends it, too."""
        self._failure = asyncio.get_running_loop().create_future()
        self._radio.join(self)
        try:
            await self._failure
        finally:
            self._radio.leave(self)

    @contextlib.contextmanager
    def guarded(self) -> Iterator[None]:
        """Raise an error in the block from this share's ``run``: it concerns this event alone."""
        try:
            yield
        except Exception as error:
            if self._failure is None:  # nobody runs it
                raise
            if not self._failure.done():
                self._failure.set_exception(error)


class SharedRadio:
    """Several Collectors as one; ``links`` is how many connections the adapter holds.

    ``delay_s()`` is the carrier's, of a changed advert.
    """

    def __init__(self) -> None:
        self.links, self._radio_down = MOST_CONNECTIONS, True
        self._shares: list[Share] = []
        self._owners: dict[str, Share] = {}  # by address, while a connection is open or being made
        self._disconnects: list[str] = []  # addresses of connections whose share has left
        self.delay_s: Callable[[], float | None] = lambda: None

    def share(
        self,
        collector: Collector,
        now_ms: Callable[[], int],
        report: Callable[[Sentence], None],
    ) -> Share:
        """Return the carrier of one event."""
        return Share(self, collector, now_ms, report)

    def report(self, sentence: Sentence) -> None:
        """Report a sentence of the radio to every event."""
        for share in list(self._shares):
            share.report(sentence)

    def join(self, share: Share) -> None:
        """Add a share: it gets frames from now on."""
        self._shares.append(share)
        share.collector.set_radio_down(self._radio_down, share.now_ms())

    def leave(self, share: Share) -> None:
        """Take a share out, and end its connections."""
        self._shares.remove(share)
        for address, owner in list(self._owners.items()):
            if owner is share:
                self._disconnects.append(address)
                del self._owners[address]

    # as a Collector, for the carrier

    def on_advert(self, address: str | None, frame: bytes, now_ms: int) -> None:
        """Give an advert's frame to the event whose board sent it, one of no board to all."""
        for share in self._of(frame):
            with share.guarded():
                share.collector.on_advert(address, frame, share.now_ms())

    def _of(self, frame: bytes) -> list[Share]:
        """Return the share whose board sent a frame; all, where it is of no known board."""
        _, device, _, _ = frames.head(frame) or (None, None, None, None)
        shares = [share for share in self._shares if device in share.collector.statuses]
        if len(shares) > 1:  # archives with other master keys may have a board of the same number
            shares = [share for share in shares if share.collector.genuine(frame)]
        return shares or list(self._shares)

    def on_notification(self, address: str, frame: bytes, now_ms: int) -> None:
        """Give a frame from a connection to the event whose connection it is."""
        share = self._owners.get(address)
        if share is not None:
            with share.guarded():
                share.collector.on_notification(address, frame, share.now_ms())

    def on_connected(self, address: str) -> None:
        """Note that a connection is open."""
        share = self._owners.get(address)
        if share is not None:
            with share.guarded():
                share.collector.on_connected(address)

    def on_disconnected(self, address: str) -> None:
        """Note that a connection has ended, or could not be made."""
        share = self._owners.pop(address, None)
        if share is not None:
            with share.guarded():
                share.collector.on_disconnected(address)

    def set_radio_down(self, down: bool, now_ms: int) -> None:
        """Note that nothing can be heard (``down``), or that adverts can be heard again."""
        self._radio_down = down
        for share in self._shares:
            with share.guarded():
                share.collector.set_radio_down(down, share.now_ms())

    def poll(self, now_ms: int) -> list[Action]:
        """Return the actions due; each event in turn is the first to take a free connection."""
        actions: list[Action] = [("disconnect", address) for address in self._disconnects]
        self._disconnects = []
        for share in list(self._shares):
            taken = sum(each.collector.links_taken for each in self._shares)
            taken_by_others = taken - share.collector.links_taken
            share.collector.links = max(0, self.links - taken_by_others)
            with share.guarded():
                actions += self._claim(share, share.collector.poll(share.now_ms()))
        self._shares = [*self._shares[1:], *self._shares[:1]]
        return actions

    def _claim(self, share: Share, actions: list[Action]) -> list[Action]:
        """Note the owners of connections; one to a board that another event holds must wait."""
        granted: list[Action] = []
        for action in actions:
            kind, address, *_ = action
            if kind == "connect" and self._owners.setdefault(address, share) is not share:
                share.collector.on_disconnected(address)
            else:
                granted.append(action)
        return granted

    def due_ms(self, now_ms: int) -> int:
        """Return when to call ``poll`` again if nothing is heard before."""
        wait_ms = _IDLE_MS
        for share in self._shares:  # each event has a time of its own
            event_ms = share.now_ms()
            wait_ms = min(wait_ms, share.collector.due_ms(event_ms) - event_ms)
        return now_ms + wait_ms

    def has_work(self, now_ms: int) -> bool:
        """Return whether ``poll`` has anything to do at once."""
        if self._disconnects:
            return True
        return any(share.collector.has_work(share.now_ms()) for share in self._shares)
