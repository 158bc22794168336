"""The types of what the screens' modules pass around.

For type checkers alone: no board carries this file.
"""

from collections.abc import Callable, Sequence
from collections.abc import Iterable as Iterable
from io import BufferedReader, BytesIO
from typing import Any as Any
from typing import Protocol, TypeAlias

from displayio import Bitmap as Bitmap
from displayio import Group as Group
from displayio import Palette as Palette

from firmware.core.intents import Intent
from firmware.core.types import Entropy, Heap, Settings, Store
from firmware.ui.canvas import Canvas as Canvas
from firmware.ui.digits import Digits as Digits
from firmware.ui.face import Face as Face
from firmware.ui.font import Font as Font
from firmware.ui.hand import Leave
from firmware.ui.hand import Recall as Recall
from firmware.ui.screen import Item as Item
from firmware.ui.screen import Key as Key
from firmware.ui.screen import Picture as Picture
from firmware.ui.screen import Screen as Screen
from firmware.ui.screen import Text as Text
from firmware.ui.table import Entry as Entry
from firmware.ui.table import Table as Table

Act: TypeAlias = Callable[..., object] | None
"""What a key or a line of a menu calls (``screen.Item``)."""
Asked: TypeAlias = Intent | Recall | Leave | None
"""What a gesture asks for."""
ScreenKeys: TypeAlias = Iterable[Key]
"""What gestures do on a screen."""
MenuItems: TypeAlias = Iterable[Item]
"""The lines of a menu."""
Rows: TypeAlias = "tuple[tuple[str, str | Rows], ...]"
"""A fact of the table, and the screen or further rows where it holds (``screens.home``)."""
Said: TypeAlias = tuple[Any, ...]
"""What a screen always says: place, text, perhaps a colour."""
Texts: TypeAlias = dict[str, str]
"""The texts of a language by key."""
Place: TypeAlias = tuple[int, int, int, int, int]
"""Of a text: font, alignment, x, y of the line's middle, width (``layouts``)."""
Shown: TypeAlias = tuple[str, int, bool]
"""What stands at a place: its line, its colour, whether it is on a patch."""
DigitsPlace: TypeAlias = tuple[int, int, int]
"""Middle, top, width of the colon."""
IsCode: TypeAlias = Callable[[str], bool | None]
"""Says whether a judge's code of six digits is right; None: it is not known yet."""
Press: TypeAlias = tuple[int, bool, int]
"""Key (0 A, 1 B, 2 J), whether it went down, uptime in ms."""
FontFile: TypeAlias = BufferedReader | BytesIO

class Surface(Protocol):
    """What a canvas draws on: a display, or a list. What it makes has displayio's names."""

    @property
    def font(self) -> Callable[[FontFile], Font]:
        """Opens a size of letters."""
    def box(self, x: int, y: int, width: int, height: int, over: bool, /) -> Any: ...
    def digits(self, font: Any, turned: bool, /) -> Digits: ...
    def label(self, font: Any, turned: bool, /) -> Any: ...
    def turn(self, seat: int, /) -> None: ...
    def refresh(self) -> None: ...

class Display(Protocol):
    """What its surface asks of a panel's display."""

    rotation: int
    root_group: Group
    def refresh(self) -> bool: ...

class Clock(Protocol):
    """Uptime in ms, which never goes back."""
    def now_ms(self) -> int: ...
    def rest(self, pause_ms: int, /) -> None: ...

class Keys(Protocol):
    """The keys, debounced."""
    def poll(self) -> Sequence[Press]:
        """Return what happened since the last poll, oldest first."""

class Sound(Protocol):
    """One tone or none."""
    def tone(self, hz: int, /) -> None: ...
    def off(self) -> None: ...

class Leds(Protocol):
    """The bar of ``size`` pixels."""
    @property
    def size(self) -> int: ...
    def show(self, colours: bytes | bytearray, /) -> None:
        """Show three bytes a pixel: red, green, blue."""

class Battery(Protocol):
    """Knows its charge, 0-100, or None where nobody can tell."""
    @property
    def percent(self) -> int | None: ...

class Heartbeat(Protocol):
    """A few bytes that outlive a reset and not a power loss."""
    def read(self) -> bytes: ...
    def write(self, data: bytes, /) -> None: ...

class Board(Protocol):
    """A board as the program sees it: the real one (``board.hardware``), or a double."""
    @property
    def settings(self) -> Settings: ...
    @property
    def keys_count(self) -> int: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def keys(self) -> Keys: ...
    @property
    def sound(self) -> Sound: ...
    @property
    def leds(self) -> Leds: ...
    @property
    def battery(self) -> Battery: ...
    @property
    def heartbeat(self) -> Heartbeat: ...
    @property
    def store(self) -> Store: ...
    @property
    def heap(self) -> Heap: ...
    @property
    def entropy(self) -> Entropy: ...
    @property
    def alive(self) -> Callable[[], None]: ...
    @property
    def reset(self) -> Callable[[], None]: ...
