"""What somebody planted in the place of a file that we write: nothing is written through it."""

import functools
import io
import logging
import os
import stat
import zipfile

import pytest
from commands import plusthree

from host.base import hold, private_files
from host.base.errors import UserError
from host.base.hold import Hold
from host.cli import doctor
from host.collector.host_clock import KeptTime
from host.reports.paper import letters, pdf
from host.server import log_file

MINE = "this is somebody else's"
HELD = "BEFORE = 1\n"  # a settings.toml, too
# a command, the words before its --out, whether --out is a folder, the files that it writes
COMMANDS = {
    "codes": ("paper codes --text A --out", False, ["codes.txt"]),
    "judges' paper": ("paper codes A --out", True, ["codes-round-1.en.html", "codes-round-1.en.pdf"]),
    "pairings": ("paper pairings A --out", True, ["pairings-round-1.en.html", "pairings-round-1.en.pdf"]),
    "luck as a page": ("audit luck A --html", False, ["luck.html"]),
    "report": ("doctor report A --out", False, ["report.zip"]),
    "provision": ("board provision NEW --device 9 --out", False, ["settings.toml"]),
    "provision a batch": ("board provision NEW --all --count 1 --out", True, ["board-1.toml"]),
    "provision a gateway": ("board provision --gateway --out", False, ["settings.toml"]),
    "export": ("export csv A --out", True, ["results.csv"]),
    "export all": ("export json A --out", True, ["everything.json"]),
}  # fmt: skip
SECRET = {"codes", "judges' paper", "provision", "provision a batch", "provision a gateway"}
LINKS = {
    "a link": lambda path, victim: path.symlink_to(victim),
    "a second name": lambda path, victim: path.hardlink_to(victim),
    "a link to nothing": lambda path, victim: path.symlink_to(victim.with_name("nothing")),
}
NO_FILES = {
    "a pipe": lambda path, victim: os.mkfifo(path),
    "a folder": lambda path, victim: path.mkdir(),
    "a link to a pipe": lambda path, victim: (
        os.mkfifo(victim.with_name("pipe")), path.symlink_to(victim.with_name("pipe"))
    ),
    "a link to a device": lambda path, victim: path.symlink_to(os.devnull),
}  # fmt: skip


@pytest.fixture(scope="module")
def fonts(tmp_path_factory):
    """A function that writes the font of some letters, which it has made once for all commands."""
    folder, write = tmp_path_factory.mktemp("fonts"), letters.write

    @functools.cache
    def made(used, weight):
        return write(used, weight, folder / "font.ttf").read_bytes()

    def written(used, weight, target):
        target.write_bytes(made(used, weight))
        return target

    return written


@pytest.fixture
def archive(path, fonts, monkeypatch):
    monkeypatch.setattr(pdf, "chromium", lambda: None)
    monkeypatch.setattr(letters, "write", fonts)
    return path


@pytest.fixture
def scene(tmp_path):
    """A function that plants something at a name in a new folder: ``(path, victim)``."""
    made = []

    def plant(what, name):
        folder = tmp_path / f"scene-{len(made)}"
        folder.mkdir()
        victim, path = folder / "victim", folder / "out" / name
        path.parent.mkdir()
        victim.write_text(MINE)
        what(path, victim)
        made.append((path, victim))
        return path, victim

    return plant


def written(command, folder, archive):
    """Return the exit code of a command of the table that writes into ``folder``."""
    words, to_folder, names = COMMANDS[command]
    places = {"A": archive, "NEW": folder.parent / "new.db"}
    out = folder if to_folder else folder / names[0]
    return plusthree(*(places.get(word, word) for word in words.split()), out)


def refusal_of(command, folder, archive, capsys):
    """Return the one sentence by which a command of the table is refused."""
    capsys.readouterr()
    assert written(command, folder, archive) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    return told


def mode(path):
    return stat.S_IMODE(path.lstat().st_mode)


def plain(path):
    return stat.S_ISREG(path.lstat().st_mode)


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_writes_through_a_link(command, archive, scene):
    for what in LINKS.values():
        for name in COMMANDS[command][2]:
            path, victim = scene(what, name)
            assert written(command, path.parent, archive) == 0
            assert victim.read_text() == MINE
            assert not victim.with_name("nothing").exists()
            assert plain(path) and not path.samefile(victim) and path.stat().st_size
            assert MINE.encode() not in path.read_bytes()


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_no_file_is_refused_with_a_sentence(command, archive, scene, capsys):
    for what in NO_FILES.values():
        for name in COMMANDS[command][2]:
            path, victim = scene(what, name)
            told = refusal_of(command, path.parent, archive, capsys)
            assert str(path) in told
            assert victim.read_text() == MINE and not plain(path)
            assert path.is_symlink() or not path.is_dir() or not list(path.iterdir())
            assert not list(path.parent.glob(".*.part"))


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_that_takes_nothing_is_a_sentence(command, archive, tmp_path, monkeypatch, capsys):
    written(command, tmp_path / "before", archive)  # what else it needs is there
    folder, opened = tmp_path / "shut", os.open
    folder.mkdir()

    def refused(path, flags, *more, **named):  # root may write anywhere
        if str(path).startswith(str(folder)) and flags & os.O_CREAT:
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, flags, *more, **named)

    monkeypatch.setattr(os, "open", refused)
    told = refusal_of(command, folder, archive, capsys)
    assert "cannot be written" in told and str(folder) in told
    assert not list(folder.iterdir())


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_is_held_is_a_sentence_and_stays(
    command, archive, tmp_path, monkeypatch, capsys
):
    def held(part, path):  # as Windows says it
        raise PermissionError(13, "Permission denied", str(part), None, str(path))

    written(command, tmp_path / "before", archive)  # what else it needs is there
    folder, name = tmp_path / "out", COMMANDS[command][2][0]
    folder.mkdir()
    (folder / name).write_text(HELD)
    monkeypatch.setattr(private_files.os, "replace", held)
    told = refusal_of(command, folder, archive, capsys)
    assert "cannot be written" in told and str(folder) in told
    assert [path.read_text() for path in folder.iterdir()] == [HELD]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_in_the_folders_place_is_a_sentence(command, archive, tmp_path, capsys):
    (tmp_path / "out").write_text(MINE)
    told = refusal_of(command, tmp_path / "out", archive, capsys)
    assert "cannot be written" in told or "no folder" in told
    assert (tmp_path / "out").read_text() == MINE


@pytest.mark.parametrize("command", COMMANDS)
def test_a_secret_is_its_owners_and_other_files_are_everybodys(command, archive, tmp_path, umask):
    (tmp_path / "out").mkdir()
    umask(0o022)
    assert written(command, tmp_path / "out", archive) == 0
    for name in COMMANDS[command][2]:
        assert mode(tmp_path / "out" / name) == (0o600 if command in SECRET else 0o644)


def browser_that(folder, does):
    """Return the path of a program that a page is printed with: the shell lines ``does``."""
    path = folder / "browser"
    path.write_text(
        '#!/bin/sh\nfor one; do case "$one" in --print-to-pdf=*) out="${one#*=}";; esac; done\n'
        f'printf "%%PDF-1.4" > "$out"\n{does}\n'
    )
    path.chmod(0o755)
    return path


def test_judges_codes_are_never_readable_while_a_browser_prints_them(
    archive, tmp_path, monkeypatch, umask
):
    out = tmp_path / "out"
    seen = f'stat -c %a "$(dirname "$out")" {out}/*.html > {tmp_path}/seen'
    browser = browser_that(tmp_path, seen)
    monkeypatch.setattr(pdf, "chromium", lambda: str(browser))
    umask(0o022)
    assert plusthree("paper", "codes", archive, "--out", out) == 0
    assert (tmp_path / "seen").read_text().split() == ["700", "600"]
    assert sorted(path.name for path in out.iterdir()) == COMMANDS["judges' paper"][2]
    assert mode(out / "codes-round-1.en.pdf") == 0o600


@pytest.mark.parametrize("command", ["paper", "luck"])
def test_a_browser_prints_through_no_link_either(
    command, archive, scene, monkeypatch, chromium_on_path
):
    monkeypatch.setattr(pdf, "chromium", lambda: chromium_on_path)
    path, victim = scene(LINKS["a link"], "codes-round-1.en.pdf")
    words = {
        "paper": ("paper", "codes", archive, "--out", path.parent),
        "luck": ("audit", "luck", archive, "--pdf", path),
    }
    assert plusthree(*words[command]) == 0
    assert victim.read_text() == MINE and plain(path)
    assert path.read_bytes().startswith(b"%PDF")


def test_a_browser_that_fails_leaves_nothing(archive, tmp_path, monkeypatch, capsys):
    browser = browser_that(tmp_path, "exit 3")
    monkeypatch.setattr(pdf, "chromium", lambda: str(browser))
    out = tmp_path / "out"
    assert plusthree("paper", "codes", archive, "--out", out) == 2
    assert "exit 3" in capsys.readouterr().err
    assert [path.name for path in out.iterdir()] == ["codes-round-1.en.html"]


def logged(path):
    with log_file.logging_to_file(path.with_name("a.db")):
        logging.getLogger("host.x").info("a line")


def noted(path, monkeypatch):
    monkeypatch.setattr(hold, "FOLDER", path.parent)
    held = Hold.of_pc("radio")
    assert held.take() is None
    held.release()


BESIDE = {  # what commands write of themselves, and their name of it
    "log": ("a.db.log", lambda path, patch: logged(path)),
    "time": ("a.db.time", lambda path, patch: KeptTime(path.with_name("a.db")).write(1, 2)),
    "hold": ("plusthree-radio.lock.by", noted),
    "figures": ("prices.toml", lambda path, patch: doctor.write(path, {"pc_links": 4}, "linux")),
}


@pytest.mark.parametrize("what", LINKS)
@pytest.mark.parametrize("kind", BESIDE)
def test_what_lies_beside_an_archive_goes_through_no_link(kind, what, scene, monkeypatch):
    name, write = BESIDE[kind]
    path, victim = scene(LINKS[what], name)
    write(path, monkeypatch)
    assert victim.read_text() == MINE and not victim.with_name("nothing").exists()
    assert not os.path.lexists(path) or (plain(path) and MINE not in path.read_text())


@pytest.mark.parametrize("what", NO_FILES)
@pytest.mark.parametrize("kind", ["time", "hold"])
def test_what_is_no_file_in_their_place_holds_nobody_up(kind, what, scene, monkeypatch):
    name, write = BESIDE[kind]
    path, victim = scene(NO_FILES[what], name)
    write(path, monkeypatch)
    assert victim.read_text() == MINE and (not os.path.lexists(path) or not plain(path))


@pytest.mark.parametrize("what", NO_FILES)
def test_what_is_no_file_in_the_logs_place_ends_serve_with_a_sentence(
    what, archive, scene, capsys, monkeypatch
):
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    path, victim = scene(NO_FILES[what], f"{archive.name}.log")
    archive.rename(path.with_suffix(""))
    words = ("serve", "--no-radio", "--no-web", path.with_suffix(""))
    assert plusthree(*words) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and f"{path} is no file: take it away" in told
    assert victim.read_text() == MINE and not plain(path)


def test_a_pipe_with_a_reader_is_given_no_log(scene):
    path, _ = scene(NO_FILES["a pipe"], "a.db.log")
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as reader:
        with pytest.raises(OSError, match="in its place"):
            private_files.log_at(path)
        with pytest.raises(UserError, match="is no file"):
            logged(path)
        assert not reader.read(100)


def test_a_pipe_that_was_put_there_a_moment_ago_is_given_no_log(scene, monkeypatch):
    path, _ = scene(NO_FILES["a pipe"], "a.db.log")
    monkeypatch.setattr(private_files, "is_one_file", lambda path: True)  # as it was before
    with pytest.raises(OSError, match="No such device"):  # nobody reads it
        private_files.log_at(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with open(reader, "rb"), pytest.raises(OSError, match="in its place"):
        private_files.log_at(path)


def test_a_log_goes_on_where_it_ended_and_is_its_owners(tmp_path):
    path = tmp_path / "a.db.log"
    for _ in range(2):
        logged(path)
    assert path.read_text().count("a line") == 2 and mode(path) == 0o600


def test_a_log_that_is_a_link_is_not_packed(scene, monkeypatch, capsys):
    for what in LINKS.values():
        path, victim = scene(what, "plusthree.db.log")
        monkeypatch.chdir(path.parent)
        assert plusthree("doctor", "report") == 0
        with zipfile.ZipFile("plusthree-report.zip") as package:
            assert path.name not in package.namelist()


def test_what_a_link_leads_to_is_not_copied_into_settings(scene):
    path, victim = scene(LINKS["a link"], "settings.toml")
    victim.write_text('PASSWORD = "theirs"\n')
    assert plusthree("board", "provision", "--gateway", "--out", path) == 0
    assert "theirs" not in path.read_text() and "theirs" in victim.read_text()


def test_a_folder_that_is_a_link_is_followed(tmp_path):
    """Who may lay a link there may lay a folder of his own: what is secret is so inside it, too."""
    (tmp_path / "theirs").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "theirs")
    assert (
        plusthree("board", "provision", "--gateway", "--out", tmp_path / "out" / "settings.toml")
        == 0
    )
    assert mode(tmp_path / "theirs" / "settings.toml") == 0o600
