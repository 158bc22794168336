"""What a screen shows, as plain lists: no places, no pixels.

``Canvas`` draws it on a panel, and whoever tests a screen reads it.
"""

from firmware.ui.colours import WHITE
from firmware.ui.screens.home import judge_keys, say_tags

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
        if screen.title:
            self.title(screen.title)
        for place, key, *colour in screen.says:
            self.say(place, key, *colour)
        screen.draw(self, table)
        if table.match is not None:
            self.keys += judge_keys(table)
            say_tags(self, table)

    def say(self, place: str, key: str, colour: int | None = None) -> None:
        """Say a text at a place, instead of another that was said there."""
        colour = self.screen.text if colour is None else colour
        self._put(Text(place, key, colour, False))

    def title(self, key: str) -> None:
        """Say what kind of screen it is, on the strip."""
        self._put(Text("word", key, WHITE, True))

    def tag(self, key: str, place: str = "tag_right") -> None:
        """Say something short, at an end of the strip."""
        self._put(Text(place, key, WHITE, True))

    def _put(self, text):
        """Keep one text a place, in the order in which places were first used."""
        for number, before in enumerate(self.texts):
            if before.place == text.place:
                self.texts[number] = text
                return
        self.texts.append(text)

    def line(self, text: "Text") -> str:
        """Return a text with its words filled in."""
        return self.table.say(text.key)

    def labels(self) -> "dict[int, str]":
        """Return ``{key: text's key}`` of the labelled keys (0 ▲, 1 ●, 2 J)."""
        found = {}
        for key in self.keys:
            if key.label and key.gesture & 3 not in found:
                found[key.gesture & 3] = key.label
        return found
