"""Fair faces from a source of random bytes that is given (BOARD_FACTS, Randomness)."""

from firmware.core import digest


class Chance:
    """``entropy(n)`` returns n bytes of the hardware's generator; nothing else is ever trusted."""

    def __init__(self, entropy):
        self.entropy = entropy

    def face(self, sides):
        """Return a face from 1 to ``sides`` (2 to 256), each as likely as the other.

        The source is conditioned with SHA-256. A byte at or above the highest multiple of
        ``sides`` is thrown away, because a remainder would favour the low faces.
        """
        if not 2 <= sides <= 256:
            raise ValueError("sides")
        limit = 256 - 256 % sides
        while True:
            for drawn in digest.sha256(self.entropy(32)):
                if drawn < limit:
                    return drawn % sides + 1
