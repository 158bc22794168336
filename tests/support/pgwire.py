"""A wire to a PostgreSQL server that is cut at will, even between a COMMIT and its answer."""

import contextlib
import pathlib
import socket
import threading

_SIZE = 1 << 16


class Wire:
    """A socket in ``folder`` whose connections end at the server's ``beyond``.

    ``plan(sent)`` is asked of each piece that a client sends: None lets it pass, ``before`` cuts
    the connection instead, ``after`` when the server has answered. The client hears of it once the
    server has ended the session.
    """

    def __init__(self, folder, beyond):
        self._beyond = str(pathlib.Path(beyond) / ".s.PGSQL.5432")
        self.plan = lambda sent: None
        self.cuts = 0
        self._door = socket.socket(socket.AF_UNIX)
        self._door.bind(str(pathlib.Path(folder) / ".s.PGSQL.5432"))
        self._door.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self):
        """Take no more connections."""
        self._door.close()

    def _serve(self):
        while True:
            try:
                near, _ = self._door.accept()
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            try:
                far.connect(self._beyond)
            except OSError:
                near.close()
                continue
            mute = threading.Event()
            for work in (self._up, self._down):
                threading.Thread(target=work, args=(near, far, mute), daemon=True).start()

    def _up(self, near, far, mute):
        while sent := _received(near):
            cut = self.plan(sent)
            if cut:
                self.cuts += 1
                mute.set()
            if cut == "before" or not _passed(far, sent) or cut:
                break
        with contextlib.suppress(OSError):
            far.shutdown(socket.SHUT_WR)  # the server answers what it has, then ends the session

    def _down(self, near, far, mute):
        while sent := _received(far):
            if not mute.is_set() and not _passed(near, sent):
                break
        _end(near, far)  # the client hears of a cut once the session is over


def _received(one):
    try:
        return one.recv(_SIZE)
    except OSError:
        return b""


def _passed(one, sent):
    try:
        one.sendall(sent)
    except OSError:
        return False
    return True


def _end(*sockets):
    for one in sockets:
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
        one.close()
