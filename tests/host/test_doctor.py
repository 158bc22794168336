"""``plusthree doctor`` and its report: what is found and said to do, and nobody’s name or key."""

import asyncio
import contextlib
import json
import logging
import tomllib
import zipfile

import pytest
from commands import plusthree
from fakechild import Fake

from host.archive import master_key, places
from host.archive.people import People
from host.archive.store import Archive
from host.base import prompt
from host.base.errors import UserError
from host.cli import doctor as command
from host.collector.carriers import adapters, doctor, failure_words, platforms, probe
from host.collector.carriers.probe import Measured, Probe
from host.keys.keyring import Keyring
from host.server import log_file
from host.sim import bluetooth_quirks, clock, prices

FRAME = b"f" * 24
WELL = Measured(
    start_ms=240, boards=["a", "b", "c", "d", "e"], delay_s=1.5, tried=5, held=5,
    link_ms=[900, 1400],
)  # fmt: skip


@pytest.fixture
def root(tmp_path):
    """A kernel's folder of adapters: hci0 is there and switched on."""
    return kernel(tmp_path / "bluetooth", hci0="0")


def kernel(root, **soft):
    for name, blocked in soft.items():
        switch = root / name / "rfkill1"
        switch.mkdir(parents=True)
        (switch / "soft").write_text(blocked + "\n")
        (switch / "hard").write_text("0\n")
        driver = root.parent / "drivers" / "btusb"
        driver.mkdir(parents=True, exist_ok=True)
        (root / name / "device").mkdir()
        (root / name / "device" / "driver").symlink_to(driver)
    return root


def pc(root, system=platforms.LINUX, **known):
    bus = root / "bus"
    bus.touch()
    return doctor.Pc(
        system,
        **{"root": root, "bus": bus, "bluez": (5, 77), "measured": WELL, "release": "10.0.22631"}
        | known,
    )


def looked(one):
    """Return ``{part: (grade, said, do)}``."""
    return {found.part: (found.grade, found.said, found.do) for found in doctor.findings(one)}


@pytest.mark.parametrize("system", platforms.SYSTEMS)
def test_a_good_pc_is_fine_on_each_system(root, system):
    found = looked(pc(root, system, release={platforms.MACOS: "14.2.1"}.get(system, "10.0.22631")))
    assert {grade for grade, _, _ in found.values()} == {doctor.FINE} and "listening" in found


@pytest.mark.parametrize(("known", "part", "says"), [
    ({"bluez": (5, 50)}, "BlueZ", "update the system"),
    ({"bluez": None}, "BlueZ", "install"),
    ({"measured": Measured(messages=[failure_words.HELP["POWERED_OFF"]])}, "listening", "switch it on"),
    ({"measured": Measured()}, "listening", "said nothing"),
    ({"measured": Measured(start_ms=1)}, "boards", "switch some on"),
    ({"measured": Measured(start_ms=1, boards=["a"], delay_s=10.5)}, "adverts", "another adapter"),
    ({"measured": Measured(start_ms=1, boards=["a"] * 4, tried=4, held=2)}, "links", "disconnect other devices"),
    ({"system": platforms.WINDOWS, "release": "10.0.15063"}, "system", "update it"),
    ({"system": platforms.MACOS, "release": "12.1"}, "system", "12.3"),
])  # fmt: skip
def test_each_trouble_is_told_with_what_to_do(root, known, part, says):
    grade, said, do = looked(pc(root, **known))[part]
    assert grade != doctor.FINE and says in f"{said}: {do}"


def test_no_bus_no_adapter_and_a_switch_are_told(root, tmp_path):
    assert "container" in looked(pc(root, bus=tmp_path / "none"))["permission"][2]
    (tmp_path / "nothing").mkdir()
    assert "plug one in" in looked(pc(tmp_path / "nothing"))["adapter"][2]
    assert "rfkill unblock" in looked(pc(kernel(tmp_path / "off", hci0="1")))["adapter"][2]


def test_who_else_holds_links_is_counted(root):
    for handle in (64, 65, 70):
        (root / f"hci0:{handle}").mkdir()
    assert looked(pc(root))["other devices"][:2] == (doctor.LOOK, "3 links held by them")


def test_of_two_adapters_the_same_one_is_used_each_time_and_told(tmp_path, monkeypatch):
    monkeypatch.setattr(platforms.sys, "platform", "linux")
    root = kernel(tmp_path / "bluetooth", hci10="0", hci0="1", hci2="0")
    (said,) = adapters.choose(None, root)[1]
    assert adapters.choose(None, root)[0] == "hci2" and "hci2" in said
    assert "--adapter takes hci0 or hci10" in said
    assert adapters.choose("hci10", root)[0] == "hci10"
    assert adapters.choose(None, kernel(tmp_path / "one", hci0="0")) == (None, [])
    with pytest.raises(UserError, match="there is no adapter hci7; there is hci0, hci2, hci10"):
        adapters.choose("hci7", root)


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_an_adapter_is_named_on_linux_alone(monkeypatch, tmp_path, platform):
    monkeypatch.setattr(platforms.sys, "platform", platform)
    assert adapters.choose(None, tmp_path) == (None, [])
    with pytest.raises(UserError, match="the system chooses"):
        adapters.choose("hci0", tmp_path)


def probed(messages, **story):
    """Probe a Fake process that says ``(seconds, message)`` and holds ``links``."""

    async def main():
        loop = asyncio.get_running_loop()
        child = Fake([], ends=False)
        for at_s, message in messages:
            loop.call_later(at_s, child.say, message)
        linked = []

        def write(line):
            _, address = probe.json_lines.decode(line)
            linked.append(address)
            word = "opened" if len(linked) <= story.get("links", 9) else "closed"
            loop.call_later(len(linked), child.say, (word, address))

        child.write = write

        async def start():
            return child

        return await Probe(start).run(), loop.time(), child.killed

    return clock.run(main())


def test_a_probe_measures_start_boards_delay_and_links():
    heard = [(2 + n, ("heard", f"C0:0{n}", FRAME)) for n in range(6)]
    found, took_s, _ = probed(
        [(1, ("deaf", True)), (1.3, ("deaf", False)), *heard, (9, ("delay", 1.5))], links=5
    )
    assert (found.start_ms, len(found.boards), found.delay_s, found.tried, found.held) == (
        300, 6, 1.5, 6, 5,
    )  # fmt: skip
    assert found.link_ms == [1000] * 5 and took_s < 60


def test_a_probe_of_a_radio_that_is_off_ends_soon_and_of_one_that_hangs_at_last():
    off, took_s, _ = probed(
        [(1, ("deaf", True)), (1, ("missing", failure_words.HELP["POWERED_OFF"]))]
    )
    assert off.messages == [failure_words.HELP["POWERED_OFF"]] and off.start_ms is None
    assert took_s < 3
    hung, took_s, killed = probed([])
    assert hung == Measured() and killed and took_s < 60


def test_only_what_is_known_for_sure_is_a_figure():
    assert doctor.figures(WELL) == {
        "pc_start_ms": 240, "pc_advert_delay_ms": 1500, "pc_discover_ms": 1400, "pc_links": 5,
    }  # fmt: skip
    assert doctor.figures(Measured(start_ms=1, tried=3, held=3)) == {"pc_start_ms": 1}
    assert doctor.figures(Measured(start_ms=1, tried=3, held=2))["pc_links"] == 2


def test_figures_go_beside_those_of_bring_up_and_the_simulator_takes_them(tmp_path):
    file = tmp_path / "figures.toml"
    file.write_text(
        'board = "lilygo"\n\n[gc_ms]\nvalue = 41\nbasis = "measured"\nsource = "bring-up of board'
        ' 7"\n'
    )
    for held in (5, 3):
        command.write(file, doctor.figures(WELL) | {"pc_links": held}, platforms.LINUX)
    told = tomllib.loads(file.read_text())
    assert told["pc_links"]["value"] == 3 and told["gc_ms"]["value"] == 41
    assert file.read_text().count("[pc_links]") == 1
    book = prices.load([file])
    assert book.on("lilygo")["gc_ms"] == 41
    mine, theirs = (
        bluetooth_quirks.profile(platforms.LINUX, book),
        bluetooth_quirks.profile(platforms.WINDOWS, book),
    )
    assert (mine.links, mine.filter_s, mine.discover_s[1], mine.start_s) == (3, 0, 1.4, 0.24)
    assert theirs == bluetooth_quirks.profile(platforms.WINDOWS)


@pytest.mark.parametrize(("found", "code"), [(WELL, 0), (Measured(start_ms=1), 0), (Measured(), 1)])
def test_the_exit_code_and_one_json_object(monkeypatch, capsys, tmp_path, found, code):
    monkeypatch.setattr(platforms.sys, "platform", "win32")
    monkeypatch.setattr(doctor, "release", lambda system: "10.0.22631")
    monkeypatch.setattr(command, "_measure", lambda adapter: found)
    assert plusthree("doctor", "--json", "--out", tmp_path / "f.toml") == code
    told = json.loads(capsys.readouterr().out)
    assert told["system"] == "windows" and told["figures"] == doctor.figures(found)
    assert plusthree("doctor") == code
    assert ("this PC is ready" in capsys.readouterr().out) == (code == 0)


def test_a_file_that_cannot_be_written_is_a_sentence(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(command, "_measure", lambda adapter: WELL)
    assert plusthree("doctor", "--out", tmp_path / "no" / "f.toml") == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_version_that_cannot_be_asked_is_none():
    assert doctor.bluez_version("no-such-program") is None


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
    plusthree("board", "provision", "--device", "7", "--table", "1", "--out", here / "s.toml")

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
    assert plusthree("serve", "e.csv", "--no-radio", "--no-web") == 0
    return here


def told_of(folder):
    """Return the package of ``plusthree doctor report`` as {name: bytes}."""
    assert plusthree("doctor", "report") == 0
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
    assert "test_doctor.py:" in log  # where an error came from
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
    assert plusthree("doctor", "report", "--out", "r.zip") == 0
    assert "without the archive's figures" in capsys.readouterr().out
    assert plusthree("doctor", "report", "--out", "no/such/r.zip") == 2
    assert "name another place with --out" in capsys.readouterr().err
