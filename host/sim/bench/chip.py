"""The virtual board on the bench: pins, panel, drive, random numbers, radio, time and faults.

Each fault of ``FAULTS`` makes one part behave as a broken one; the other parts are unaffected.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

from host.boards.bringup.figures import refresh_us
from host.boards.bringup.resets import AT_POWER, TICKS
from host.boards.models import MODELS, OLDEST, Row
from host.sim.bench.works import File, Works

if TYPE_CHECKING:
    from host.sim.types import Panel

FAULTS = {
    "stuck-key": "key ●", "dead-display": "display", "weak-entropy": "entropy",
    "clock-2-percent": "clock",
    "bad-flash-copy": "journal copy 1", "no-radio": "radio", "wrong-firmware": "firmware",
    "wrong-key": "key of the board",
}  # fmt: skip
JOURNAL_BYTES = 256 * 1024
WHITE = 200


class Pins:
    """The module ``board``: each pin is represented by its name."""

    def __init__(self, board_id: str):
        self.board_id = board_id

    def __getattr__(self, name):
        return name


class BadFlash(File):
    """Flash in which one bit always reads as 0."""

    def read(self, size: int | None = -1) -> bytes:
        """Return up to ``size`` bytes, the lowest bit of the first cleared."""
        data = bytearray(super().read(size))
        if data:
            data[0] &= 0xFE
        return bytes(data)


class Radio:
    """The module ``_bleio``'s adapter: switching it off and on is charged."""

    def __init__(self, works: Works, start: Callable[..., None], stop: Callable[[], None]):
        self._works, self._on = works, True
        self.start_advertising, self.stop_advertising = start, stop

    @property
    def enabled(self) -> bool:
        """Whether the radio is on."""
        return self._on

    @enabled.setter
    def enabled(self, on: bool) -> None:
        if on and not self._on:
            self._works.spend(1000 * self._works.prices["radio_restart_ms"])
        self._on = on


class Paid:
    """A panel's display whose ``refresh`` is charged; everything else is passed to the display."""

    def __init__(self, panel: Panel, works: Works):
        vars(self).update(_panel=panel, _works=works)

    def refresh(self) -> None:
        """Refresh the display and charge the time of composing and sending the changes."""
        before = self._panel.bus.pixels_sent
        self._panel.display.refresh()
        self._works.spend(refresh_us(self._works.prices, self._panel.bus.pixels_sent - before))

    def __getattr__(self, name):
        return getattr(self._panel.display, name)

    def __setattr__(self, name, value):
        setattr(self._panel.display, name, value)


class Chip:
    """One board of ``model`` with a ``fault`` of ``FAULTS`` or None.

    ``files`` is its drive, ``settings`` its settings.toml, ``luck`` the random generator,
    ``prices`` the model's. ``keys`` (pin names) and ``levels`` (when pressed) are set by the bench.
    """

    def __init__(
        self,
        model: str,
        files: Mapping[str, bytes],
        settings: Mapping[str, str | int],
        fault: str | None,
        luck: Random,
        prices: dict[str, int],
    ):
        self.works = Works(self, prices)
        self.model, self.fault, self._luck = model, fault, luck
        self.files = {f"/{name}": bytearray(data) for name, data in files.items()}
        for copy in (0, 1):
            self.files[f"/journal{copy}.bin"] = bytearray(b"\xff" * JOURNAL_BYTES)
        if fault == "wrong-firmware":
            self.files["/firmware/app.mpy"] += b"\n"
        self._settings = dict(settings)
        if fault == "wrong-key":
            self._settings["PLUSTHREE_KEY"] = "00" * 32
        self._time_us, self._powered_ms = 0, 0
        self.pressed, self.advert, self._wire, self._tones = set(), b"", b"", 0
        self._panel: Panel | None = None
        self.keys: Sequence[str] = ()
        self.levels: Sequence[int] = ()
        self.loaded = {}
        self.modules = self._natives()

    @property
    def time_ms(self) -> int:
        """The PC's time in ms."""
        return self._time_us // 1000

    def pass_ms(self, pause_ms: int) -> None:
        """Advance the PC's time by ``pause_ms``."""
        self.pass_us(1000 * pause_ms)

    def pass_us(self, pause_us: int) -> None:
        """Advance the PC's time by ``pause_us``."""
        self._time_us += pause_us

    def lose_power(self) -> None:
        """Restart the board's tick counter, as a power cut does."""
        self._powered_ms = self.time_ms

    def ticks_ms(self) -> int:
        """Return the board's tick counter."""
        rate = 1.02 if self.fault == "clock-2-percent" else 1.00002
        return (int((self.time_ms - self._powered_ms) * rate) + AT_POWER) % TICKS

    # what an operator would see and hear

    def squares(self) -> int:
        """Return the number of white squares on the panel, 0-9."""
        assert self._panel is not None  # the self-test has opened the display
        picture = self._panel.image().convert("L")
        cell = picture.height // 9
        places = [cell // 2 + 3 * cell * at for at in range(3)]
        grey = picture.tobytes()
        return sum(grey[y * picture.width + x] > WHITE for x in places for y in places)

    def lit(self) -> int:
        """Return the number of lit LEDs."""
        return sum(any(self._wire[at : at + 3]) for at in range(0, len(self._wire), 3))

    def tones(self) -> int:
        """Return how many tones have started since the last call."""
        heard, self._tones = self._tones, 0
        return heard

    def open_display(self, row: Row) -> Paid:
        """Return the emulated panel's display.

        It stays black with the fault dead-display, and for a size other than the model's panel.
        """
        from host.sim.panel import Panel

        size = "x".join(map(str, row.panel))
        panel = self._panel = Panel(size)
        driven = size == MODELS[self.model].panel
        if self.fault == "dead-display" or not driven:
            panel.bus._paint = lambda pixels: None
        return Paid(self._panel, self.works)

    # the drive

    def open(self, path: str, mode: str = "r") -> File:
        """Open a file of the virtual drive, always binary; OSError when it does not exist."""
        if path not in self.files:
            raise OSError(2, path)
        bad = self.fault == "bad-flash-copy" and path == "/journal1.bin"
        return (BadFlash if bad else File)(self.works, path, self.files[path])

    def _names(self, folder):
        start = folder.rstrip("/") + "/"
        return sorted(
            {path[len(start) :].partition("/")[0] for path in self.files if path.startswith(start)}
        )

    def _stat(self, path):
        return (0x8000 if path in self.files else 0x4000,)

    def _random(self, size):
        if self.fault == "weak-entropy":
            return bytes(self._luck.choice(b"\x00\x11\x22\x33") for _ in range(size))
        return self._luck.randbytes(size)

    # the native modules

    def _natives(self):
        version = types.SimpleNamespace(version=OLDEST)
        os_part = {"getenv": self._settings.get, "listdir": self._names, "stat": self._stat,
                   "urandom": self._random, "sync": self.works.sync}  # fmt: skip
        tables = {
            "board": Pins(MODELS[self.model].board_id),
            "digitalio": self._digitalio(),
            "analogio": {
                "AnalogIn": lambda pin: types.SimpleNamespace(value=40200, deinit=lambda: None)
            },
            "pwmio": {"PWMOut": self._tone_output()},
            "neopixel_write": {"neopixel_write": self._write_pixels},
            "supervisor": {"ticks_ms": self.ticks_ms},
            "storage": {"remount": lambda path, readonly: None},
            "time": {
                "sleep": lambda pause_s: self.pass_ms(round(1000 * pause_s)),
                "monotonic_ns": lambda: 1000 * self._time_us,
            },
            "_bleio": {"adapter": self._adapter()},
            "os": os_part,
            "sys": {"implementation": version, "modules": self.loaded},
            "hashlib": {"new": self.works.hashing},
        }
        named = {
            name: types.SimpleNamespace(**table) if isinstance(table, dict) else table
            for name, table in tables.items()
        }
        return named | self.works.modules()

    def _digitalio(self):
        chip = self

        class DigitalInOut:
            """A key's pin, whose level while pressed is from the pin table."""

            def __init__(self, pin):
                self._pin, self.direction = pin, None

            def switch_to_input(self, pull):
                """Do nothing: every key has its pull."""

            def deinit(self):
                """Do nothing: pins are never in use here."""

            @property
            def value(self):
                """The pin's level."""
                number = chip.keys.index(self._pin)
                stuck = chip.fault == "stuck-key" and number == 1
                return (stuck or number in chip.pressed) == bool(chip.levels[number])

        ways = types.SimpleNamespace(INPUT=0, OUTPUT=1)
        pulls = types.SimpleNamespace(UP=1, DOWN=2)
        return {"DigitalInOut": DigitalInOut, "Direction": ways, "Pull": pulls}

    def _tone_output(self):
        chip = self

        class PWMOut:
            """A buzzer's pin, which sounds while its duty cycle is not 0."""

            def __init__(self, pin, **options):
                self.frequency, self._duty = 440, 0

            @property
            def duty_cycle(self):
                """The duty cycle; 0 is silent."""
                return self._duty

            @duty_cycle.setter
            def duty_cycle(self, duty):
                chip._tones += bool(duty) and not self._duty
                self._duty = duty

        return PWMOut

    def _write_pixels(self, pin, wire):
        self._wire = bytes(wire)

    def _adapter(self):
        def start(data, connectable, interval):
            self.works.spend(self.works.prices["advert_restart_us"])
            self.advert = b"" if self.fault == "no-radio" else bytes(data)

        def stop():
            self.advert = b""

        return Radio(self.works, start, stop)
