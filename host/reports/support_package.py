"""The package for support: log, versions and the archive's figures, without names and keys."""

import importlib.metadata
import io
import json
import platform
import re
import sqlite3
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from host.archive import schema
from host.archive.access_links import AccessLinks
from host.archive.people import People
from host.archive.store import Archive
from host.base import private_files
from host.base.json_values import Json
from host.event.fold import Hall

PROGRAM = "plusthree"
_READ_ME = """\
This package was made by: plusthree doctor report
It holds no names of people, no numbers of players, no keys and no results. Look at it before you
send it: versions.json (this computer and its programs), archive.json (counts), *.log (what the
program did, by table and time).
"""
_COUNTS = {  # tables to count, and by which columns; people type none of these
    "records": ("records", "event, device, generation"),
    "contradicting records": ("quarantine", "event, device, generation"),
    "orders": ("commands", "event, round, kind, state, refusal"),
    "notices": ("notices", "event, what"),
    "links": ("links", "role"),
    "players": ("players", "event"),
}
_SHORTEST = 3  # letters of a name that is looked for in the log


def versions() -> dict[str, Json]:
    """Return the versions of the program, of Python, the system and the packages it needs."""
    requirements = importlib.metadata.requires(PROGRAM) or ()
    names = sorted({_package_name(requirement) for requirement in requirements})
    packages: dict[str, Json] = {}
    for name in (PROGRAM, *names):
        try:
            packages[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            packages[name] = None
    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "machine": platform.machine(),
        "sqlite": sqlite3.sqlite_version,
        "packages": packages,
    }


def _package_name(requirement: str) -> str:
    return re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0]


def figures(archive: Archive, hall: Hall) -> dict[str, Json]:
    """Return an archive's counts and the state of its file."""
    roster = archive.roster
    rounds: list[Json] = []
    for number in roster.rounds:
        form = roster.stored_format(number)
        rounds.append(
            {
                "round": number,
                "system": form.system,
                "bits": form.bits,
                "minutes": form.minutes,
                "pairings": len(roster.pairings_of(number)),
                "results": len(hall.results(number)),
            }
        )
    state = archive.backend.condition
    return {
        "version": state.version,
        "newest version": schema.VERSION,
        "bytes": state.size,
        "sound": state.sound,
        "rounds": rounds,
        "counts": {name: _count(archive, *of) for name, of in _COUNTS.items()},
    }


def _count(archive: Archive, table: str, columns: str) -> list[Json]:
    """Return how many rows of a table have the same values in some columns, for all such values."""
    heads = [*columns.split(", "), "count"]
    sql = f"SELECT {columns}, count(*) FROM {table} GROUP BY {columns} ORDER BY {columns}"
    counts: list[Json] = []
    for row in archive.query(sql):
        cells = [cell if isinstance(cell, str | int) else None for cell in row]
        counts.append(dict(zip(heads, cells, strict=True)))
    return counts


def people(archive: Archive) -> list[str]:
    """Return every name and number that must not be passed on, the longest first."""
    words: set[str] = set()
    for person in People(archive).every:
        words |= {person.player.name, person.player.number, *person.player.name.split()}
    for link in AccessLinks(archive).every:
        words |= {link.name, *link.name.split()}
    long_enough = [word for word in words if len(word) >= _SHORTEST]
    return sorted(long_enough, key=lambda word: (-len(word), word))


def nameless(text: str, names: Iterable[str]) -> str:
    """Return a log without ``names``, in case one got into it."""
    for name in names:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "…", text, flags=re.IGNORECASE)
    return text


def write(
    path: Path, logs: Iterable[Path], counts: Mapping[str, Json], names: Iterable[str]
) -> list[str]:
    """Write the package to ``path``; return the names of the files in it. ``counts`` are the
    archive's ``figures``, ``names`` its ``people``. Raises OSError.
    """
    names, packed = list(names), io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("README.txt", _READ_ME)
        package.writestr("versions.json", json.dumps(versions(), indent=1))
        package.writestr("archive.json", json.dumps(counts, indent=1))
        for log in logs:
            text = log.read_text(encoding="utf-8", errors="replace")
            package.writestr(log.name, nameless(text, names))
    private_files.write_whole(path, packed.getvalue())
    return package.namelist()
