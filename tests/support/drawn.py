"""Seeds that nobody chose: drawn from the id of the commit under test.

A commit always draws the same ones; the next commit draws others, which nobody has seen.
"""

import functools
import hashlib
import random
import subprocess
from typing import NamedTuple

import tree

_BELOW = 1_000_000_000


class Origin(NamedTuple):
    """What seeds are drawn from: ``key``, and ``name``, the words to print for it."""

    key: str
    name: str


@functools.cache
def origin(folder=tree.ROOT):
    """Return the Origin: the commit's id, or where git knows none, a digest of the files."""
    commit = _commit(folder)
    if commit:
        return Origin(commit, f"commit {commit[:12]}")
    whole = hashlib.sha256()
    for path in tree.python_files():
        whole.update(tree.name_of(path).encode() + b"\0" + path.read_bytes())
    key = whole.hexdigest()
    return Origin(key, f"the files' digest {key[:12]}, as git knows no commit here")


def seeds(purpose, count, key=None):
    """Return ``count`` different seeds from 1 on for a purpose, in the order drawn."""
    luck = random.Random(f"{key or origin().key} {purpose}")
    return luck.sample(range(1, _BELOW), count)


def _commit(folder):
    words = ["git", "rev-parse", "--verify", "--quiet", "HEAD"]
    try:
        asked = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    except OSError:  # no git on this PC
        return ""
    return asked.stdout.strip()
