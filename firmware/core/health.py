"""Tests a generator of random bytes: the two continuous tests of NIST SP 800-90B, 4.4.

Run when a seed is drawn; ``plusthree board bringup`` runs them on a new board, more strictly. A
pass proves nothing about a generator; a failure proves that it is broken or not the chip's own.

The cutoffs are the standard's for one false alarm in 2^30 and 4 bits of min-entropy a byte, which
is what 64 bytes must hold to make a seed of 256 bits: 1 + 30 / 4 equal bytes, and
1 + CRITBINOM(512, 2^-4, 1 - 2^-30) times the first byte of a window.
"""

WINDOW = 512
REPEATS = 9  # so many equal bytes in a row are too many
AGAIN = 71  # a window's first byte so often in it is too often


class Health:
    """Both tests, over bytes that arrive in parts."""

    _last: int | None
    _first: bytes | None

    def __init__(self):
        self.longest = self.most = (
            0  # equal bytes in a row (4.4.1); a window's first byte in it (4.4.2)
        )
        self._run = self._again = self._taken = 0
        self._last = self._first = None

    def take(self, data: bytes) -> None:
        """Test the next part; a window ends where a part does."""
        last, run, longest = self._last, self._run, self.longest
        for byte in data:
            run = run + 1 if byte == last else 1
            last = byte
            if run > longest:
                longest = run
        self._last, self._run, self.longest = last, run, longest
        if not self._taken % WINDOW:
            self._first, self._again = data[:1], 0
        assert self._first is not None
        self._again += data.count(self._first)
        self.most = max(self.most, self._again)
        self._taken += len(data)

    @property
    def sound(self) -> bool:
        """Whether all bytes so far pass both tests."""
        return self.longest < REPEATS and self.most < AGAIN


def tested(data: bytes) -> "Health":
    """Return the Health of ``data``."""
    health = Health()
    for at in range(0, len(data), WINDOW):
        health.take(data[at : at + WINDOW])
    return health
