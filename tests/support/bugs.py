"""A bank of planted bugs: each one takes a line of the product away or writes it wrong.

They are switched on one at a time, in this process alone: a function's source is read, one passage
is exchanged (``mutation``: in the syntax tree), and the result stands in the function's place until
the run is over. Nothing of it is in the product. A row is (what is wrong, ((function, passage,
passage instead), ...)).
"""

import __future__

import ast
import contextlib
import importlib
import inspect
import signal
import textwrap

import mutation
import pytest

from firmware.core import events
from host.sim import bleio

bleio.install()  # or ``firmware.radio`` might be imported over the system's own ``_bleio``

LONGEST_S = 60  # of the processor: a row's longest run takes a tenth of it

_KEY = "firmware.core.frames:stream_key"
_DERIVED = 'struct.pack("<HBH", event, direction, epoch)'
_REFUSAL = "firmware.core.sync:Sync._refusal"

BUGS = (
    ("acknowledge before COMMIT", (
        ("host.collector.collector:Collector.poll", "self._commit()",
         "self.polls = 1 + getattr(self, 'polls', 0); self.polls % 9 or self._commit()"),
        ("host.collector.collector:Collector._take", "self._inbox.append((address, verified))",
         "self._inbox.append((address, verified)); s = self.sessions.get(address);"
         " s is None or s.ack_task.queue_ack(verified, False)"))),
    ("skip one mirror", (("firmware.core.ring:Ring.flush", "for copy in (0, 1): ...", "for copy in (0,): ..."),)),
    ("write nothing before the answer", (("firmware.core.journal:Journal.append", "self.ring.flush()", "pass"),)),
    ("repair no torn copy", (("firmware.core.ring:Ring._repair", "max(ranks) >= 0", "False"),)),
    ("believe a block without its checksum", (("firmware.core.ring:_rank", "crc != _crc(block)", "False"),)),
    ("show a roll before it is stored", (
        ("firmware.core.journal:Journal.append", "self.ring.flush()",
         f"happened[0].kind == {events.ROLLED} or self.ring.flush()"),)),
    ("reuse a counter of the host", (
        ("host.collector.frame_signer:FrameSigner.sign", "counter, self._next = self._next, self._next + 1",
         "counter, self._next = self._next, self._next + (self._next % 3 > 0)"),)),
    ("forget which counters were reserved", (("host.archive.store:Archive._reserve", "self.write(...)", "pass"),)),
    ("reuse a counter of the board", (("firmware.core.sync:Sync.inform", "self._informed += 1",
        "self._informed += self._informed % 5 > 0 or 1 * (kind == 1)"),)),
    ("begin no new epoch", (("firmware.core.journal:Journal.open_epoch", "self.epoch += 1", "self.epoch = self.epoch or 1"),)),
    ("drop the tag check on the board", ((_REFUSAL, "frames.authentic(key, frame)", "True"),)),
    ("drop the tag check on the host", (("host.keys.keyring:Keyring._signing_key", "tag.fits(frame)", "True"), ("host.keys.keyring:Keyring.verify", "not likely.tag.fits(frame)", "False"))),
    ("accept an old epoch", (
        (_REFUSAL, "epoch != self.journal.epoch", "epoch > self.journal.epoch"), (_KEY, _DERIVED,
         'struct.pack("<HB", event, direction)'))),
    ("accept a command twice", ((_REFUSAL, "counter <= self.commanded", "False"),)),
    ("take what a board says for what the host says", ((_KEY, _DERIVED, 'struct.pack("<HH", event, epoch)'),)),
    ("derive one key for all boards", (
        ("firmware.core.frames:board_key", 'struct.pack("<HH", device, generation)', "b''"),
        (_REFUSAL, "device != self.journal.device", "False"))),
    ("float time", (
        ("firmware.core.timebase:Timebase.now_ms", "self.likely_ms(uptime_ms)",
         "int(round(self.likely_ms(uptime_ms) / 4096) * 4096)"),)),
    ("take any step of the host's time", (
        ("firmware.core.timebase:Timebase.host_answered", "least > limit or most < -limit", "False"),)),
    ("count half the way for nothing", (("firmware.core.timebase:Timebase.take", "self.error_ms, self._doubt_ms = ...",
        "self.error_ms, self._doubt_ms = 1, 1"),)),
    ("declare no drift", (("firmware.core.timebase:Timebase.uncertainty_ms", "... * self.ppm // 1000", "0"),)),
    ("give time back after a reset", (
        ("firmware.app:App._resume", "max(self.journal.last_ms, outlived_ms)", "self.journal.last_ms"),)),
    ("begin at zero after a reset", (("firmware.app:App._resume", "self.journal.last_ms is not None", "False"),)),
    ("keep no time that is only a bound", (
        ("firmware.app:App._beat", "self.timebase.guessed and not self.timebase.bounded", "self.timebase.guessed"),)),
    ("take a time to come for the time that was", (("firmware.core.journal:Journal._look_back", "kind in _PAST", "True"),)),
    ("overlook the counter's wrap", (("firmware.board.clock:_signed", "return ...", "return ticks if ticks else ..."),)),
    ("take a step back for three days", (
        ("firmware.board.clock:_signed", "(ticks + _HALF_MS) % _WRAP_MS - _HALF_MS", "ticks % _WRAP_MS"),)),
    ("play one turn too many", (("firmware.core.play:end_turn", "turn < match.overtime_turns", "turn <= match.overtime_turns"),)),
    ("let one seat confirm for both", (("firmware.core.automatic_events:next_event", "match.confirmed == 3", "match.confirmed"),)),
    ("add extensions up", (
        ("firmware.core.legal:ask", "decide(match, intent)", "decide(match, intents.Extend(intent.at_ms, intent.reason, intent.total_s + match.extension_s) if kind == intents.EXTEND else intent)"),)),
    ("call the end of a match no news", (
        ("firmware.core.journal:Journal._put", "kind not in events.NOT_NEWS", "kind not in events.NOT_NEWS + (events.MATCH_ENDED,)"),)),
    ("carry the last round's format on", (
        ("firmware.core.match:Match._round_set", "self._begin_round()", "form = self.format; self._begin_round(); self.format = form"),)),
    ("fold over a gap", (("host.event.fold:TableFold._past_missing", "missing.counter >= self._sizes[missing.epoch]", "True"),)),
    ("fold a record twice", (("host.event.fold:TableFold._follow", "self._apply(record)", "self._apply(record); self._apply(record)"),)),
    ("acknowledge a neighbour, too", (("host.collector.session:AckTask.next", "mask >> 1", "mask >> 1 | 1"),)),
    ("take an acknowledgement of other bytes", (
        ("host.collector.session:AckTask.next", "frames.pack_ack(..., ..., ..., tags)", "frames.pack_ack(..., ..., ..., tags[::-1])"),
        ("firmware.core.sync:Window.acknowledge", "not digest.same(...)", "False"))),
    ("never hang up on a stranger", (("firmware.core.sync:Sync.drop_due", "return ...", "return False"),)),
    ("keep what a board has sent in memory alone", (("host.archive.orders:Orders.sent", "self._write(...)", "pass"),)),
    ("drop the seal check", (("host.audit.seal_check:check", "... == stated", "... != b''"),)),
    ("take a revoked board's word", (("host.archive.roster:Roster.current_boards", "board.table >= SPARE", "True"),)),
    ("give a spare the full time", (
        ("host.desk.board_swap:_clock_intents", "_reported_ms(station, table, match)", "match.start_ms or 0"),)),
    ("forget a swapped table's score", (
        ("host.desk.board_swap:_takeover", "max(match.score) <= match.best_of // 2", "False"),)),
    ("forget a swapped table's extension", (("host.desk.board_swap:_clock_intents", "station.desk.extension_s(table)", "0"),)),
    ("do what the desk says before the time is known", (
        ("firmware.core.sync:Sync.receive", "self.timebase.guessed", "False"),)),
    ("draw another nonce at the next start", (("host.event.nonces:Nonces.reload", "all_given(self._archive)", "()"),)),
    ("give a nonce in two writes", (
        ("host.event.nonces:Nonces._give", "with self._archive.transaction(): ...", "if True: ..."),)),
)  # fmt: skip


# the first seed that finds it, where that is not 1 (4 tables, 1 hour); a change of the simulator
# moves them
SEEDS = {
    "take a time to come for the time that was": 2,
    "believe a block without its checksum": 2, "drop the tag check on the board": 2,
    "accept an old epoch": 2, "accept a command twice": 2, "take what a board says for what the host says": 2,
    "take any step of the host's time": 5, "keep no time that is only a bound": 2, "take a step back for three days": 2,
    "give a spare the full time": 2, "forget a swapped table's score": 2, "forget a swapped table's extension": 2, "repair no torn copy": 2,
    "declare no drift": 5, "draw another nonce at the next start": 16, "give a nonce in two writes": 3, "take a revoked board's word": 4,
    "carry the last round's format on": 2, "fold over a gap": 2, "call the end of a match no news": 6,
}  # fmt: skip
QUICK = (
    "acknowledge before COMMIT", "skip one mirror", "accept an old epoch", "float time",
    "let one seat confirm for both", "drop the seal check",
)  # fmt: skip

# what each breaks, in the invariant checker's words: a bug that only makes a program stumble is not
# found by that
BREAKS = {
    "acknowledge before COMMIT": "acknowledged before it was on the disk", "skip one mirror": "not in both copies",
    "write nothing before the answer": "not in both copies", "repair no torn copy": "a torn copy is left",
    "show a roll before it is stored": "not in both copies", "reuse a counter of the host": "under one counter",
    "forget which counters were reserved": "under one counter", "reuse a counter of the board": "number used twice",
    "begin no new epoch": "stored records changed", "drop the tag check on the board": "no host asked",
    "drop the tag check on the host": "never stored", "accept an old epoch": "no host asked",
    "accept a command twice": "one command twice", "take what a board says for what the host says": "no host asked",
    "derive one key for all boards": "no host asked", "float time": "clock off", "declare no drift": "clock off",
    "take any step of the host's time": "took an impossible time", "count half the way for nothing": "clock off",
    "give time back after a reset": "given back", "begin at zero after a reset": "without any idea of the time",
    "keep no time that is only a bound": "given back", "take a time to come for the time that was": "ahead of time",
    "overlook the counter's wrap": "clock off", "take a step back for three days": "the watchdog",
    "play one turn too many": "turn 4", "let one seat confirm for both": "alone", "fold over a gap": "not what the archive",
    "add extensions up": "no genuine command", "call the end of a match no news": "shown as saved",
    "carry the last round's format on": "not what its own journal", "fold a record twice": "archived",
    "never hang up on a stranger": "a stranger on the link", "believe a block without its checksum": "read as records",
    "acknowledge a neighbour, too": "not of what is on the disk", "give a spare the full time": "at the most",
    "take an acknowledgement of other bytes": "took an acknowledgement of other bytes",
    "keep what a board has sent in memory alone": "under a number that is not on the disk",
    "drop the seal check": "a seal fits", "take a revoked board's word": "its word was taken",
    "forget a swapped table's score": "the spare shows", "forget a swapped table's extension": "the spare has an extension",
    "do what the desk says before the time is known": "before it knew the time",
    "draw another nonce at the next start": "more than one nonce", "give a nonce in two writes": "not ordered once",
}  # fmt: skip


class Endless(KeyboardInterrupt):
    """What a planted bug has begun does not end. No program catches it, and asyncio lets it out."""


@contextlib.contextmanager
def limited(name, longest_s=LONGEST_S):
    """Fail by ``name`` if the block takes more than so many seconds of the processor.

    Whatever catches ``Endless`` in it gets it again a second later. The processor's time counts: a
    loop may let none pass in the simulation, and a clock says nothing on a busy machine.
    """

    said = f"{name!r} never ends: {longest_s} s of the processor are over"
    endless = False

    def over(*_):
        nonlocal endless
        endless = True
        raise Endless(said)

    before = signal.signal(signal.SIGPROF, over)
    outer = signal.setitimer(signal.ITIMER_PROF, longest_s, 1)
    try:
        yield
    except BaseException:  # a loop that was cut anywhere may end with any error
        if not endless:
            raise
    finally:
        signal.setitimer(signal.ITIMER_PROF, *outer)
        signal.signal(signal.SIGPROF, before)
    if endless:
        pytest.fail(said)


@contextlib.contextmanager
def row(name, changes, longest_s=LONGEST_S):
    with limited(name, longest_s), pytest.MonkeyPatch.context() as patch:
        plant(patch, changes)
        yield


def plant(patch, changes):
    """Put a bug's ``changes`` into this process; ``patch`` (a MonkeyPatch) takes them out again.

    LookupError: a row is stale, as ``mutation.mutate`` says, or brings in a name that nobody has.
    """
    for where in dict.fromkeys(where for where, *_ in changes):
        edits = [edit for place, *edit in changes if place == where]
        function = planted(where)
        patch.setattr(function, "__code__", _changed(function, edits, where))  # wherever it is kept


def stale(bank):
    """Return what is wrong with the rows of a ``bank`` of changes, one sentence for each that
    cannot be planted.
    """
    found = []
    for changes in bank:
        with pytest.MonkeyPatch.context() as patch:
            try:
                plant(patch, changes)
            except (AttributeError, ImportError, LookupError) as error:
                found.append(str(error))
    return found


def planted(where):
    """Return the function that ``where`` names, as ``module:Class.function``."""
    module_name, _, path = where.partition(":")
    holder = importlib.import_module(module_name)
    *classes, name = path.split(".")
    for one in classes:
        holder = getattr(holder, one)
    function = inspect.getattr_static(holder, name)
    return getattr(function, "fget", function)


def _changed(function, edits, where):
    known = vars(importlib.import_module(where.partition(":")[0]))
    tree, found = ast.parse(textwrap.dedent(inspect.getsource(function))), {}
    for passage, instead in edits:
        mutation.mutate(tree, passage, instead, where)
    unknown = mutation.unknown(tree, known) - set(function.__code__.co_freevars)
    if unknown:
        raise LookupError(f"{where} does not know {', '.join(sorted(unknown))}: the row is stale")
    # only its code is wanted, so its annotations may name what is imported for the checker of types
    # alone
    flags = __future__.annotations.compiler_flag
    exec(compile(tree, f"<bug in {where}>", "exec", flags, dont_inherit=True), known, found)
    changed = next(iter(found.values()))
    return getattr(changed, "fget", changed).__code__
