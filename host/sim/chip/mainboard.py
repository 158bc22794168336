"""The protocols by which a chip's parts use the chip."""

from __future__ import annotations

import random
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    import displayio
    from PIL.Image import Image

    from host.sim.chip.central import Central
    from host.sim.chip.death import Reset
    from host.sim.chip.drive import Drive
    from host.sim.chip.memory import Memory

Modules = dict[str, ModuleType | SimpleNamespace]  # a VM's modules by name
Version = tuple[int, int, int]


class Advert(NamedTuple):
    """An advert on the air: when (us since the Chip's creation), of whom, how strong, and what."""

    at_us: int
    address: bytes
    rssi: int
    data: bytes


class SleepBytes(Protocol):
    """The memory that survives a reset."""

    def lose(self, noise: bytes) -> None:
        """Replace the content with ``noise``."""
        ...


class Screen(Protocol):
    """The display object that a program has made of the panel."""

    shown: displayio.Group | None
    terminal: displayio.Group
    automatic: bool

    def refresh(self) -> bool:
        """Send the picture to the panel."""
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
        """Whether it shows the terminal or a picture with any pixel lit."""
        ...

    def image(self) -> Image:
        """Return the picture (RGB)."""
        ...


class Watchdog(Protocol):
    """The watchdog as one VM sees it."""

    @property
    def mode(self) -> str | None:
        """What happens at its timeout: "RAISE", "RESET" or None."""
        ...


class Pins(Protocol):
    """The chip's pins."""

    def claim(self, pin: str) -> str:
        """Take a pin; ValueError when it is in use."""
        ...

    def free(self, pin: str) -> None:
        """Release a pin."""
        ...


class Mainboard(Protocol):
    """A chip as its parts use it; times are in us unless named ms."""

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
    air: list[Advert]
    central: Central
    radio_address: bytes
    espressif: bool
    psram: int
    radio_adverts: int | None  # that a radio may begin until its memory is used up
    radio_lost: bool  # once off it does not come on again
    memory: Memory

    def collect(self) -> None:
        """Do a collection that the program asks for."""
        ...

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
        """The memory that survives a reset."""
        ...

    def told(self, kind: str, *values: object) -> None:
        """Append an externally visible event to the story."""
        ...

    def printed(self, line: str) -> None:
        """Append a line to the console."""
        ...

    def uptime_ms(self) -> int:
        """Return the milliseconds since this life began."""
        ...

    def setting(self, key: str, default: str | None = None) -> str | None:
        """Return what ``os.getenv`` reads."""
        ...

    def pay(self, name: str, times: int = 1) -> None:
        """Charge a price ``times`` over as busy time."""
        ...

    def spend(self, name: str, used_us: int) -> None:
        """Charge ``used_us`` of busy time under ``name``."""
        ...

    def spend_us(self, used_us: int) -> None:
        """Be busy for ``used_us``."""
        ...

    def pass_us(self, pause_us: int) -> None:
        """Sleep for ``pause_us``."""
        ...

    def dying(self, reset: Reset) -> Reset:
        """Return the first Reset of this life."""
        ...

    def arm(self, seconds: float) -> None:
        """Start the hardware watchdog, or feed it if it runs."""
        ...

    def feed(self) -> None:
        """Feed the hardware's watchdog."""
        ...

    def flush_before_reset(self) -> None:
        """Write the flash cache out."""
        ...
