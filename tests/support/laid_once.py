"""What deploy makes of the firmware, kept on disk for the workers of a test run and the next run.

To shrink, inline and link every module takes seconds, and each worker needs the same result. A file
of the cache is named by the digest of all that it comes from, so it is never stale.
"""

import functools
import hashlib
import os
import pathlib
import pickle
import sys
import tempfile

import filelock

from host.base import installation
from host.boards.deploy import image

KEPT = ("_planned", "programs", "interned_words", "modules", "shortened", "sent")
MOST_FILES = 60
MAKERS = "firmware", "host/base", "host/boards"  # what an image is made from or by, of ours
_READ = (".py", ".bin", ".toml", ".txt", ".json")


def share(folder):
    """Keep the results of the slow steps of ``image`` in ``folder``; only the first call counts."""
    if hasattr(image.programs, "kept_in"):
        return
    for name in KEPT:
        setattr(image, name, kept(getattr(image, name), pathlib.Path(folder)))


def kept(function, folder, sources=None):
    """Return ``function`` with its results in ``folder``.

    The ``repr`` of its arguments must tell all of them. ``sources()`` gives the digest of all else
    that a result comes from.
    """
    sources = sources or _sources

    @functools.wraps(function)
    def read(*given):
        asked = repr((function.__name__, given)).encode()
        name = hashlib.sha256(sources() + asked).hexdigest()
        path = folder / name
        if not path.exists():
            # two workers seldom wait for each other's results: only where a name begins alike
            with filelock.FileLock(folder / f"{function.__name__}-{name[0]}.lock"):
                if not path.exists():
                    _write(path, pickle.dumps(function(*given)))
        return pickle.loads(path.read_bytes())

    read.kept_in = folder
    return read


@functools.cache
def _sources():
    """Return the digest of this Python and of every file that an image is made from or by."""
    base = image.tree()
    paths = {name: installation.file(name) for name in ("boot.py", "code.py")}
    for folder in MAKERS:
        paths |= _below(base, folder)
    for root in map(pathlib.Path, image.library_roots()):
        for name in image.LIBRARIES:
            paths |= {f"{name}.py": root / f"{name}.py"} | _below(root, name)
    whole = hashlib.sha256(sys.version.encode())
    for name, path in sorted(paths.items()):
        if path.suffix in _READ and path.is_file() and not name.startswith("host/shipped/"):
            whole.update(f"{name}\n{path.stat().st_size}\n".encode() + path.read_bytes())
    return whole.digest()


def _below(root, name):
    """Return ``{name: path}`` of all below a folder of ``root``; an install's names are the
    checkout's.
    """
    return {path.relative_to(root).as_posix(): path for path in (root / name).rglob("*")}


def _write(path, data):
    """Write a file that is there whole or not at all; the oldest give way to it."""
    results = (one for one in path.parent.iterdir() if not one.suffix)
    there = sorted(results, key=lambda one: one.stat().st_mtime)
    for old in there[: -MOST_FILES or None]:
        old.unlink(missing_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    os.replace(name, path)
