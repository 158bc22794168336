"""Health of random bytes: the two continuous tests of NIST SP 800-90B (4.4) and two counts.

A pass proves nothing about a generator; a failure proves that it is broken or not the chip's own.
The continuous tests are the board's own (``firmware.core.seeds``), with cutoffs for 8 bits a byte.
"""

from firmware.core import seeds

REPEATS_MOST = 4  # five equal bytes in a row: once in 2^32
IN_WINDOW_MOST = 17  # how often a window's first byte may come again: under 2^-30
SIGMAS = 5
SIZE = 4096


def fault(data: bytes) -> str:
    """Return what is wrong with ``SIZE`` bytes, or "" when nothing shows."""
    if len(data) != SIZE:
        return f"{len(data)} bytes came instead of {SIZE}"
    run, again = seeds.measured(data)
    if run > REPEATS_MOST:
        return f"{run} equal bytes in a row"
    if again > IN_WINDOW_MOST:
        return f"one byte {again} times in {seeds.WINDOW}"
    ones = sum(byte.bit_count() for byte in data)
    off = abs(ones - 4 * SIZE) / (2 * SIZE) ** 0.5
    if off > SIGMAS:
        return f"{ones} of {8 * SIZE} bits are ones"
    spread = abs(chi_square(data) - 255) / 510**0.5
    return (
        f"its bytes are not evenly spread (chi-square {chi_square(data):.0f})"
        if spread > SIGMAS
        else ""
    )


def chi_square(data: bytes) -> float:
    """Return the chi-square of the bytes' frequencies, 255 degrees of freedom."""
    expected = len(data) / 256
    return sum((data.count(byte) - expected) ** 2 for byte in range(256)) / expected
