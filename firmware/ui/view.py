"""What the face is told of the table: facts, words and clocks, read anew only when they changed."""

from firmware.core import countdown, phases
from firmware.ui import facts, lights

_STALE_MS = 30000  # records that wait longer than this are called unsent
_LOW_PERCENT = 15
_GAUGE_MS = 10000
_IDLE_MS = 10000
_EDGES_MS = (300000, 60000)  # where the clock's screen changes by itself

# the third to eighth fact
UNSYNCED = 4
LOW = 8
WAITING = 16
UNCERTAIN = 32
LIT = 64


class View:
    """Between an App's parts and its ``face``; ``changed`` says that match or names did."""

    def __init__(self, board, screens):
        self.board, self.face = board, screens
        self.names = ["", ""]
        self.changed = True
        self.lit_ms = 0  # until when the desk asks the board to show itself
        self.passing = 0
        self.recalled = [""] * 5  # lines of what was, or when a stopped table ends
        self.half = 0  # the seat (1, 2) that alone asked for what both must ask
        self._fresh_ms = self._gauge_ms = 0
        self._percent = board.battery.percent
        self._bits, self._words = 0, []
        self._clocks = [0, 0, 0, 0, 0]
        self._bar, self._called_ms = 0, None

    def read(self, match, standing, now_ms):
        """Bring facts and words up to date; return whether another screen came on by that."""
        passing = facts.clock(match, now_ms) | standing
        if not self.changed and passing == self.passing:
            return False
        if self.changed:
            self._bits = facts.lasting(match, self.board.keys_count > 2, self.half)
            device = self.board.settings["device"]
            self._words = facts.words(match, self.names, (device, "", self._percent), self.recalled)
            self.face.fresh, self.face.most = facts.entered(match), match.cards or match.cap
            self.face.drawn = self.changed = False
        self.passing = passing
        return self.face.follow(match.phase, self._bits | passing)

    def standing(self, sync, uptime_ms):
        """Return how the board itself stands, as facts."""
        if not sync.waiting:
            self._fresh_ms = uptime_ms
        if uptime_ms - self._gauge_ms >= _GAUGE_MS:
            self._gauge_ms = uptime_ms
            self._percent = self.board.battery.percent
        low = self._percent is not None and self._percent < _LOW_PERCENT
        return (
            (UNSYNCED if uptime_ms - self._fresh_ms > _STALE_MS else 0)
            | (LOW if low else 0)
            | (WAITING if sync.waiting else 0)
            | (UNCERTAIN if sync.timebase.guessed else 0)
            | (LIT if uptime_ms < self.lit_ms else 0)
        )

    def show(self, match, held, now_ms):
        """Draw what changed; ``held`` is the key that is down, or -1."""
        clocks = self._clocks
        clocks[0] = whole_s = match.minutes * 60 + match.extension_s
        if match.start_ms is not None:
            left_s = countdown.seconds(match.remaining_ms(now_ms))
            clocks[0] = max(0, min(left_s, whole_s))
            clocks[1] = max(0, countdown.seconds(match.start_ms + match.lost_ms - now_ms))
        clocks[2] = match.table
        clocks[3] = match.turn
        clocks[4] = match.roll[3] if match.roll else 0
        self.face.show(self._words, clocks, held)

    def glow(self, match, uptime_ms):
        """Light the bar; written only on change."""
        if match.call is None:
            self._called_ms = None
        elif self._called_ms is None:
            self._called_ms = uptime_ms
        soon = self.passing & 1
        shown = lights.bar(match.phase, soon, match.turn, self._called_ms, uptime_ms)
        if shown != self._bar:
            self._bar = shown
            self.board.leds.show(lights.colours(shown))

    def lasts_ms(self, match, now_ms):
        """Return how long the picture stays as it is if nothing happens."""
        if self.face.shown and self._called_ms is not None:
            return lights.STEP_MS
        if match.phase not in (phases.PREGAME, phases.PLAYING):
            return _IDLE_MS
        left_ms = match.remaining_ms(now_ms)
        if self.face.shown:
            return left_ms % 1000 + 1
        for edge_ms in _EDGES_MS:
            if left_ms > edge_ms:
                return left_ms - edge_ms
        return _IDLE_MS
