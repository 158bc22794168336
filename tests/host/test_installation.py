"""What a person is told to type starts this program, and a refusal's next step works, in the same shell."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import pytest
import tree
from commands import plusthree

from host import cli
from host.archive.store import Archive
from host.base import installation

SCRIPT = pathlib.Path(sys.executable).with_name("plusthree")


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """A function: what is said in a folder where ``plusthree`` was started as ``typed``."""

    def start(typed, path=""):
        there = tmp_path / "a folder" / "bin"
        there.mkdir(parents=True, exist_ok=True)
        for name in ("plusthree", "plusthree.exe"):
            (there / name).write_text("#!/bin/sh\necho started $*\n")
            (there / name).chmod(0o755)
        monkeypatch.chdir(tmp_path / "a folder")
        folders = [path.format(there=there)] if path else []
        monkeypatch.setenv("PATH", os.pathsep.join([*folders, "/usr/bin", "/bin"]))
        monkeypatch.setattr(sys, "argv", [typed.format(there=there), "demo"])
        return installation.command()

    return start


@pytest.mark.parametrize("typed, path, said", [
    ("{there}/plusthree", "{there}", "plusthree"),  # the shell found it
    ("{there}/plusthree", "", "bin/plusthree"),
    ("bin/plusthree", "", "bin/plusthree"),
    ("bin/plusthree.exe", "", "bin/plusthree.exe"),  # as Windows starts it
    ("{there}/plusthree", "/nowhere", "bin/plusthree"),
])  # fmt: skip
def test_the_command_starts_the_program_that_said_it(shell, typed, path, said):
    assert shell(typed, path) == said
    done = subprocess.run(f"{said} --help", shell=True, capture_output=True, text=True, check=True)
    assert done.stdout == "started --help\n"


def test_another_program_of_that_name_on_the_path_is_not_meant(shell, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "plusthree").write_text("#!/bin/sh\nexit 9\n")
    (other / "plusthree").chmod(0o755)
    assert shell("bin/plusthree", str(other)) == "bin/plusthree"


def test_from_another_folder_the_whole_path_is_said(shell, tmp_path, monkeypatch):
    shell("{there}/plusthree")
    monkeypatch.chdir(tmp_path / "a folder" / "bin")
    assert installation.command() == "./plusthree"
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    (word,) = shlex.split(installation.command())
    assert word == str(tmp_path / "a folder" / "bin" / "plusthree")


def test_a_refusal_names_its_command_as_it_is_typed(here, monkeypatch, capsys):
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    Archive("plusthree.db").close()
    assert plusthree("show", "status") == 2
    said = capsys.readouterr().err
    assert f"{installation.quote(SCRIPT)} import " in said
    assert cli.as_typed("no plusthree writes; end with: plusthree audit") == (
        f"no plusthree writes; end with: {installation.quote(SCRIPT)} audit"
    )


EXAMPLE = str(installation.file("examples/winter-cup.csv"))
P18, D03 = "p18 swiss bo3 constructed 50", "d03 swiss bo1 constructed 30"
PEOPLE = "number,name\n1,Ada Bo\n2,Cy Du\n3,Eli Fox\n"
CRYODEX = '{"tournaments": [], "players": []}'
FILES = {
    "players.csv": PEOPLE,
    "spielerliste mit büchern.csv": "sep=;\nNumber;Name;City\n1;Ada Bo;Ulm\n2;Cy Du;Bonn\n",
    "list.tsv": PEOPLE.replace(",", "\t"),
    "no event.csv": "# format: d03 50\nnumber_a,name_a,number_b,name_b,table\n1,Ada Bo,2,Cy Du,1\n",
}
STEP = re.compile(r"(?:with|type|run|with --lan): (\S*plusthree .*?)(?: \(|$)", re.M)


@pytest.fixture
def steps_shell(here, capsys):
    """A function: the refusal of a command in a folder with ``FILES`` and an empty archive."""
    for name, text in FILES.items():
        (here / name).write_text(text, encoding="utf-8")
    shutil.copy(tree.ROOT / "tests/host/formats/tdf/swiss.tdf", "cup.tdf")
    (here / "cup.json").write_text(CRYODEX)
    Archive("empty.db").close()

    def refused(*words):
        assert plusthree(*words) == 2, capsys.readouterr()
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        return said

    return refused


def typed(line, code=0):
    """Type a line into the shell; it must end with ``code``. Return what was printed."""
    done = subprocess.run(
        line, shell=True, input="quit\n", capture_output=True, text=True, check=False
    )
    assert done.returncode == code, (line, done.stdout, done.stderr)
    return done.stdout


@pytest.mark.parametrize("words", [
    ("serve", "--no-radio", "--no-web"),
    ("serve", "--no-radio", "--no-web", "new one.db"),
    ("serve", "--no-radio", "--no-web", "empty.db"),
    ("show", "status"),
    ("show", "tables", "other.db"),
    ("paper", "all", "empty.db"),
    ("link", "judge", "Ada"),
    ("serve", "--no-radio", "players.csv"),
    ("serve", "--no-radio", "cup.tdf"),
    ("import", "players.csv"),
    ("import", "spielerliste mit büchern.csv"),
    ("serve", "--no-radio", "list.tsv"),
    ("pair", "r1.csv", "--players", EXAMPLE, "--format", P18),
    ("pair", "r1.csv", "--players", "no event.csv", "--format", D03),
], ids=" ".join)  # fmt: skip
def test_a_next_step_works_as_it_is_said(steps_shell, words):
    said = steps_shell(*words)
    (step,) = STEP.findall(said)
    typed(step)
    if words[0] == "show":
        typed(shlex.join([str(installation.command()), *words]))


@pytest.mark.parametrize("words, code", [
    (("pair", "r1.csv", "--players", "players.csv"), 2),
    (("pair", "r1.csv", "--players", "players.csv", "--format", P18), 0),
    (("pair", "r1.csv", "--players", "players.csv", "--format", D03), 0),
])  # fmt: skip
def test_an_option_that_lacks_is_named_with_its_value(steps_shell, words, code):
    said = steps_shell(*words)
    (option,) = re.findall(r"(?:add|played): (--.*)", said)
    typed(f"{installation.command()} {shlex.join(words)} {option}", code)


def test_standings_name_the_pack_for_their_system(steps_shell, capsys):
    for system, pack in (("p18", "pokemon-swiss"), ("d03", "dci-2003")):
        text = FILES["no event.csv"].replace("d03", system)
        with open(f"{system}.csv", "w", encoding="utf-8") as file:
            file.write(text)
        assert plusthree("import", f"{system}.csv", f"{system}.db") == 0
        capsys.readouterr()
        said = steps_shell("show", "standings", f"{system}.db")
        assert said.endswith(f"; add: --pack {pack}\n")
        typed(f"{installation.command()} show standings {system}.db --pack {pack}")


def test_a_desk_that_no_phone_opens_shows_no_code_and_says_how_one_does(steps_shell):
    line = f"{installation.command()} serve {installation.quote(EXAMPLE)} --no-radio --port 0"
    said = typed(line)
    assert "█" not in said and "http://127.0.0.1:" in said
    (step,) = STEP.findall(said)
    shown = typed(step)
    assert "https://" in shown and "127.0.0.1" not in shown.split("web desk:")[1].split()[0]
    link = typed(f"{installation.command()} link --role judge --name Ada")
    assert "█" not in link and "--lan" in link
    for address in ("https://192.168.1.7:8080", "https://desk.local:8080"):
        there = f"link --role judge --name Bo --address {address}"
        assert "█" in typed(f"{installation.command()} {there}")


def test_a_file_of_another_game_is_refused_as_the_page_says(steps_shell, tmp_path):
    (tmp_path / "vg.tdf").write_text('<tournament gametype="VIDEO_GAME"></tournament>')
    said = steps_shell("import", "vg.tdf")
    assert "another game (VIDEO_GAME)" in said and "keep it in TOM" in said
    page = (tree.ROOT / "docs" / "desk.md").read_text(encoding="utf-8")
    assert "another game" in page and "VIDEO_GAME" in page
