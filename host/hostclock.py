"""The host's event time: the wall once, the steady clock from then on, and never backwards."""


class HostClock:
    """Whole ms since the event's origin.

    ``origin_ms`` is that origin in unix ms and ``wall_ms`` the wall's time now. ``steady_ms()``
    is a clock that nobody sets. ``floor_ms`` is an event time that has certainly passed: a wall
    that was set back does not take the event with it.
    """

    def __init__(self, origin_ms, wall_ms, steady_ms, floor_ms=0):
        self._steady_ms = steady_ms
        self._offset_ms = max(wall_ms - origin_ms, floor_ms) - steady_ms()

    def now_ms(self):
        """Return the event time."""
        return self._steady_ms() + self._offset_ms
