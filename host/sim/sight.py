"""What a person sees on a board: the screen's name, the marked line, and what each key is for.

Read from the data that the board's own face reads (``firmware.ui.face``), named by the sources
it was compiled from. Nothing is drawn for it.
"""

from collections import namedtuple

from host.screens import compiler, words

Key = namedtuple("Key", "number gesture label")
GESTURES = {value: name for name, value in compiler.GESTURES.items()}


class Names:
    """The names behind the numbers in ``face.bin``: screens and texts."""

    def __init__(self):
        self.screens = compiler.names()
        self.texts = words.texts("en")[0]


class Sight:
    """One look at a board; ``proposal`` is the (outcome, games, games) that stands there."""

    def __init__(self, names, face, match):
        self.screen = names.screens[face.number] if face.number is not None else ""
        self.items = [names.texts[row[0]] for row in face.rows(1)]
        self._chosen = face.chosen
        self._keys = [
            Key(row[0] & 3, GESTURES[row[0] >> 2], names.texts[row[1]] if row[1] else "")
            for row in face.rows(2)
            if row[0] >> 2 in GESTURES
        ]
        self.proposal = (match.outcome, *match.games)
        self.entry = tuple(face.entry)  # two numbers being entered
        self.swapped = bool(match.swapped)  # the names stand the other way round

    @property
    def item(self):
        """The marked line's name, or None where there is no menu."""
        return self.items[self._chosen] if self.items else None

    @property
    def next_item(self):
        """The name of the line after it."""
        return self.items[(self._chosen + 1) % len(self.items)] if self.items else None

    def key(self, label, gesture=None):
        """Return the Key with this label (and this gesture, where one is meant), or None."""
        for key in self._keys:
            if key.label == label and gesture in (None, key.gesture):
                return key
        return None
