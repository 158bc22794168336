"""The open pages and their queues, all bounded, so that a slow page costs nothing.

A message is the bytes of a server-sent event. Each view keeps its last ``KEPT`` deltas for pages
that reconnect. If more than ``WAITING`` messages wait, a listener's queue is dropped and the whole
state is sent.
"""

import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping

KEPT = 256
WAITING = 64


def pack(kind: str, value: object, number: str | None = None) -> bytes:
    """Return one server-sent event as bytes; JSON has no line breaks of its own here."""
    head = f"id: {number}\n" if number is not None else ""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return f"{head}event: {kind}\ndata: {text}\n\n".encode()


class Listener:
    """One page's queue. ``wake`` is called when the page has something to send.

    ``stale``: the page needs the whole state; ``gone``: its link was revoked.
    """

    def __init__(self, link: int, view: str, wake: Callable[[], None]):
        self.link, self.view, self._wake = link, view, wake
        self._waiting: deque[bytes] = deque()
        self.stale, self.gone = True, False

    def put(self, message: bytes) -> None:
        """Queue bytes, or fall back to the whole state if too many wait."""
        if len(self._waiting) >= WAITING:
            self.drop_queue()
        elif not self.stale:
            self._waiting.append(message)
            self._wake()

    def drop_queue(self) -> None:
        """Drop the queue; the whole state is sent next."""
        self._waiting.clear()
        self.stale = True
        self._wake()

    def resume(self, messages: Iterable[bytes]) -> None:
        """Continue where the page left off."""
        self.stale = False
        self._waiting.extend(messages)

    def end(self) -> None:
        """Send that the link was revoked, and nothing more."""
        self.gone = True
        self._wake()

    def take(self, whole: Callable[[], bytes]) -> list[bytes]:
        """Return the bytes to send now; ``whole()`` gives the whole state as a message."""
        if self.gone:
            return [pack("gone", {})]
        if self.stale:
            self.stale = False
            return [whole()]
        messages = list(self._waiting)
        self._waiting.clear()
        return messages


class Streams:
    """Every Listener, and each view's recent deltas; ``boot`` identifies this start of the host."""

    def __init__(self, boot: str, views: Iterable[str]):
        self._boot, self._number = boot, 0
        # number and bytes of each view's last deltas
        self._kept: dict[str, deque[tuple[int, bytes]]] = {
            view: deque(maxlen=KEPT) for view in views
        }
        self.listeners: list[Listener] = []
        self._all_ended = False

    @property
    def mark(self) -> str:
        """The id of the last delta."""
        return f"{self._boot}-{self._number}"

    def join(self, listener: Listener, last_id: str | None = None) -> None:
        """Add a Listener; ``last_id`` is the last id that a reconnecting page has seen.

        After ``end_all`` it ends at once: its request was on its way when the desk ended.
        """
        self.listeners.append(listener)
        if self._all_ended:
            listener.end()
            return
        boot, _, number = (last_id or "").partition("-")
        kept = self._kept[listener.view]
        if boot != self._boot or not number.isascii() or not number.isdigit():
            return
        seen = int(number[:12])
        oldest_kept = kept[0][0] if kept else self._number + 1
        all_since_are_kept = oldest_kept - 1 <= seen <= self._number
        if all_since_are_kept:
            listener.resume(message for number, message in kept if number > seen)

    def remove(self, listener: Listener) -> None:
        """Remove the Listener of a closed page."""
        self.listeners.remove(listener)

    def send(self, values: Mapping[str, object]) -> None:
        """Send a delta; ``values`` by view; a view without a change is left out."""
        self._number += 1
        for view, kept in self._kept.items():
            if view not in values:
                continue
            message = pack("delta", values[view], self.mark)
            kept.append((self._number, message))
            for listener in self.listeners:
                if listener.view == view:
                    listener.put(message)

    def restart(self) -> None:
        """Send every page the whole state."""
        self._number += 1
        for kept in self._kept.values():
            kept.clear()
        for listener in self.listeners:
            listener.drop_queue()

    def beat(self, now_ms: int) -> None:
        """Send every page the time, which shows that the connection is alive."""
        message = pack("beat", {"now_ms": now_ms})
        for listener in self.listeners:
            listener.put(message)

    def end_all(self) -> None:
        """Close every stream, and each that joins from now on: the desk ends."""
        self._all_ended = True
        for listener in list(self.listeners):
            listener.end()

    def end(self, link: int) -> None:
        """Close the streams of a revoked link."""
        for listener in self.listeners:
            if listener.link == link:
                listener.end()
