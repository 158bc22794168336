"""``plusthree serve`` and others where nobody types: a service, a cron job, lines from a pipe."""

import os
import signal
import subprocess

import pytest
import started
from started import FULL, PATIENCE_S, PLUSTHREE, SERVE, Service, ran

from host.archive.store import Archive
from host.event.fold import Hall


@pytest.fixture(scope="module")
def event(tmp_path_factory):
    return started.imported(tmp_path_factory.mktemp("event"))


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
