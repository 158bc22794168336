"""Fair faces from a given source of random bytes (docs/board.md, Randomness)."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Chance:
    """One roll. ``source(attempt)`` returns uniform random bytes, different for every attempt."""

    def __init__(self, source: "Callable[[int], bytes]"):
        self.source = source
        self.attempt = 0
        self.drawn = b""
        self.used = 0

    def face(self, sides: int) -> int:
        """Return a face from 1 to ``sides`` (2 to 256), all equally likely.

        Bytes are used in order, then the next attempt's. A byte at or above the highest multiple of
        ``sides`` is skipped, because a remainder would favour the low faces.
        """
        if not 2 <= sides <= 256:
            raise ValueError("sides")
        limit = 256 - 256 % sides
        while True:
            if self.used == len(self.drawn):
                self.drawn, self.used = self.source(self.attempt), 0
                self.attempt += 1
            byte = self.drawn[self.used]
            self.used += 1
            if byte < limit:
                return byte % sides + 1
