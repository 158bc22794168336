"""Every command at the address of an archive in PostgreSQL does what it does with a file."""

import argparse
import contextlib
import importlib
import io
import os
import pathlib
import re
import sys
from typing import NamedTuple

import psycopg
import pytest
from commands import plusthree
from tabletop import MASTER, Venue

from host import cli
from host.archive import master_key, places
from host.archive.store import Archive
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
            self._shown = places.display_name(archive)
        folder.mkdir(exist_ok=True)
        (folder / "stick").mkdir()
        for file, text in FILES.items():
            (folder / file).write_text(text, "utf-8")

    def run(self, words):
        before = set(self._files())
        printed = io.StringIO(), io.StringIO()
        typed = io.TextIOWrapper(io.BytesIO())
        with contextlib.chdir(self.folder), contextlib.ExitStack() as stack:
            stack.enter_context(contextlib.redirect_stdout(printed[0]))
            stack.enter_context(contextlib.redirect_stderr(printed[1]))
            sys.stdin, stdin = typed, sys.stdin
            try:
                code = plusthree(*words.format(archive=self.archive).split())
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
        master_key.keep(master_key.path_of(address), MASTER)
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


SERVE = "serve {archive} --no-radio --port 0 --name Olga"
AS_A_FILE = (  # in an order that a day has
    SERVE + " --backup stick --passphrase-file phrase",
    SERVE + " --lan",
    "show status {archive} --json",
    "show tables {archive}",
    "show calls {archive}",
    "show --watch --once {archive}",
    "show results --all {archive}",
    "show results --json {archive}",
    "show standings {archive} --pack pokemon-swiss",
    "audit {archive} --rolls",
    "audit {archive} --against {archive}",
    "audit luck {archive} --html luck.html",
    "export csv {archive} --out csv",
    "export json {archive} --out json",
    "paper all --no-pdf {archive} --pack pokemon-swiss",
    "paper codes --no-pdf {archive}",
    "paper codes --text {archive} --out codes.txt",
    "link judge Ada {archive}",
    "link list {archive}",
    "link revoke 1 {archive}",
    "board provision --device 9 --table 3 --out settings.toml {archive}",
    "board provision --all --count 2 --out boards {archive}",
    "board provision --revoke 9 {archive}",
    "pair drafted.csv --pack pokemon-swiss --seed 1 {archive}",
    "import next.csv {archive}",
    "import teams.csv {archive}",
    "import squads.csv {archive}",
    "backup stick --passphrase-file phrase {archive}",
    "board bringup /dev/nowhere {archive}",
    "doctor report {archive}",
    "dev simulate tether {archive}",
)
INSTEAD = {  # a command that cannot: a word of its one sentence
    "restore stick --passphrase-file phrase {archive}": "makes a file",
    "serve next.csv --standby {archive}": "a standby takes over",
}
WRONG = (  # an address, and a word of the sentence
    ("postgresql://db", "names no database"),
    ("postgresql://ann:secret@db/", "names no database"),
    ("postgresql://ann:secret@db/..%2Fcup", "names no database"),
    ("postgresql://ann:secret@[::1/cup", "names no database"),
    ("postgresql:/ann:secret@db/cup", "is no archive's address"),
    ("postgres:cup", "is no archive's address"),
    ("POSTGRESQL://ann:secret@db/cup", "is no archive's address"),
    ("mysql://ann:secret@db/cup", "is no archive's address"),
    ("postgresql://ann:secret@127.0.0.1:port/cup", "cannot be opened"),
    ("postgresql://ann:secret@127.0.0.1:99999/cup", "cannot be opened"),
    ("postgresql://ann:%zz@127.0.0.1:1/cup", "write % in it as %25"),
    ("postgresql://ann:secret@db/cup?nosuch=1", "leave that option out"),
)
OF_ARCHIVES = {"archive", "archives", "words"}  # what an argument with an archive in it is called


@pytest.fixture
def two(postgres, tmp_path):
    return both(tmp_path, postgres.database())


def test_a_command_does_the_same_at_an_address_as_with_a_file(two):
    server, file = two
    differ = [
        f"{words}\n  server: {there}\n  file:   {here}"
        for words in AS_A_FILE
        if (there := server.run(words)) != (here := file.run(words))
    ]
    assert not differ, "\n".join(differ)


def test_what_cannot_be_done_at_an_address_says_what_can(two):
    server, _ = two
    assert server.run("backup stick --passphrase-file phrase {archive}").code == 0
    for words, told in INSTEAD.items():
        one = server.run(words)
        assert (one.code, one.files) == (2, set()) and told in one.err and "{" not in one.err
        assert one.err.count("\n") == 1


def test_no_command_with_an_archive_is_left_out():
    typed = (*AS_A_FILE, *INSTEAD)
    dev = ((f"dev {name}", *rest) for name, *rest in cli.DEV)
    for name, module, _ in (*cli.COMMANDS, *dev):
        parser = argparse.ArgumentParser()
        importlib.import_module(module).add_arguments(parser)
        if OF_ARCHIVES & {one.dest for one in parser._actions}:
            assert any(words.startswith(f"{name} ") for words in typed), name


@pytest.fixture
def refused(tmp_path):
    """A function: every command at an address, or some, come to a sentence with ``words``."""
    (tmp_path / "hall").mkdir()

    def run(address, words, commands=(*AS_A_FILE, *INSTEAD)):
        place = Place(tmp_path / "hall" / str(len(made)), address, "cup")
        made.append(place)
        for command in commands:
            one = place.run(command)
            if (
                command.startswith("doctor report") and one.code == 0
            ):  # the rest of it helps all the same
                assert one.files == {"plusthree-report.zip"}
                continue
            if command.startswith("audit") and one.code == 1:
                assert words in one.out and not one.files
                continue
            assert (one.code, one.files) == (2, set()), (command, one)
            assert one.err.count("\n") == 1 and "secret" not in one.err
            key = "there is no master key at" in one.err and command.startswith(NEED_THE_KEY)
            assert words in one.err or key or command in INSTEAD, (command, one)

    made = []
    return run


# one for each way in which an archive is opened: ``test_no_command_opens_a_database_in_which…`` and
# ``test_what_is_no_address_is_said…`` have all of them
WAYS = (
    AS_A_FILE[0],
    "show results --all {archive}",
    "link judge Ada {archive}",
    "audit {archive} --rolls",
)
# they look for the key first
NEED_THE_KEY = "board bringup", "backup", "serve {archive} --no-radio --port 0 --name Olga --no"


@pytest.mark.parametrize("address, words", WRONG)
def test_what_is_no_address_is_said_before_anything_is_asked_or_written(address, words, refused):
    refused(address, words)


def test_a_server_that_does_not_let_in_is_said_with_what_to_do(postgres, refused):
    there = postgres.database()
    Archive(there).close()
    postgres.let_in("local all locked scram-sha-256")
    with psycopg.connect(there, autocommit=True) as db:
        db.execute("CREATE ROLE locked LOGIN PASSWORD 'right'; CREATE ROLE ann LOGIN")

    def by(role):
        return there.replace("user=postgres", f"user={role}")

    refused("postgresql://ann:secret@127.0.0.1:1/cup", "see whether the server runs", WAYS)
    refused(postgres.address("nowhere"), "make that database", WAYS)
    refused(by("stranger"), "make that role", WAYS)
    refused(by("locked"), "password into ~/.pgpass", WAYS)
    refused(by("locked&password=secret"), "password into ~/.pgpass", WAYS)
    refused(by("ann"), "end that with: GRANT ALL ON ALL TABLES IN SCHEMA public TO ann", WAYS)
    with psycopg.connect(there, autocommit=True) as db:
        db.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO ann")
    refused(by("ann"), "its role must own the database", WAYS)


def test_no_command_opens_a_database_in_which_something_was_planted(postgres, refused):
    there = postgres.database()
    Archive(there).close()
    with psycopg.connect(there, autocommit=True) as db:
        db.execute(
            "CREATE OPERATOR public.= (FUNCTION = byteaeq, LEFTARG = bytea, RIGHTARG = bytea)"
        )
    refused(there, "the operator 'public.=(")


def test_without_psycopg_every_command_says_how_to_get_it(monkeypatch, refused):
    for name in [one for one in sys.modules if one.startswith("host.hall.postgres")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)  # as Python has it for what is not there
    refused("postgresql://ann@127.0.0.1:1/cup", "-m pip install 'psycopg[binary]==")
