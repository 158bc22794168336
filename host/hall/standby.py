"""A standby: it watches the collector that writes, and says when to take over from it.

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

    def __init__(self, patience_ms: int = PATIENCE_MS):
        self._patience_ms = patience_ms
        self._seen: tuple[int, int] | None = None
        self._since_ms = self._looked_ms = 0
        # when the writer was last not observed, until its session lives again
        self._blind_ms: int | None = None

    def step(self, sight: Sight | None, now_ms: int) -> int | None:
        """Return the epoch to take over from now, or None. ``sight`` is None while nothing can be
        observed; ``now_ms`` is of any steady clock.
        """
        slept = now_ms - self._looked_ms > self._patience_ms // 2  # this PC itself slept
        self._looked_ms = now_ms
        if sight is None:
            self._blind_ms = now_ms
        if sight is None or sight.ended:
            self._seen = None
            return None
        if not sight.held:  # a server that was down has lost all sessions; let the writer reconnect
            blind_ms = self._blind_ms
            back = blind_ms is None or now_ms - blind_ms >= self._patience_ms
            return sight.epoch if back else None
        self._blind_ms = None
        seen = sight.epoch, sight.beats
        if seen != self._seen or slept:
            self._seen, self._since_ms = seen, now_ms
        return sight.epoch if now_ms - self._since_ms >= self._patience_ms else None


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
