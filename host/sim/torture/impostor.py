"""Somebody without a key who waits for an order that is carried out unheard, then replays the past.

It stands between a host and one board. It keeps the board's answers back until one says that an
order was done; the host is killed just then. When the host starts again it hears the board's old
words alone, from the impostor's radio, and whatever it sends goes on to the board.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from firmware.core import answers, events, frames, intents
from host.sim.torture.relay import FAR, Relay

if TYPE_CHECKING:
    from host.sim.torture.types import FaultyAir
    from host.sim.types import Peer


_SAY_S = 0.2
_WORDS = 60  # old frames: a host that started again takes each once, in their order
_ON_A_LINK = 6  # of them, so that some are left for the link on which an order comes


class Impostor(Relay):
    """An impostor of the board at ``address`` on ``air``; ``done()`` is called when an order was
    carried out that the host has not heard of.
    """

    def __init__(self, air: FaultyAir, address: int, done: Callable[[], None]):
        self._done, self._begun = done, False
        self._next = self._below = 0  # the places of the next word, and of those for a later link
        self._words = _words_of(air, address)
        super().__init__(air, address, _SAY_S, lambda: None)
        air.censors[address] = self

    @property
    def able(self) -> bool:
        """Whether it has heard enough to speak in the board's name."""
        return bool(self._words)

    def stop(self) -> None:
        """Leave the air."""
        if self._air.censors.get(self.address - FAR) is self:
            del self._air.censors[self.address - FAR]
        super().stop()

    def passes(self, frame: bytes) -> bool:
        """Return whether the board's frame may reach the host."""
        if self._begun:
            return False
        answer = events.of_record(frame)
        if not isinstance(answer, events.Answered) or (
            not answer.broadcast and answer.asked < frames.FIRST_COMMAND
        ):
            return True
        joined = not answer.broadcast and answer.asked == intents.JOIN_EVENT
        if answer.refusal == answers.DONE and not joined:
            self._begun = True
            self._done()
            self._say()
        return False

    def repeat_advert(self, frame: bytes) -> None:
        """Say nothing new."""

    def open(self, session: Peer) -> None:
        """The host has connected: it is told a few more old words."""
        self._below = self._next + _ON_A_LINK
        super().open(session)

    def up(self, frame: bytes) -> None:
        """Keep what the board says on the connection."""

    def _say(self):
        """Say the next old word: on the connection to the host, or as an advert."""
        if not self._on:
            return
        self._air.loop.call_later(_SAY_S, self._say)
        if self.session is None or not self.session.live:
            self._air.tell(self.address, self._words[0])
        elif self._next < min(self._below, len(self._words)):
            self.session.up(self._words[self._next])
            self._next += 1


def _words_of(air: FaultyAir, address: int) -> list[bytes]:
    """Return the last statuses and time questions that were heard of a board, a status first."""
    found = [
        frame
        for up, whose, frame in air.captured
        if up and whose == address and frame[0] & 63 in (frames.STATUS, frames.TIME_ASKED)
    ]
    found = found[-_WORDS:]
    while found and found[0][0] & 63 != frames.STATUS:
        found.pop(0)
    return found
