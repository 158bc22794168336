"""How much of a line the tests of a module would miss: its mutants, and who survives them.

`make prove` draws some mutants of each module by the commit's id; `PLUSTHREE_MUTANTS=all` tries
all, another number so many of each. Survivors are printed; those in EXPLAINED change nothing that
anybody could see. `make test` tries a few of one module, so that this itself goes on working.
"""

import contextlib
import gc
import importlib
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
import time
from typing import NamedTuple

import drawn
import hypothesis
import mutants
import programs
import pytest
import servers
import tree

_TERMS = "PLUSTHREE_MUTANTS_OF"  # the module, how many (0: all), what the draw is from, the report
_ON_A_SERVER = "postgres"  # what a module or a test is called that wants one
_BASE_S, _TIMES = 1, 3  # CPU time that a test may use beside and times what it takes
_LONGEST_S = 600  # of a test, without any mutant
_EXAMPLES = 20  # that Hypothesis tries at most: each mutant that survives meets all of them


class Found(NamedTuple):
    """How many mutants a module has, how many were tried, and (line, name) of each survivor."""

    every: int
    tried: int
    survivors: list[tuple[int, str]]


def run(module: str, tests: list[str], most: int, seed: str, report: os.PathLike[str]) -> Found:
    """Return what comes of at most ``most`` mutants (0: all), drawn by ``seed``."""
    environment = {k: v for k, v in os.environ.items() if k != "PLUSTHREE_PROVE"}
    folders = (str(tree.ROOT / "tests" / name) for name in ("support", "prove"))
    environment["PYTHONPATH"] = os.pathsep.join(folders)
    environment[_TERMS] = json.dumps([module, most, seed, str(report)])
    paths = [str(tree.ROOT / "tests" / name) for name in tests]
    words = ["-p", "test_mutants", "-q", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist"]
    with contextlib.ExitStack() as stack:
        program = programs.found("postgres")
        if program and any(_ON_A_SERVER in one for one in (module, *tests)):  # one for all forks
            shared = servers.shared_postgres(program)
            environment |= stack.enter_context(shared)
        else:
            words += ["-k", "not postgresql"]  # each fork would start one
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *words, *paths],
            env=environment, cwd=tree.ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    every, tried, survivors = json.loads(pathlib.Path(report).read_text(encoding="utf-8"))
    return Found(every, tried, sorted((line, name) for line, name in survivors))


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    """Run the collected tests in forks, instead of here."""
    module, most, seed, report = json.loads(os.environ[_TERMS])
    every = list(mutants.mutants(module))
    luck = random.Random(f"{seed} {module}")
    drawn = luck.sample(every, most) if 0 < most < len(every) else every
    gc.freeze()  # a fork that collects would copy every page
    path = importlib.import_module(module).__file__
    tests = [_Test(item, path) for item in session.items]
    survivors = [(one.lines[0], one.name) for one in drawn if not _is_found(one, tests)]
    found = json.dumps([len(every), len(drawn), survivors])
    pathlib.Path(report).write_text(found, encoding="utf-8")
    return True


class _Test:
    """A test of a module: the lines of the module's file that it runs, and how long it takes."""

    def __init__(self, item, path):
        self.item, self.found = item, 0
        _shorten(item.obj)
        told = _forked(lambda tell: _traced(item, path, tell))
        if not told:
            raise pytest.UsageError(f"{item.nodeid} fails without any mutant")
        self._lines, self.took_s = set(told[0][0]), told[0][1]

    def runs(self, lines):
        return any(line in self._lines for line in range(lines[0], lines[1] + 1))

    @property
    def worth(self):
        """How many mutants it finds in a second, more or less."""
        return (self.found + 0.1) / (self.took_s + 0.01)


def _shorten(test):
    """Have Hypothesis try a few examples of a law instead of hundreds."""
    asked = getattr(test, "_hypothesis_internal_use_settings", None)
    if asked is not None:
        few = min(_EXAMPLES, asked.max_examples)
        test._hypothesis_internal_use_settings = hypothesis.settings(asked, max_examples=few)


def _is_found(mutant, tests):
    chosen = [test for test in tests if test.runs(mutant.lines)]
    chosen.sort(key=lambda test: -test.worth)
    told = _forked(lambda tell: _planted(mutant, chosen, tell))
    if told and told[-1] is not None:
        chosen[told[-1]].found += 1
    return told[-1:] != [None]


def _forked(work):
    """Return all that ``work(tell)`` tells in a fork before it ends, or is ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            os.setpgid(0, 0)
            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            work(lambda said: os.write(writing, json.dumps(said).encode() + b"\n"))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        said = file.read()
    os.waitpid(child, 0)
    return [json.loads(line) for line in said.splitlines()]


def _limit(seconds):
    """End this process after so much CPU time, or ten times that of waiting for what never comes."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, 10 * seconds)


def _traced(item, path, tell):
    """Run a test and tell the lines of the file at ``path`` that it runs, and its seconds."""
    lines = set()

    def in_it(frame, event, _):
        lines.add(frame.f_lineno)
        return in_it

    def anywhere(frame, event, _):
        return in_it(frame, event, None) if frame.f_code.co_filename == path else None

    began_s = time.process_time()
    _limit(_LONGEST_S)
    threading.settrace(anywhere)
    sys.settrace(anywhere)
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
    sys.settrace(None)
    if not item.session.testsfailed:
        tell([sorted(lines), time.process_time() - began_s])


def _planted(mutant, tests, tell):
    """Run tests until one fails: tell the number of each before it begins, None after the last."""
    mutant.plant()
    items = [test.item for test in tests]
    for at, (test, after) in enumerate(zip(tests, [*items[1:], None], strict=True)):
        tell(at)
        _limit(_BASE_S + _TIMES * test.took_s)
        test.item.config.hook.pytest_runtest_protocol(item=test.item, nextitem=after)
        if test.item.session.testsfailed:
            return
    tell(None)


PLANTED = "host/test_planted_database.py"
WATCHED = f"{PLANTED}::test_what_it_does_itself_is_nobody_elses {PLANTED}::test_what_is_planted_while_it_is_open_is_not_believed"
OPENED = f"{PLANTED}::test_every_command_names_what_was_planted_and_opens_nothing {PLANTED}::test_an_archive_in_a_schema_of_its_own_stays_there {PLANTED}::test_a_row_that_no_plusthree_writes_is_said"
MEANWHILE = "host/test_changed_rows.py::test_the_chains_end_and_every_row_are_compared_while_a_host_runs host/test_changed_rows.py::test_what_another_program_wrote_is_named_while_a_host_runs"
BACK = "host/test_postgres.py host/test_reconnecting.py"
PIPES = "host/test_odd_rows.py::test_a_pipe_in_the_place_of_a_file_is_never_waited_for"
TESTS = {
    "firmware.core.announced": "core/test_announced.py core/test_listener.py",
    "firmware.core.beacon_receiver": "core/test_beacon.py core/test_listener.py",
    "firmware.core.code": "core/test_code.py core/test_refusals.py",
    "firmware.core.journal": "core/test_journal.py core/test_frames.py core/test_refusals.py core/test_seeds.py core/test_sync.py",
    "firmware.core.ledger": "core/test_ledger.py core/test_draft.py core/test_takeback.py core/test_seeds.py core/test_ritual.py",
    "firmware.core.outcome": "core/test_outcome.py core/test_match_cases.py core/test_match_laws.py",
    "firmware.core.seeds": "core/test_seeds.py core/portable/chances.py core/test_roll_statistics.py core/test_refusals.py",
    "firmware.core.sync": "core/test_link_talk.py core/test_link_talk.py core/test_sync.py core/test_refusals.py",
    "firmware.core.timebase": "core/test_timebase.py core/test_refusals.py core/test_clock_filter.py core/test_link_talk.py core/test_sync.py",
    "host.archive.audit_log": "host/test_audit_log.py host/test_chain_head.py host/test_changed_rows.py host/test_changed_rows.py",
    "host.archive.chain_head": "host/test_chain_head.py",
    "host.hall.postgres.activity": f"host/test_postgres.py {WATCHED}",
    "host.hall.postgres.connection": f"{BACK} {WATCHED} host/test_store.py::test_changes_are_counted_and_looks_are_not host/test_store.py::test_a_batch_is_stored_whole_or_not_at_all",
    "host.hall.postgres.dialect": f"host/test_store.py {BACK} {WATCHED}",
    "host.hall.postgres.fence": f"{BACK} host/test_standby.py {PLANTED}::test_a_row_that_no_plusthree_writes_is_said {PLANTED}::test_a_writers_row_that_goes_meanwhile_ends_it",
    "host.hall.postgres.postgres_backend": f"{BACK} {WATCHED} host/test_store.py::test_changes_are_counted_and_looks_are_not",
    "host.hall.postgres.reconnection": "host/test_reconnecting.py",
    "host.hall.postgres.rights": OPENED,
    "host.hall.postgres.shape": OPENED,
    "host.archive.sqlite_backend": f"host/test_private_files.py host/test_store.py host/test_schema.py host/test_planted_schema.py host/test_unsynced.py host/test_private_files.py host/test_doctor.py host/test_backup.py host/test_audit.py {MEANWHILE} {PIPES}",
    "host.archive.store": "host/test_private_files.py host/test_store.py host/test_schema.py host/test_planted_schema.py host/test_unsynced.py host/test_chain_head.py host/test_audit_log.py host/test_backup.py host/test_odd_rows.py::test_an_archive_that_is_refused_is_let_go host/test_reconnecting.py::test_an_archive_that_comes_back_otherwise_is_not_written_to host/test_postgres.py::test_a_standby_sees_whether_a_person_ended_the_writer",
    "host.archive.table_shapes": "host/test_odd_rows.py host/test_schema.py host/test_schema.py host/test_planted_schema.py",
    "host.audit.examination": f"host/test_audit.py host/test_tampering.py host/test_announcement_audit.py host/test_roll_check.py host/test_audit_log.py host/test_planted_schema.py {PIPES} host/test_postgres.py::test_a_copy_is_an_archive_in_a_file_that_the_audit_finds_whole",
    "host.audit.log_check": "host/test_tampering.py host/test_log_sentences.py host/test_audit_log.py host/test_audit.py host/test_changed_rows.py",
    "host.audit.receipt_check": "host/test_receipt.py host/test_close.py",
    "host.backup.backup": "host/test_backup.py host/test_stick.py host/test_copy_seal.py",
    "host.backup.copy_seal": "host/test_copy_seal.py host/test_restore.py",
    "host.backup.restore": "host/test_restore.py host/test_backup.py host/test_copy_seal.py host/test_planted_schema.py",
    "host.base.private_files": "host/test_private_files.py host/test_planted_files.py",
    "host.collector.collector": "host/test_adverts.py host/test_collector_at_once.py host/test_collector.py host/test_refusals.py host/test_replays.py host/test_scheduler.py host/test_desk.py host/test_hall_cost.py host/test_announcements.py host/test_hall_beacon.py host/test_clock_rounds.py host/test_replayed_status.py",
    "host.web.connection_limits": "web/test_connection_limits.py",
    "host.desk.acts.fields": "web/test_fields.py web/test_security.py",
    "host.web.guard": "web/test_security.py",
    "host.web.sessions": "web/test_entrance.py web/test_security.py",
    "host.web.streams": "web/test_streams.py",
}  # fmt: skip
DRAWN, SLICE = 44, 3  # of each module in `make prove`; of one in `make test`
MOST_PERCENT, MOST_OF_ALL_PERCENT = 5, 2  # that survive unexplained: of a draw, of all mutants

# why a mutant that no test finds changes nothing that matters
EXPLAINED = {
    "host.web.connection_limits:ConnectionLimits.accept: accepted.close() -> pass": "its last reference closes it",
    "host.base.private_files:log_at: file.close() -> pass": "its last reference closes it",
    "host.archive.table_shapes:odd_rows: not typed and archive.number(_NUMBERED_OUT) -> archive.number(_NUMBERED_OUT)": "on PostgreSQL alone, where no archive would open",
    "host.archive.table_shapes:odd_rows: not count and (not typed) -> not count": "on PostgreSQL alone, where no archive would open",
    "host.web.streams:Streams.join: :12 -> :13": "both are longer than any number of ours",
    "host.web.streams:Streams.restart: self._number += 1 -> self._number += 2": "a number that was never given",
    "firmware.core.beacon_receiver:BeaconReceiver.__init__: -1 -> -2": "below 0 there is no interval, and no answer",
    "firmware.core.beacon_receiver:BeaconReceiver.__init__: beacon.TOPICS + 1 -> beacon.TOPICS + 2": "there are five topics",
    "firmware.core.beacon_receiver:BeaconReceiver.__init__: _KEPT + 1 -> _KEPT + 2": "a count that nothing raises",
    "firmware.core.beacon_receiver:BeaconReceiver.__init__: bytes(16) -> bytes(17)": "an anchor's key takes its place before any is asked for",
    "firmware.core.beacon_receiver:BeaconReceiver.__init__: [0] -> [1]": "each is written before it is read",
    "firmware.core.beacon_receiver:BeaconReceiver.__init__: beacon.TIMES + 1 -> beacon.TIMES + 2": "one more that nobody reads",
    "firmware.core.beacon_receiver:BeaconReceiver.follow_chain: -1 -> -2": "below 0 there is no interval",
    "firmware.core.beacon_receiver:BeaconReceiver._keep: min(255, self._counts[kind] + 1) -> min(256, self._counts[kind] + 1)": "beyond 255 of them a new one's chance is 1 in 255, or in 256",
    "firmware.core.beacon_receiver:BeaconReceiver._keep: self._entropy(1) -> self._entropy(2)": "the first byte counts",
    "firmware.core.beacon_receiver:BeaconReceiver._latest: -1 -> -2": "below 0 there is no place, and a frame of interval -1 is never kept",
    "firmware.core.beacon_receiver:BeaconReceiver.step: index > self._at -> index >= self._at": "it walks from the known key again: slower",
    "firmware.core.beacon_receiver:BeaconReceiver._learn: -1 -> -2": "below 0 there is no interval",
    "firmware.core.code:newest_entry: events.CodeEntered(0, 0, 0) -> events.CodeEntered(1, 0, 0)": "the time counts after a wrong code",
    "firmware.core.code:newest_entry: ring.oldest - 1 -> ring.oldest - 2": "before the oldest there is no record",
    "firmware.core.code:wait_ms: min(newest.wrong, 10) -> min(newest.wrong, 11)": "both are above the longest wait",
    "firmware.core.code:enter: -1 -> -2": "neither is a code",
    "firmware.core.code:result_code: -1 -> -2": "by fives from 25 the next after 0 is -5",
    "firmware.core.journal:Journal.__init__: self._verified = 0 -> pass": "recover sets it before anything is asked",
    "firmware.core.journal:Journal.__init__: self._verified = 0 -> self._verified = 1": "recover sets it before anything is asked",
    "firmware.core.journal:Journal.__init__: self.news_head = self._sealed = 0 -> self.news_head = self._sealed = 1": "open_epoch sets both before anything is written",
    "firmware.core.journal:Journal.__init__: bytes(7) -> bytes(8)": "open_epoch sets it before anything is written",
    "firmware.core.journal:Journal.recover: last >= 0 -> last > 0": "-1 is no record; epochs begin at 1, so an order is 65,536 or more",
    "firmware.core.journal:Journal._look_back: not kind or (match_known and kind not in _BEFORE) -> not kind": "what it passes over is earlier than what was found: slower",
    "firmware.core.journal:Journal._look_back: start is not None and seed_known -> start is not None": "a round is set where the last is over, and a draft begins at an idle table",
    "firmware.core.journal:Journal._look_back: ring.oldest - 1 -> ring.oldest - 2": "before the oldest there is no record",
    "firmware.core.journal:Journal.append: happened and self.counter + 2 * len(happened) > _LAST - ROOM -> self.counter + 2 * len(happened) > _LAST - ROOM": "an epoch ends before its counters stand there",
    "firmware.core.journal:Journal._to_close: last >= 0 -> last > 0": "-1 is no record; epochs begin at 1, so an order is 65,536 or more",
    "firmware.core.journal:Journal._to_close: last >= 0 -> last >= 1": "-1 is no record; epochs begin at 1, so an order is 65,536 or more",
    "firmware.core.journal:Journal.find: 0 <= self.ring.order(middle) < wanted -> 1 <= self.ring.order(middle) < wanted": "-1 is no record; epochs begin at 1, so an order is 65,536 or more",
    "firmware.core.journal:Journal.verify: self._verified > self.first -> self._verified >= self.first": "a record before the match is looked at, and not asked for",
    "firmware.core.journal:Journal.verify: record and (not self.authentic(record)) -> record": "what it leaves is verified as it is read: slower",
    "firmware.core.journal:Journal.kind: kind and place < self._verified and (not self.authentic(self.ring.at(place))) -> kind and (not self.authentic(self.ring.at(place)))": "what is its own is verified again: slower",
    "firmware.core.journal:Journal.kind: place < self._verified -> place <= self._verified": "what is its own is verified again: slower",
    "firmware.core.sync:Sync.__init__: (0, 0, 0) -> (1, 0, 0)": "each is set before it is read",
    "firmware.core.sync:Sync.__init__: (0, 0, 0) -> (0, 1, 0)": "each is set before it is read",
    "firmware.core.sync:Sync.__init__: (0, 0, 0) -> (0, 0, 1)": "each is set before it is read",
    "firmware.core.sync:Sync.__init__: self.renew() -> pass": "whatever is asked of it renews first",
    "firmware.core.sync:Sync.__init__: bytearray(24) -> bytearray(25)": "one zero more at the end of a number",
    "firmware.core.sync:Sync.forget: bytearray(24) -> bytearray(25)": "one zero more at the end of a number",
    "firmware.core.sync:Sync.__init__: self.report_ms = 0 -> self.report_ms = 1": "a link that opens sets it",
    "firmware.core.sync:Sync.__init__: self.reporting = False -> pass": "each is set before it is read",
    "firmware.core.sync:Sync.__init__: self._again_ms = _FIRST_MS -> pass": "a link that opens sets it",
    "firmware.core.sync:Sync.renew: -1 -> -2": "both are below every counter",
    "firmware.core.sync:Sync.renew: [-1] * 6 -> [-1] * 7": "there are six parts",
    "firmware.core.sync:Sync.receive: [counter] * 6 -> [counter] * 7": "there are six parts",
    "firmware.core.sync:Sync._question: frames.BODY - 11 -> frames.BODY - 12": "a payload is filled with zeros",
    "firmware.core.journal:Journal.recover: last >= 0 -> last >= 1": "-1 is no record; epochs begin at 1, so an order is 65,536 or more",
    "firmware.core.ledger:Ledger.resume: journal.verify() -> pass": "else each record is verified as it is read: slower",
    "firmware.core.ledger:Ledger.resume: event.kind == events.TAKEN_BACK -> event.kind != events.TAKEN_BACK": "a match that is folded twice is the same",
    "firmware.core.ledger:Ledger._rebuild: self.match.clear() -> pass": "the ROUND_SET that a match begins with clears it, too",
    "firmware.core.outcome:winner_of: first > second -> first >= second": "equal ones are a tie before that",
    "firmware.core.outcome:_narrow: first is not None and second is not None -> second is not None": "it tells the checker of types",
    "firmware.core.outcome:_narrow: first is not None and second is not None -> first is not None": "it tells the checker of types",
    "firmware.core.timebase:Timebase.resume: self.forget() -> pass": "it is resumed as it was made, which forgets",
    "firmware.core.timebase:Timebase.likely_ms: passed * self._rate + 32768 -> passed * self._rate + 32769": "it rounds otherwise once in 65,536 times",
    "firmware.core.timebase:Timebase.host_answered: self.latest_ms = 0 -> self.latest_ms = 1": "the first ms of an event",
    "firmware.core.timebase:Timebase.take: low > high -> low >= high": "where they touch in one ms, it is taken",
    "firmware.core.timebase:Timebase.take: drift_ms + self._doubt_ms + 1 -> drift_ms + self._doubt_ms + 2": "a ms more is thought likely; what is declared stays",
    "firmware.core.timebase:Timebase._measure_rate: span_ms < _OLD_MS -> span_ms <= _OLD_MS": "a ms of twenty minutes",
    "host.archive.audit_log:AuditLog.begin_upgraded: self.prepare() -> pass": "the end of the transaction begins it, too",
    "host.archive.audit_log:AuditLog.keep_head: self._key is not None and self._rows_since_head and (last is not None) and (last == self._committed_mark) -> self._rows_since_head and last is not None and (last == self._committed_mark)": "who has written rows has a key",
    "host.archive.audit_log:AuditLog.keep_head: self._key is not None and self._rows_since_head and (last is not None) and (last == self._committed_mark) -> self._key is not None and self._rows_since_head and (last == self._committed_mark)": "who has written rows has a last one",
    "host.archive.audit_log:AuditLog.on_commit: self._has_begun or self._last_mark is not None -> self._has_begun": "the chain is looked at before each row: slower",
    "host.audit.log_check:_read_head: named.heads.get(boot, 0) -> named.heads.get(boot, 1)": "a head is stored where a board has news",
    "host.collector.collector:Collector._connect: self.links_taken >= self.links -> self.links_taken > self.links": "whoever chooses looks at the limit, too: slower",
    "host.collector.collector:Collector._take: same = not refusal and (not status.changed) -> pass": "what is the same is ranked again: slower",
    "host.collector.collector:Collector._take: self._scheduler.reschedule_unchanged(status) -> pass": "where nothing waits its session has nothing to write, and is stepped by itself soon",
    "host.hall.postgres.connection:PostgresConnection.open: self._db.close() -> pass": "its last reference closes it",
    "host.hall.postgres.connection:PostgresConnection.mend: self.torn is not None and self.come_back is not None -> self.torn is not None": "it tells the checker of types",
    "host.hall.postgres.postgres_backend:PostgresBackend.__init__: ('', 0) -> ('', 1)": "a number that is compared with itself alone",
    "host.hall.postgres.postgres_backend:PostgresBackend._resume: db.look_in() -> pass": "the server's own names come first where the archive's are looked up, too",
    "host.hall.postgres.postgres_backend:PostgresBackend._resume: self._others = Activity(_snapshot(db)) -> pass": "what happened meanwhile counts anyway, as one more was told",
    "host.hall.postgres.postgres_backend:PostgresBackend._resume: self._expected = shape.expected_schema(db) -> pass": "another version of the server alone would make it otherwise",
    "host.hall.postgres.postgres_backend:PostgresBackend._resume: db.notified += 1 -> db.notified += 2": "a number that is compared with itself alone",
    "host.hall.postgres.postgres_backend:Watch.close: self._db.close() -> pass": "its last reference closes it",
    "host.hall.postgres.postgres_backend:_closing_on_error: db.close() -> pass": "its last reference closes it",
    "host.hall.postgres.rights:fault: db.server_version >= _SET_SINCE -> db.server_version > _SET_SINCE": "at 16.0 itself alone, and more is refused",
    "host.hall.postgres.activity:Activity.others: self._own = {transaction for transaction in self._own if transaction >= after.below} -> pass": "what is over is never asked for again: memory alone",
    "host.archive.sqlite_backend:open_archive: lock.release() -> pass": "its last reference releases it",
    "host.archive.sqlite_backend:_prepare: schema.upgrade(version) or '' -> schema.upgrade(version)": "a version that was let in has an upgrade",
    "host.backup.copy_seal:append: file.seek(size) -> pass": "who has read it whole stands there",
    "firmware.core.seeds:Seeds.draw: bytes(8) -> bytes(9)": "a part is the first eight bytes",
    "host.desk.acts.fields:choice: not isinstance(value, str) or value not in words -> value not in words": "what is no text is in no tuple of words",
    "host.web.connection_limits:AtOnce.__call__: ('', 0) -> ('', 1)": "who has no address has no connection of either",
    "host.hall.postgres.shape:make: db.look_in() -> pass": "the archive's own schema is empty but for what was just made",
    "firmware.core.seeds:Seeds.before_roll: bytes(8) -> bytes(9)": "a part is the first eight bytes",
}  # fmt: skip


def test_few_mutants_survive(proving, progress, printed, tmp_path):
    asked = os.environ.get("PLUSTHREE_MUTANTS", str(DRAWN if proving else SLICE))
    most, origin = 0 if asked == "all" else int(asked), drawn.origin()
    lines, tried, left = [], 0, 0
    there = [one for one in TESTS if "postgres" not in one or programs.found("postgres")]
    for module in there if proving else ("firmware.core.code",):
        tests = TESTS[module].split()[: None if proving else 1]
        found = run(module, tests, most, origin.key, tmp_path / module)
        odd = [one for one in found.survivors if one[1] not in EXPLAINED]
        tried, left = tried + found.tried, left + len(odd)
        lines.append(f"{module}: {len(odd)} of {found.tried} survive, of {found.every} there are")
        lines += [f"    line {line}, {name}" for line, name in odd]
        progress(lines[-1 - len(odd)])
    printed(f"mutants drawn by {origin.name}: {left} of {tried} survive unexplained", lines)
    assert tried
    percent = MOST_PERCENT if most else MOST_OF_ALL_PERCENT
    assert not proving or left <= tried * percent / 100


@pytest.mark.parametrize("module", sorted({name.partition(":")[0] for name in EXPLAINED}))
def test_every_explained_mutant_is_one(module):
    explained = {name for name in EXPLAINED if name.startswith(module + ":")}
    assert explained <= {one.name for one in mutants.mutants(module)}


def test_every_test_that_meets_mutants_is_there():
    for named in {one for tests in TESTS.values() for one in tests.split()}:
        path, _, test = named.partition("::")
        assert f"def {test}" in (tree.ROOT / "tests" / path).read_text(encoding="utf-8"), named
