"""A table: one board running its program, and the people who wait for its screen.

The program runs when it is due or when an interrupt would wake it. Whoever watches is told when the
screen has changed. A tap between program and link sees every frame that the board sends.
"""

from __future__ import annotations

import asyncio
import struct
from asyncio import AbstractEventLoop
from collections import deque
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from firmware.core import frames, phases
from host.sim.bleio import Hung
from host.sim.board import BoardReset
from host.sim.clock import Standstill, VirtualLoop
from host.sim.screen_reading import ScreenReading

if TYPE_CHECKING:
    from firmware.core.types import Bytes, Head, LinkPort
    from host.sim.types import App, Mark, Numbered, Pay, VirtualBoard, WatchTable

_NUMBER = struct.Struct("<3xHH")  # a frame's epoch and counter
_KEPT = 32  # of the frames that a board does not store; it repeats only its last ones
LOOKS = 10_000  # at one screen at one instant; a few are enough for anybody who lets time pass


def head_of(frame: Bytes) -> Head:
    """Return ``(kind, device, epoch, counter)`` of a frame of the right size and version."""
    head = frames.head(frame)
    assert head is not None
    return head


class Tap:
    """The Link port over another Link; ``reused`` lists frame numbers that were used twice. Of a
    frame that no board stores a number counts as used if it is lower than all lately used ones.

    ``pay`` gets what the tags of frames cost the board, as in ``VirtualBoard``.
    """

    def __init__(self, link: LinkPort, pay: Pay = lambda price, times=1: None):
        self._link, self._pay = link, pay
        # frames that a board stores, by epoch and counter, and those that it does not: of the
        # latter a thousand boards send half a million, so only the last ones are kept
        self._stored: dict[tuple[int, int], bytes] = {}
        self._unstored = deque[bytes](maxlen=_KEPT)
        self._unstored_count, self._newest = 0, (-1, 0)  # how many in all, and the last number
        self.reused: list[Numbered] = []
        self._shown: bytes | None = None

    @property
    def signed(self) -> int:
        """How many different frames the board has sent."""
        return len(self._stored) + self._unstored_count

    def _note(self, frame):
        """Note a frame that the board has sent: none may bear a number that was used before."""
        number = _NUMBER.unpack_from(frame)
        if frame[0] & 63 >= frames.FIRST_RECORD:
            if self._stored.setdefault(number, frame) != frame:
                self.reused.append((True, *number))
        elif number > self._newest:  # the usual case
            self._newest = number
            self._unstored.append(frame)
            self._unstored_count += 1
        elif frame not in self._unstored:
            self._note_late(frame, number)

    def _note_late(self, frame, number):
        """Note a frame that another one with a higher number came before."""
        lately_used = [_NUMBER.unpack_from(frame) for frame in self._unstored]
        too_old = len(lately_used) == _KEPT and number < min(lately_used)
        if number in lately_used or too_old:
            self.reused.append((False, *number))
        else:
            self._unstored.append(frame)
            self._unstored_count += 1

    def advertise(self, frame: bytes, welcome: bool = True) -> None:
        """As the Link's."""
        if frame is not self._shown:
            self._shown = frame
            self._pay("hmac_us")
            self._note(frame)
        self._link.advertise(frame, welcome)

    def send(self, frame: bytes) -> bool:
        """As the Link's."""
        self._note(frame)
        return self._link.send(frame)

    def receive(self) -> bytes | None:
        """As the Link's; a frame's tag is checked under at most two keys."""
        frame = self._link.receive()
        if frame is not None:
            self._pay("hmac_us", 2)
        return frame

    def __getattr__(self, name: str) -> Any:
        """Return what is the Link's, and no frame that the board sends."""
        return getattr(self._link, name)


class Table:
    """A table and its board; ``board`` is None until one is switched on."""

    board: VirtualBoard
    link: Tap  # set before the program starts

    def __init__(self, loop: AbstractEventLoop, number: int, board: VirtualBoard | None):
        self.number = number
        if board is not None:
            self.board = board
        self._app: App | None = None
        self.confirmed_s: float | None = None  # when a seat last confirmed the result
        self.settled_s: float | None = None  # when the last record was acknowledged
        self.changed: list[WatchTable] = []  # called when the screen has changed
        self.resets: list[str] = []  # why the board reset itself
        self.reboot: Callable[[], None] | None = None  # starts the board again, some time later
        assert isinstance(loop, VirtualLoop)
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None
        self._woken = False
        self._free_s = 0.0  # until then the board is busy with its last step
        self._confirmed = 0
        # what the screen was when it last changed, to tell whether it has changed again
        self._mark: Mark | None = None
        self._shown, self._version = (), -1
        self._reading: ScreenReading | None = None
        self._waiting: list[asyncio.Future[bool]] = []
        self._looked_s, self._looks = -1.0, 0

    # the program

    @property
    def app(self) -> App:
        """The program; AssertionError before the board has started."""
        assert self._app is not None
        return self._app

    @property
    def started(self) -> bool:
        """Whether the board has ever been switched on."""
        return self._app is not None

    def start(self, app: App) -> None:
        """Switch on: run ``app`` from now on."""
        self._app, self.board.wake, self._woken = app, self.wake, False
        self.wake()

    def wake(self) -> None:
        """Run the program soon, before it is due."""
        if not self._woken and self.started:
            self._woken = True
            self._loop.call_soon(self._run)

    def _run(self):
        app, board, now_s = self._app, self.board, self._loop.now_s
        assert app is not None  # nothing wakes a board that is off
        self._woken = False
        if self._timer is not None:
            self._timer.cancel()
        if now_s < self._free_s:  # still busy with its last step
            self._timer = self._loop.call_at(self._free_s, self._run)
            return
        board.busy_us = 0
        try:
            due_ms = app.step()
        except (BoardReset, Hung) as ended:  # by its own will, or by a hard fault
            self._reset(ended)
            return
        self._free_s = now_s + board.busy_us / 1_000_000
        when_s = board.clock.when(max(due_ms, board.clock.now_ms() + 1))
        self._timer = self._loop.call_at(when_s, self._run)
        self._note_result_times(app)
        self._note_screen(app.face, app.match)

    def _reset(self, ended: BaseException) -> None:
        """Have ``reboot`` start the board again, some time later; nothing wakes it until then.
        Raises ``ended`` if there is no ``reboot``.
        """
        if self.reboot is None:
            raise ended
        self.resets.append(str(ended))
        self.board.wake = lambda: None
        self._woken = True  # as if a run was planned: so none is
        self.reboot()

    def _note_result_times(self, app):
        match = app.match
        if match.confirmed != self._confirmed:
            self._confirmed, self.confirmed_s = match.confirmed, self.now_s
        if match.phase == phases.AGREED and not app.sync.waiting:
            self.settled_s = self.settled_s or self.now_s
        else:
            self.settled_s = None

    def _note_screen(self, face, match):
        """Wake those who wait for the screen, if a person sees something else now."""
        entry = face.table.entry
        mark = (face.screen.name, entry.marked, *entry.numbers,
                match.outcome, match.turn, match.round, match.swapped)  # fmt: skip
        if mark == self._mark and face.version == self._version:
            return  # nothing was drawn
        self._version, reading = face.version, ScreenReading(face, match)
        if mark == self._mark and reading.shown == self._shown:
            return  # it was drawn again as it was
        self._mark, self._shown, self._reading = mark, reading.shown, reading
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(True)
        for listener in self.changed:
            listener(self)

    # those who watch

    @property
    def now_s(self) -> float:
        """The loop's time in seconds."""
        return self._loop.now_s

    @property
    def face(self) -> ScreenReading:
        """What the screen shows now.

        Raises Standstill for somebody who looks again and again without letting time pass.
        """
        self._looks = self._looks + 1 if self._looked_s == self.now_s else 0
        self._looked_s = self.now_s
        if self._looks > LOOKS:
            raise Standstill(
                f"time stands still, and somebody looks at {self.app.face.screen.name} for ever"
            )
        if self._reading is None:
            self._reading = ScreenReading(self.app.face, self.app.match)
        return self._reading

    @property
    def settled(self) -> bool:
        """Whether the match has ended and the host has acknowledged all of it."""
        return self.settled_s is not None

    def press(self, key: int, for_ms: int) -> None:
        """Press ``key`` now for ``for_ms`` ms."""
        self.board.keys.press(key, for_ms)

    async def rest(self, seconds: float) -> None:
        """Wait for ``seconds`` seconds."""
        await asyncio.sleep(seconds)

    async def watch(self, seconds: float) -> bool:
        """Wait until the screen changes; return False if it has not within ``seconds``."""
        future = self._loop.create_future()
        self._waiting.append(future)
        timer = self._loop.call_later(seconds, lambda: future.done() or future.set_result(False))
        changed = await future
        timer.cancel()
        return changed

    async def begins(self, number: int) -> None:
        """Wait until the board shows round ``number``."""
        while not self.started or self.app.match.round != number:
            await self.watch(3600)
        self.confirmed_s = self.settled_s = None

    async def see(self, screens: Collection[str]) -> None:
        """Wait until the board shows one of ``screens``."""
        while self.face.screen not in screens:
            await self.watch(3600)
