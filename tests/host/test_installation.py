"""What a person is told to type: it starts this program in the shell that it was started from."""

import os
import pathlib
import shlex
import subprocess
import sys

import pytest
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
