"""What README says, against the tree: commands exist, paths exist, the first two commands are the
two.
"""

import re

import pytest
import tree

from host import cli

README = tree.ROOT / "README.md"
PATH = re.compile(
    r"`((?:firmware|host|hw|tests|docs|tools|\.ci)/[\w./*-]*|[\w.-]+\.(?:py|toml|md))`"
)
# made on a board's drive or by a command, so not in the tree
MADE = {"settings.toml", "event.csv"}


@pytest.fixture(scope="module")
def text():
    return README.read_text(encoding="utf-8")


def blocks(text):
    """Return the lines of the code blocks, in order."""
    return [
        line for block in re.findall(r"```\w*\n(.*?)```", text, re.S) for line in block.splitlines()
    ]


def test_the_first_two_commands_are_the_two(text):
    commands = [line.split("#")[0].strip() for line in blocks(text) if line.strip()]
    assert commands[:2] == ["make demo", "make test"]


def test_every_make_target_exists(text):
    makefile = (tree.ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.M))
    assert set(re.findall(r"\bmake ([a-z]+)", "\n".join(blocks(text)))) <= targets


def test_every_subcommand_exists(text):
    known = {name for name, _, _ in cli.COMMANDS}
    told = set(re.findall(r"\bplusthree(?:\.exe)? ([a-z]+)", "\n".join(blocks(text))))
    assert told <= known
    assert known <= set(re.findall(r"`plusthree ([a-z]+)", text)) | told, (
        "README names every subcommand"
    )


def test_every_option_exists(text, capsys):
    for line in blocks(text):
        found = re.search(r"\bplusthree(?:\.exe)? ([a-z]+)(.*)", line)
        if not found:
            continue
        with pytest.raises(SystemExit):
            cli.main([found.group(1), "--help"])
        help_text = capsys.readouterr().out
        for option in re.findall(r"--[a-z]+", found.group(2).split("#")[0]):
            assert option in help_text, line


def test_every_path_exists(text):
    missing = [
        p for p in PATH.findall(text) if p not in MADE and not list(tree.ROOT.glob(p.rstrip("/")))
    ]
    assert not missing


def test_every_picture_exists(text):
    for picture in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", text):
        assert (tree.ROOT / picture).is_file(), picture
