"""``docs/hall.md`` walked from its first line to its last, with real processes of every kind."""

import contextlib
import io
import json
import os
import pathlib
import pty
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import tomllib
import urllib.parse

import pytest
import tree
from commands import plusthree
from playwright.sync_api import expect
from tabletop import Air as Bluetooth
from tabletop import Tabletop

from firmware.core import beacon, intents
from host.cli import options
from host.desk.station import Station

_BLOCK = re.compile(r"^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NUMBERED = re.compile(r"^## \d+\. (.*)$", re.MULTILINE)


class HallPage:
    """The page; ``here`` are the words of it that stand for something else where it is walked, and
    lines that begin with one of ``untyped`` are left out there.
    """

    def __init__(self, here, untyped):
        text = (tree.ROOT / "docs" / "hall.md").read_text(encoding="utf-8")
        titles = list(_NUMBERED.finditer(text))
        ends = [one.start() for one in titles[1:]] + [text.index("\n## When something fails")]
        self._parts = {one[1]: text[one.end() : end] for one, end in zip(titles, ends, strict=True)}
        self._here, self._untyped, self._walked = here, untyped, set()

    def block(self, title, first):
        """Return the block of a section that begins so, as it is walked here."""
        (found,) = [one for one in self._blocks(title) if one.startswith(first)]
        self._walked.add(found)
        lines = [one for one in found.splitlines() if not one.startswith(self._untyped)]
        return self.translated("\n".join(lines) + "\n")

    def words(self, title, first):
        """Return the words `` `…` `` of a section that begin so, as they are walked here."""
        (found,) = [
            one for one in re.findall(r"`([^`\n]+)`", self._parts[title]) if one.startswith(first)
        ]
        return self.translated(found)

    def translated(self, text):
        """Return a text of the page with what stands for something else here."""
        for there, here in self._here.items():
            text = text.replace(there, here)
        return text

    def left(self):
        return [one for title in self._parts for one in self._blocks(title)
                if one not in self._walked]  # fmt: skip

    def _blocks(self, title):
        return _BLOCK.findall(self._parts[title])


PATIENCE_S = 60  # on a busy machine; a walk waits for what it expects, never for a time
_PLAIN = "import sys; from host.cli import main; sys.exit(main(sys.argv[1:]))"


class Running:
    """A program that was started by a line of a shell: what it says, and what is typed at it."""

    def __init__(self, script, folder, environment):
        self._process = subprocess.Popen(
            ["bash", "-euc", script], cwd=folder, env=environment, text=True, encoding="utf-8",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip
        self.said, self._news = [], threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self._process.stdout:
            self._take(line)
        self._take(None)

    def _take(self, line):
        with self._news:
            self.said.append(line)
            self._news.notify_all()

    def until(self, words, past=0):
        """Wait for a line with ``words`` after the first ``past`` ones; return it."""
        with self._news:
            while True:
                for at, line in enumerate(self.said[past:], past):
                    past = at + 1
                    if line is None:
                        raise AssertionError("".join(self.said[:-1]))
                    if words in line:
                        return line
                assert self._news.wait(PATIENCE_S), f"no {words}: {self.said}"

    def type(self, line):
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def kill(self, how=signal.SIGKILL):
        if self._process.poll() is None:
            os.killpg(self._process.pid, how)

    def ended(self):
        return self._process.wait(PATIENCE_S)


class Pc:
    """One PC: ``folder``, with a ``plusthree`` on its path; ``gateway``: one hangs on its USB."""

    def __init__(self, folder, gateway=None, **environment):
        self.folder, self._started = folder, []
        folder.mkdir()
        (folder / "bin").mkdir()
        how = f'-c "{_PLAIN}"'
        if gateway:
            how = f"{tree.ROOT / 'tests' / 'support' / 'pluggedpc.py'} {gateway}"
        program = folder / "bin" / "plusthree"
        program.write_text(f'#!/bin/sh\nexec {sys.executable} {how} "$@"\n')
        program.chmod(0o755)
        path = environment.pop("PATH", os.environ["PATH"])
        self._environment = {
            **os.environ, "PYTHONPATH": str(tree.ROOT), "HOME": str(folder), **environment,
            "PATH": f"{program.parent}{os.pathsep}{path}",
        }  # fmt: skip

    def run(self, script, *typed):
        """Run lines to their end in a terminal; ``typed`` answers what asks there, one by one."""
        person, screen = pty.openpty()
        done = subprocess.Popen(
            ["setsid", "--ctty", "--wait", "bash", "-euc", script], cwd=self.folder,
            env=self._environment, stdin=screen, stdout=screen, stderr=screen,
        )  # fmt: skip
        os.close(screen)
        answers, said = list(typed), ""
        with contextlib.suppress(OSError):  # it has ended
            while text := os.read(person, 4096).decode():
                said += text
                if said.endswith(": ") and answers:
                    os.write(person, f"{answers.pop(0)}\n".encode())
        os.close(person)
        assert (done.wait(PATIENCE_S), answers) == (0, []), f"{script}\n{said}"

    def start(self, script):
        self._started.append(Running(script, self.folder, self._environment))
        return self._started[-1]

    def end(self):
        for one in self._started:
            one.kill()
            one.ended()


class Air:
    """What boards say near a PC's gateway, and what that sends; ``path`` names it."""

    def __init__(self, path):
        self.path = str(path)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(f"{path}.heard")

    def say(self, frames):
        """Have the gateway's radio hear ``frames``, as far as it can take them now."""
        for frame in frames:
            self._socket.sendto(frame, self.path)

    def heard(self):
        """Wait for the next advert that the gateway sends."""
        self._socket.settimeout(PATIENCE_S)
        return self._socket.recv(64)

    def close(self):
        self._socket.close()


SECRET, OTHER = "correct horse", "battery staple"  # the broker's password, and the database's
EVENT = (
    "# event: Winter Cup\n# format: p18 swiss bo3 constructed 50\n"
    "table,number_a,name_a,number_b,name_b\n1,10,Ann,11,Bo\n2,12,Cleo,13,Dan\n3,14,Eve,15,Fay\n"
    "12,16,Gus,17,Hal\n13,18,Ida,19,Jo\n"
)
TABLES = {7: 12, 8: 13}  # by board; the other tables have none
# lines that are not typed here: what they do is done already, or wants a PC of its own
UNTYPED = "sudo apt-get", "sudo chown", "sudo systemctl"
UNWALKED = "sudo install -d -o", "sudo useradd", "BROKER="  # blocks: a clean PC's first, systemd's
# what the broker's package brings, which reads the page's file
MOSQUITTO = (
    "user root\npersistence_location ./\nlog_dest stderr\ninclude_dir ./etc/mosquitto/conf.d\n"
)


def here(port, server):
    """Return what stands for the page's words: each PC is a folder, and this machine is all."""
    return {
        "sudo -u postgres ": "", "sudo ": "", "-o mosquitto ": "", "/etc/": "./etc/",
        "listener 8883": f"listener {port} 127.0.0.1", "@broker.hall/": f"@localhost:{port}/",
        "broker.hall": "localhost", "hostssl cup collector 10.0.0.0/24": "local cup collector",
        "db.hall:5432": f"{server}:5432", "@db.hall/": f"@{urllib.parse.quote(server, safe='')}/",
        "PASSWORD=…": f"PASSWORD='{SECRET}'", "collector:…": f"collector:{OTHER}",
        "--lan": "--lan --gateways-only",  # Bluetooth would be looked for again and again
    }  # fmt: skip


class Hall:
    """The hall of the page: its PCs, and the two boards with what they have not told yet."""

    def __init__(self, folder, postgres, mosquitto, passwd):
        self.folder, self.postgres, self.pcs = folder, postgres, {}
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        self.page = HallPage(here(port, postgres.environment["PGHOST"]), UNTYPED)
        found = {os.path.dirname(program) for program in (mosquitto, passwd)}
        self.pc("broker", PATH=os.pathsep.join((*found, os.environ["PATH"])))
        self.pc("database", **postgres.environment)
        self.air = {name: Air(folder / f"{name}.air") for name in ("door", "stage")}
        for name, air in self.air.items():
            self.pc(name, gateway=air.path)
        self.pc("collector"), self.pc("standby")

    def pc(self, name, **options):
        self.pcs[name] = Pc(self.folder / name, **options)

    def end(self):
        for one in self.pcs.values():
            one.end()
        for one in self.air.values():
            one.close()

    def lay(self):
        """Sections 2 to 5; return the boards at their tables, and the event time."""
        self.lay_broker()
        self.start_machines()
        self.lay_database()
        boards = self.make_boards()
        return boards, self.seat(boards)

    def lay_broker(self):
        """Section 2."""
        pc, section = self.pcs["broker"], "The broker"
        for folder in ("certs", "conf.d"):
            (pc.folder / "etc" / "mosquitto" / folder).mkdir(parents=True)
        pc.run(self.page.block(section, "sudo apt-get"), *[SECRET] * 4)
        for first, place in (("listener", "conf.d/hall.conf"), ("user collector", "hall.acl")):
            (pc.folder / "etc" / "mosquitto" / place).write_text(self.page.block(section, first))
        pc.run(self.page.block(section, "sudo chown"))
        (pc.folder / "mosquitto.conf").write_text(MOSQUITTO)
        pc.start("mosquitto -c mosquitto.conf").until(" running")
        for name in ("door", "stage", "collector", "standby"):
            shutil.copy(pc.folder / "broker.pem", self.pcs[name].folder)

    def start_machines(self):
        """Section 3."""
        lines = self.page.block("The machines", "export")
        for name in self.air:
            self.pcs[name].start(lines.replace("--name door", f"--name {name}"))

    def lay_database(self):
        """Section 4."""
        section = "The database"
        self.postgres.let_in(self.page.words(section, "hostssl"))
        self.pcs["database"].run(self.page.block(section, "sudo apt-get"), OTHER, OTHER)
        for name in ("collector", "standby"):
            self.pcs[name].run(self.page.block(section, "echo"))

    def make_boards(self):
        """Section 5: two boards; the others' tables go by paper."""
        pc, lines = (
            self.pcs["collector"],
            self.page.block("The boards", "plusthree board provision"),
        )
        (pc.folder / "event.csv").write_text(EVENT)
        first, rest = lines.split("\n", 1)
        boards = []
        for device, table in TABLES.items():
            line = first.replace("--device 7 --table 12", f"--device {device} --table {table}")
            assert f"--device {device}" in line
            pc.run(line)
            settings = tomllib.loads((pc.folder / "settings.toml").read_text())
            key = bytes.fromhex(settings["PLUSTHREE_KEY"])
            boards.append(Tabletop(device, key, random.Random(device)))
        pc.run(rest)
        return boards

    @property
    def address(self):
        """The archive's address, as the page's own lines have it."""
        return re.search(r"serve event.csv (\S+)", self.page.block("The collector", "export"))[1]

    def seat(self, boards):
        """Have boards get the round over Bluetooth, and begin it; return the event time."""
        with (
            contextlib.chdir(self.pcs["collector"].folder),
            Station(options.place(self.address)) as station,
        ):
            air = Bluetooth(station.collector, boards)
            station.collector.now_ms = air.now_ms
            station.desk.publish(1)
            assert air.run(60_000, lambda: all(one.match.round == 1 for one in boards))
            station.desk.start(air.now_ms + 121_000)
            assert air.run(60_000, lambda: all(one.match.start_ms for one in boards))
            for board in boards:
                for seat in (0, 1):
                    assert board.ask(air.now_ms, intents.CONFIRM_SEAT, seat)
            air.run(125_000)
        return air.now_ms

    def collect(self):
        """Section 6."""
        return self.pcs["collector"].start(self.page.block("The collector", "export"))

    def stand_by(self):
        """Section 7."""
        shutil.copy(self.pcs["collector"].folder / "cup.key", self.pcs["standby"].folder)
        return self.pcs["standby"].start(self.page.block("The standby", "export"))

    def results(self):
        """Return the results that the archive has, by table, as ``plusthree show results`` says."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            assert plusthree("show", "results", "--json", self.address) == 0
        return {one["table"]: one for one in json.loads(printed.getvalue()) if one["outcome"]}

    def tell(self, board, machine, now_ms):
        """Have a board end its match and tell it near a machine until the archive has it."""
        board.win(now_ms)
        while TABLES[board.device] not in self.results():
            self.air[machine].say([*board.history(), board.status(now_ms)])


def by_paper(page, table):
    """Type a result from paper on a judge's page, and see that it was taken."""
    # by its key: right after the list has moved, a click is not believed
    page.locator(f".card[data-table='{table}']").press("Enter")
    page.locator("dialog [data-form=result] label", has=page.locator("[value=B]")).click()
    page.locator("dialog [data-form=result] [type=submit]").click()
    expect(page.locator("dialog")).to_contain_text("● wins 0–2")
    page.locator("dialog").get_by_role("button", name="Close").click()


@pytest.fixture
def hall(tmp_path, postgres, mosquitto_program, mosquitto_passwd_program, monkeypatch):
    with tempfile.TemporaryDirectory(prefix="hall") as folder:  # a socket's path must be short
        made = Hall(pathlib.Path(folder), postgres, mosquitto_program, mosquitto_passwd_program)
        monkeypatch.setenv("PGPASSFILE", str(made.pcs["collector"].folder / ".pgpass"))
        yield made
        made.end()


def taken_over(standby):
    """Wait for a standby to take over; return its web desk's address."""
    standby.until("is silent: taking over")
    return re.search(r"web desk: (https://[^\s,]+)", standby.until("web desk:"))[1]


def opened(chromium, link):
    page = chromium.open(on_loopback(link), "phone", ignore_https_errors=True)
    page.goto(f"{origin(page.url)}/judge")
    return page


@pytest.mark.refusals
def test_the_page_is_followed_word_for_word(hall, chromium):
    boards, now_ms = hall.lay()
    first = hall.collect()
    link = re.search(r"https://\S+", first.until("organiser, for"))[0]
    for machine in hall.air:
        first.until(f"the machine {machine} is there: 1 gateway hears boards")

    page = opened(chromium, link)
    by_paper(page, 1)
    hall.tell(boards[0], "door", now_ms)
    assert beacon.kind_of(hall.air["door"].heard()[-beacon.SIZE :])
    hall.postgres.stop("fast")
    hall.postgres.start()
    first.until("is back: nothing that was stored is lost")
    by_paper(page, 2)
    assert set(hall.results()) == {1, 2, 12}
    expect(page.locator(".troubles .line")).to_have_count(0)

    second = hall.stand_by()  # not before: a busy machine may be silent for 6 s
    second.until("collects")
    first.kill()
    there = taken_over(second)
    expect(page.locator("[role=alert]").first).to_contain_text("Not connected")
    by_paper(opened(chromium, link.replace(origin(link), there)), 3)
    second.until("the machine stage is there")
    hall.tell(boards[1], "stage", now_ms)
    assert set(hall.results()) == {1, 2, 3, 12, 13}
    second.type("quit")
    assert second.ended() == 0
    assert all(one.startswith(UNWALKED) for one in hall.page.left())


def origin(url):
    return "https://" + urllib.parse.urlsplit(url).netloc


def on_loopback(url):
    """Return an address with this machine's loopback in place of its name in the network."""
    return url.replace(urllib.parse.urlsplit(url).hostname, "127.0.0.1")
