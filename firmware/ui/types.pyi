"""The types of what the screens' modules pass around.

For type checkers alone: no board carries this file.
"""

from collections.abc import Sequence
from io import BufferedReader, BytesIO
from typing import Protocol, TypeAlias

from displayio import Bitmap as Bitmap
from displayio import Group as Group
from displayio import Palette as Palette

from firmware.ui.canvas import Canvas as Canvas
from firmware.ui.face import Face as Face
from firmware.ui.font import Font as Font
from firmware.ui.pack import Pack as Pack
from firmware.ui.text import Line as Line

Asked: TypeAlias = tuple[int, int, int, int]
"""kind, a, b, c of an intent, or of what a screen asks of its own program (``face``)."""
Words: TypeAlias = list[int | str]
"""What the templates name, by the numbers of ``word``."""
Lines: TypeAlias = Sequence[int | str]
Kept: TypeAlias = dict[tuple[int, int], Bitmap]
"""Glyphs by section of the pack and number, where memory is no concern."""
PackFile: TypeAlias = BufferedReader | BytesIO

class Display(Protocol):
    """What a canvas asks of a panel."""

    rotation: int
    root_group: Group
    def refresh(self) -> bool: ...

class Letters(Protocol):
    """What a line asks of a font."""
    def advance(self, code: int, /) -> int:
        """Return how many px wide a letter is set."""
