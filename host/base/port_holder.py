"""Which program listens on a port of this PC, as far as Linux tells its user."""

import contextlib
import pathlib

_LISTENS = "0A"  # of the states in /proc/net/tcp


def holder(port: int, proc: pathlib.Path = pathlib.Path("/proc")) -> str:
    """Return ``NAME, process NUMBER``, "" where that cannot be known: not Linux, another user's."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        sockets = {f"socket:[{inode}]" for inode in _inodes(port, proc)}
        for process in sorted(proc.glob("[0-9]*")):
            with contextlib.suppress(OSError):  # it has ended, or is another user's
                if any(str(one.readlink()) in sockets for one in (process / "fd").iterdir()):
                    name = (process / "comm").read_text(encoding="utf-8", errors="replace")
                    return f"{name.strip()}, process {process.name}"
    return ""


def _inodes(port: int, proc: pathlib.Path) -> set[str]:
    """Return the inodes of the sockets that listen on a port."""
    found = set[str]()
    for table in ("tcp", "tcp6"):
        with contextlib.suppress(FileNotFoundError):
            for line in (proc / "net" / table).read_text(encoding="ascii").splitlines()[1:]:
                _, local, _, state, *rest = line.split()
                if state == _LISTENS and int(local.rpartition(":")[2], 16) == port:
                    found.add(rest[5])
    return found
