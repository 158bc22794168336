"""README, and the pages on which it sends its readers, against the tree."""

import pathlib
import re
import subprocess
import sys

import pytest
import tree

README = tree.ROOT / "README.md"
CONTRIBUTING = tree.ROOT / "CONTRIBUTING.md"
DESK = tree.ROOT / "docs" / "desk.md"


@pytest.fixture(scope="module")
def text():
    return README.read_text(encoding="utf-8")


def blocks(text):
    return [
        line for block in re.findall(r"```\w*\n(.*?)```", text, re.S) for line in block.splitlines()
    ]


def test_the_first_two_commands_are_the_two(text):
    commands = [line.split("#")[0].strip() for line in blocks(text) if line.strip()]
    assert commands[:2] == ["make demo", "make test"]


def test_the_program_is_found_once_the_environment_is_active(text):
    lines = blocks(text)
    at = next(i for i, line in enumerate(lines) if line.startswith("source .venv/bin/activate"))
    activate = lines[at].split("#")[0].split()[1]
    here = pathlib.Path(sys.executable).with_name(pathlib.Path(activate).name)
    typed = f"{lines[at].replace(activate, str(here))}\n{lines[at + 1]}"
    done = subprocess.run(
        ["bash", "-c", typed], env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert done.stdout.startswith("usage: plusthree")


def test_the_lines_for_windows_are_the_steps_of_make():
    """They cannot be run here: what they name is there, and pip is asked for what make asks for."""
    text = CONTRIBUTING.read_text(encoding="utf-8")
    lines = [line for line in blocks(text) if ".venv\\" in line or line.startswith(("py ", "npm "))]
    steps = (tree.ROOT / "Makefile").read_text(encoding="utf-8")
    asked = [line.split(" -m pip install ")[1] for line in lines if " -m pip install " in line]
    long = {"-r": "--requirement", "-e": "--editable"}
    assert len(asked) == 2
    for words in asked:
        spelled = [long.get(word, word).replace("\\", "/") for word in words.split()]
        assert f"$(PIP) {' '.join(spelled)}\n" in steps
    for script in re.findall(r"\.venv\\Scripts\\(\w+)", "\n".join(lines)):
        assert pathlib.Path(sys.executable).with_name(script).is_file(), script
    assert "py -m venv .venv" in lines and "-m venv .venv" in steps
    assert "npm ci" in lines and "$(NPM) ci" in steps


def test_the_virtual_venue_does_what_is_typed():
    text = DESK.read_text(encoding="utf-8")
    (line,) = [line for line in blocks(text) if "--virtual" in line]
    command, _, said = line.partition("#")
    typed = [act.strip() for act in said.partition("type:")[2].split(",")]
    assert typed == ["open", "advance 600", "call 3", "swap 3 17"]
    acts = "".join(f"{act}\nshow tables\n" for act in [*typed, "advance 30"])
    words = command.replace("plusthree", str(pathlib.Path(sys.executable).with_name("plusthree")))
    done = subprocess.run(
        words.split(), input=f"{acts}boards\nquit\n", capture_output=True, text=True, check=True
    )
    assert "not done" not in done.stdout
    shown = re.findall(r"^  3  .*", done.stdout, re.M)
    opened, advanced, called, _, swapped = shown
    assert "  seated  5" in opened and "  playing  4" in advanced, shown
    assert "judge called" not in advanced and "judge called" in called, shown
    assert "  frozen  4" in swapped, shown  # until a judge lets the new board's clock run
    assert "board 17  table 3" in done.stdout and "board 3 " not in done.stdout
