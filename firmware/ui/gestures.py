"""Gestures from key edges: pure, on the timestamps ``keypad`` gives (docs/architecture.md).

Keys are 0 (▲), 1 (●) and 2 (J). A gesture is a number: PRESS or HOLD and its key's, or BOTH. A
press is reported when the key comes up, a hold while it is still down, so that one press never has
two meanings. Both seats' keys held together are one gesture of their own and no hold of either; on
a board of two keys that is the judge's.
"""

PRESS = PRESS_A = 4
PRESS_B = 5
HOLD = HOLD_A = 8
HOLD_B = 9
HOLD_J = 10
BOTH = 12

HOLD_MS = 1000
BUMP_MS = 30
LOCK_MS = 300

_UP = 0  # the state of a key: up, down and counting, or down and used
_DOWN = 1
_SPENT = 2


class Gestures:
    """Turns edges into gestures; ``feed`` the keypad's edges, then ``poll``."""

    def __init__(self):
        self._state = bytearray(3)
        self._since = [0, 0, 0]
        self._locked_until_ms = 0
        self._both_reported = False

    def feed(self, key: int, pressed: bool, uptime_ms: int) -> int:
        """Process one edge; return the gesture it completes: PRESS, a HOLD not polled yet, or 0."""
        if pressed:
            locked = uptime_ms < self._locked_until_ms and key < 2
            self._state[key] = _SPENT if locked else _DOWN
            self._since[key] = uptime_ms
            return 0
        state, held_ms = self._state[key], uptime_ms - self._since[key]
        self._state[key] = _UP
        if state != _DOWN or held_ms < BUMP_MS:
            return 0
        return key + (PRESS if held_ms < HOLD_MS else HOLD)

    def poll(self, uptime_ms: int) -> int:
        """Return the gesture that is complete by time (HOLD or BOTH), or 0."""
        state, since = self._state, self._since
        if state[0] and state[1]:
            if self._both_reported or uptime_ms - max(since[0], since[1]) < HOLD_MS:
                return 0
            self._both_reported = True
            state[0] = state[1] = _SPENT
            return BOTH
        self._both_reported = False
        for key in range(3):
            if state[key] == _DOWN and uptime_ms - since[key] >= HOLD_MS:
                state[key] = _SPENT
                return HOLD + key
        return 0

    def lock(self, uptime_ms: int) -> None:
        """Ignore the seats' keys for 300 ms, as the table's state has changed; one already down was
        meant for the previous screen. J always works, so a judge can be called.
        """
        self._locked_until_ms = uptime_ms + LOCK_MS
        for key in range(2):
            if self._state[key]:
                self._state[key] = _SPENT

    def down(self, uptime_ms: int) -> int:
        """Return the key that is down and may still complete a gesture, -1 for none or a bump."""
        for key in range(3):
            if self._state[key] == _DOWN and uptime_ms - self._since[key] >= BUMP_MS:
                return key
        return -1

    def fresh(self, uptime_ms: int) -> bool:
        """Whether a key is down that may still be a bump, so that it is not shown yet."""
        for key in range(3):
            if self._state[key] == _DOWN and uptime_ms - self._since[key] < BUMP_MS:
                return True
        return False

    def due_ms(self, uptime_ms: int) -> int:
        """Return when a key that is down next becomes more than a bump, or completes a gesture."""
        state, due_ms = self._state, uptime_ms + HOLD_MS
        for key in range(3):
            if state[key]:
                is_bump = uptime_ms - self._since[key] < BUMP_MS
                next_ms = self._since[key] + (BUMP_MS if is_bump else HOLD_MS)
                waits = state[key] == _DOWN and not (state[0] and state[1])  # for the next poll
                if waits or next_ms > uptime_ms:
                    due_ms = min(due_ms, max(next_ms, uptime_ms + 1))
        return due_ms

    @property
    def held(self) -> bool:
        """Whether any key is down, so that time may complete a gesture."""
        return bool(self._state[0] or self._state[1] or self._state[2])
