"""The command line's own promises: one module a command, one sentence for a mistake."""

import argparse
import importlib
import re

import pytest

from host import cli
from host.base.errors import UserError


@pytest.mark.parametrize("name, module, help_text", cli.COMMANDS + cli.DEV)
def test_a_command_is_a_module_with_two_functions(name, module, help_text):
    loaded = importlib.import_module(module)
    assert callable(loaded.add_arguments) and callable(loaded.run)
    assert module.endswith(name.split()[-1]) and help_text
    parser = argparse.ArgumentParser()
    loaded.add_arguments(parser)
    assert not [one.dest for one in parser._actions if not one.help], "options without a sentence"


@pytest.mark.parametrize("arguments", [
    [],
    ["nothing"],
    ["board"],
    ["board", "nothing"],
    ["board", "deploy"],
    ["board", "deploy", "x", "--nothing"],
    ["show", "--nothing"],
    ["paper", "nothing"],
    ["export"],
])  # fmt: skip
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
    assert all(word in told for name, _, _ in cli.COMMANDS for word in name.split())
    assert [one for one in cli.FIRST if not re.search(rf"^  {one} ", told, re.M)] == []
    assert [title for title, _ in cli.GROUPS if f"\n{title}:\n" not in told] == []


@pytest.mark.parametrize("word", ["show", "board", "dev", "paper", "audit", "doctor", "demo"])
def test_help_of_a_first_word_names_those_that_follow_it(word, capsys):
    with pytest.raises(SystemExit) as stopped:
        cli.main([word, "--help"])
    assert stopped.value.code == 0
    told = capsys.readouterr().out
    every = [name for name, _, _ in cli.COMMANDS] + [f"dev {name}" for name, _, _ in cli.DEV]
    assert all(name in told for name in every if name.startswith(f"{word} "))


def test_a_mistyped_command_is_answered_with_what_is_like_it(capsys):
    for words, near in ((["serv"], "serve"), (["board", "deplo"], "deploy")):
        with pytest.raises(SystemExit):
            cli.main(words)
        assert f"did you mean {near}?" in capsys.readouterr().err


@pytest.mark.parametrize("words", (
    ("show", "results", "cup.db", "--round", "2"),
    ("show", "results", "--round", "2", "cup.db"),
    ("show", "--round=2", "results", "cup.db"),
))  # fmt: skip
def test_words_and_options_stand_in_any_order(words, capsys, here):
    assert cli.main(list(words)) == 2
    assert "plusthree show results: there is no archive cup.db" in capsys.readouterr().err


def test_show_alone_is_the_status(capsys, here):
    for words in (["show"], ["show", "status"], ["show", "--json"]):
        assert cli.main(words) == 2
        assert "plusthree show status: there is no archive" in capsys.readouterr().err


def command(monkeypatch, act):
    """Make ``plusthree board deploy x`` do ``act`` and return its exit code."""
    from host.cli import deploy

    monkeypatch.setattr(deploy, "run", act)
    return cli.main(["board", "deploy", "x"])


def test_a_mistake_is_one_sentence(monkeypatch, capsys):
    def act(args):
        raise UserError("the drive is full")

    assert command(monkeypatch, act) == 2
    assert capsys.readouterr().err == "plusthree board deploy: the drive is full\n"


def test_a_bug_shows_itself(monkeypatch):
    def act(args):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        command(monkeypatch, act)


@pytest.mark.parametrize("given, code", [(None, 0), (0, 0), (1, 1)])
def test_the_command_gives_the_exit_code(monkeypatch, given, code):
    assert command(monkeypatch, lambda args: given) == code


@pytest.mark.parametrize("line, said", [
    ("paper codes --text --first 0", "--first must be from 1 to"),
    ("paper codes --text --first -5", "--first must be from 1 to"),
    ("paper codes --text --first 9999999999999", "--first must be from 1 to"),
    ("paper codes --text --out nodir/x", "there is no folder nodir"),
    ("dev simulate torture --seeds ²", "--seeds is a number"),
    ("dev simulate torture --seeds 1-²", "--seeds is a number"),
])  # fmt: skip
def test_a_number_or_a_place_that_cannot_be_is_a_mistake(line, said, capsys, here):
    assert cli.main(line.split()) == 2
    assert said in capsys.readouterr().err
