"""One finished round twice: in a PostgreSQL database and in a file, and each command run on both."""

import contextlib
import io
import os
import pathlib
import re
import sys
from typing import NamedTuple

from tabletop import MASTER, Venue

from host import cli
from host.archive import master_key, places
from host.base.errors import UserError

NEXT = (
    "# event: Test Cup\n# round: 2\n# format: p18 swiss bo3 constructed 50\n"
    "table,number_a,name_a,number_b,name_b\n1,0,Given0 Family,2,Given2 Family\n"
    "2,1,Given1 Family,3,Given3 Family\n"
)
SQUADS = "player,squad,faction,ship,size,pilot,upgrades,points\n" + "".join(
    f"0,{squad},Rebel,X-wing,small,Luke,,36\n0,{squad},Rebel,Y-wing,small,Gold,,20\n"
    for squad in (1, 2, 3, 4)
)
TEAMS = (
    "number,name,affiliation,city,number_a,name_a,number_b,name_b\n"
    "0,Reds,Gioco Libero,Torino,11,Ada Bianchi,12,Emmy Noether\n"
)
FILES = {"next.csv": NEXT, "squads.csv": SQUADS, "teams.csv": TEAMS, "phrase": "correct horse\n"}
# what differs from one run to the next, and what SQLite itself lays beside its file
_CHANCE = re.compile(
    r"/l/[\w-]+|\"now_ms\": \d+|127\.0\.0\.1:\d+|https://\S+|([0-9A-F]{2}:){31}[0-9A-F]{2}|^.*[█▀▄].*\n|\d+ B\b|\d+ (?:s|min|h|days?) ago",
    re.MULTILINE,
)
_SQLITES = {"", ".lock", "-wal", "-shm"}


class Outcome(NamedTuple):
    """What a command came to: its exit code, what it printed, and the files it left."""

    code: object
    out: str
    err: str
    files: set[str]


class Place:
    """A folder in which commands run on one archive; ``name`` is what its files are called after."""

    def __init__(self, folder, archive, name):
        self.folder, self.archive, self.name = folder, str(archive), name
        self._shown = self.archive
        with contextlib.suppress(UserError):  # of no address
            self._shown = places.shown(archive)
        folder.mkdir(exist_ok=True)
        (folder / "stick").mkdir()
        for file, text in FILES.items():
            (folder / file).write_text(text, "utf-8")

    def run(self, words):
        """Run ``plusthree WORDS``, ``{archive}`` in them being this one; return its Outcome."""
        before = set(self._files())
        printed = io.StringIO(), io.StringIO()
        typed = io.TextIOWrapper(io.BytesIO())
        with contextlib.chdir(self.folder), contextlib.ExitStack() as stack:
            stack.enter_context(contextlib.redirect_stdout(printed[0]))
            stack.enter_context(contextlib.redirect_stderr(printed[1]))
            sys.stdin, stdin = typed, sys.stdin
            try:
                code = cli.main(words.format(archive=self.archive).split())
            except SystemExit as end:
                code = end.code
            except Exception as failure:  # what a user would see as a traceback
                code = repr(failure)
            finally:
                sys.stdin = stdin
        out, err = (self._masked(one.getvalue()) for one in printed)
        return Outcome(code, out, err, set(self._files()) - before)

    def _files(self):
        found = (path.relative_to(self.folder) for path in self.folder.rglob("*"))
        beside = {f"{self.name}{ending}" for ending in _SQLITES}
        return [path.as_posix() for path in found if path.as_posix() not in beside]

    def _masked(self, text):
        for whole in (self.archive, self._shown):
            text = text.replace(whole, self.name)
        return _CHANCE.sub("", text)


def both(folder, address):
    """Return a Place at ``address`` and one of a file, which hold the same finished round."""
    name = str(places.local(address))
    (folder / "server").mkdir()
    with contextlib.chdir(folder / "server"):
        master_key.keep(master_key.beside(address), MASTER)
        venue = Venue(address)
        venue.begin()
        for board in venue.boards:
            venue.win(board)
        venue.drain()
        (folder / "file").mkdir()
        venue.archive.copy_to(folder / "file" / name)
        venue.station.close()
    for ending in (".key", ".head"):
        data = pathlib.Path(folder, "server", f"{name}{ending}").read_bytes()
        path = folder / "file" / f"{name}{ending}"
        path.write_bytes(data)
        os.chmod(path, 0o600)
    return Place(folder / "server", address, name), Place(folder / "file", name, name)
