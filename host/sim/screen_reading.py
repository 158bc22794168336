"""What a person reads on a board's screen: its name, the marked line and what each key does.

Read from the picture that the board's own face makes (``firmware.ui.screen``); nothing is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from firmware.ui import gestures

if TYPE_CHECKING:
    from firmware.core.match import Match
    from host.sim.types import Face

GESTURES = {gestures.PRESS: "press", gestures.HOLD: "hold"}
_KEY_BITS = 3  # of a gesture: the number of its key


class Key(NamedTuple):
    """A key by its number, the gesture that does something, and its label."""

    number: int
    gesture: str
    label: str


class ScreenReading:
    """One look at a board's screen; ``proposal`` is the shown result (outcome, games, games)."""

    def __init__(self, face: Face, match: Match):
        self.screen = face.screen.name
        self.items: list[str] = []
        self.texts: list[str] = []
        self._keys: list[Key] = []
        self.digits = "none"  # what the large digits count
        if face.screen.name:
            picture = face.picture
            self.items = [item.label or "" for item in picture.items]
            self.texts = [text.key for text in picture.texts]
            self._keys = [
                Key(key.gesture & _KEY_BITS, GESTURES[key.gesture & ~_KEY_BITS], key.label or "")
                for key in picture.keys
                if key.gesture & ~_KEY_BITS in GESTURES
            ]
            self.digits = face.screen.digits or "none"
        entry = face.table.entry
        self._marked = entry.marked
        self.proposal = (match.outcome, *match.games)
        self.entry = tuple(entry.numbers)  # the two numbers being entered
        self.swapped = bool(match.swapped)  # the names are shown the other way round

    @property
    def shown(self) -> tuple[object, ...]:
        """What a person sees, to be compared with another look."""
        return self.screen, self.items, self.texts, self._keys, self.digits

    @property
    def item(self) -> str | None:
        """The marked line's name, or None if there is no menu."""
        return self.items[self._marked] if self.items else None

    @property
    def next_item(self) -> str | None:
        """The name of the next line."""
        return self.items[(self._marked + 1) % len(self.items)] if self.items else None

    def key(self, label: str, gesture: str | None = None) -> Key | None:
        """Return the Key with this label (and ``gesture``, if given), or None."""
        for key in self._keys:
            if key.label == label and gesture in (None, key.gesture):
                return key
        return None
