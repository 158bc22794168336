"""The log and ``plusthree doctor report``: what helps, and nobody's name or key."""

import contextlib
import json
import logging
import zipfile

import pytest

from host import cli
from host.archive import master_key, places
from host.archive.people import People
from host.archive.store import Archive
from host.base import prompt
from host.keys.keyring import Keyring
from host.server import log_file

EVENT = (
    "# event: Cup\n# format: p18 swiss bo1 constructed 50\n"
    "table,number_a,name_a,number_b,name_b\n"
    "1,1234501,Ann Zimmerli,1234502,Bo Quist\n2,1234503,Cyd Żółć,1234504,Dee O'Hara\n"
)
TYPED = (
    "result 1 A Ann Zimmerli says so", "drop Zimmerli", "enter 1234509 Eva Unheard",
    "Bo Quist has won", "frobnicate Dee",
)  # fmt: skip


@pytest.fixture
def evening(here, monkeypatch):
    """An archive beside which ``serve`` has run, with names typed and an error that quotes one."""
    (here / "e.csv").write_text(EVENT, encoding="utf-8")
    cli.main(["board", "provision", "--device", "7", "--table", "1", "--out", str(here / "s.toml")])

    def lines(loop, file):
        import asyncio

        queue = asyncio.Queue()
        for line in (*TYPED, "quit"):
            queue.put_nowait(line)
        logging.getLogger("uvicorn.error").error("Ann Zimmerli was here")
        try:
            raise ValueError("no such player: Bo Quist")
        except ValueError:
            logging.getLogger("asyncio").exception("Bo Quist again")
            logging.getLogger("host.web.app").exception("an act failed")
        return queue

    monkeypatch.setattr(prompt, "lines", lines)
    assert cli.main(["serve", "e.csv", "--no-radio", "--no-web"]) == 0
    return here


def told_of(folder):
    """Return the package of ``plusthree doctor report`` as {name: bytes}."""
    assert cli.main(["doctor", "report"]) == 0
    with zipfile.ZipFile(folder / "plusthree-report.zip") as package:
        return {name: package.read(name) for name in package.namelist()}


def test_it_packs_log_versions_and_figures(evening, capsys):
    found = told_of(evening)
    assert set(found) == {"README.txt", "versions.json", "archive.json", "plusthree.db.log"}
    assert json.loads(found["versions.json"])["packages"]["plusthree"]
    figures = json.loads(found["archive.json"])
    assert figures["sound"] and figures["rounds"][0]["pairings"] == 2
    log = found["plusthree.db.log"].decode()
    for word in ("begins: round 1", "typed: result", "typed: drop", "ends", "ValueError"):
        assert word in log
    assert "test_report.py:" in log  # where an error came from
    assert "Look at it" in capsys.readouterr().out


def test_nobodys_name_and_no_key_is_in_it(evening):
    found = told_of(evening)
    everything = b"\n".join(found.values())
    text = everything.decode().casefold()
    with Archive(evening / "plusthree.db") as archive:
        people = [one.player for one in People(archive).every]
        assert len(people) == 5
        words = {word for one in people for word in (one.number, *one.name.split())}
        assert not [word for word in words if len(word) > 2 and word.casefold() in text]
        master = master_key.load(evening / "plusthree.db.key")
        keyring = Keyring(master, archive.roster)
        board = archive.roster.current_boards[7]
        secret = [master, keyring.board(*board.key), bytes(keyring.audit_log)]
    for key in secret:
        assert len(key) >= 16
        assert key not in everything and key.hex() not in text


def test_the_log_is_nameless_before_anything_is_taken_out(evening):
    told = (evening / "plusthree.db.log").read_text(encoding="utf-8")
    for name in ("Zimmerli", "Quist", "Unheard", "1234501", "Dee"):
        assert name not in told


def test_a_log_goes_round(tmp_path, monkeypatch):
    monkeypatch.setattr(log_file, "BYTES", 2000)
    with log_file.logging_to_file(tmp_path / "a.db"):
        for number in range(200):
            logging.getLogger("host.x").info("line %d", number)
    found = log_file.files(tmp_path / "a.db")
    assert len(found) == 1 + log_file.OLDER
    assert all(path.stat().st_size <= 2000 for path in found)
    assert "line 199" in found[0].read_text() and "line 0\n" not in found[-1].read_text()


def test_two_archives_have_their_own_lines_and_those_of_the_program(tmp_path):
    paths = {word: tmp_path / f"{word}.db" for word in ("cup", "league")}
    radio, desk = logging.getLogger("host.radio"), logging.getLogger("host.desk")
    own = {word: places.own_log(desk, path) for word, path in paths.items()}
    with contextlib.ExitStack() as cup, log_file.logging_to_file(paths["league"]):
        cup.enter_context(log_file.logging_to_file(paths["cup"]))
        own["cup"].info("a cup's line")
        own["league"].info("a league's line")
        radio.info("for all")
        logging.getLogger("asyncio").warning("of another program")
        cup.close()
        own["league"].info("goes on")
    told = {word: log_file.path_of(path).read_text() for word, path in paths.items()}
    said = {
        word: [line.split(" ", 4)[4] for line in text.splitlines()] for word, text in told.items()
    }
    assert said == {
        "cup": ["a cup's line", "for all", "(not kept)"],
        "league": ["a league's line", "for all", "(not kept)", "goes on"],
    }
    assert logging.getLogger(log_file.OURS).level == logging.NOTSET


@pytest.mark.parametrize("first", ["cup", "league"])
def test_a_log_goes_on_where_another_archives_has_ended(tmp_path, first):
    line = logging.getLogger("host.desk")
    with contextlib.ExitStack() as second:
        with contextlib.ExitStack() as one:
            (one if first == "cup" else second).enter_context(
                log_file.logging_to_file(tmp_path / "cup.db")
            )
            (second if first == "cup" else one).enter_context(
                log_file.logging_to_file(tmp_path / "league.db")
            )
        line.info("goes on")
    rest = tmp_path / ("league.db" if first == "cup" else "cup.db")
    assert "goes on" in log_file.path_of(rest).read_text()


def test_without_an_archive_it_says_so_and_packs_the_rest(here, capsys):
    assert cli.main(["doctor", "report", "--out", "r.zip"]) == 0
    assert "without the archive's figures" in capsys.readouterr().out
    assert cli.main(["doctor", "report", "--out", "no/such/r.zip"]) == 2
    assert "name another place with --out" in capsys.readouterr().err
