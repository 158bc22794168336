"""What a screen shows, as plain lists: no places, no pixels.

``Canvas`` draws it on a panel, and whoever tests a screen reads it.
"""

from firmware.ui.colours import WHITE
from firmware.ui.screens.home import judge_keys, tags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Item, Key, Screen, Table


class Text:
    """A text by its key, at a place; ``patched``: on a black patch over the screen's colour."""

    def __init__(self, place: str, key: str, colour: int, patched: bool):
        self.place, self.key, self.colour, self.patched = place, key, colour, patched


class Picture:
    """A screen as its ``table`` makes it: texts, keys and the lines of a menu."""

    def __init__(self, screen: "Screen", table: "Table"):
        self.screen, self.table = screen, table
        self.texts: "list[Text]" = []
        self.keys: "list[Key]" = list(screen.keys(table))
        self.items: "list[Item]" = list(screen.items(table))
        screen.draw(self, table)
        if table.match is not None:
            self.keys += judge_keys(table)
            tags(self, table)

    def say(self, place: str, key: str, colour: int = WHITE, patched: bool = False) -> None:
        """Say a text at a place."""
        self.texts.append(Text(place, key, colour, patched))

    def line(self, text: "Text") -> str:
        """Return a text with its words filled in."""
        return self.table.say(text.key)

    def title(self, key: str, colour: int = WHITE) -> None:
        """Say what kind of screen it is, on the strip."""
        self.say("word", key, colour, patched=True)

    def labels(self) -> "dict[int, str]":
        """Return ``{key: text's key}`` of the labelled keys (0 ▲, 1 ●, 2 J)."""
        found = {}
        for key in self.keys:
            if key.label and key.gesture & 3 not in found:
                found[key.gesture & 3] = key.label
        return found
