"""Runs of eight words, and short digests of them: a copied sentence is found without keeping the
text.

The digests of the rules' three source texts are in ``tests/rules/sources.bin``. To make them again:
``.venv/bin/python tests/support/fingerprints.py tests/rules/sources.bin TEXT ...``
"""

import hashlib
import pathlib
import re
import sys

WORDS_IN_A_ROW = 8
LONG_WORDS = 5  # of these eight, at least, or tables of numbers would be found
SIZE = 6  # bytes a digest: 2 million runs meet one of 18,000 by chance once in 8,000 trees


def runs(text):
    """Return the set of a text's runs of eight words, each as one lower-case line."""
    words = re.findall(r"[^\W_]+", text.lower())
    starts = range(len(words) - WORDS_IN_A_ROW + 1)
    found = (words[at : at + WORDS_IN_A_ROW] for at in starts)
    return {
        " ".join(run)
        for run in found
        if sum(word.isalpha() and len(word) > 2 for word in run) >= LONG_WORDS
    }


def digest(run):
    """Return the ``SIZE`` bytes that stand for a run."""
    return hashlib.sha256(run.encode()).digest()[:SIZE]


def read(path):
    """Return the digests of a file as a frozenset."""
    data = pathlib.Path(path).read_bytes()
    return frozenset(data[at : at + SIZE] for at in range(0, len(data), SIZE))


def write(path, texts):
    """Write the digests of every run of ``texts`` (paths), sorted."""
    found = set()
    for text in texts:
        found |= set(
            map(digest, runs(pathlib.Path(text).read_text(encoding="utf-8", errors="replace")))
        )
    pathlib.Path(path).write_bytes(b"".join(sorted(found)))


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2:])
