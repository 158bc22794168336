"""``plusthree`` as a process of its own, whose streams a test chooses."""

import contextlib
import io
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

from commands import plusthree

PLUSTHREE = str(pathlib.Path(sys.executable).with_name("plusthree"))
EVENT = (
    "# event: Coppa d’Inverno\n# format: p18 swiss bo3 constructed 50\n"
    "table,number_a,name_a,number_b,name_b\n1,10,Łucja Żółć,11,田中 さくら\n2,12,Zoë,13,יעל\n"
)
SERVE = "serve", "--no-radio", "--no-web"
PATIENCE_S = 60
FULL = pathlib.Path("/dev/full")  # a disk without room, on Linux


def imported(folder):
    (folder / "e.csv").write_text(EVENT, "utf-8")
    words = "import", str(folder / "e.csv"), str(folder / "plusthree.db")
    assert plusthree(*words) == 0
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


def shown(folder, *words, encoding="utf-8"):
    """Return the exit code of ``plusthree WORDS`` in this process, and the bytes that it prints to a
    file with ``encoding``: what it does with its streams needs no start.
    """
    with tempfile.TemporaryFile() as file, contextlib.chdir(folder):
        code, _, errors = encoding.partition(":")
        stream = io.TextIOWrapper(file, code, errors or "strict")
        with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(io.StringIO()):
            done = plusthree(*words)
        file.seek(0)
        return done, file.read()


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
        assert self.process.poll() is None
        self.process.send_signal(signal.SIGTERM)
        said, errors = self.process.communicate(timeout=PATIENCE_S)
        assert (self.process.returncode, errors) == (0, b""), errors
        return said
