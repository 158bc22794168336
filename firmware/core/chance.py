"""Fair faces from a source of random bytes that is given (BOARD_FACTS, Randomness).

Loaded only where luck is allowed.
"""


class Chance:
    """One roll. ``source(attempt)`` returns some even random bytes, others for every attempt."""

    def __init__(self, source):
        self.source = source
        self.attempt = 0
        self.drawn = b""

    def face(self, sides):
        """Return a face from 1 to ``sides`` (2 to 256), each as likely as the other.

        Bytes are taken one after the other, then the next attempt's. One at or above the highest
        multiple of ``sides`` is thrown away, because a remainder would favour the low faces.
        """
        if not 2 <= sides <= 256:
            raise ValueError("sides")
        limit = 256 - 256 % sides
        while True:
            if not self.drawn:
                self.drawn = self.source(self.attempt)
                self.attempt += 1
            byte = self.drawn[0]
            self.drawn = self.drawn[1:]
            if byte < limit:
                return byte % sides + 1
