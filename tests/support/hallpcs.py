"""The PCs of a hall: each a folder of its own, in which lines of a shell run as they are typed."""

import contextlib
import os
import pty
import signal
import socket
import subprocess
import sys
import threading

import tree

PATIENCE_S = 60  # on a busy machine; a walk waits for what it expects, never for a time
_PLAIN = "import sys; from host.cli import main; sys.exit(main(sys.argv[1:]))"


class Running:
    """A program that was started by a line of a shell: what it says, and what is typed at it."""

    def __init__(self, script, folder, environment):
        self._process = subprocess.Popen(
            ["bash", "-euc", script], cwd=folder, env=environment, text=True, encoding="utf-8",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip
        self.said, self._news = [], threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self._process.stdout:
            self._take(line)
        self._take(None)

    def _take(self, line):
        with self._news:
            self.said.append(line)
            self._news.notify_all()

    def until(self, words, past=0):
        """Wait for a line with ``words`` after the first ``past`` ones; return it."""
        with self._news:
            while True:
                for at, line in enumerate(self.said[past:], past):
                    past = at + 1
                    if line is None:
                        raise AssertionError("".join(self.said[:-1]))
                    if words in line:
                        return line
                assert self._news.wait(PATIENCE_S), f"no {words}: {self.said}"

    def type(self, line):
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def kill(self, how=signal.SIGKILL):
        if self._process.poll() is None:
            os.killpg(self._process.pid, how)

    def ended(self):
        return self._process.wait(PATIENCE_S)


class Pc:
    """One PC: ``folder``, with a ``plusthree`` on its path; ``gateway``: one hangs on its USB."""

    def __init__(self, folder, gateway=None, **environment):
        self.folder, self._started = folder, []
        folder.mkdir()
        (folder / "bin").mkdir()
        how = f'-c "{_PLAIN}"'
        if gateway:
            how = f"{tree.ROOT / 'tests' / 'support' / 'pluggedpc.py'} {gateway}"
        program = folder / "bin" / "plusthree"
        program.write_text(f'#!/bin/sh\nexec {sys.executable} {how} "$@"\n')
        program.chmod(0o755)
        path = environment.pop("PATH", os.environ["PATH"])
        self._environment = {
            **os.environ, "PYTHONPATH": str(tree.ROOT), "HOME": str(folder), **environment,
            "PATH": f"{program.parent}{os.pathsep}{path}",
        }  # fmt: skip

    def run(self, script, *typed):
        """Run lines to their end in a terminal; ``typed`` answers what asks there, one by one."""
        person, screen = pty.openpty()
        done = subprocess.Popen(
            ["setsid", "--ctty", "--wait", "bash", "-euc", script], cwd=self.folder,
            env=self._environment, stdin=screen, stdout=screen, stderr=screen,
        )  # fmt: skip
        os.close(screen)
        answers, said = list(typed), ""
        with contextlib.suppress(OSError):  # it has ended
            while text := os.read(person, 4096).decode():
                said += text
                if said.endswith(": ") and answers:
                    os.write(person, f"{answers.pop(0)}\n".encode())
        os.close(person)
        assert (done.wait(PATIENCE_S), answers) == (0, []), f"{script}\n{said}"

    def start(self, script):
        self._started.append(Running(script, self.folder, self._environment))
        return self._started[-1]

    def end(self):
        for one in self._started:
            one.kill()
            one.ended()


class Air:
    """What boards say near a PC's gateway, and what that sends; ``path`` names it."""

    def __init__(self, path):
        self.path = str(path)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(f"{path}.heard")

    def say(self, frames):
        """Have the gateway's radio hear ``frames``, as far as it can take them now."""
        for frame in frames:
            self._socket.sendto(frame, self.path)

    def heard(self):
        """Wait for the next advert that the gateway sends."""
        self._socket.settimeout(PATIENCE_S)
        return self._socket.recv(64)

    def close(self):
        self._socket.close()
