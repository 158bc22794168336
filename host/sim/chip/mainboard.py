"""What a chip's parts ask of the chip they are on."""

from __future__ import annotations

import random
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import displayio
    from PIL.Image import Image

    from host.sim.chip.death import Reset
    from host.sim.chip.drive import Drive

Modules = dict[str, ModuleType | SimpleNamespace]  # of a VM, by name
Version = tuple[int, int, int]


class SleepBytes(Protocol):
    """The bytes that outlive a reset."""

    def lose(self, noise: bytes) -> None:
        """Hold ``noise`` instead."""
        ...


class Screen(Protocol):
    """The display object that a program has made of the panel."""

    shown: displayio.Group | None
    terminal: displayio.Group
    automatic: bool

    def refresh(self) -> bool:
        """Bring the picture out."""
        ...


class Panel(Protocol):
    """The panel that a program has opened."""

    on_terminal: bool
    drawn: bool

    @property
    def display(self) -> Screen:
        """Its display."""
        ...

    @property
    def lit(self) -> bool:
        """Whether there is anything to see."""
        ...

    def image(self) -> Image:
        """Return the picture (RGB)."""
        ...


class Watchdog(Protocol):
    """The watchdog as one VM sees it."""

    @property
    def mode(self) -> str | None:
        """What it does when its time is up, or None."""
        ...


class Pins(Protocol):
    """The chip's pins."""

    def claim(self, pin: str) -> str:
        """Take a pin; ValueError when it is in use."""
        ...

    def free(self, pin: str) -> None:
        """Give it back."""
        ...


class Mainboard(Protocol):
    """A chip, as its parts see it; times are in us unless they say ms."""

    board_id: str
    usb: bool
    usb_up: bool
    version: Version
    prices: dict[str, int]
    luck: random.Random
    now_us: int
    started_us: int
    reset_reason: str
    safe_mode: str
    ble_workflow: bool
    doors: set[str]
    fingers: set[str]
    next_file: str | None
    drive: Drive
    glass: Panel | None

    @property
    def pins(self) -> Pins:
        """The pins of this life."""
        ...

    @property
    def watchdog(self) -> Watchdog:
        """The watchdog of this VM."""
        ...

    @property
    def sleep_memory(self) -> SleepBytes:
        """The bytes that outlive a reset."""
        ...

    def told(self, kind: str, *values: object) -> None:
        """Keep what can be seen from outside."""
        ...

    def printed(self, line: str) -> None:
        """Take a line for the console."""
        ...

    def uptime_ms(self) -> int:
        """Return milliseconds of the tick counter."""
        ...

    def setting(self, key: str, default: str | None = None) -> str | None:
        """Return what ``os.getenv`` reads."""
        ...

    def pay(self, name: str, times: int = 1) -> None:
        """Work for so many times a price."""
        ...

    def spend(self, name: str, used_us: int) -> None:
        """Work for so long, and keep at what."""
        ...

    def spend_us(self, used_us: int) -> None:
        """Work for so long."""
        ...

    def pass_us(self, pause_us: int) -> None:
        """Rest for so long."""
        ...

    def dying(self, reset: Reset) -> Reset:
        """Return the end that has begun."""
        ...

    def arm(self, seconds: float) -> None:
        """Set the hardware's watchdog going, or feed it where it runs."""
        ...

    def feed(self) -> None:
        """Feed the hardware's watchdog."""
        ...

    def flush_before_reset(self) -> None:
        """Write out what waits."""
        ...
