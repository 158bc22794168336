"""What a person sees on a board: the screen's name, the marked line, and what each key is for.

Read from the data that the board's own face reads (``firmware.ui.face``), named by the sources
it was compiled from. Nothing is drawn for it.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING

from firmware.ui.rows import ITEMS, KEYS, LABELS, SIZES
from host.boards.screens import compiler, words

if TYPE_CHECKING:
    from firmware.core.match import Match
    from host.sim.types import Face


# what a row says: its text, where and in which colour; or on which gesture; what is asked, with a,
# b, c; the screen to go to
Row = namedtuple("Row", "text place colour gesture intent a b c goes", defaults=(None,) * 8)
Key = namedtuple("Key", "number gesture label")
GESTURES = {value: name for name, value in compiler.GESTURES.items()}


def rows(face: Face, kind: int) -> list[Row]:
    """Return the Row of each row of a kind (``firmware.ui.rows``) that a face would show."""
    found, at = [], face.rows.next(kind)
    while at:
        found.append(_row(kind, face.rows.body[at : at + SIZES[kind]]))
        at = face.rows.next(kind, at)
    return found


def _row(kind, raw):
    text = raw[0] | raw[1] << 8
    if kind == LABELS:
        return Row(text, raw[2], raw[3])
    gesture = raw[2] if kind == KEYS else None
    return Row(text, None, None, gesture, *raw[-5:])


class Names:
    """The names behind the numbers in ``face.bin``: screens and texts."""

    def __init__(self):
        self.screens = compiler.names()
        self.texts = words.texts("en")[0]


class Sight:
    """One look at a board; ``proposal`` is the (outcome, games, games) that stands there."""

    def __init__(self, names: Names, face: Face, match: Match):
        self.screen = names.screens[face.number] if face.number is not None else ""
        self.items = [names.texts[row.text] for row in rows(face, ITEMS)]
        self.texts = [names.texts[row.text] for row in rows(face, LABELS)]
        self._chosen = face.chosen
        self._keys = [
            Key(
                row.gesture & 3,
                GESTURES[row.gesture >> 2],
                names.texts[row.text] if row.text else "",
            )
            for row in rows(face, KEYS)
            if row.gesture >> 2 in GESTURES
        ]
        self.proposal = (match.outcome, *match.games)
        self.entry = tuple(face.entry)  # two numbers being entered
        self.swapped = bool(match.swapped)  # the names stand the other way round

    @property
    def item(self) -> str | None:
        """The marked line's name, or None where there is no menu."""
        return self.items[self._chosen] if self.items else None

    @property
    def next_item(self) -> str | None:
        """The name of the line after it."""
        return self.items[(self._chosen + 1) % len(self.items)] if self.items else None

    def key(self, label: str, gesture: str | None = None) -> Key | None:
        """Return the Key with this label (and this gesture, where one is meant), or None."""
        for key in self._keys:
            if key.label == label and gesture in (None, key.gesture):
                return key
        return None
