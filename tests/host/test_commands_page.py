"""Every command of docs/commands.md, once for real: an evening from the example to the receipt.

What takes long, or waits for a person, is run by a test of its own, which is named here.
"""

import io
import re
import sys

import pytest
import tree
from commands import plusthree

from host import cli
from host.base import installation

PAGE = (tree.ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
EVERY = {*(name for name, *_ in cli.COMMANDS), *(f"dev {name}" for name, *_ in cli.DEV)}


def named(words):
    """Return the command that a line's words begin with, the longest."""
    parts = words.split()
    fit = [name for name in EVERY if name.split() == parts[: len(name.split())]]
    return max(fit, key=len, default=parts[0])


NAMED = {named(words) for words in re.findall(r"`plusthree ([a-z][a-z ]*)", PAGE)}
TYPED = "".join(f"result {table} A 2 0 on paper\n" for table in range(1, 9))

# words, what is typed, exit code
EVENING = (
    ("board provision --device 7 --table 1 --board feathers3 --out settings.toml", "", 0),
    ("import {example}", "", 0),
    ("paper codes --text --out codes.txt", "", 0),
    ("serve --no-radio --port 0 --name Ada", "publish 1\n" + TYPED + "link judge Bea\nquit\n", 0),
    ("link judge Ada", "", 0),
    ("show status", "", 0),
    ("show tables", "", 0),
    ("show calls", "", 0),
    ("show results", "", 0),
    ("show status --watch --once", "", 0),
    ("show standings --pack pokemon-swiss", "", 1),  # ranks that only the organiser can order
    ("paper all --language it --out paper --no-pdf", "", 0),
    ("pair next.csv --pack pokemon-swiss", "", 0),
    ("export csv --out exports", "", 0),
    ("audit luck", "", 0),
    ("audit", "", 0),
    ("backup stick --passphrase-file pass", "", 0),
    ("restore stick again.db --passphrase-file pass", "", 0),
    ("doctor report", "", 0),
    ("import teams.csv", "", 0),
    ("import squads.csv --check", "", 0),
    ("dev rules --explain p18 elimination bo3", "", 0),
    ("dev rules flow {flow}", "", 0),
    ("dev rules imports", "", 0),
    ("dev screens --check", "", 0),
    ("dev screens shots shots --screen clock --board lilygo", "", 0),
    ("dev screens page page.html --screen clock --board lilygo", "", 0),
)
ELSEWHERE = {  # file, words of it
    "board bringup": ("hw/test_bringup.py", '"bringup"'),
    "demo": ("sim/test_demo.py", '"demo"'),
    "board deploy": ("host/test_deploy.py", '"deploy"'),
    "dev bench": ("sim/test_simulate.py", '"bench"'),
    "dev simulate": ("sim/test_simulate.py", '"simulate"'),
    "dev simulate tether": ("host/test_odd_rows.py", '"tether"'),
    "dev simulate torture": ("sim/test_torture.py", '"torture"'),
    "dev screens words": ("host/test_catalogues.py", '"words"'),
    "doctor": ("host/test_doctor.py", '"doctor"'),
    "board gateway": ("host/test_broker.py", '"gateway"'),
    "demo window": ("sim/test_demo.py", "window"),
}


@pytest.fixture
def folder(tmp_path):
    made = tmp_path
    (made / "stick").mkdir()
    (made / "pass").write_text("correct horse battery staple\n")
    (made / "teams.csv").write_text(
        "number,name,affiliation,city,number_a,name_a,number_b,name_b\n"
        "1,Reds,Gioco Libero,Torino,11,Ada Bianchi,12,Zoë Martin\n",
        encoding="utf-8",
    )
    ships = "1001,{0},Rebel,X-wing,small,Luke,,36\n1001,{0},Rebel,Y-wing,small,Gold,,20\n"
    (made / "squads.csv").write_text(
        "player,squad,faction,ship,size,pilot,upgrades,points\n"
        + "".join(ships.format(squad) for squad in range(1, 5))
    )
    return made


def test_an_evening_by_the_commands_of_the_page(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    files = {
        "example": installation.file("examples/winter-cup.csv"),
        "flow": tree.ROOT / "tests" / "flows" / "call.flow",
    }
    for words, typed, code in EVENING:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        ended = plusthree(*words.format(**files).split())
        shown = capsys.readouterr()
        assert ended == code and "not done" not in shown.out, (words, shown)


@pytest.mark.parametrize("name", sorted(NAMED))
def test_a_command_of_the_page_has_help(name, capsys):
    with pytest.raises(SystemExit) as stopped:
        plusthree(*name.split(), "--help")
    assert stopped.value.code == 0 and f"usage: plusthree {name}" in capsys.readouterr().out


def test_no_command_of_the_page_is_left_out():
    played = {named(words) for words, _, _ in EVENING}
    for name, (file, word) in ELSEWHERE.items():
        assert word in (tree.ROOT / "tests" / file).read_text(encoding="utf-8"), name
    assert played | ELSEWHERE.keys() == NAMED == EVERY and not played & ELSEWHERE.keys()
