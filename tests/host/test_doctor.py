"""``plusthree doctor``: what it finds, what it says to do, and what it writes."""

import asyncio
import json
import tomllib

import pytest
from fakechild import Fake

from host import cli
from host.base.errors import UserError
from host.cli import doctor as command
from host.collector.carriers import adapters, doctor, failure_words, platforms, probe
from host.collector.carriers.probe import Measured, Probe
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
    assert looked(pc(root))["other devices"][:2] == (doctor.LOOK, "3 of them hold a link")


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
    assert cli.main(["doctor", "--json", "--out", str(tmp_path / "f.toml")]) == code
    told = json.loads(capsys.readouterr().out)
    assert told["system"] == "windows" and told["figures"] == doctor.figures(found)
    assert cli.main(["doctor"]) == code
    assert ("this PC is ready" in capsys.readouterr().out) == (code == 0)


def test_a_file_that_cannot_be_written_is_a_sentence(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(command, "_measure", lambda adapter: WELL)
    assert cli.main(["doctor", "--out", str(tmp_path / "no" / "f.toml")]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_version_that_cannot_be_asked_is_none():
    assert doctor.bluez_version("no-such-program") is None
