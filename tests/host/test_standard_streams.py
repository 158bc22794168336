"""Commands whose output cannot show a letter, is closed, full or not read; and input that is none.

Each is a process of its own, as its streams are what is asked about.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys

import pytest
import tree

from host import cli
from host.archive.access_links import AccessLinks
from host.archive.store import Archive
from host.event.fold import Hall

PLUSTHREE = str(pathlib.Path(sys.executable).with_name("plusthree"))
EVENT = (
    "# event: Coppa d’Inverno\n# format: p18 swiss bo3 constructed 50\n"
    "table,number_a,name_a,number_b,name_b\n1,10,Łucja Żółć,11,田中 さくら\n2,12,Zoë,13,יעל\n"
)
PACK = str(tree.ROOT / "host" / "tournament" / "rulepacks" / "pokemon-swiss.toml")
SERVE = "serve", "--no-radio", "--no-web"
PATIENCE_S = 60
FULL = pathlib.Path("/dev/full")


@pytest.fixture(scope="module")
def event(tmp_path_factory):
    folder = tmp_path_factory.mktemp("event")
    (folder / "e.csv").write_text(EVENT, "utf-8")
    at = os.getcwd()
    os.chdir(folder)
    try:
        assert cli.main(["import", "e.csv"]) == 0
    finally:
        os.chdir(at)
    return folder


def ran(folder, *words, encoding=None, typed=b"", shell="", **streams):
    """Return a finished ``plusthree WORDS``; ``shell`` is what its line in a shell ends with."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    coded = {"PYTHONIOENCODING": encoding} if encoding else {}
    line = ["sh", "-c", f'"$0" "$@" {shell}', PLUSTHREE, *words] if shell else [PLUSTHREE, *words]
    given = {} if "stdin" in streams else {"input": typed}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **given, **streams}
    done = subprocess.run(
        line, cwd=folder, env=plain | coded, timeout=PATIENCE_S, check=False, **pipes
    )
    assert b"Traceback" not in (done.stderr or b"") + (done.stdout or b""), done.stderr
    assert b"Exception ignored" not in (done.stderr or b""), done.stderr
    return done


@pytest.mark.parametrize("encoding", ("cp1252", "ascii", "latin-1", "cp437", "ascii:strict"))
def test_a_letter_that_cannot_be_shown_is_a_question_mark(event, encoding):
    shown = EVENT.split("\n")[3].split(",")[2].encode(encoding.partition(":")[0], "replace")
    for words in (("results",), ("tables",), ("standings", "--pack", PACK), ("top", "--once")):
        done = ran(event, *words, encoding=encoding)
        assert shown in done.stdout, (words, done)


@pytest.mark.parametrize("encoding", ("cp1252", "ascii"))
@pytest.mark.parametrize("words", (("results",), ("tables",), ("standings", "--pack", PACK)))
def test_json_loses_no_letter(event, encoding, words):
    told = [ran(event, *words, "--json", encoding=one).stdout for one in (encoding, "utf-8")]
    assert json.loads(told[0]) == json.loads(told[1])
    assert "Łucja Żółć" in str(json.loads(told[0]))


@pytest.mark.parametrize("encoding", ("cp1252", "ascii"))
def test_a_link_that_was_made_is_told(event, encoding):
    done = ran(event, "link", "--role", "judge", "--name", "Łucja", encoding=encoding)
    told = done.stdout.decode(encoding)
    assert done.returncode == 0 and "judge, for ?ucja: http" in told
    assert "???" not in told  # a QR code of question marks opens nothing
    shown = ran(event, "link", "--role", "judge", "--name", "Łucja", encoding="utf-8").stdout
    assert "█" in shown.decode() and "Łucja" in shown.decode()
    assert ran(event, "link", encoding=encoding).returncode == 0


def test_a_refusal_is_told_in_any_encoding(event):
    done = ran(event, "import", "Łucja.csv", encoding="ascii:strict")
    assert done.returncode == 2 and b"?ucja.csv: cannot be read" in done.stderr


def test_a_name_of_a_file_that_is_no_text_is_told(event):
    done = ran(event, "import", b"\xff.csv")
    assert done.returncode == 2 and b"?.csv: cannot be read" in done.stderr


@pytest.mark.parametrize("shell", (">&-", "2>&-", ">&- 2>&- <&-", "<&-"))
def test_a_closed_stream_is_an_empty_one(event, shell):
    for words in (("results",), ("link",), ("link", "--role", "judge", "--name", "Zoe")):
        assert ran(event, *words, shell=shell).returncode == 0
    assert ran(event, "standings", "--round", "9", shell=shell).returncode == 2


def test_what_nobody_reads_any_more_ends_nothing(event):
    for words, code in (
        (("results",), 0),
        (("tables",), 0),
        (("standings", "--pack", PACK), 1),
        (("nor",), 2),
    ):
        read, write = os.pipe()
        os.close(read)
        assert ran(event, *words, stdout=write).returncode == code
        os.close(write)


def test_a_link_that_nobody_reads_is_made_all_the_same(event):
    before = links(event)
    ran(event, "link", "--role", "judge", "--name", "Zoe", shell="| head -c 0")
    assert len(links(event)) == len(before) + 1


def links(folder):
    with Archive(folder / "plusthree.db") as archive:
        return AccessLinks(archive).every


@pytest.mark.skipif(not FULL.exists(), reason="/dev/full is Linux's")
def test_what_a_full_disk_does_not_take_is_said(event):
    with FULL.open("wb") as full:
        done = ran(event, "results", stdout=full)
    assert done.returncode == 2 and done.stderr.count(b"\n") == 1
    assert b"No space left on device" in done.stderr


# serve


def test_serve_shows_and_reads_what_the_terminal_can(event):
    typed = "publish 1\nresult 1 A 2 1 slip\nresult 2 B 0 2 błędny\nresults\nquit\n".encode()
    done = ran(event, *SERVE, encoding="ascii", typed=typed)
    assert done.returncode == 0 and b"?ucja" in done.stdout
    assert outcomes(event) == {"A"}  # the other reason holds letters that were lost
    assert b"letters that cannot be read" in done.stdout


def outcomes(folder):
    with Archive(folder / "plusthree.db") as archive:
        return {one.outcome for one in Hall(archive, set()).results(1).values()}


def test_lines_from_a_pipe_end_serve_and_it_says_so(event):
    done = ran(event, *SERVE, typed=b"tables\n")
    assert done.returncode == 0 and b"the typed lines have ended, and so does serve" in done.stdout


class Service:
    """``plusthree serve`` as something else than a terminal starts it."""

    def __init__(self, folder, shell):
        line = ["sh", "-c", f'exec "$0" "$@" {shell}', PLUSTHREE, *SERVE]
        self.process = subprocess.Popen(
            line, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip

    def until(self, words):
        for line in self.process.stdout:
            if words in line:
                return
        raise AssertionError(self.process.stderr.read())

    def end(self):
        """Ask it to end, as a service is asked."""
        assert self.process.poll() is None
        self.process.send_signal(signal.SIGTERM)
        said, errors = self.process.communicate(timeout=PATIENCE_S)
        assert (self.process.returncode, errors) == (0, b""), errors
        return said


@pytest.mark.parametrize("shell", ("</dev/null", "<&-", "0>/dev/null", "TERM=dumb </dev/null"))
def test_serve_goes_on_where_nobody_types_until_it_is_asked_to_end(event, shell):
    (event / "results.json").unlink(missing_ok=True)
    term, _, shell = shell.rpartition("TERM=dumb ")
    served = Service(event, shell)
    served.until(b"nobody can type here")
    (event / "results.json").unlink()
    served.end()
    assert (event / "results.json").exists()  # it ends in order


def test_serve_goes_on_where_a_cron_job_has_a_pipe_without_a_line(event):
    read, write = os.pipe()
    os.close(write)
    line = [PLUSTHREE, *SERVE]
    with subprocess.Popen(line, cwd=event, stdin=read, stdout=subprocess.PIPE) as process:
        os.close(read)
        said = b""
        while b"nobody can type here" not in said:
            said = process.stdout.readline()
            assert said
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0


def test_serve_goes_on_where_nobody_reads_what_it_says(event):
    served = Service(event, "</dev/null")
    served.until(b"nobody can type here")
    served.process.stdout.close()
    served.process.stdout = None
    served.end()


@pytest.mark.skipif(not FULL.exists(), reason="/dev/full is Linux's")
def test_serve_goes_on_where_what_it_says_fills_the_disk(event):
    read, write = os.pipe()
    with FULL.open("wb") as full:
        line = [PLUSTHREE, *SERVE]
        with subprocess.Popen(line, cwd=event, stdin=read, stdout=full) as process:
            os.write(write, b"result 2 B 0 2 slip\nquit\n")
            assert process.wait(PATIENCE_S) in (0, 2)
    os.close(read), os.close(write)
    assert outcomes(event) == {"A", "B"}


def test_top_says_what_to_do_without_a_terminal(event):
    done = ran(event, "top")
    assert done.returncode == 2 and b"add --once" in done.stderr


def test_a_passphrase_is_not_waited_for_without_a_terminal(event):
    (event / "stick").mkdir()
    done = ran(event, "backup", "stick", shell="<&-")
    assert done.returncode == 2 and b"nobody to ask for the passphrase" in done.stderr
