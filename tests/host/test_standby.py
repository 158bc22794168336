"""A standby takes over from a collector that is silent, and two never write."""

import itertools
import os
import signal
import subprocess
import sys

import pytest
from takeover import Busy, Hall, ModelStore, Sight, Stopped

from host.archive.backend import Fenced, Lost
from host.archive.records import ArchivedRecord
from host.archive.store import Archive
from host.base.errors import UserError
from host.cli import main
from host.hall.postgres.reconnection import PAUSES_S
from host.hall.standby import LOOK_MS, PATIENCE_MS, Standby, wait

EVENT_FILE = (
    "# event: Cup\n# format: p18 swiss bo3 constructed 50\n"
    "table,number_a,name_a,number_b,name_b\n1,10,Ann,11,Bo\n"
)
FEW, MANY, REAL = 25, 1000, 5
FIT_MS = 2000  # until a busy machine has a session again
PROGRAM = "import sys; from host.cli import main; sys.exit(main(sys.argv[1:]))"


def looks(*sights):
    """Return what a standby says to sights 500 ms apart."""
    one = Standby()
    return [one.step(sight, 500 * n) for n, sight in enumerate(sights)]


def test_a_collector_that_beats_is_let_be():
    assert set(looks(*(Sight(3, n // 2, False, True) for n in range(100)))) == {None}


def test_a_silent_one_is_taken_over_after_the_patience_and_not_before():
    told = looks(*[Sight(3, 7, False, True)] * 20)
    assert told.index(3) == PATIENCE_MS // 500 and set(told[: told.index(3)]) == {None}


def test_one_whose_session_is_gone_is_taken_over_at_once():
    assert looks(Sight(3, 7, False, True), Sight(3, 7, False, False)) == [None, 3]


def test_after_a_server_that_was_away_the_writer_may_come_back_first():
    gone, there = Sight(3, 7, False, False), Sight(3, 8, False, True)
    told = looks(there, None, *[gone] * 20)
    assert told.index(3) == PATIENCE_MS // 500 + 1 and set(told[: told.index(3)]) == {None}
    assert looks(there, None, gone, there, gone)[-2:] == [None, 3]


@pytest.mark.parametrize("away_ms", range(250, 29_000, 1750))
def test_however_long_a_server_was_away_the_writer_is_back_before_a_standby(away_ms):
    gone, there = Sight(3, 7, False, False), Sight(3, 8, False, True)
    tries_ms = itertools.accumulate(round(pause_s * 1000) for pause_s in PAUSES_S)
    back_ms = next(at_ms for at_ms in tries_ms if at_ms >= away_ms) + FIT_MS
    one = Standby()
    for now_ms in range(-LOOK_MS, back_ms + 2 * PATIENCE_MS, LOOK_MS):
        up = gone if now_ms < back_ms else there._replace(beats=now_ms)
        sight = there if now_ms < 0 else None if now_ms < away_ms else up
        assert one.step(sight, now_ms) is None


def test_one_that_a_person_ended_is_let_be():
    assert set(looks(*[Sight(3, 7, True, False)] * 40)) == {None}


def test_a_standby_that_slept_or_saw_nothing_begins_to_count_anew():
    one = Standby()
    assert one.step(Sight(3, 7, False, True), 0) is None
    assert one.step(Sight(3, 7, False, True), 60_000) is None
    assert one.step(None, 60_500) is None
    assert one.step(Sight(3, 7, False, True), 60_500 + PATIENCE_MS // 3) is None


def test_a_server_that_is_away_is_asked_again_and_said_once():
    class Look:
        def __init__(self):
            self.left = 2 if looked[0] < 3 else 100

        def seen(self):
            self.left -= 1
            if self.left < 0:
                raise UserError("gone")
            return Sight(4, self.left, False, looked[0] < 3)

        def close(self):
            closed.append(self)

    def watch():
        looked[0] += 1
        if looked[0] == 2:
            raise UserError("refused")
        return Look()

    looked, closed, said = [0], [], []
    steps = itertools.count(0, 500)
    assert wait(watch, said.append, lambda: next(steps), lambda s: None) == 4 and len(closed) == 2
    by, off = "standing by: the collector of epoch 4 collects", "waiting: "
    over = "the collector of epoch 4 is silent: taking over"
    assert said == [by, off + "gone", off + "refused", by, over]


def test_nothing_is_lost_nothing_double_and_no_two_write(proving, printed):
    seeds = range(MANY if proving else FEW)
    halls = [Hall(seed, ModelStore()).play() for seed in seeds]
    taken, ended = sum(one.taken for one in halls), sum(one.ended for one in halls)
    printed("take-overs", [f"{len(halls)} seeds: {taken} take-overs, {ended} writers ended"])
    assert taken > len(halls) and ended


def test_a_network_that_is_cut_for_five_minutes_loses_nothing():
    for seed in range(3):
        hall = Hall(seed, ModelStore())
        hall.harm = lambda hall=hall: setattr(hall, "broker_ms", 300_000)
        assert hall.play().now_ms > 300_000, "a board tells until it is answered"


def test_without_the_fence_the_same_story_finds_two_that_write():
    class Unfenced(ModelStore):
        def claim(self, after):
            made = super().claim(after)
            made.begin = lambda: None
            return made

    def broken(seed):
        try:
            Hall(seed, Unfenced()).play()
        except AssertionError:
            return True
        return False

    assert any(broken(seed) for seed in range(FEW))


class RealStore:
    """The fence in PostgreSQL, in the shape of ``ModelStore``."""

    def __init__(self, address):
        from host.hall.postgres import postgres_backend

        self.address, self.log, self.now_ms = address, [], 0
        Archive(address).close()
        self.watch = postgres_backend.Watch(address)

    def claim(self, after):
        try:
            return RealWriter(self, Archive(self.address, after=after))
        except UserError:
            raise Busy from None

    def seen(self):
        return self.watch.seen()

    @property
    def stored(self):
        return [record for _, record in self.log]


class RealWriter:
    def __init__(self, store, archive):
        self._store, self._archive = store, archive
        self.epoch = archive.number("SELECT epoch FROM writer")

    def commit(self, records):
        made = [
            ArchivedRecord(board + 1, 1, 1, n, 0, self.epoch, bytes(24))
            for board, n in dict.fromkeys(records)
        ]
        fates = self._try(lambda: self._archive.commit(made))
        self._store.log += [
            (self.epoch, one) for one, fate in zip(dict.fromkeys(records), fates) if fate == "added"
        ]

    def beat(self):
        self._try(self._archive.beat)

    def _try(self, act):
        try:
            return act()
        except (Fenced, Lost):
            raise Stopped from None

    def close(self):
        self._archive._db.close()


def test_the_same_over_a_real_server(postgres, proving, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    taken = 0
    for seed in range(REAL if proving else 1):
        store = RealStore(postgres.database())
        hall = Hall(seed, store, tears=False, records=30 if proving else 4).play()
        with Archive(store.address, after=store.seen().epoch) as archive:
            held = [(one.device - 1, one.counter) for one in archive.records()]
            epochs = {one.received_ms for one in archive.records()}
        assert sorted(held) == sorted(store.stored) and epochs == {epoch for epoch, _ in store.log}
        taken += hall.taken
    assert taken >= REAL or not proving


def test_a_file_has_no_standby(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["serve", "--standby"]) == 2
    assert "with its archive on a server" in capsys.readouterr().err


class Served:
    """A real ``plusthree serve`` over an address."""

    def __init__(self, root, folder, address, *more):
        said = [sys.executable, "-u", "-c", PROGRAM, "serve", *more]
        self.process = subprocess.Popen(
            [*said, address, "--no-radio", "--no-web"],
            cwd=folder, env={**os.environ, "PYTHONPATH": str(root)}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def until(self, words):
        """Read until a line holds ``words``; return the lines."""
        found = []
        for line in self.process.stdout:
            found.append(line)
            if words in line:
                return found
        raise AssertionError("".join(found))

    def send(self, sign):
        os.kill(self.process.pid, sign)

    def end(self):
        self.process.kill()
        self.process.communicate()


@pytest.mark.prove
def test_a_stopped_collector_is_taken_over_and_says_so_when_it_wakes(postgres, tmp_path, root):
    address = postgres.database()
    (tmp_path / "e.csv").write_text(EVENT_FILE)
    first = Served(root, tmp_path, address, "e.csv")
    first.until("try: help")
    second = Served(root, tmp_path, address, "--standby")
    third = None
    try:
        second.until("collects")
        first.send(signal.SIGSTOP)
        second.until("taking over")
        second.until("try: help")
        first.send(signal.SIGCONT)
        assert "has written nothing since" in first.until("has taken")[-1]
        assert first.process.wait() == 2
        third = Served(root, tmp_path, address, "--standby")
        third.until("collects")
        second.send(signal.SIGKILL)
        third.until("try: help")
        third.process.communicate("quit\n")
        assert third.process.returncode == 0
    finally:
        for one in filter(None, (first, second, third)):
            one.end()
