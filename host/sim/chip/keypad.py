"""``keypad`` of one chip: the tick interrupt scans the keys, even while the program is busy."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING

from host.sim.chip.natives import TICKS, module

if TYPE_CHECKING:
    from host.sim.chip.types import Chip, DigitalInOut, Pins


def scanning(pins: Pins, pin: Callable[[str], DigitalInOut]) -> ModuleType:
    """Return the ``keypad`` module of ``pins``; ``pin(name)`` makes a key's input."""
    return module("keypad", Keys=functools.partial(Keys, pins, pin), Event=Event)


class Keys:
    """``keypad.Keys``: keys of one polarity, scanned in the tick interrupt by a ``Scanner``.

    TypeError for duplicate pins, ValueError for another argument out of range.
    """

    def __init__(
        self, owner: Pins, pin: Callable[[str], DigitalInOut], pins: list[str], *,
        value_when_pressed: bool, pull: bool=True, interval: float=0.02, max_events: int=64,
        debounce_threshold: int=1,
    ):  # fmt: skip
        if len(set(pins)) != len(pins):
            raise TypeError("row_pins contains duplicate pins")
        if interval < 0 or max_events < 1 or not 1 <= debounce_threshold <= 127:
            raise ValueError("interval, max_events or debounce_threshold out of range")
        way = "DOWN" if value_when_pressed else "UP"
        self._dios = [pin(each) for each in pins]
        for dio in self._dios:
            dio.switch_to_input(way if pull else None)
        self.events, self.key_count = Events(max_events), len(self._dios)
        self.scanner = Scanner(owner.chip, self, value_when_pressed, interval, debounce_threshold)
        owner.scanners.append(self.scanner)

    def reset(self) -> None:
        """Treat all keys as released: one that is down gives a new press event."""
        self.scanner.reset()

    def levels(self) -> list[bool]:
        """Return the level of each pin."""
        return [dio.value for dio in self._dios]


class Event:
    """``keypad.Event``."""

    def __init__(self, key_number: int = 0, pressed: bool = True, timestamp: int | None = None):
        if key_number < 0:
            raise ValueError("key_number must be >= 0")
        self.key_number, self.pressed, self.timestamp = key_number, pressed, timestamp or 0


class Events:
    """``keypad.EventQueue``: a full queue drops the newest event and sets ``overflowed``."""

    def __init__(self, most: int):
        self._most, self._waiting, self.overflowed = most, [], False

    def __len__(self):
        return len(self._waiting)

    def record(self, *event: int) -> None:
        """Append an event (key, pressed, timestamp in ms), or set ``overflowed`` if full."""
        if len(self._waiting) == self._most:
            self.overflowed = True
        else:
            self._waiting.append(event)

    def get_into(self, event: Event | None) -> bool:
        """Move the oldest event into ``event``; False without one, TypeError for no Event."""
        if not isinstance(event, Event):
            raise TypeError("event must be of type Event")
        if not self._waiting:
            return False
        event.key_number, event.pressed, event.timestamp = self._waiting.pop(0)
        return True

    def clear(self) -> None:
        """Drop all events and reset ``overflowed``."""
        self._waiting, self.overflowed = [], False


class Scanner:
    """Scans and debounces the keys as ``keypad_debounce`` does.

    A key that is down from the start gives no press: its counter starts at 0 and never crosses it.
    """

    def __init__(
        self, chip: Chip, keys: Keys, pressed_level: bool, interval_s: float, threshold: int
    ):
        self._keys, self._level, self._threshold = keys, pressed_level, threshold
        self.chip, self._every_us = chip, max(1000, round(interval_s * 1_000_000))
        self._counts = [0] * keys.key_count
        self._next_us = chip.now_us
        self.run()

    def run(self) -> None:
        """Do every scan that is due by now."""
        while self._next_us <= self.chip.now_us:
            stamp = (self._next_us // 1000 - self.chip.started_us // 1000 + TICKS - 65536) % TICKS
            for key, level in enumerate(self._keys.levels()):
                self._count(key, level == self._level, stamp)
            self._next_us += self._every_us

    def miss(self) -> None:
        """Let the scans that are due by now not happen; one is made up for as soon as the tick runs
        again (``keypad_scan_maybe``).
        """
        self._next_us = max(self._next_us, self.chip.now_us)

    def reset(self) -> None:
        """Set all keys to released, and scan."""
        self._counts = [-self._threshold] * len(self._counts)
        self._next_us = min(self._next_us, self.chip.now_us)
        self.run()

    def _count(self, key, down, stamp):
        way = 1 if down else -1
        count = self._counts[key]
        if count * way >= self._threshold:
            return
        self._counts[key] = count + way
        if count + way == 0:
            self._counts[key] = way * self._threshold
            self.chip.told("key", self._next_us, key, down)
            self._keys.events.record(key, down, stamp)
