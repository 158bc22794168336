"""Health of random bytes: the two continuous tests of NIST SP 800-90B (4.4) and two counts.

A pass proves nothing about a generator; a failure proves that it is broken or not the chip's own.
"""

REPEATS_MOST = 4  # five equal bytes in a row: once in 2^32
WINDOW, IN_WINDOW_MOST = 512, 17  # how often a window's first byte may come again: under 2^-30
SIGMAS = 5
SIZE = 4096


def fault(data):
    """Return what is wrong with ``SIZE`` bytes, or "" when nothing shows."""
    if len(data) != SIZE:
        return f"{len(data)} bytes came instead of {SIZE}"
    run = longest_run(data)
    if run > REPEATS_MOST:
        return f"{run} equal bytes in a row"
    again = most_in_window(data)
    if again > IN_WINDOW_MOST:
        return f"one byte {again} times in {WINDOW}"
    ones = sum(byte.bit_count() for byte in data)
    off = abs(ones - 4 * SIZE) / (2 * SIZE) ** 0.5
    if off > SIGMAS:
        return f"{ones} of {8 * SIZE} bits are ones"
    spread = abs(chi_square(data) - 255) / 510**0.5
    return f"its bytes are not evenly spread (chi-square {chi_square(data):.0f})" if spread > SIGMAS else ""


def longest_run(data):
    """Return the length of the longest run of equal bytes."""
    longest = run = 1
    for before, byte in zip(data, data[1:]):
        run = run + 1 if byte == before else 1
        longest = max(longest, run)
    return longest


def most_in_window(data):
    """Return how often the first byte of a window comes in it, the worst window of all."""
    return max(data[at : at + WINDOW].count(data[at]) for at in range(0, len(data), WINDOW))


def chi_square(data):
    """Return the chi-square of the bytes' frequencies, 255 degrees of freedom."""
    expected = len(data) / 256
    return sum((data.count(byte) - expected) ** 2 for byte in range(256)) / expected
