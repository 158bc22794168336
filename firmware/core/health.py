"""Is a generator of random bytes broken? The two continuous tests of NIST SP 800-90B, 4.4.

Loaded where a seed is drawn; ``plusthree bringup`` asks the same of a new board, more strictly. A
pass proves nothing about a generator; a failure proves that it is broken or not the chip's own.

The cutoffs are the standard's for one false alarm in 2^30 and 4 bits of min-entropy a byte, which
is what 64 bytes must hold to make a seed of 256 bits: 1 + 30 / 4 equal bytes, and
1 + CRITBINOM(512, 2^-4, 1 - 2^-30) times the first byte of a window.
"""

WINDOW = 512
REPEATS = 9  # so many equal bytes in a row are too many
AGAIN = 71  # a window's first byte so often in it is too often


def longest_run(data):
    """Return the length of the longest run of equal bytes (the repetition count, 4.4.1)."""
    longest = run = 0
    before = None
    for byte in data:
        run = run + 1 if byte == before else 1
        before = byte
        if run > longest:
            longest = run
    return longest


def most_in_window(data):
    """Return how often a window's first byte is in it, the worst of all (adaptive proportion, 4.4.2)."""
    most = 0
    for at in range(0, len(data), WINDOW):
        most = max(most, data[at : at + WINDOW].count(data[at : at + 1]))
    return most


def sound(data, size):
    """Say whether ``data`` are ``size`` bytes that pass both tests."""
    return len(data) == size and longest_run(data) < REPEATS and most_in_window(data) < AGAIN
