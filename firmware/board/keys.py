"""The keys, as ``keypad`` scans them: debounced, with the time of the press and not of the poll.

``keypad.Keys`` knows one polarity for all its pins, so a board whose keys differ gets one scanner
for each; their events are merged by time.
"""

import keypad

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware.board.clock import Clock
    from firmware.board.types import Pin, Press

_SCAN_S = 0.01  # twice the same reading: 20 ms of debouncing
_WAITING = 16


class Keys:
    """Polled for ``(key, pressed, uptime_ms)``; key 0 is A, 1 is B, 2 is J."""

    def __init__(self, pins: "Sequence[Pin]", levels: "Sequence[int]", clock: "Clock"):
        """``pins`` are the board's, ``levels`` (0/1) what each reads while pressed."""
        self._clock = clock
        self._event = keypad.Event()
        self._scanners = []
        for level in (0, 1):
            numbers = [i for i in range(len(pins)) if levels[i] == level]
            if numbers:
                scanner = keypad.Keys(
                    [pins[i] for i in numbers], value_when_pressed=bool(level), pull=True,
                    interval=_SCAN_S, max_events=_WAITING, debounce_threshold=2,
                )  # fmt: skip
                self._scanners.append((numbers, scanner.events, scanner))

    def poll(self) -> "tuple[Press, ...]":
        """Return what happened since the last poll, oldest first.

        After an overflow (EventQueue.c drops the newest) a key could seem to be held for ever: so
        all are let go, at time 0 to be no gesture, and what is down is pressed anew.
        """
        event = self._event
        found = ()
        for numbers, events, scanner in self._scanners:
            if events.overflowed:
                events.clear()
                scanner.reset()
                found += tuple([(number, False, 0) for number in numbers])
            while events.get_into(event):
                at_ms = self._clock.at(event.timestamp)
                found += ((numbers[event.key_number], event.pressed, at_ms),)
        if len(self._scanners) > 1 and len(found) > 1:
            found = tuple(sorted(found, key=lambda press: press[2]))  # by time
        return found
