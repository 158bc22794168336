"""A real PostgreSQL server in a temporary folder, for the tests of this process alone."""

import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import urllib.parse

import pytest

_USER = "postgres"  # the server refuses to run as root
_FOUND = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/postgres"))
_WAIT_S = "60"


def programs():
    """Return the folder of PostgreSQL's programs, or None."""
    if _FOUND:
        return _FOUND[-1].parent
    found = shutil.which("postgres")
    return pathlib.Path(found).parent if found else None


def _room():
    """Return a folder in memory where there is one: no test looks at the platter."""
    return next((one for one in ("/dev/shm", "/tmp") if os.access(one, os.W_OK)), None)


class Postgres:
    """A running server; ``address(name)`` is the URL of a database of its own."""

    def __init__(self, folder):
        self._folder, self._bin, self._made = pathlib.Path(folder), programs(), 0
        self._data = self._folder / "data"
        self._as = {"user": _USER} if os.geteuid() == 0 else {}
        if self._as:
            shutil.chown(self._folder, _USER)
        self._run(
            "initdb",
            "-D",
            self._data,
            "-U",
            _USER,
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-locale",
            "-N",
        )
        self.start()

    def _run(self, program, *args):
        # a server that stays must not hold this process's pipes
        with open(self._folder / "said", "a+b") as said:
            done = subprocess.run(
                [self._bin / program, *map(str, args)], cwd=self._folder, stdout=said,
                stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False, **self._as,
            )  # fmt: skip
            said.seek(0)
            assert done.returncode == 0, said.read().decode()

    def start(self):
        """Start it, and wait until it answers."""
        options = f"-k {self._folder} -c listen_addresses='' -c max_connections=40"
        log = self._folder / "log"
        self._run(
            "pg_ctl", "start", "-D", self._data, "-l", log, "-o", options, "-w", "-t", _WAIT_S
        )

    def stop(self, how="fast"):
        """Stop it; ``immediate`` is a crash."""
        self._run("pg_ctl", "stop", "-D", self._data, "-m", how, "-w", "-t", _WAIT_S)

    def database(self, name=None):
        """Make an empty database and return its address."""
        import psycopg

        self._made += 1
        name = name or f"cup{self._made}"
        with psycopg.connect(self.address(_USER), autocommit=True) as db:
            db.execute(f'CREATE DATABASE "{name}"')
        return self.address(name)

    def address(self, name):
        """Return the address of the database ``name``."""
        where = urllib.parse.quote(str(self._folder), safe="")
        return f"postgresql:///{name}?host={where}&user={_USER}"


@contextlib.contextmanager
def postgres():
    """Yield a server of its own; skips the test where there is none to run."""
    if programs() is None:
        pytest.skip("no PostgreSQL here: apt-get install postgresql")
    with tempfile.TemporaryDirectory(prefix="pg", dir=_room()) as folder:
        server = Postgres(folder)
        try:
            yield server
        finally:
            server.stop("immediate")
