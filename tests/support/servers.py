"""Real servers in temporary folders, for the tests of this process alone: PostgreSQL, mosquitto."""

import contextlib
import datetime
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import threading
import urllib.parse

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from host.hall.database import Database

_USER = "postgres"  # the server refuses to run as root
_WAIT_S = "60"


def _room():
    """Return a folder in memory where there is one: no test looks at the platter."""
    return next((one for one in ("/dev/shm", "/tmp") if os.access(one, os.W_OK)), None)


SHARED = "PLUSTHREE_SHARED_POSTGRES"  # the folder of a server that forks of a run of tests share


class Postgres:
    """A running server; ``address(name)`` is the URL of a database of its own."""

    def __init__(self, program, folder):
        self._folder, self._made = pathlib.Path(folder), 0
        self._bin = pathlib.Path(program).resolve().parent  # Debian links to some of its programs
        self._data = self._folder / "data"
        self._as = {"user": _USER} if os.geteuid() == 0 else {}
        if self._data.exists():
            self._take_over()
            return
        if self._as:
            shutil.chown(self._folder, _USER)
        options = f"-U {_USER} -A trust -E UTF8 --no-locale -N"
        self._run("initdb", "-D", self._data, *options.split())
        self.start()

    def _run(self, program, *args):
        # a server that stays must not hold this process's pipes
        with open(self._folder / "said", "a+b") as said:
            done = subprocess.run(
                [self._bin / program, *map(str, args)], cwd=self._folder, stdout=said,
                stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False, **self._as,
            )  # fmt: skip
            said.seek(0)
            assert done.returncode == 0, said.read().decode()

    def start(self):
        # nothing happens there but what a test does
        more = "-c listen_addresses='' -c max_connections=40 -c autovacuum=off"
        options = f"-k {self._folder} {more}"
        log = self._folder / "log"
        self._run(
            "pg_ctl", "start", "-D", self._data, "-l", log, "-o", options, "-w", "-t", _WAIT_S
        )

    def stop(self, how="fast"):
        self._run("pg_ctl", "stop", "-D", self._data, "-m", how, "-w", "-t", _WAIT_S)

    def _take_over(self):
        """Go on with a server that another test may have stopped, without the others' databases."""
        import psycopg

        with contextlib.suppress(AssertionError):  # it runs
            self.start()
        with psycopg.connect(self.address(_USER), autocommit=True) as db:
            sql = "SELECT datname FROM pg_database WHERE datname !~ '^(template|postgres)'"
            for (name,) in db.execute(sql).fetchall():
                db.execute(f'DROP DATABASE "{name}" WITH (FORCE)')

    @property
    def environment(self):
        path = f"{self._bin}{os.pathsep}{os.environ['PATH']}"
        return {"PATH": path, "PGHOST": str(self._folder), "PGUSER": _USER}

    def let_in(self, line):
        """Put a line before those of ``pg_hba.conf``, which let everybody in."""
        import psycopg

        hba = self._data / "pg_hba.conf"
        hba.write_text(f"{line}\n{hba.read_text()}")
        with psycopg.connect(self.address(_USER), autocommit=True) as db:
            db.execute("SELECT pg_reload_conf()")

    def database(self, name=None, template="template1"):
        import psycopg

        self._made += 1
        name = name or f"cup{self._made}"
        with psycopg.connect(self.address(_USER), autocommit=True) as db:
            db.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return self.address(name)

    def address(self, name):
        where = urllib.parse.quote(str(self._folder), safe="")
        return Database(f"postgresql:///{name}?host={where}&user={_USER}")


@contextlib.contextmanager
def postgres(program):
    if shared := os.environ.get(SHARED):
        yield Postgres(program, shared)
        return
    with tempfile.TemporaryDirectory(prefix="pg", dir=_room()) as folder:
        server = Postgres(program, folder)
        try:
            yield server
        finally:
            with contextlib.suppress(AssertionError):  # a test that was cut has stopped it already
                server.stop("immediate")


@contextlib.contextmanager
def shared_postgres(program):
    """Yield the environment in which the server of this block is the one that is shared."""
    with postgres(program) as server:
        yield {SHARED: str(server._folder)}


PASSWORD = "correct horse"


class Mosquitto:
    """A broker with TLS and a password, started and stopped at will; it keeps what it must."""

    def __init__(self, program, passwd, folder, more=""):
        self._program, self._folder = program, pathlib.Path(folder)
        self.port, self._process = _free_port(), None
        _certify(self._folder)
        self.ca = str(self._folder / "cert.pem")
        passwords = self._folder / "passwords"
        passwords.touch(0o600)
        subprocess.run([passwd, "-b", passwords, "hall", PASSWORD], check=True, capture_output=True)
        (self._folder / "conf").write_text(
            f"listener {self.port} 127.0.0.1\ncertfile {self.ca}\nkeyfile {self._folder / 'key.pem'}\n"
            f"password_file {passwords}\nallow_anonymous false\npersistence true\n"
            f"persistence_location {self._folder}/\nautosave_interval 1\nautosave_on_changes true\n"
            f"user root\nlog_dest stderr\nlog_type all\n{more}\n"
        )

    @property
    def address(self):
        return f"mqtts://hall@localhost:{self.port}/cup"

    def start(self):
        self._process = subprocess.Popen(
            [self._program, "-c", self._folder / "conf"], stderr=subprocess.PIPE, text=True
        )
        self._log = []
        for line in self._process.stderr:
            self._log.append(line)
            if " running" in line:
                break
        else:
            raise AssertionError("".join(self._log))
        threading.Thread(target=self._log.extend, args=(self._process.stderr,), daemon=True).start()

    def stop(self):
        while self._process:
            self._process.terminate()
            # one that has only just begun forgets the first signal
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(1)
                self._process = None

    def forget(self):
        self.stop()
        (self._folder / "mosquitto.db").unlink(missing_ok=True)
        self.start()


def _free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def _certify(folder):
    """Lay a certificate for localhost, and its key, into a folder."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    begin = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin).not_valid_after(begin.replace(year=2099))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )  # fmt: skip
    )


@contextlib.contextmanager
def mosquitto(program, passwd, more=""):
    with tempfile.TemporaryDirectory(prefix="mq", dir=_room()) as folder:
        broker = Mosquitto(program, passwd, folder, more)
        broker.start()
        try:
            yield broker
        finally:
            broker.stop()
