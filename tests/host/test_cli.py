"""The command line's own promises: one module a command, one sentence for a mistake."""

import argparse
import importlib

import pytest

from host import cli
from host.base.errors import UserError


@pytest.mark.parametrize("name, module, help_text", cli.COMMANDS + cli.DEV)
def test_a_command_is_a_module_with_two_functions(name, module, help_text):
    loaded = importlib.import_module(module)
    assert callable(loaded.arguments) and callable(loaded.run)
    assert module.endswith(name) and help_text
    parser = argparse.ArgumentParser()
    loaded.arguments(parser)
    assert not [one.dest for one in parser._actions if not one.help], "options without a sentence"


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nothing"],
        ["deploy"],
        ["deploy", "x", "--nothing"],
    ],
)
def test_a_wrong_line_ends_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as stopped:
        cli.main(arguments)
    assert stopped.value.code == 2
    assert "usage: plusthree" in capsys.readouterr().err


def test_help_names_every_command(capsys):
    with pytest.raises(SystemExit) as stopped:
        cli.main(["--help"])
    assert stopped.value.code == 0
    told = capsys.readouterr().out
    assert all(name in told for name, _, _ in cli.COMMANDS)


def test_what_only_developers_run_stands_apart(capsys):
    with pytest.raises(SystemExit) as stopped:
        cli.main(["dev", "--help"])
    assert stopped.value.code == 0
    told = capsys.readouterr().out
    assert all(name in told for name, _, _ in cli.DEV)


@pytest.mark.parametrize("words", (["dev", "rules"], ["rules"]))
def test_a_developers_command_goes_by_its_bare_name_too(words, capsys):
    assert cli.main([*words, "nowhere.json"]) == 2
    assert "nowhere.json: No such file" in capsys.readouterr().err


def command(monkeypatch, act):
    """Make ``plusthree deploy x`` do ``act`` and return its exit code."""
    from host.cli import deploy

    monkeypatch.setattr(deploy, "run", act)
    return cli.main(["deploy", "x"])


def test_a_mistake_is_one_sentence(monkeypatch, capsys):
    def act(args):
        raise UserError("the drive is full")

    assert command(monkeypatch, act) == 2
    assert capsys.readouterr().err == "plusthree deploy: the drive is full\n"


def test_a_bug_shows_itself(monkeypatch):
    def act(args):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        command(monkeypatch, act)


@pytest.mark.parametrize("given, code", [(None, 0), (0, 0), (1, 1)])
def test_the_command_gives_the_exit_code(monkeypatch, given, code):
    assert command(monkeypatch, lambda args: given) == code


@pytest.mark.parametrize(
    "line, said",
    [
        ("codes --first 0", "--first must be from 1 to"),
        ("codes --first -5", "--first must be from 1 to"),
        ("codes --first 9999999999999", "--first must be from 1 to"),
        ("codes --out nodir/x", "there is no folder nodir"),
        ("torture --seeds ²", "--seeds is a number"),
        ("torture --seeds 1-²", "--seeds is a number"),
    ],
)
def test_a_number_or_a_place_that_cannot_be_is_a_mistake(line, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.main(line.split()) == 2
    assert said in capsys.readouterr().err
