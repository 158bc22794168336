"""A wire to a PostgreSQL server that is cut at will, even between a COMMIT and its answer."""

import pathlib
import socket
import threading

_SIZE = 1 << 16


class Wire:
    """A socket in ``folder`` whose connections end at the server's ``beyond``.

    ``plan(sent)`` is asked of each piece that a client sends: None lets it pass, ``before`` cuts
    the connection instead, ``after`` when the server has answered.
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
            if cut == "before":
                break
            if cut == "after":
                mute.set()
            if not _passed(far, sent):
                break
        _end(near, far)

    def _down(self, near, far, mute):
        while sent := _received(far):
            if mute.is_set() or not _passed(near, sent):
                break
        _end(near, far)


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
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        one.close()
