"""Commands without a terminal: a service, a pipe, streams that are closed, full or cannot show a letter."""

import json
import os
import signal
import subprocess
import sys

import pytest
import started
from commands import plusthree
from started import EVENT, FULL, PATIENCE_S, PLUSTHREE, SERVE, Service, ran, shown

from host.archive.access_links import AccessLinks
from host.archive.store import Archive
from host.event.fold import Hall
from host.web import qr

PACK = "pokemon-swiss"

SHOW = (
    ("show", "tables"),
    ("show", "results"),
    ("show", "standings", "--pack", PACK, "--round", "1"),
)


@pytest.fixture(scope="module")
def event(tmp_path_factory):
    return started.imported(tmp_path_factory.mktemp("event"))


@pytest.mark.parametrize(("encoding", "words"), [
    *((one, SHOW[0]) for one in ("cp1252", "ascii", "latin-1", "cp437", "ascii:strict")),
    *(("cp1252", one) for one in (*SHOW[1:], ("show", "--watch", "--once"))),
])  # fmt: skip
def test_a_letter_that_cannot_be_shown_is_a_question_mark(event, encoding, words):
    name = EVENT.split("\n")[3].split(",")[2].encode(encoding.partition(":")[0], "replace")
    assert name in shown(event, *words, encoding=encoding)[1]


def test_a_started_command_takes_the_encoding_of_its_terminal(event):
    assert b"?ucja" in ran(event, *SHOW[0], encoding="cp1252").stdout


@pytest.mark.parametrize("words", SHOW)
def test_json_loses_no_letter(event, words):
    told = [
        json.loads(shown(event, *words, "--json", encoding=one)[1])
        for one in ("utf-8", "cp1252", "ascii")
    ]
    assert told[0] == told[1] == told[2]
    assert "Łucja Żółć" in str(told[0])


@pytest.mark.parametrize("encoding", ("cp1252", "ascii"))
def test_a_link_that_was_made_is_told(event, encoding):
    code, told = shown(event, "link", "judge", "Łucja", encoding=encoding)
    assert code == 0 and b"judge, for ?ucja: http" in told
    assert b"???" not in told  # a QR code of question marks opens nothing
    assert "Łucja" in shown(event, "link", "judge", "Łucja")[1].decode()
    assert shown(event, "link", encoding=encoding)[0] == 0


LAN = "https://192.0.2.7:8080"  # an address that phones could open, of nobody


@pytest.mark.parametrize("encoding", ("utf-8", "cp437", "cp1252", "ascii"))
def test_a_link_for_phones_has_its_qr_code_where_a_terminal_can_show_it(event, encoding):
    words = "link", "judge", "Zoe", "--address", LAN
    *code, last = shown(event, *words, encoding=encoding)[1].decode(encoding).splitlines()
    url = last.partition(": ")[2]
    assert url.startswith(f"{LAN}/l/") and "judge, for Zoe" in last
    assert code == (qr.lines(url) if encoding in ("utf-8", "cp437") else [])
    assert ("█" in "".join(code)) == bool(code)


def test_a_refusal_is_told_in_any_encoding(event):
    done = ran(event, "import", "Łucja.csv", encoding="ascii:strict")
    assert done.returncode == 2 and b"?ucja.csv: cannot be read" in done.stderr


def test_a_name_of_a_file_that_is_no_text_is_told(event):
    done = ran(event, "import", b"\xff.csv")
    assert done.returncode == 2 and b"?.csv: cannot be read" in done.stderr


CLOSED = (">&-", "2>&-", "<&-", ">&- 2>&- <&-")
READS = ("show", "results"), ("link",), ("link", "judge", "Zoe")
REFUSED = "show", "standings", "--round", "9"


@pytest.mark.parametrize("shell", CLOSED)
def test_a_closed_stream_is_an_empty_one(event, shell, monkeypatch):
    for name, closed in (("stdout", ">&-"), ("stderr", "2>&-"), ("stdin", "<&-")):
        if closed in shell.split():
            monkeypatch.setattr(sys, name, None)  # as Python finds a closed one
    monkeypatch.chdir(event)
    assert [plusthree(*words) for words in (*READS, REFUSED)] == [0, 0, 0, 2]


# what is opened while a stream is closed takes its place among the open files
@pytest.mark.parametrize(("shell", "words"), [
    *zip(CLOSED, (READS[0], REFUSED, READS[1], READS[0])), (CLOSED[3], READS[2]), (CLOSED[3], REFUSED)
])  # fmt: skip
def test_a_command_starts_with_a_closed_stream(event, shell, words):
    assert ran(event, *words, shell=shell).returncode == (2 if words == REFUSED else 0)


def test_what_nobody_reads_any_more_ends_nothing(event):
    for words, code in (
        (("show", "results"), 0),
        (("show", "standings", "--pack", PACK, "--round", "1"), 1),
        (("nor",), 2),
    ):
        read, write = os.pipe()
        os.close(read)
        assert ran(event, *words, stdout=write).returncode == code
        os.close(write)


def test_a_link_that_nobody_reads_is_made_all_the_same(event):
    before = links(event)
    ran(event, "link", "judge", "Zoe", shell="| head -c 0")
    assert len(links(event)) == len(before) + 1


def links(folder):
    with Archive(folder / "plusthree.db") as archive:
        return AccessLinks(archive).every


@pytest.mark.skipif(not FULL.exists(), reason="/dev/full is Linux's")
def test_what_a_full_disk_does_not_take_is_said(event):
    with FULL.open("wb") as full:
        done = ran(event, "show", "results", stdout=full)
    assert done.returncode == 2 and done.stderr.count(b"\n") == 1
    assert b"No space left on device" in done.stderr


def test_serve_shows_and_reads_what_the_terminal_can(event):
    typed = "publish 1\nresult 1 A 2 1 slip\nresult 2 B 0 2 błędny\nshow results\nquit\n".encode()
    done = ran(event, *SERVE, encoding="ascii", typed=typed)
    assert done.returncode == 0 and b"?ucja" in done.stdout
    assert outcomes(event) == {"A"}  # the other reason holds letters that were lost
    assert b"letters that cannot be read" in done.stdout


def outcomes(folder):
    with Archive(folder / "plusthree.db") as archive:
        return {one.outcome for one in Hall(archive, set()).results(1).values()}


@pytest.mark.parametrize(("words", "how", "code", "said"), [
    (SERVE, {"typed": b"show tables\n"}, 0, b"the typed lines have ended, and so does serve"),
    (("show", "--watch"), {}, 2, b"add --once"),
    (("backup", "stick"), {"shell": "<&-"}, 2, b"nobody to ask for the passphrase"),
])  # fmt: skip
def test_where_nobody_types_it_is_said_what_to_do(event, words, how, code, said):
    (event / "stick").mkdir(exist_ok=True)
    done = ran(event, *words, **how)
    assert done.returncode == code and said in (done.stderr if code else done.stdout)


@pytest.mark.parametrize("shell", ("</dev/null", "<&-", "0>/dev/null"))
def test_serve_goes_on_where_nobody_types_until_it_is_asked_to_end(event, shell):
    (event / "results.json").unlink(missing_ok=True)
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
