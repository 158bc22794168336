"""Two programs of ours on one PC: the second one says who has what it wants, and takes nothing."""

import os
import pathlib
import re
import signal
import socket
import subprocess

import pytest
from commands import plusthree
from started import PLUSTHREE

from host.archive.access_links import AccessLinks
from host.archive.store import Archive
from host.base import hold
from host.base.errors import UserError
from host.event.archive_view import ArchiveView
from host.web import http_loop

EVENT = (
    "# event: Cup\n# format: p18 swiss bo3 constructed 50\n"
    "table,number_a,name_a,number_b,name_b\n1,10,Ann,11,Bo\n"
)
TEAMS = "number,name,affiliation,city,number_a,name_a,number_b,name_b\n1,R,,T,10,Ann,11,Bo\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(hold, "FOLDER", tmp_path)
    (tmp_path / "e.csv").write_text(EVENT)
    (tmp_path / "teams.csv").write_text(TEAMS)
    (tmp_path / "stick").mkdir()
    return tmp_path


@pytest.fixture
def other(here):
    """A ``serve`` that runs, with the web desk on ``other.port``."""
    process = subprocess.Popen(
        [PLUSTHREE, "serve", "e.csv", "--no-radio", "--port", "0"], cwd=here,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    for line in process.stdout:
        if found := re.search(r"web desk: http://127.0.0.1:(\d+)", line):
            process.port = found[1]
        if "try: help" in line:
            break
    yield process
    process.kill()
    process.communicate()


WRITING = {
    "serve": ("serve", "--no-radio"),
    "import": ("import", "e.csv"),
    "link": ("link", "judge", "Ada"),
    "teams": ("import", "teams.csv"),
    "provision": ("board", "provision", "--device", "7"),
    "backup": ("backup", "stick"),
}
READING = (
    ("show", "results"),
    ("show", "tables"),
    ("show", "status"),
    ("show", "calls"),
    ("export", "csv"),
)


def test_who_writes_beside_serve_is_told_whose_turn_it_is(other, capsys, monkeypatch):
    monkeypatch.setenv("PLUSTHREE_PASSPHRASE", "a passphrase of several words")
    for words in WRITING.values():
        assert plusthree(*words) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert f"in use by another plusthree (serve, process {other.pid}); close that one" in said
    for words in READING:
        assert plusthree(*words) == 0, words
    assert other.poll() is None and len(links()) == 1  # the organiser's own


def links():
    with ArchiveView("plusthree.db") as view:
        return AccessLinks(view).every


def test_a_killed_program_holds_nothing(other, here, capsys):
    other.send_signal(signal.SIGKILL)
    other.wait()
    assert (here / "plusthree.db.lock.by").exists()  # it could not take its note away
    assert plusthree("link", "judge", "Ada") == 0
    assert not (here / "plusthree.db.lock.by").exists()


def test_a_note_that_is_none_names_nobody(here, capsys):
    with Archive("plusthree.db"):
        for text in (
            "", "serve", "a b c", "\udcff".join("ab"), "serve 1x", "\x1b[2J 7", "a1 7", "é 7",
            "a" * 80 + " 7", "serve 7" + " " * 74, "serve " + "7" * 1_000_000,
        ):  # fmt: skip
            pathlib.Path("plusthree.db.lock.by").write_bytes(
                text.encode("utf-8", "surrogateescape")
            )
            assert plusthree("import", "e.csv") == 2
            assert "in use by another plusthree; close that one" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes on this system")
def test_a_pipe_as_the_note_is_not_waited_for(here, monkeypatch):
    first, note = hold.Hold.of_pc("radio"), here / "plusthree-radio.lock.by"
    assert first.take() is None
    note.unlink()
    os.mkfifo(note)
    assert str(hold.Hold.of_pc("radio").take()) == "another plusthree"
    first.release()


@pytest.mark.skipif(not os.path.exists("/proc/net/tcp"), reason="only Linux says who has a port")
def test_a_port_that_another_program_has_is_told_with_that_program(other, capsys, here):
    assert plusthree("serve", "e.csv", "b.db", "--no-radio", "--port", other.port) == 2
    assert f"belongs to plusthree, process {other.pid}: end that" in capsys.readouterr().err
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert plusthree("serve", "e.csv", "b.db", "--no-radio", "--port", port) == 2
    name = pathlib.Path("/proc/self/comm").read_text().strip()
    told = f"port {port} is taken, it belongs to {name}, process {os.getpid()}: end that, or leave"
    assert told in capsys.readouterr().err


def test_who_has_a_port_is_left_out_where_it_cannot_be_known(tmp_path):
    assert http_loop.port_holder(8080, tmp_path) == ""  # no Linux
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "tcp").write_text("head\n0: 0100007F:1F90 0:0 0A 0:0 0:0 0 0 0 77\nodd\n")
    (tmp_path / "5" / "fd").mkdir(parents=True)
    assert http_loop.port_holder(8080, tmp_path) == ""  # a line that is none
    (tmp_path / "net" / "tcp").write_text("head\n0: 0100007F:1F90 0:0 0A 0:0 0:0 0 0 0 77\n")
    assert http_loop.port_holder(8080, tmp_path) == ""  # another user's
    (tmp_path / "5" / "comm").write_text("nginx\n")
    (tmp_path / "5" / "fd" / "3").symlink_to("socket:[77]")
    assert http_loop.port_holder(8080, tmp_path) == "nginx, process 5"
    assert http_loop.port_holder(8081, tmp_path) == ""


def test_a_port_that_nobody_has_and_that_is_refused_blames_no_program():
    with pytest.raises(UserError) as refused:
        # an address of nobody's, as a port below 1024 is not ours
        http_loop.bind("192.0.2.1", 8080)
    said = str(refused.value)
    assert said.startswith("port 8080 cannot be had (") and "program" not in said
    assert said.endswith("leave --port away, and a free one is taken")


def test_a_port_that_is_taken_is_said_before_anything_is_stored(other, here, capsys):
    words = ["serve", "e.csv", "b.db", "--no-radio", "--port", other.port]
    assert plusthree(*words) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and f"port {other.port} is taken, " in said
    assert "end that, or leave --port away, and a free one is taken" in said
    with Archive("b.db") as archive:  # its key may be there, the round is not
        assert archive.roster.rounds == [] and archive.orders.all == []
