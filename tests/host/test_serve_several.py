"""``plusthree serve A.db B.db``: several events from one program, by the command line."""

import contextlib
import os
import signal
import subprocess

import pytest
from commands import plusthree
from started import PATIENCE_S, PLUSTHREE
from unguarded import change

from host.archive import master_key
from host.archive.roster import Board
from host.archive.store import Archive
from host.server import log_file

SERVE = "serve", "cup.db", "league.db", "--no-radio", "--port", "0", "--name", "Ada"


def imported(word, players=("Ann", "Bo")):
    lines = f"1,10,{players[0]},11,{players[1]}\n"
    head = f"# event: {word.title()}\n# format: p18 swiss bo3 constructed 50\n"
    with open(f"{word}.csv", "w") as file:
        file.write(f"{head}table,number_a,name_a,number_b,name_b\n{lines}")
    assert plusthree("import", f"{word}.csv", f"{word}.db") == 0


class Several:
    """A running ``serve`` of both events, whose lines are typed and read here."""

    def __init__(self, *more):
        self.process = subprocess.Popen(
            [PLUSTHREE, *SERVE, *more], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env={**os.environ, "PYTHONUNBUFFERED": "1"}, text=True,
        )  # fmt: skip

    def type(self, line):
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def until(self, words):
        for line in self.process.stdout:
            if words in line:
                return line.rstrip()
        raise AssertionError(self.process.stderr.read())

    def over(self):
        """Wait until it has ended in order; return what it said last."""
        said, errors = self.process.communicate(timeout=PATIENCE_S)
        assert (self.process.returncode, errors) == (0, ""), errors
        return said


@contextlib.contextmanager
def serving(*more):
    made = Several(*more)
    try:
        yield made
    finally:
        made.process.kill()
        made.process.communicate()


def typed(monkeypatch, text):
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_lines_are_for_the_chosen_event_or_for_the_one_they_name(here, capsys, monkeypatch):
    imported("cup")
    imported("league", ("Cy", "Di"))
    capsys.readouterr()
    lines = "publish 1\nleague: publish 1\nshow results\nleague: show results\nevent league\nshow results\n"
    lines += "CUP: show tables\nevent final\nevent\n"
    typed(monkeypatch, f"help event\n{lines}quit\n")
    assert plusthree(*SERVE) == 0
    said = capsys.readouterr().out
    assert "cup: event [WORD]" in said
    assert "write it before the act, as: league: show results" in said
    results = [line for line in said.splitlines() if "(10) – " in line]
    assert [line.partition(":")[0] for line in results] == ["cup", "league", "league", "cup"]
    assert ["Ann" in line for line in results] == [True, False, False, True]
    assert "league: not done: 'final' is no event here; there are: cup, league" in said
    assert "league: league  (what is typed is for this one)" in said


def test_each_events_log_holds_its_own_lines(here, monkeypatch):
    imported("cup")
    imported("league")
    typed(monkeypatch, "publish 1\nleague: show tables\nquit\n")
    assert plusthree(*SERVE) == 0
    cup, league = (log_file.path_of(f"{word}.db").read_text() for word in ("cup", "league"))
    assert "typed: publish" in cup and "typed: show tables" not in cup
    assert "typed: show tables" in league and "typed: publish" not in league
    for text in (cup, league):
        assert text.count("begins: round ") == text.count(" ends\n") == 1


def test_links_lie_below_the_events_words_and_files_in_folders_of_theirs(here, capsys, monkeypatch):
    imported("cup")
    (here / "copies").mkdir()
    (here / "words").write_text("correct horse battery staple\n")
    typed(monkeypatch, "quit\n")
    more = "--backup", "copies", "--passphrase-file", "words"
    assert plusthree(*SERVE, *more) == 0
    said = capsys.readouterr().out
    for word in ("cup", "league"):
        assert f"{word}: link 1, organiser, for Ada: http://127.0.0.1:" in said
        assert f"/{word}/l/" in said
    assert (here / "cup" / "results.csv").exists() and not (here / "results.csv").exists()
    assert list((here / "copies" / "cup").glob("*.backup"))
    assert master_key.load("cup.db.key") == master_key.load("league.db.key"), (
        "boards may be handed on"
    )
    with Archive("cup.db") as one, Archive("league.db") as other:
        assert one.roster.rounds == [1] and other.roster.event is None


def test_a_link_made_without_serve_lies_below_the_word_of_its_address(here, capsys):
    imported("cup")
    with pytest.raises(SystemExit):
        plusthree("link", "--help")
    assert "http://127.0.0.1:8080/cup for cup.db" in " ".join(capsys.readouterr().out.split())
    address = "--address", "http://127.0.0.1:8080/cup"
    assert plusthree("link", "judge", "Ugo", "cup.db", *address) == 0
    assert "judge, for Ugo: http://127.0.0.1:8080/cup/l/" in capsys.readouterr().out


def test_an_archive_in_a_folder_of_its_own_is_called_after_it(here, capsys, monkeypatch):
    (here / "Coppa d’Inverno").mkdir()
    typed(monkeypatch, "quit\n")
    assert plusthree("serve", "Coppa d’Inverno", "league.db", *SERVE[3:]) == 0
    assert "/coppa-dinverno/l/" in capsys.readouterr().out
    assert (here / "Coppa d’Inverno" / "plusthree.db").exists()


REFUSED = (
    (("cup.db", "./cup.db"), "cup.db is named twice"),
    (("cup.db", "more/cup.db"), "would both be called cup: rename one"),
    (("cup.db", "postgresql://u@h/league"), "one on a server is served alone"),
    (("cup.db", "league.db", "cup.csv"), "cup.csv is no archive"),
    (("cup.db", "final"), "there is no archive final"),
    (("cup.db", "nowhere/final.db"), "there is no archive nowhere/final.db"),
    (("cup.db", "static.db"), "has no name that an address can have"),
    (("cup.db", "日本.db"), "has no name that an address can have"),
    (("cup.db", "league.db", "--standby"), "--standby is not for several events"),
    (("cup.db", "league.db", "--no-web"), "--no-web is not for several events"),
    (("cup.db", "league.db", "--virtual", "8"), "--virtual is not for several events"),
    (("cup.db", "league.db", "--backup", "nowhere"), "there is no folder nowhere"),
)


@pytest.mark.parametrize("words, why", REFUSED, ids=[" ".join(words[1:]) for words, _ in REFUSED])
def test_what_cannot_be_served_together_is_refused_in_a_sentence(here, capsys, words, why):
    imported("cup")
    (here / "more").mkdir()
    capsys.readouterr()
    before = sorted(one.name for one in here.iterdir())
    assert plusthree("serve", *words, "--no-radio", "--port", "0") == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and why in said
    assert sorted(one.name for one in here.iterdir()) == before, "nothing is begun"


def test_an_archive_that_another_program_has_is_refused(here, capsys):
    imported("cup")
    imported("league")
    with Archive("league.db"):
        assert plusthree(*SERVE) == 2
    assert "league.db is in use by another plusthree" in capsys.readouterr().err
    with Archive("cup.db") as archive:
        assert archive.roster.rounds == [1]


def test_a_board_in_use_in_both_is_refused(here, capsys, monkeypatch):
    typed(monkeypatch, "quit\n")
    assert plusthree(*SERVE) == 0
    for word in ("cup", "league"):
        with Archive(f"{word}.db") as archive:
            archive.roster.add_board(Board(7, 1, 1), 0)
    capsys.readouterr()
    assert plusthree(*SERVE) == 2
    assert "board 7 is in use in cup and in league" in capsys.readouterr().err


def test_an_archive_that_fails_leaves_the_others(here):
    imported("cup")
    imported("league")
    with serving() as both:
        both.until("league: League")
        change("cup.db", "UPDATE players SET name = X'00' WHERE number = '10'")
        said = both.until("cup: stopped: ")
        assert "the other events go on" in said
        both.type("publish 1")
        both.type("result 1 A 2 0 slip")
        both.type("event cup")
        assert "'cup' is no event here; there are: league" in both.until("not done: 'cup'")
        with Archive("cup.db", odd=True):
            pass  # it is given back at once
        both.type("quit")
        both.over()
    assert '"A"' in (here / "league" / "results.json").read_text()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_the_system_ends_all_in_order(here, how):
    imported("cup")
    imported("league")
    with serving() as both:
        both.until("league: League")
        for word in ("cup", "league"):
            both.type(f"{word}: publish 1")
            both.type(f"{word}: result 1 A 2 0 slip")
        both.type("league: show results")
        both.until("league: table 1")
        both.process.send_signal(how)
        both.process.wait(PATIENCE_S)
        assert "Traceback" not in both.process.stderr.read()
    for word in ("cup", "league"):
        assert "Ann" in (here / word / "results.csv").read_text(), "the last files are written"
        with Archive(f"{word}.db") as archive:
            assert archive.notices.all
