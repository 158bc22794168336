"""What a person reads on a board's screen: its name, the marked line and what each key does.

Read from the data that the board's own face reads (``firmware.ui.face``); nothing is drawn.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, NamedTuple

from firmware.ui.rows import CLOCK_AT, ITEMS, KEYS, LABELS, SIZES
from host.boards.screens import compiler, words

if TYPE_CHECKING:
    from firmware.core.match import Match
    from host.sim.types import Face


# a row: its text, place and colour; or the gesture, the intent it sends with a,
# b and c, and the screen it leads to
Row = namedtuple("Row", "text place colour gesture intent a b c goes", defaults=(None,) * 8)
Key = namedtuple("Key", "number gesture label")
GESTURES = {value: name for name, value in compiler.GESTURES.items()}


def rows(face: Face, kind: int) -> list[Row]:
    """Return a Row for each row of a kind (``firmware.ui.rows``) that a face would show."""
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


class _Lines(NamedTuple):
    """The lines of a menu, the texts beside them, and what the keys do."""

    items: list[str]
    texts: list[str]
    keys: list[Key]


class ScreenNames:
    """Names of the screens and texts that ``face.bin`` holds by number."""

    def __init__(self):
        self.screens = compiler.names()
        self.texts = words.texts("en")[0]
        # what was read before, by a screen's bytes and facts: a hall's tables show the same ones
        self._read: dict[tuple[bytes, bytes], _Lines] = {}

    def lines(self, face: Face) -> _Lines:
        """Return what a face's screen says with its facts."""
        shown = bytes(face.rows.body), bytes(face.rows.facts)
        found = self._read.get(shown)
        if found is None:
            found = self._read[shown] = self._lines(face)
        return found

    def _lines(self, face):
        texts = self.texts
        keys = [
            Key(row.gesture & 3, GESTURES[row.gesture >> 2], texts[row.text] if row.text else "")
            for row in rows(face, KEYS)
            if row.gesture >> 2 in GESTURES
        ]
        items = [texts[row.text] for row in rows(face, ITEMS)]
        return _Lines(items, [texts[row.text] for row in rows(face, LABELS)], keys)


class ScreenReading:
    """One look at a board's screen; ``proposal`` is the shown result (outcome, games, games)."""

    def __init__(self, names: ScreenNames, face: Face, match: Match):
        self.screen = names.screens[face.number] if face.number is not None else ""
        self.items, self.texts, self._keys = names.lines(face)
        self.digits = compiler.CLOCKS[face.rows.body[CLOCK_AT]]  # what the large digits count
        self._chosen = face.chosen
        self.proposal = (match.outcome, *match.games)
        self.entry = tuple(face.entry)  # the two numbers being entered
        self.swapped = bool(match.swapped)  # the names are shown the other way round

    @property
    def item(self) -> str | None:
        """The marked line's name, or None if there is no menu."""
        return self.items[self._chosen] if self.items else None

    @property
    def next_item(self) -> str | None:
        """The name of the next line."""
        return self.items[(self._chosen + 1) % len(self.items)] if self.items else None

    def key(self, label: str, gesture: str | None = None) -> Key | None:
        """Return the Key with this label (and ``gesture``, if given), or None."""
        for key in self._keys:
            if key.label == label and gesture in (None, key.gesture):
                return key
        return None
