"""The next step that a refusal says works when it is typed into the same shell."""

import re
import shlex
import shutil
import subprocess

import pytest
import tree
from commands import plusthree

from host.archive.store import Archive
from host.base import installation

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
STEP = re.compile(r"(?:with|type|run): (\S*plusthree .*?)(?: \(|$)", re.M)


@pytest.fixture
def shell(here, capsys):
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
def test_a_next_step_works_as_it_is_said(shell, words):
    said = shell(*words)
    (step,) = STEP.findall(said)
    typed(step)
    if words[0] == "show":
        typed(shlex.join([str(installation.command()), *words]))


@pytest.mark.parametrize("words, code", [
    (("pair", "r1.csv", "--players", "players.csv"), 2),
    (("pair", "r1.csv", "--players", "players.csv", "--format", P18), 0),
    (("pair", "r1.csv", "--players", "players.csv", "--format", D03), 0),
])  # fmt: skip
def test_an_option_that_lacks_is_named_with_its_value(shell, words, code):
    said = shell(*words)
    (option,) = re.findall(r"(?:add|played): (--.*)", said)
    typed(f"{installation.command()} {shlex.join(words)} {option}", code)


def test_standings_name_the_pack_for_their_system(shell, capsys):
    for system, pack in (("p18", "pokemon-swiss"), ("d03", "dci-2003")):
        text = FILES["no event.csv"].replace("d03", system)
        with open(f"{system}.csv", "w", encoding="utf-8") as file:
            file.write(text)
        assert plusthree("import", f"{system}.csv", f"{system}.db") == 0
        capsys.readouterr()
        said = shell("show", "standings", f"{system}.db")
        assert said.endswith(f"; add: --pack {pack}\n")
        typed(f"{installation.command()} show standings {system}.db --pack {pack}")


def test_a_desk_that_no_phone_opens_shows_no_code_and_says_how_one_does(shell):
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


def test_a_file_of_another_game_is_refused_as_the_page_says(shell, tmp_path):
    (tmp_path / "vg.tdf").write_text('<tournament gametype="VIDEO_GAME"></tournament>')
    said = shell("import", "vg.tdf")
    assert "another game (VIDEO_GAME)" in said and "keep it in TOM" in said
    page = (tree.ROOT / "docs" / "desk.md").read_text(encoding="utf-8")
    assert "another game" in page and "VIDEO_GAME" in page
