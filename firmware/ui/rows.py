"""The current screen, as the bytes of its rows; a row applies if its facts hold.

Layout: ``host/boards/screens/compiler.py``. One screen is held at a time, and ``home.txt``.
"""

from firmware.ui import fact, pack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Pack

LABELS = 0  # the kinds of rows
ITEMS = 1
KEYS = 2
SIZES = (
    4,
    7,
    8,
)  # bytes of a row of each kind before its facts; the first two are its text's number
LASTS = 128  # beside the marks' colour: a screen that does not close by itself
CLOCK_AT = 7  # after stay, fill, strip, foot, panel, marks
_COUNTS_AT = 9  # after the clock's colour
_WHILE_AT = 12
_ANY = 255
_BODY = 16  # bytes of a screen without rows


class Rows:
    """Screen ``number`` of the pack (None before the first), and the table's ``facts`` (a byte
    each).
    """

    def __init__(self, source: "Pack"):
        self._source = source
        self.body = bytes(_BODY)
        self._begins = [0, 0, 0, 0]  # where the rows of each kind begin, and where the last end
        head = source.read(pack.SCREENS, 0, 4)
        home_at = 4 + 2 * head[0]
        self._home = source.read(pack.SCREENS, home_at, (head[2] | head[3] << 8) - home_at)
        self.number = None
        self.facts = bytearray(fact.COUNT)

    def put(self, number: int) -> None:
        """Read a screen, and find its rows."""
        self.body, self.number = self._source.row(pack.SCREENS, 2, number), number
        body = self.body
        at = _WHILE_AT + 1 + body[_WHILE_AT]
        for kind in range(3):
            self._begins[kind] = at
            for _ in range(body[_COUNTS_AT + kind]):
                at = self._past(kind, at)
        self._begins[3] = at

    def home(self, phase: int) -> int:
        """Return the screen that a phase shows by itself, + 128 if it replaces any other."""
        rows, at = self._home, 0
        while at < len(rows):
            if (rows[at] == phase or rows[at] == _ANY) and self._all(rows, at + 2):
                return rows[at + 1]
            at += 3 + rows[at + 2]
        return 0

    def stays(self, phase: int) -> int:
        """Return whether a screen that somebody opened may stay in this phase."""
        body = self.body
        return (body[0] | body[1] << 8) >> phase & 1 and self.holds(_WHILE_AT)

    @property
    def lasts(self) -> int:
        """Whether a screen that somebody opened stays until somebody leaves it."""
        return self.body[CLOCK_AT - 1] & LASTS

    @property
    def judged(self) -> bool:
        """Whether the screen is for a judge's visit alone."""
        return bool(self.body[_WHILE_AT]) and self.body[_WHILE_AT + 1] == fact.VISIT

    def holds(self, at: int) -> bool:
        """Return whether the facts listed at a place of the body hold."""
        return self._all(self.body, at)

    def _all(self, rows, at):
        facts = self.facts
        for i in range(at + 1, at + 1 + rows[at]):
            if facts[rows[i] & 127] == rows[i] >> 7:
                return False
        return True

    def _past(self, kind, at):
        at += SIZES[kind]
        return at + 1 + self.body[at]

    def next(self, kind: int, at: int = 0) -> int:
        """Return the offset of a kind's first row whose facts hold, or of the next after ``at``; 0:
        none.
        """
        at = self._past(kind, at) if at else self._begins[kind]
        while at < self._begins[kind + 1]:
            if self.holds(at + SIZES[kind]):
                return at
            at = self._past(kind, at)
        return 0

    def count(self, kind: int) -> int:
        """Return how many rows of a kind there are."""
        found, at = 0, self.next(kind)
        while at:
            found, at = found + 1, self.next(kind, at)
        return found

    def item(self, number: int) -> int:
        """Return the offset of item ``number``, from 0."""
        at = self.next(ITEMS)
        while number:
            number, at = number - 1, self.next(ITEMS, at)
        return at
