"""The command line's own promises: one module a command, one sentence for a mistake, old words kept."""

import argparse
import importlib
import re
import tomllib

import pytest
from commands import plusthree

from host import cli
from host.base import installation
from host.base.errors import UserError
from host.cli import renamed


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
        plusthree(*arguments)
    assert stopped.value.code == 2
    assert "usage: plusthree" in capsys.readouterr().err


def test_help_names_every_command(capsys):
    with pytest.raises(SystemExit) as stopped:
        plusthree("--help")
    assert stopped.value.code == 0
    told = capsys.readouterr().out
    assert all(word in told for name, _, _ in cli.COMMANDS for word in name.split())
    assert [one for one in cli.FIRST if not re.search(rf"^  {one} ", told, re.M)] == []
    assert [title for title, _ in cli.GROUPS if f"\n{title}:\n" not in told] == []


def test_it_says_its_version(root, capsys):
    with pytest.raises(SystemExit) as stopped:
        plusthree("--version")
    version = tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"]
    assert (stopped.value.code, capsys.readouterr().out) == (0, f"plusthree {version}\n")


@pytest.mark.parametrize("word", ["show", "board", "dev", "paper", "audit", "doctor", "demo"])
def test_help_of_a_first_word_names_those_that_follow_it(word, capsys):
    with pytest.raises(SystemExit) as stopped:
        plusthree(word, "--help")
    assert stopped.value.code == 0
    told = capsys.readouterr().out
    every = [name for name, _, _ in cli.COMMANDS] + [f"dev {name}" for name, _, _ in cli.DEV]
    assert all(name in told for name in every if name.startswith(f"{word} "))


def test_a_mistyped_command_is_answered_with_what_is_like_it(capsys):
    for words, near in ((["serv"], "serve"), (["board", "deplo"], "deploy")):
        with pytest.raises(SystemExit):
            plusthree(*words)
        assert f"did you mean {near}?" in capsys.readouterr().err


@pytest.mark.parametrize("words", (
    ("show", "results", "cup.db", "--round", "2"),
    ("show", "results", "--round", "2", "cup.db"),
    ("show", "--round=2", "results", "cup.db"),
))  # fmt: skip
def test_words_and_options_stand_in_any_order(words, capsys, here):
    assert plusthree(*words) == 2
    assert "plusthree show results: there is no archive cup.db" in capsys.readouterr().err


def test_show_alone_is_the_status(capsys, here):
    for words in (["show"], ["show", "status"], ["show", "--json"]):
        assert plusthree(*words) == 2
        assert "plusthree show status: there is no archive" in capsys.readouterr().err


def command(monkeypatch, act):
    """Make ``plusthree board deploy x`` do ``act`` and return its exit code."""
    from host.cli import deploy

    monkeypatch.setattr(deploy, "run", act)
    return plusthree("board", "deploy", "x")


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
    assert plusthree(*line.split()) == 2
    assert said in capsys.readouterr().err


OLD_AND_NEW = (  # a line in old words, and in today's
    ("status", "show status"),
    ("tables --json --archive a.db", "show tables --json a.db"),
    ("calls --all", "show calls --all"),
    ("results --round 2 --archive=a.db", "show results --round 2 a.db"),
    ("standings --archive a.db --pack p", "show standings --pack p a.db"),
    ("top --once --archive a.db", "show --watch --once a.db"),
    ("codes --table 3 --out c.txt", "paper codes --text --table 3 --out c.txt"),
    ("luck a.db b.db --pdf l.pdf", "audit luck a.db b.db --pdf l.pdf"),
    ("teams t.csv --archive a.db", "import t.csv a.db"),
    ("squads s.csv", "import s.csv --check"),
    ("squads s.csv t.csv --archive a.db", "import s.csv t.csv a.db"),
    ("report --out r.zip --archive a.db", "doctor report --out r.zip a.db"),
    ("window --lang it", "demo window --language it"),
    ("demo window --lang=it", "demo window --language=it"),
    ("dev shots out --lang it", "dev screens shots out --language it"),
    ("provision --archive a.db --device 7", "board provision --device 7 a.db"),
    ("deploy PATH --tests", "board deploy PATH --tests"),
    ("bringup --archive a.db COM5", "board bringup COM5 a.db"),
    ("bringup --virtual --archive a.db", "board bringup --virtual"),
    ("gateway --broker mqtt://h/c", "board gateway --broker mqtt://h/c"),
    ("link --role judge --name Ada --archive a.db", "link judge Ada a.db"),
    ("link --name=Ada --role=judge", "link judge Ada"),
    ("link --revoke 3 --archive a.db", "link revoke 3 a.db"),
    ("link --archive a.db", "link list a.db"),
    ("link --ro judge --na=Ada --ar a.db", "link judge Ada a.db"),
    ("export --archive a.db --format csv --out x", "export csv --out x a.db"),
    ("import e.csv --archive a.db", "import e.csv a.db"),
    ("pair n.csv --archive a.db --seed 1", "pair n.csv --seed 1 a.db"),
    ("paper all --archive a.db", "paper all a.db"),
    ("paper --out o --no-pdf codes --archive a.db", "paper codes --out o --no-pdf a.db"),
    ("paper codes --round 2 --pack p", "paper codes --round 2"),
    ("backup DIR --archive a.db", "backup DIR a.db"),
    ("restore DIR --archive a.db --copy 2", "restore DIR --copy 2 a.db"),
    ("serve e.csv --archive a.db --lan", "serve e.csv --lan a.db"),
    ("rules x.json", "dev rules x.json"),
    ("simulate --tables 4", "dev simulate --tables 4"),
    ("torture --seeds 1", "dev simulate torture --seeds 1"),
    ("dev torture --seeds 1", "dev simulate torture --seeds 1"),
    ("screens --check", "dev screens --check"),
    ("bench --only ingest", "dev bench --only ingest"),
    ("shots out", "dev screens shots out"),
    ("dev shots out", "dev screens shots out"),
    ("flow f.flow", "dev rules flow f.flow"),
    ("dev flow f.flow", "dev rules flow f.flow"),
    ("tether a.db", "dev simulate tether a.db"),
    ("dev tether a.db", "dev simulate tether a.db"),
    ("imports", "dev rules imports"),
    ("dev imports", "dev rules imports"),
    ("words --check", "dev screens words --check"),
    ("dev words --check", "dev screens words --check"),
)
TODAYS = (  # lines without an old word
    "show status", "serve a.db b.db", "link judge Ada", "link", "export csv", "audit a.db",
    "dev rules --archive x", "dev", "dev screens words --check", "--help", "",
    "paper --out codes slips", "paper pairings codes",
)  # fmt: skip


@pytest.mark.parametrize(("old", "new"), OLD_AND_NEW)
def test_an_old_line_is_this_new_one(old, new):
    assert renamed.in_new_words(old.split()) == new.split()


@pytest.mark.parametrize("line", TODAYS)
def test_a_line_of_today_stays_as_it_is(line):
    assert renamed.in_new_words(line.split()) == line.split()


def test_every_old_name_has_its_line_here():
    old = {line.split()[0] for line, _ in OLD_AND_NEW}
    assert old >= renamed.COMMANDS.keys() | renamed.DEV.keys()


@pytest.mark.parametrize(("old", "new"), OLD_AND_NEW)
def test_what_a_name_became_is_a_command_with_these_options(old, new, capsys):
    with pytest.raises(SystemExit) as ended:
        plusthree(*new.split(), "--help")
    told = capsys.readouterr().out
    assert ended.value.code == 0
    assert all(word.partition("=")[0] in told for word in new.split() if word.startswith("--"))


def test_the_new_line_is_said_on_stderr_and_the_output_is_the_same(tmp_path, capsys):
    archive = tmp_path / "a.db"
    assert plusthree("import", "examples/winter-cup.csv", archive) == 0
    capsys.readouterr()
    assert plusthree("show", "results", "--json", archive) == 0
    today = capsys.readouterr()
    assert today.err == ""
    assert plusthree("results", "--json", "--archive", archive) == 0
    old = capsys.readouterr()
    assert old.out == today.out
    line = f"{installation.command()} show results --json {installation.quote(archive)}"
    assert old.err.endswith(f"use: {line}\n") and old.err.count("\n") == 1


def test_a_password_in_an_address_is_not_said():
    assert "secret" not in renamed.notice(["show", "status", "postgresql://ann:secret@db/cup"])


def test_links_are_made_listed_and_revoked_in_old_words(tmp_path, capsys):
    archive = tmp_path / "a.db"
    assert plusthree("import", "examples/winter-cup.csv", archive) == 0
    assert plusthree("link", "--role", "judge", "--name", "Ada Bo", "--archive", archive) == 0
    assert "link 1, judge, for Ada Bo" in capsys.readouterr().out
    assert plusthree("link", "--revoke", 1, "--archive", archive) == 0
    assert plusthree("link", "--archive", archive) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "link 1  judge  Ada Bo  revoked"


def test_a_link_is_not_made_where_another_was_to_be_revoked_in_the_same_line(tmp_path, capsys):
    archive = tmp_path / "a.db"
    assert plusthree("import", "examples/winter-cup.csv", archive) == 0
    both = ("link", "--role", "judge", "--name", "Ada", "--revoke", 1, "--archive", archive)
    with pytest.raises(SystemExit) as ended:
        plusthree(*both)
    assert ended.value.code == 2
    capsys.readouterr()
    assert plusthree("link", "list", archive) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "words", (["judge"], ["rule", "Ada"], ["revoke", "Ada"], ["revoke"], ["judge", "A", "b", "c"])
)
def test_a_link_that_is_asked_for_in_other_words_is_told_how(words, here, capsys):
    assert plusthree("link", *words) == 2
    assert "say: link ROLE NAME, link list, or link revoke NUMBER" in capsys.readouterr().err


def test_a_name_without_quotation_marks_is_told_about_them(here, capsys):
    assert plusthree("link", "judge", "Ada", "Bo") == 2
    assert 'a name of several words: "Ada Bo"' in capsys.readouterr().err
