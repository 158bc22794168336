"""Two programs of ours on one PC: the second one says who has what it wants, and takes nothing."""

import asyncio
import os
import pathlib
import re
import signal
import subprocess
import sys

import pytest
from fakechild import Fake
from tabletop import Venue

from host import cli
from host.archive.access_links import AccessLinks
from host.archive.store import Archive
from host.base import hold
from host.base.errors import UserError
from host.collector.carriers import failure_words, radio_process
from host.collector.carriers.gateways import HELD, Gateways
from host.collector.carriers.radio_process import HeldRadio, ProcessCarrier
from host.event.archive_view import ArchiveView

PLUSTHREE = str(pathlib.Path(sys.executable).with_name("plusthree"))
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
    "link": ("link", "--role", "judge", "--name", "Ada"),
    "teams": ("teams", "teams.csv"),
    "provision": ("provision", "--device", "7"),
    "backup": ("backup", "stick"),
}
READING = ("results",), ("tables",), ("status",), ("calls",), ("export", "--format", "csv")


def test_who_writes_beside_serve_is_told_whose_turn_it_is(other, capsys, monkeypatch):
    monkeypatch.setenv("PLUSTHREE_PASSPHRASE", "a passphrase of several words")
    for words in WRITING.values():
        assert cli.main(list(words)) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert f"in use by another plusthree (serve, process {other.pid}); close that one" in said
    for words in READING:
        assert cli.main(list(words)) == 0, words
    assert other.poll() is None and len(links()) == 1  # the organiser's own


def links():
    with ArchiveView("plusthree.db") as view:
        return AccessLinks(view).every


def test_a_killed_program_holds_nothing(other, here, capsys):
    other.send_signal(signal.SIGKILL)
    other.wait()
    assert (here / "plusthree.db.lock.by").exists()  # it could not take its note away
    assert cli.main(["link", "--role", "judge", "--name", "Ada"]) == 0
    assert not (here / "plusthree.db.lock.by").exists()


def test_a_note_that_is_none_names_nobody(here, capsys):
    with Archive("plusthree.db"):
        for text in ("", "serve", "a b c", "\udcff".join("ab")):
            pathlib.Path("plusthree.db.lock.by").write_bytes(
                text.encode("utf-8", "surrogateescape")
            )
            assert cli.main(["import", "e.csv"]) == 2
            assert "in use by another plusthree; close that one" in capsys.readouterr().err


def test_a_port_that_is_taken_is_said_before_anything_is_stored(other, here, capsys):
    words = ["serve", "e.csv", "--archive", "b.db", "--no-radio", "--port", other.port]
    assert cli.main(words) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and f"port {other.port} cannot be had" in said
    assert "end the program that has it" in said
    with Archive("b.db") as archive:  # its key may be there, the round is not
        assert archive.roster.rounds == [] and archive.orders.all == []


def test_bluetooth_that_another_program_has_is_said_and_taken_over_when_that_ends(
    here, monkeypatch
):
    first = hold.Hold.of_pc("bluetooth-hci1")
    assert first.take() is None and first.take() is None
    radio, reports = HeldRadio("hci1"), []
    with pytest.raises(UserError, match=f"in use by another plusthree .*process {os.getpid()}"):
        asyncio.run(radio())
    assert hold.Hold.of_pc("bluetooth-hci0").take() is None  # another adapter is another

    async def start_process(*_, **more):
        return Fake([], False)

    async def story(venue_collector):
        monkeypatch.setattr(radio_process, "start_process", start_process)
        carrier = ProcessCarrier(
            venue_collector, lambda: 0, reports.append, radio, tick_s=0.01, again_s=0.01
        )
        running = asyncio.ensure_future(carrier.run())
        while not reports:
            await asyncio.sleep(0)
        assert not radio._hold.held
        first.release()
        while not radio._hold.held:
            await asyncio.sleep(0)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    venue = Venue(here / "v.db", tables=1)
    asyncio.run(story(venue.station.collector))
    venue.station.close()
    assert reports[0].template == failure_words.HELD.template


def test_a_gateway_that_another_program_has_is_said_once():
    reports, tries = [], []

    def refuse(port, owner):
        tries.append(port)
        raise OSError("Could not exclusively lock port")

    gateways = Gateways(None, reports.append, None, refuse, lambda: 0)
    for _ in range(6):
        gateways._look(["/dev/ttyACM1"])
    assert [str(one) for one in reports] == [str(HELD).format(port="/dev/ttyACM1")]
    gateways._look([])  # pulled out, and plugged in again
    for _ in range(3):
        gateways._look(["/dev/ttyACM1"])
    assert len(reports) == 2 and len(tries) == 9


@pytest.mark.skipif(
    not hasattr(os, "openpty"), reason="a pseudo-terminal is a serial port on POSIX"
)
def test_a_serial_port_is_one_programs_alone():
    serial = pytest.importorskip("serial")
    from host.collector.carriers.serial_line import SerialLine

    far, near = os.openpty()

    class Owner:
        def received(self, data): ...
        def lost(self): ...

    async def story():
        line = SerialLine(os.ttyname(near), Owner())
        with pytest.raises((OSError, serial.SerialException)):
            SerialLine(os.ttyname(near), Owner())
        line.close()

    asyncio.run(story())
    os.close(far), os.close(near)
