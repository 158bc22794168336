"""A standby: it watches the collector that writes, and says when to take over from it.

It has lines at a terminal (``wait``), no page and no tone: pages are served once it has taken over,
with banners from ``host/desk/troubles.py``.

It never assumes that the other one is dead: it may only be cut off, or asleep. Taking over raises
the fencing epoch (``host.hall.postgres.fence``), so a wrong guess costs the other one its place and
nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from host.base.errors import UserError

if TYPE_CHECKING:
    from host.hall.postgres.fence import Sight
    from host.hall.postgres.postgres_backend import Watch

PATIENCE_MS = 6000  # without a beat, until a standby takes over
LOOK_MS = 500  # between two looks of a standby


class Standby:
    """Decides from observations of a writer (``step``) when to take over."""

    def __init__(self) -> None:
        self._last_beat: tuple[int, int] | None = None  # the writer's epoch and count of beats
        self._beat_ms = self._looked_ms = 0
        # when the database last was out of reach; None once the writer has a session again
        self._unseen_ms: int | None = None

    def step(self, sight: Sight | None, now_ms: int) -> int | None:
        """Return the epoch to take over from now, or None. ``sight`` is None while nothing can be
        observed; ``now_ms`` is of any steady clock.
        """
        this_pc_slept = now_ms - self._looked_ms > PATIENCE_MS // 2
        self._looked_ms = now_ms
        if sight is None:
            self._unseen_ms = now_ms
        if sight is None or sight.ended:
            self._last_beat = None
            return None
        if sight.alive:
            self._unseen_ms = None
            beat = sight.epoch, sight.beats
            if beat != self._last_beat or this_pc_slept:
                self._last_beat, self._beat_ms = beat, now_ms
            silent_since_ms = self._beat_ms
        else:  # a server that was down has lost all sessions: let the writer reconnect
            silent_since_ms = self._unseen_ms
        if silent_since_ms is None or now_ms - silent_since_ms >= PATIENCE_MS:
            return sight.epoch
        return None


def _steady_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def wait(
    watch: Callable[[], Watch],
    show: Callable[[str], object],
    now_ms: Callable[[], int] = _steady_ms,
    pause: Callable[[float], object] = time.sleep,
) -> int:
    """Return the epoch to take over from, once it is time. ``watch()`` opens a connection, ``show``
    gets each change as a line; a server that does not answer is asked again.
    """
    standby, connection, last = Standby(), None, ""
    while True:
        sight = None
        try:
            connection = connection or watch()
            sight = connection.seen()
            line = _line_on(sight)
        except UserError as failure:
            if connection:
                connection.close()
            connection, line = None, f"waiting: {failure}"
        if line != last:
            show(line)
            last = line
        epoch = standby.step(sight, now_ms())
        if epoch is not None and connection:
            connection.close()
            show(f"the collector of epoch {epoch} is silent: taking over")
            return epoch
        pause(LOOK_MS / 1000)


def _line_on(sight: Sight | None) -> str:
    if sight is None or not sight.epoch:
        return "standing by: nobody has collected yet"
    state = "was ended by a person" if sight.ended else "collects"
    return f"standing by: the collector of epoch {sight.epoch} {state}"
