"""The pins of one chip and their users: keys, LEDs, buzzer and battery gauge.

The tick interrupt scans the keys, even while the program is busy.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING

from firmware.board import pins as table
from host.sim.chip.glass import BUILT_IN
from host.sim.chip.natives import TICKS, TICKS_AT_POWER, module

if TYPE_CHECKING:
    from host.sim.chip.types import Chip, Modules


_OTHERS = {  # pins that no part of ours uses, for tests of the chip itself
    "feather_nrf52840_express": (
        "A4", "A5", "AREF", "BATTERY", "D2", "D3", "D5", "D6", "D12", "D13", "LED", "BLUE_LED", "L",
        "NEOPIXEL",
        "SWITCH", "TX", "RX", "SDA", "SCL", "NFC1", "NFC2",
    ),
    "unexpectedmaker_feathers3": ("D5", "D6", "D13", "LED", "BATTERY", "TX", "RX", "SDA", "SCL"),
}  # fmt: skip
_BUS = ("SCK", "MOSI", "MISO")  # the SPI bus of a panel on a FeatherWing
_ALIASES = {  # other names of such pins
    "feather_nrf52840_express": {"L": "LED", "D13": "LED", "BATTERY": "VOLTAGE_MONITOR"},
    "unexpectedmaker_feathers3": {"BATTERY": "VOLTAGE_MONITOR"},
}
_ANALOG = ("A0", "A1", "A2", "A3", "A4", "A5", "VOLTAGE_MONITOR", "BATTERY", "AREF")
PWM_TIMERS, APB_HZ = 4, 80_000_000
ADC_US = 20


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
            uptime_ms = self._next_us // 1000 - self.chip.started_us // 1000
            stamp = (uptime_ms + TICKS_AT_POWER) % TICKS
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
        """Count a scan of a key, up or down by one. At 0 the key is pressed or released, and the
        count goes on from the threshold on that side.
        """
        step = 1 if down else -1
        count = self._counts[key]
        if count * step >= self._threshold:
            return
        self._counts[key] = count + step
        if self._counts[key] == 0:
            self._counts[key] = step * self._threshold
            self.chip.note("key", self._next_us, key, down)
            self._keys.events.record(key, down, stamp)


def _used(row):
    """Return the pin names that a row of the pin table uses."""
    gauge = [row.gauge[0]] if row.gauge else []
    names = (*row.keys, row.buzzer, row.bar, *gauge, *(row.wires or ()), *_BUS)
    return {name for name in names if name}


NAMES = {
    board_id: _used(row) | {*_OTHERS.get(board_id, ())}
    for board_id, _, row in table.models().values()
}


class Pins:
    """The pins of one VM, all free at first; ``down`` are the names of the pressed keys' pins."""

    def __init__(self, chip: Chip):
        self.chip, self.down = chip, chip.fingers
        self._claimed: set[str] = set()
        self.levels: dict[str, bool] = {}
        self.scanners: list[Scanner] = []
        self.wire = b""
        self._bus = None
        self.pwm = 0

    def claim(self, pin: str) -> str:
        """Claim a pin and return its name; ValueError: in use, TypeError: no such pin."""
        pin = _ALIASES.get(self.chip.board_id, {}).get(pin, pin)
        if pin not in NAMES[self.chip.board_id]:
            raise TypeError(f"pin must be of type Pin, not {type(pin).__name__}")
        if pin in self._claimed:
            raise ValueError(f"{pin} in use")
        self._claimed.add(pin)
        return pin

    def free(self, pin: str) -> None:
        """Release a pin."""
        self._claimed.discard(pin)
        self.levels.pop(pin, None)

    def put(self, pin: str, level: bool) -> None:
        """Drive a pin to a level."""
        if self.levels.get(pin) != level:
            self.levels[pin] = level
            self.chip.note("pin", pin, level)

    def level(self, pin: str, pull: str | None) -> bool:
        """Return an input's level: low while its key is pressed, else as pulled."""
        return pin not in self.down and pull == "UP"

    def modules(self) -> Modules:
        """Return the modules ``board``, ``digitalio``, ``analogio``, ``pwmio``, ``keypad``,
        ``neopixel_write``.
        """
        return {
            "board": module("board", board_id=self.chip.board_id, **self._named()),
            "digitalio": self._digitalio(),
            "analogio": module("analogio", AnalogIn=functools.partial(AnalogIn, self)),
            "pwmio": module("pwmio", PWMOut=functools.partial(PWMOut, self)),
            "keypad": scanning(self, functools.partial(DigitalInOut, self)),
            "neopixel_write": module("neopixel_write", neopixel_write=self._write),
        }

    def _named(self):
        pins = {name: name for name in NAMES[self.chip.board_id]}
        pins["SPI"] = self._spi
        if self.chip.glass is not None and self.chip.board_id in BUILT_IN:
            pins["DISPLAY"] = self.chip.glass.display
        return pins

    def _spi(self):
        """Return the board's SPI bus, claiming its pins at the first call."""
        if not self._bus:
            for pin in ("SCK", "MOSI", "MISO"):
                self.claim(pin)
            self._bus = "SPI"
        return self._bus

    def _digitalio(self):
        ways = type("Direction", (), {"INPUT": "INPUT", "OUTPUT": "OUTPUT"})
        pulls = type("Pull", (), {"UP": "UP", "DOWN": "DOWN"})
        made = functools.partial(DigitalInOut, self)
        return module("digitalio", DigitalInOut=made, Direction=ways, Pull=pulls)

    def _write(self, pin, data):
        if not isinstance(pin, DigitalInOut):
            raise TypeError("digitalinout must be of type DigitalInOut")
        self.chip.spend_us(2000 + 30 * len(data))
        self.wire = bytes(data)


class DigitalInOut:
    """``digitalio.DigitalInOut``: a claimed pin, at first an input without pull."""

    def __init__(self, pins: Pins, pin: str):
        self._pins = pins
        self._name: str | None = pins.claim(pin)
        self._out = False
        self._pull: str | None = None

    def _alive(self) -> str:
        """Return the pin's name; ValueError after ``deinit``."""
        if self._name is None:
            raise ValueError(
                "Object has been deinitialized and can no longer be used. Create a new object."
            )
        return self._name

    def switch_to_input(self, pull: str | None = None) -> None:
        """Make the pin an input; ValueError after ``deinit``."""
        self._alive()
        self._out, self._pull = False, pull

    def switch_to_output(self, value: bool = False, drive_mode: str | None = None) -> None:
        """Make the pin an output at ``value``; ValueError after ``deinit``."""
        name = self._alive()
        self._out = True
        self._pins.put(name, bool(value))

    @property
    def direction(self) -> str:
        """INPUT or OUTPUT."""
        self._alive()
        return "OUTPUT" if self._out else "INPUT"

    @direction.setter
    def direction(self, way: str) -> None:
        (self.switch_to_output if way == "OUTPUT" else self.switch_to_input)()

    @property
    def value(self) -> bool:
        """The pin's level; AttributeError for setting an input's."""
        name = self._alive()
        return self._pins.levels[name] if self._out else self._pins.level(name, self._pull)

    @value.setter
    def value(self, value: bool) -> None:
        name = self._alive()
        if not self._out:
            raise AttributeError("Cannot set value when direction is input.")
        self._pins.put(name, bool(value))

    def deinit(self) -> None:
        """Release the pin."""
        if self._name is not None:
            self._pins.free(self._name)
            self._name = None


class AnalogIn:
    """``analogio.AnalogIn``: always reads a battery of 4.0 V behind the voltage divider."""

    def __init__(self, pins: Pins, pin: str):
        self._pins, self._name = pins, pins.claim(pin)
        if self._name not in _ANALOG:
            self.deinit()
            raise ValueError("Invalid pin")

    @property
    def value(self) -> int:
        """The voltage, 0-65535 for 0 V to the supply voltage."""
        self._pins.chip.spend_us(ADC_US)
        return 39_718

    def deinit(self) -> None:
        """Release the pin."""
        self._pins.free(self._name)


class PWMOut:
    """``pwmio.PWMOut``: takes one of the four timers.

    RuntimeError when all are taken, ValueError for a frequency that no divider gives.
    """

    def __init__(
        self, pins: Pins, pin: str, *, duty_cycle: int=0, frequency: int=500,
        variable_frequency: bool=False,
    ):  # fmt: skip
        _divided(frequency)
        if pins.pwm == PWM_TIMERS:
            raise RuntimeError("Internal resource(s) in use")
        pins.claim(pin)
        pins.pwm += 1
        self._variable, self._hz, self._duty = variable_frequency, frequency, duty_cycle
        self._note = pins.chip.note

    @property
    def frequency(self) -> int:
        """The frequency in Hz; AttributeError for setting a fixed one."""
        return self._hz

    @frequency.setter
    def frequency(self, hz: int) -> None:
        if not self._variable:
            raise AttributeError("Invalid variable_frequency")
        _divided(hz)
        self._hz = hz

    @property
    def duty_cycle(self) -> int:
        """The duty cycle, 0 (off) to 65535; ValueError outside that."""
        return self._duty

    @duty_cycle.setter
    def duty_cycle(self, duty: int) -> None:
        if not 0 <= duty <= 0xFFFF:
            raise ValueError("duty_cycle must be 0-65535")
        if bool(duty) != bool(self._duty):
            self._note("sound", bool(duty))
        self._duty = duty


def _divided(hz: int) -> None:
    """Raise ValueError for a frequency that leaves no bit of duty (calculate_duty_cycle)."""
    if not 0 < hz <= APB_HZ // 2:
        raise ValueError("Invalid frequency")
