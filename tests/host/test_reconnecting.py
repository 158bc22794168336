"""A writer whose PostgreSQL connection is cut anywhere: nothing is lost or stored twice."""

import contextlib
import pathlib
import random
import socket
import tempfile
import threading
import urllib.parse

import psycopg
import pytest
from clock_records import record
from tabletop import EVENT, MASTER

from host.archive import audit_log
from host.archive.backend import Fenced, Lost, Undone, Unreachable
from host.archive.roster import Board, Event, Player
from host.archive.store import ADDED, KNOWN, Archive
from host.audit.examination import examine
from host.base.errors import UserError
from host.hall.database import Database
from host.hall.postgres import fence, postgres_backend
from host.hall.postgres.reconnection import PAUSES_S
from host.keys.keyring import Keyring

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


SEEDS, MANY = 2, 40
PLAYERS = "SELECT count(*) FROM players"
CUT = 0.05  # of the pieces that a client sends


def opened(address):
    made = Archive(address)
    made.told, made.rested = [], []
    made.backend.on_outage(lambda said, over: made.told.append((said, over)))
    made.backend.reconnection.rest = made.rested.append
    return made


def begun(archive):
    archive.audit_log.begin(audit_log.key_of(MASTER))
    archive.roster.add_board(Board(7, 1, 4), 0)
    archive.roster.open_event(Event(EVENT, "Cup", 0))
    return archive


@pytest.fixture
def archive(address):
    with opened(address) as made:
        yield begun(made)


@pytest.fixture
def wired(postgres, address):
    beyond = urllib.parse.unquote(address.partition("host=")[2].partition("&")[0])
    with tempfile.TemporaryDirectory(prefix="wire") as folder:
        wire = Wire(folder, beyond)
        there = Database(address.replace(urllib.parse.quote(beyond, safe=""), folder))
        with opened(there) as made:
            yield begun(made), wire
            wire.plan = lambda sent: None
        wire.close()


def killed(address):
    """End the archive's session, as a restart does."""
    with psycopg.connect(address, autocommit=True) as db:
        db.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ="
            " 'plusthree' AND datname = current_database()"
        )


def sound(archive, *records):
    """Assert that the archive holds these records once each, and that its audit log fits."""
    assert archive.records() == list(records)
    assert examine(archive, Keyring(MASTER, archive.roster)).faults == []


def at_last(act):
    """Return what an act comes to that is tried again when it is refused."""
    while True:
        with contextlib.suppress(Undone):
            return act()


def cut_once(how, word):
    left = [how]
    return lambda sent: left.pop() if left and word in sent else None


def test_a_server_that_restarts_between_two_acts_is_not_noticed_but_told(archive, postgres):
    epoch = archive.backend.epoch
    archive.commit([record(0)])
    postgres.stop("fast")
    postgres.start()
    assert archive.commit([record(0), record(1)]) == [KNOWN, ADDED]
    assert archive.roster.current_event.number == EVENT and archive.backend.epoch == epoch
    assert [over for _, over in archive.told] == [False, True]
    assert "was lost" in archive.told[0][0] and "is back" in archive.told[1][0]
    sound(archive, record(0), record(1))


def test_a_server_that_is_away_is_waited_for_with_growing_pauses(archive, postgres):
    postgres.stop("immediate")

    def rest(pause_s):
        archive.rested.append(pause_s)
        if len(archive.rested) == 3:
            postgres.start()

    archive.backend.reconnection.rest = rest
    assert archive.commit([record(0)]) == [ADDED]
    assert archive.rested == list(PAUSES_S[:3]) == sorted(PAUSES_S[:3])
    assert len(archive.told) == 2, "an outage is told of once"
    sound(archive, record(0))


def test_a_server_that_stays_away_ends_the_program_and_is_not_waited_for_twice(
    address, postgres, tmp_path
):
    archive = begun(opened(address))
    postgres.stop("immediate")
    try:
        for _ in range(2):
            with pytest.raises(Lost, match="does not come back .*cannot be opened.* start plust"):
                archive.commit([record(0)])
        assert archive.rested == list(PAUSES_S) and sum(PAUSES_S) < 30
        archive.close()
    finally:
        postgres.start()
    with Archive(address) as again:
        assert again.records() == []


def test_reads_go_on(archive, address):
    before = archive.version
    killed(address)
    assert archive.roster.current_event.name == "Cup"
    assert archive.version != before, "somebody may have written meanwhile"


def test_what_was_cut_off_in_the_middle_is_refused_whole(archive, address):
    undone = []
    archive.on_rollback(lambda: undone.append(archive.number(PLAYERS)))
    said = "nothing of this was done; do it again"
    with pytest.raises(Undone, match=said), archive.transaction():
        archive.roster.rename([Player("1", "Ada")])
        killed(address)
        archive.roster.rename([Player("2", "Emmy")])
    assert undone == [0], "listeners find the archive as it is"
    archive.roster.rename([Player("3", "Amalie")])
    assert archive.query("SELECT number FROM players") == [("3",)]
    sound(archive)


def test_nothing_slips_out_of_a_transaction_that_was_cut_off(archive, address):
    with pytest.raises(Undone), archive.transaction():
        killed(address)
        for number in "12":
            try:
                archive.roster.rename([Player(number, "Ada")])
            except Undone:
                continue
    assert archive.query("SELECT number FROM players") == []


@pytest.mark.parametrize("how", ["before", "after"])
@pytest.mark.parametrize(
    "word", [b"BEGIN", b"INSERT INTO records", b"INTO counterfoils", b"COMMIT"]
)
def test_records_are_stored_once_wherever_the_wire_is_cut(wired, how, word):
    archive, wire = wired
    wire.plan = cut_once(how, word)
    assert archive.commit([record(0), record(1)]) == [ADDED, ADDED]
    assert wire.cuts == 1 and len(archive.told) == 2
    sound(archive, record(0), record(1))


@pytest.mark.parametrize("word", [b"SET synchronous_commit", b"SELECT epoch", b"BEGIN", b"LISTEN"])
def test_a_wire_that_is_cut_while_it_comes_back_is_the_next_try(wired, word):
    archive, wire = wired
    words = [word, b"INTO reserved"]  # the last is cut first
    wire.plan = lambda sent: words.pop() and "before" if words and words[-1] in sent else None
    assert archive.reserve(7, 1, 1)[0] == 1
    assert wire.cuts == 2 and archive.rested == list(PAUSES_S[:2])
    assert [over for _, over in archive.told] == [False, True]


@pytest.mark.parametrize("word", [b"UPDATE writer", b"COMMIT"])
def test_a_beat_that_was_cut_off_comes_back_once(wired, word):
    archive, wire = wired
    wire.plan = cut_once("before", word)
    archive.backend.beat()
    assert wire.cuts == 1 and [over for _, over in archive.told] == [False, True]


def test_a_wire_that_is_cut_while_an_archive_is_opened_is_said_to_be(wired):
    archive, wire = wired
    wire.plan = cut_once("before", b"pg_current_snapshot")
    with pytest.raises(Lost, match="^the connection to .* was lost"):
        postgres_backend.open_view(archive.backend.connection._address)


@pytest.mark.parametrize("how, done", [("before", False), ("after", True)])
def test_an_act_whose_commit_was_cut_off_is_known_to_be_done_or_not(wired, how, done):
    archive, wire = wired
    wire.plan = cut_once(how, b"COMMIT")
    try:
        archive.roster.rename([Player("1", "Ada")])
    except Undone:
        assert not done
    else:
        assert done
    assert archive.query("SELECT number FROM players") == [("1",)] * done
    sound(archive)


def test_numbers_that_were_reserved_are_never_given_twice(wired):
    archive, wire = wired
    given = []
    for how in ("before", "after"):
        for word in (b"INTO reserved", b"COMMIT"):
            wire.plan = cut_once(how, word)
            given.append(archive.reserve(7, 1, 1))
    assert all(below <= first for (_, below), (first, _) in zip(given, given[1:]))


def test_a_writer_that_was_taken_over_meanwhile_writes_nothing_more(archive, address):
    archive.commit([record(0)])
    killed(address)
    with Archive(address, after=archive.backend.epoch) as later:
        for act in (
            lambda: archive.commit([record(1)]),
            lambda: archive.reserve(7, 1, 1),
            archive.backend.beat,
            lambda: archive.records(),
        ):
            with pytest.raises(Fenced, match="has taken .* over"):
                act()
        assert later.records() == [record(0)]
        later.audit_log.begin(audit_log.key_of(MASTER))
        assert later.commit([record(0), record(1)]) == [KNOWN, ADDED]


def test_the_same_in_the_middle_of_a_transaction(archive, address):
    with pytest.raises(Fenced), archive.transaction():
        archive.roster.rename([Player("1", "Ada")])
        killed(address)
        Archive(address, after=archive.backend.epoch).close()
        archive.roster.rename([Player("2", "Emmy")])
    with Archive(address) as later:
        assert later.query("SELECT number FROM players") == []


def test_a_standby_sees_the_writer_that_is_back(archive, address):
    watch = postgres_backend.Watch(address)
    with psycopg.connect(address, autocommit=True) as db:
        db.execute("SELECT pg_terminate_backend(l.pid) FROM pg_locks l WHERE locktype = 'advisory'")
    archive.backend.beat()
    seen = watch.seen()
    assert seen.alive and seen.epoch == archive.backend.epoch and seen.beats
    watch.close()


SWAPPED = {
    "another set-up": ("UPDATE boards SET device = 8", "changed by another program"),
    "an older copy": (
        "ALTER TABLE counterfoils DISABLE TRIGGER kept; DELETE FROM counterfoils WHERE id ="
        " (SELECT max(id) FROM counterfoils); ALTER TABLE counterfoils ENABLE TRIGGER kept",
        "came back without what was stored",
    ),
    "another table": ("CREATE TABLE more (x bigint)", "table more is none"),
}


@pytest.mark.parametrize("what", SWAPPED)
def test_an_archive_that_comes_back_otherwise_is_not_written_to(archive, address, what):
    done, said = SWAPPED[what]
    archive.commit([record(0)])
    killed(address)
    with psycopg.connect(address, autocommit=True) as db:
        db.execute("CREATE TEMP TABLE touched (place bigint, sheet text, key jsonb)")
        db.execute(done)
    for _ in range(2):
        with pytest.raises(UserError, match=said):
            archive.commit([record(1)])
    with psycopg.connect(address, autocommit=True) as db:
        assert db.execute("SELECT count(*) FROM records").fetchone() == (1,)


def test_a_wire_that_is_cut_anywhere_at_any_time_loses_nothing_and_doubles_nothing(wired, proving):
    archive, wire = wired
    stored, given = [], []
    for seed in range(MANY if proving else SEEDS):
        luck, left = random.Random(seed), []
        wire.plan = lambda sent, luck=luck, left=left: (
            left.pop() if left and luck.random() < CUT else None
        )
        for n in range(1000 * seed, 1000 * seed + 20):
            some = dict.fromkeys([record(n), *luck.choices(stored, k=bool(stored))])
            left[:] = luck.choices(("before", "after"), k=luck.randrange(4))
            fates = at_last(lambda some=some: archive.commit([*some]))
            assert fates == [ADDED, KNOWN][: len(some)], "one that is known is never folded"
            stored.append(record(n))
            given.append(at_last(lambda seed=seed: archive.reserve(7, 1, 1)))
    wire.plan = lambda sent: None
    assert wire.cuts > 5 * SEEDS
    assert all(below <= first for (_, below), (first, _) in zip(given, given[1:]))
    sound(archive, *stored)


def test_two_who_look_at_a_writer_that_has_gone_hinder_nobody(archive, address):
    archive.close()
    with contextlib.ExitStack() as stack:
        for _ in range(2):
            watch = postgres_backend.Watch(address)
            stack.callback(watch.close)
            assert not watch.seen().alive, "the other one only looked"


def test_no_session_takes_up_while_the_one_before_may_live(archive, address):
    watch = postgres_backend.Watch(address)
    with contextlib.closing(watch), pytest.raises(Unreachable, match="has not ended yet"):
        fence.resume(watch._db, watch.seen().epoch)
