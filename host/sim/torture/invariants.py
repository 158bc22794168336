"""The invariants of a run, each checked where it can break and reported as a sentence.

They are checked against what really happened: the frames that hosts sent, the records that boards
stored, the screens that people saw and the rows that were committed. An acknowledgement must match
committed records byte for byte; a command's number must be stored before it is sent, otherwise its
answer means nothing to a restarted program. A host sends its own laptop's time, which may be an
hour wrong: a board's clock is compared with the laptop whose time it last accepted.
"""

from __future__ import annotations

import math
import pathlib
import traceback
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from firmware.core import (
    answers,
    digest,
    events,
    frames,
    intents,
    luck,
    payload,
    phases,
    play,
    seeds,
)
from firmware.core.journal import OVER
from firmware.core.match import FIELDS, Match
from firmware.core.ring import ROOM, Ring
from host.collector.challenges import is_challenge
from host.sim import stored_records
from host.sim.board import BoardReset
from host.sim.story import mirrored
from host.sim.table import head_of
from host.sim.torture.faulty_tables import SECTOR

if TYPE_CHECKING:
    from firmware.core.journal import Journal
    from firmware.core.types import Rules
    from host.archive.records import RecordId
    from host.collector.collector import Collector
    from host.sim.torture.types import (
        Command,
        FaultyTable,
        FaultyVenue,
        Laptop,
        MatchPlace,
        Placed,
        Tell,
    )
    from host.sim.types import Score

_SPAN = 9  # an acknowledgement names a first counter and eight more by its mask
_SENT = (  # how many rows there are of a frame that was sent
    "SELECT count(*) FROM sends WHERE device = ? AND generation = ? AND epoch = ? AND counter = ?"
)
ROUND_UP_MS = 3  # the board's times are whole ms
DRIFT_PPM = 20_000  # of a free-running oscillator: far more than is declared
_BACK_MS = 1000  # a board that knows only a bound accepts a time this much before it
REPLAYED = (None, "A", "B", "tie")  # the archive's name of each outcome
_FAR = 40 * ROOM  # how many records before the head a restart is checked for
_LATE_MS = 61_000  # the last CLOCK record may be a minute old while the clock runs
_AHEAD_MS = 2_500
_BEGINS = (events.ROUND_SET, events.ROUND_CLEARED, events.EVENT_JOINED)
_ROLLS = ("roll", "roll_rounds", "roll_pregame", "roll_still")  # the screens that show one
_GRANTS = (events.START_SET, events.FORMAT_SET, events.EXTENDED, events.RESUMED)  # may give time
_HARNESS = "host.sim"
_PASSES_ON = "host.sim.torture.faulty_database"  # hands the program's statements to SQLite
MOST = 12
TURNS = 3
INBOX = 512
# a connected board looks four times a second, and its counter is rounded
_HELD_MS = 8_000 + 250 + 10
_RULED = 2
# events that only the desk may cause, and the intent that causes them
DESK = {
    events.EVENT_JOINED: intents.JOIN_EVENT, events.ROUND_SET: intents.SET_ROUND,
    events.FORMAT_SET: intents.SET_FORMAT, events.START_SET: intents.SET_START,
    events.FROZEN: intents.FREEZE, events.RESUMED: intents.RESUME, events.EXTENDED: intents.EXTEND,
    events.STAMPED_LATE: intents.STAMP_LATE, events.RESULT_RULED: intents.RULE_RESULT,
    events.POLICY_SET: intents.SET_POLICY, events.ROLL_RULED: intents.RULE_ROLL,
    events.PRIZES_ADJUSTED: intents.ADJUST_PRIZES, events.ROUND_CLEARED: intents.CLEAR_ROUND,
    events.ORGANISER_SAID: intents.SAY, events.JUDGE_ARRIVED: intents.ARRIVE,
    events.CALL_ENDED: intents.END_CALL,
    events.SEED_STORED: intents.SET_NONCE, events.SQUADS_SET: intents.SET_SQUADS,
}  # fmt: skip


def ack_counters(ack: bytes) -> tuple[int, list[int]]:
    """Return ``(epoch, counters)`` that an ACK names."""
    epoch, first, mask, _ = frames.ack_of(ack)
    named = [first + bit + 1 for bit in range(_SPAN - 1) if mask >> bit & 1]
    return epoch, [first, *named]


def ack_matches(ack: bytes, records: Sequence[bytes | None]) -> bool:
    """Return whether an ACK's digest is that of ``records``, and none of them is None."""
    whole = [record for record in records if record is not None]
    if len(whole) < len(records):
        return False
    tags = b"".join(record[frames.BODY :] for record in whole)
    _, _, _, stated = frames.ack_of(ack)
    return digest.sha256(tags)[:4] == stated


def frame_faults(laptop: Laptop, frame: bytes) -> Iterator[str]:
    """Yield the faults of a frame that ``laptop`` sends for the first time."""
    kind, device, epoch, counter = head_of(frame)
    generation = laptop.generation_of(device)
    if kind == frames.ACK:
        acked, counters = ack_counters(frame)
        places = [(device, generation, acked, each) for each in counters]
        if not ack_matches(frame, [laptop.durable.get(place) for place in places]):
            yield f"the acknowledgement is not of what is on the disk: {device} {acked}/{counters}"
    elif kind >= frames.FIRST_COMMAND and not is_challenge(frame):
        if not laptop.has_rows(_SENT, device, generation, epoch, counter):
            yield f"ordered under a number that is not on the disk: {device} {epoch}/{counter}"


class ClockChecker:
    """Checks one board's clock in ``venue`` over all its restarts."""

    def __init__(self, venue: FaultyVenue):
        self._venue = venue
        self._host_error_ms = None  # the error of the laptop whose time the board last accepted
        self._began_s = self._ends_s = 0  # the oscillator's last free run
        # how long it ran free in all: before that run, up to the board's last question, and up to
        # the question from whose answer on the board's declared error counts
        self._free_s = self._free_at_question_s = self._free_at_first_s = 0
        self._sent_times = set()  # (host time, nonce) that a host has sent this board

    def time_sent(self, frame: bytes) -> None:
        """Note a TIME frame that a host has sent."""
        self._sent_times.add(frames.time_of(frame))

    def begin_drift(self, length_s: float) -> None:
        """Note that the oscillator runs free for ``length_s`` seconds, or until a reset."""
        now_s = self._venue.loop.time()
        if now_s >= self._ends_s:
            self._free_s, self._began_s = self._ran_free_s(), now_s
        self._ends_s = max(self._ends_s, now_s + length_s)

    def start(self, table: FaultyTable, tell: Tell) -> None:
        """Watch the time answers of a program that has just started; ``tell`` gets each
        violation.
        """
        self._host_error_ms, self._ends_s = None, min(self._ends_s, self._venue.loop.time())
        base = table.app.timebase
        ask, answer = base.ask_host, base.host_answered

        def asked(nonce, uptime_ms):
            self._free_at_question_s = self._ran_free_s()
            ask(nonce, uptime_ms)

        def answered(host_ms, nonce, uptime_ms):
            # what the board makes of the answer depends on how it stands before it
            range_ms = _possible_lead_ms(base, uptime_ms)
            off_ms = host_ms - base.likely_ms(uptime_ms)
            trip_ms = uptime_ms - base.asked_ms
            first = base.first or base.guessed
            taken = answer(host_ms, nonce, uptime_ms)
            if taken is not None:
                time = host_ms, nonce
                for fault in self._time_faults(taken, time, off_ms, trip_ms, range_ms):
                    tell(fault)
            if taken:
                self._note_host(host_ms, table.app.journal.event)
                if first:  # what is declared reaches over all answers since
                    self._free_at_first_s = self._free_at_question_s
            return taken

        base.ask_host, base.host_answered = asked, answered

    def _ran_free_s(self):
        """Return how many seconds the oscillator has run free until now."""
        return self._free_s + min(self._venue.loop.time(), self._ends_s) - self._began_s

    def _time_faults(self, taken, answer, off_ms, trip_ms, range_ms):
        """Yield the faults of an accepted or refused time, which was ``off_ms`` to ``off_ms +
        trip_ms`` ahead of the board.
        """
        if answer not in self._sent_times:
            yield f"took the time from nobody: {answer}"
        # doubt counts for the board: what it took may lie a little outside, what it refused inside
        slack_ms = ROUND_UP_MS if taken else -ROUND_UP_MS
        least_ms, most_ms = range_ms
        within = off_ms - slack_ms <= most_ms and off_ms + trip_ms + slack_ms >= least_ms
        if taken != within:
            did = "took an impossible time" if taken else "refused the host's time without cause"
            yield f"{did}: {off_ms} ms off, within {range_ms}"

    def _note_host(self, host_ms, event):
        """Note which laptop's time was accepted: the one whose error is nearest."""
        error_ms = host_ms - self._venue.event_ms(event)
        errors_ms = {offset for laptop in self._venue.laptops for offset in laptop.offsets_ms}
        self._host_error_ms = min(errors_ms, key=lambda offset: abs(error_ms - offset))

    def errors(self, table: FaultyTable) -> Iterator[str]:
        """Yield a sentence if the clock is off by more than it declares plus the known drift."""
        app, uptime_ms = table.app, table.board.clock.now_ms()
        if app.timebase.guessed or self._host_error_ms is None:
            return
        free_s = self._ran_free_s() - self._free_at_first_s
        declared_ms, drift_ms = app.timebase.uncertainty_ms(uptime_ms), free_s * DRIFT_PPM / 1000
        allowed_ms = declared_ms + ROUND_UP_MS + round(drift_ms)
        host_ms = self._venue.event_ms(app.journal.event) + self._host_error_ms
        off_ms = app.timebase.now_ms(uptime_ms) - host_ms
        if abs(off_ms) > allowed_ms:
            yield (
                f"clock off by {off_ms} ms, {allowed_ms} ms declared, {free_s:.0f} s of drift among"
                " them"
            )


def _possible_lead_ms(base, uptime_ms):
    """Return the (least, most) ms that a host's time may be ahead of a board's."""
    if not base.guessed:
        declared_ms = base.uncertainty_ms(uptime_ms)
        return -declared_ms, declared_ms
    return (-_BACK_MS if base.bounded else -math.inf), math.inf


def replayed_match(journal: Journal, rules: Rules) -> Match:
    """Return a Match replayed from a journal."""
    match = Match(rules)
    for record in stored_records.replay(journal):
        match.apply(events.of_record(record))
    return match


def _written(table):
    """Return the slots of the last blocks written, all of which one torn sector can hold."""
    newest = table.app.journal.ring.number
    numbers = range(max(0, newest - SECTOR + 1), newest + 1)
    return [number % table.store.blocks for number in numbers]


class BoardHistory:
    """The records that one board has stored, over all its restarts.

    A record counts as stored once what has written it (``append``, ``settle``, ``close_block``) has
    returned.
    """

    def __init__(self):
        self.records: dict[tuple[int, int], bytes] = {}  # (epoch, counter) -> bytes
        self.head = 0
        self._by_place: dict[int, bytes] = {}  # place in the ring -> the same bytes
        self._carried_out: set[tuple[int, int]] = set()
        # whether a desk act on the clock was stored since the screen last changed
        self._granted = False
        self._shown_zero: tuple[int, int | None] | None = None  # the last round and its zero
        self._event_with_time = 0  # the event whose time the board knew then, 0 for none
        self._shown_roll: events.Event | None = None  # the last one of the match
        self._shown_in: int | None = None  # the place of that match in the ring

    def note_stored(self, table: FaultyTable) -> None:
        """Note that an append has returned: all records up to the head are in both copies."""
        ring = table.app.journal.ring
        for index, record in stored_records.walk(ring, self.head):
            if record:
                kind, _, epoch, counter = head_of(record)
                self.records[epoch, counter] = self._by_place[index] = record
                self._granted = self._granted or kind in _GRANTS
        self.head = ring.head
        if self._shown_in != table.app.journal.start:
            self._shown_roll = None  # another match has begun

    def check_copies(self, table: FaultyTable) -> Iterator[str]:
        """Yield a sentence if an append has returned without both copies holding the last block."""
        ring = table.app.journal.ring
        slot = ring.number % table.store.blocks
        if any(table.store.read(copy, slot) != ring.tail for copy in (0, 1)):
            yield "told as stored, and not in both copies"

    def note_command(self, epoch: int, counter: int) -> bool:
        """Note that a command was carried out; return False if it had been before."""
        known = (epoch, counter) in self._carried_out
        self._carried_out.add((epoch, counter))
        return not known

    def check_screen(self, table: FaultyTable) -> Iterator[str]:
        """Yield the faults of a screen that has just changed, and note what it shows."""
        app = table.app
        match, ring = app.match, app.journal.ring
        copies = [table.store.read(copy, ring.number % table.store.blocks) for copy in (0, 1)]
        if copies[0] != copies[1]:
            yield "the two copies differ"
        knows_time = app.timebase.bounded or not app.timebase.guessed
        self._event_with_time = app.journal.event if knows_time else 0
        self._shown_zero, self._granted = (match.round, match.zero_ms), False
        yield from self._roll_faults(table)

    def _roll_faults(self, table):
        """A roll that was shown stays until the next roll or another match."""
        app = table.app
        match, roll = app.match, self._shown_roll
        if roll is not None and self._shown_in == app.journal.start:
            if match.roll is None or match.roll.number < roll.number:
                yield f"a roll that was shown is gone: {roll} {match.roll}"
            elif match.roll.number == roll.number and match.roll != roll:
                yield f"another roll than was shown: {roll} {match.roll}"
        if match.roll is not None and table.screen in _ROLLS:
            self._shown_roll, self._shown_in = match.roll, app.journal.start

    def check_flash(self, table: FaultyTable) -> Iterator[str]:
        """Yield a fault for each record that recovery would accept but the board never wrote."""
        ring = Ring(table.store.copy())
        ring.recover()
        first = max(ring.oldest, self.head - _FAR)
        made_up = []
        for index, record in stored_records.walk(ring, first):
            written = self._by_place.get(index)
            if not record or record == written:
                continue
            # one that was stored as the board lost power is not noted here, but bears its tag
            if written or not table.is_own_record(record):
                made_up.append(index)
        if made_up:
            yield f"what a cut left is read as records, {len(made_up)} of them from {made_up[0]} on"

    def check_restart(self, table: FaultyTable) -> Iterator[str]:
        """Yield which stored records, shown rolls or time the restarted program has lost."""
        journal = table.app.journal
        if journal.ring.head < self.head:
            yield f"{self.head - journal.ring.head} stored records lost"
        newest = list(self.records)[-min(self.head, _FAR) :]
        found = {place: stored_records.read(journal, *place) for place in newest}
        changed = [place for place in newest if found[place] not in (self.records[place], None)]
        if changed:
            yield f"stored records changed: {changed[:3]}"
        gone = [place for place in newest if found[place] is None]
        if gone and journal.ring.oldest == 0:
            yield f"stored records gone: {gone[:3]}"
        if any(table.store.read(0, slot) != table.store.read(1, slot) for slot in _written(table)):
            yield "a torn copy is left"
        # what was stored as the board lost power, before ``append`` returned
        walked = stored_records.walk(journal.ring, self.head)
        grown = [frames.kind_of(record) for _, record in walked if record]
        if self._shown_roll is not None and self._shown_in != journal.start:
            if not any(kind in _BEGINS for kind in grown):
                yield f"the match of a roll that was shown is gone: {self._shown_roll}"
        self.note_stored(table)
        yield from self._roll_faults(table)
        yield from self._resumed_faults(table)

    def _resumed_faults(self, table):
        """Yield what is wrong with the clock of a match that a restart has resumed."""
        app = table.app
        round_number, zero_ms = self._shown_zero or (None, None)
        if app.match.round != round_number:
            return
        if zero_ms is not None and app.match.zero_ms is not None and app.match.zero_ms > zero_ms:
            if not self._granted:
                yield f"time given back by a reset: {app.match.zero_ms - zero_ms} ms"
        knew_time = self._event_with_time and self._event_with_time == app.journal.event
        if knew_time and not app.timebase.bounded:
            yield "woke without any idea of the time"
        if app.timebase.guessed and app.timebase.bounded:
            yield from self._bounded_faults(table)

    def _bounded_faults(self, table):
        """Compare the restored time with the time at the power cut. It may be late by the age of
        sleep memory, or without sleep memory by the age of the last CLOCK record.
        """
        now_ms = table.app.timebase.now_ms(table.board.clock.now_ms())
        back_ms = table.down_ms - now_ms
        if table.clock_ran and self._event_with_time == table.app.journal.event:
            allowed_ms = _AHEAD_MS + table.idle_ms if table.kept_sleep_memory else _LATE_MS
            if back_ms > allowed_ms:
                kept = "kept" if table.kept_sleep_memory else "gone"
                yield f"sleep memory {kept}, and {back_ms} ms given back"
        ahead_ms = now_ms - max(table.down_ms, table.latest_ms())
        if ahead_ms > _AHEAD_MS:
            yield f"woke {ahead_ms} ms ahead of time"


class InvariantChecker:
    """Checks the boards and laptops of ``venue``; ``violations`` are sentences."""

    def __init__(self, venue: FaultyVenue):
        self._venue = venue
        self.violations: list[str] = []
        self.sent_frames: dict[Command, bytes] = {}
        self.histories: dict[int, BoardHistory] = {}  # by device
        # (event, round, pairing, outcome, games, games) that a board has agreed
        self.agreed: set[tuple[int, ...]] = set()
        self.saved: dict[MatchPlace, Score] = {}  # results shown as saved
        self._seated: dict[int, int] = {}  # the last round that each device began
        # by device: its archived records at the moment when a spare replaced it
        self.revoked_records: dict[int, set[RecordId]] = {}
        # by (event, round, table): whether the players sat down the other way round
        self.swapped: dict[tuple[int, int, int], int] = {}

    @property
    def stopped(self) -> bool:
        """Whether anything is violated; the run then ends."""
        return bool(self.violations)

    def check(self, holds: bool | int, table: FaultyTable | None, sentence: str) -> None:
        """Add ``sentence`` to the violations of ``table`` (None: of no table) unless ``holds``."""
        if not holds and len(self.violations) < MOST:
            where = f"table {table.number}: " if table else ""
            self.violations.append(f"{self._venue.loop.time():.1f} s: {where}{sentence}")

    def frame_sent(self, laptop: Laptop, frame: bytes) -> None:
        """A host has sent ``frame``."""
        kind, device, epoch, counter = head_of(frame)
        if kind == frames.TIME and device in self._venue.boards:
            self._venue.boards[device].clock_checker.time_sent(frame)
        revoked = device in self.revoked_records
        self.check(not revoked, None, f"spoke to board {device}, which is revoked")
        if (device, epoch, counter) not in self.sent_frames:
            for fault in frame_faults(laptop, frame):
                self.check(False, None, fault)
        sent = self.sent_frames.setdefault((device, epoch, counter), frame)
        sentence = f"two frames down under one counter: {device} {epoch}/{counter}"
        self.check(sent == frame, None, sentence)

    # a board

    def power_on(self, table: FaultyTable) -> None:
        """A board has power, and no program has run yet."""
        for sentence in self.histories.setdefault(table.device, BoardHistory()).check_flash(table):
            self.check(False, table, sentence)

    def started(self, table: FaultyTable) -> None:
        """A board's program has started."""
        history = self.histories[table.device]
        for sentence in history.check_restart(table):
            self.check(False, table, sentence)
        app = table.app
        table.clock_checker.start(table, lambda fault: self.check(False, table, fault))
        append, receive = app.journal.append, app.sync.receive
        settle, close = app.journal.settle, app.journal.close_block
        app.journal.append = lambda *happened: self._appended(table, append, happened)
        app.journal.settle = lambda: self._stored(table, settle)
        app.journal.close_block = lambda: self._stored(table, close)
        app.sync.receive = lambda frame, uptime_ms: self._received(table, receive, frame, uptime_ms)

    def board_revoked(self, table: FaultyTable) -> None:
        """A spare has replaced the board: no frame of it may be accepted from now on."""
        entries = self._venue.laptop.station.archive.records()
        self.revoked_records[table.device] = {
            entry.id for entry in entries if entry.device == table.device
        }

    def crashed(self, table: FaultyTable, error: Exception) -> None:
        """A board's program ended with an exception, or its watchdog ended it."""
        bitten = isinstance(error, BoardReset)
        said = f"reset by {error}" if bitten else describe("the board's program", error)
        self.check(False, table, said)

    def phone_closed(self, table: FaultyTable, since_s: float) -> None:
        """A stranger's connection since ``since_s`` has ended; it must end soon after the last
        authenticated frame of a host.

        A board may not have seen yet that it is another stranger than the one it has just dropped.
        """
        sync = table.app.sync
        proof_ms = table.board.clock.now_ms() - max(sync.heard_ms, sync.opened_ms or 0)
        proof_ms = min(proof_ms, round(1000 * (self._venue.loop.time() - since_s)))
        self.check(
            proof_ms < _HELD_MS, table, f"a stranger on the link, {proof_ms} ms after any proof"
        )

    def _appended(self, table, append, happened):
        counter = append(*happened)
        if not table.app.journal.held:
            self._note_stored(table)
        self._check_causes(table, happened)
        return counter

    def _stored(self, table, write):
        write()
        self._note_stored(table)

    def _note_stored(self, table):
        self.histories[table.device].note_stored(table)
        for sentence in self.histories[table.device].check_copies(table):
            self.check(False, table, sentence)

    def _check_causes(self, table, happened):
        """Check that each event only the desk may cause has its command, and that a command was
        carried out once.
        """
        asked = self._check_command(table, happened[-1])
        command = None if asked is None else intents.of_frame(asked)
        for event in happened:
            if event.kind in DESK and not self._is_boards_own(table, event, happened[0], asked):
                genuine = command is not None and _is_caused_by(event, command)
                self.check(genuine, table, f"changed by no genuine command: {event}")

    @staticmethod
    def _is_boards_own(table, event, first, asked):
        """Return whether a board does this of itself, although it is of a kind of ``DESK``.

        ``first``: the first event of its append; ``asked``: the command's frame, None without one.
        """
        if isinstance(event, events.SeedStored):
            return event.part != seeds.NONCE
        if isinstance(event, events.PolicySet):
            # rolls barred by a head judge stay barred in the next round
            stays_barred = first.kind in OVER and event.switches == luck.BARRED
            # the seats switched the counting of turns, and nothing else
            counts = (table.app.match.policy ^ event.switches) == play.COUNTED
            return stays_barred or (asked is None and counts)
        return False

    def _check_command(self, table, last):
        """Check that a command that was carried out is genuine, in time and not repeated.

        ``last`` is the event that names it, if any. Return the command's frame, None without one.
        """
        if not isinstance(last, events.Answered) or last.refusal != answers.DONE:
            return None
        if not last.broadcast and last.asked < frames.FIRST_COMMAND:
            return None
        epoch = table.app.journal.epoch
        sent = self.sent_frames.get((table.device, epoch, last.counter))
        genuine = sent is not None and frames.kind_of(sent) == last.asked and not last.broadcast
        self.check(genuine, table, f"did what no host asked: {last}")
        joins = last.asked == intents.JOIN_EVENT
        knows_time = not table.app.timebase.guessed or table.app.sync.time_refused
        sentence = f"did what the desk said before it knew the time: {last}"
        self.check(knows_time or joins, table, sentence)
        once = self.histories[table.device].note_command(epoch, last.counter)
        self.check(once, table, f"did one command twice: {last}")
        return sent

    def _received(self, table, receive, frame, uptime_ms):
        refused = sum(table.app.sync.refused)
        accepted = receive(frame, uptime_ms)
        if frame[0] & 63 == frames.ACK and sum(table.app.sync.refused) == refused:
            self._check_ack(table, frame)
        return accepted

    def _check_ack(self, table, frame):
        """Check an acknowledgement that a board has accepted."""
        generation = table.app.board.settings["generation"]
        epoch, counters = ack_counters(frame)
        records = [stored_records.read(table.app.journal, epoch, counter) for counter in counters]
        for counter, record in zip(counters, records, strict=True):
            place = table.device, generation, epoch, counter
            held = any(laptop.durable.get(place) == record for laptop in self._venue.laptops)
            sentence = f"acknowledged before it was on the disk: {epoch}/{counter}"
            self.check(held, table, sentence)
        sentence = f"took an acknowledgement of other bytes: {epoch}/{counters}"
        self.check(ack_matches(frame, records), table, sentence)

    def check_archived(self, places: Iterable[Placed]) -> None:
        """Check that each ``(place, frame)`` in an archive was stored by its board; a stolen board
        is exempt.
        """
        for (device, _, epoch, counter), frame in places:
            if device not in self._venue.boards:
                continue
            history = self.histories.get(device)
            stored = history is not None and history.records.get((epoch, counter)) == frame
            sentence = f"archived, never stored: {epoch}/{counter}"
            self.check(stored, self._venue.boards[device], sentence)

    def screen_changed(self, table: FaultyTable) -> None:
        """A board's screen has changed."""
        app = table.app
        match = app.match
        self.check(match.turn is None or 0 <= match.turn <= TURNS, table, f"turn {match.turn}")
        if match.phase == phases.SEATED and self._seated.get(table.device) != match.round:
            self._seated[table.device] = match.round
            replayed = replayed_match(app.journal, match.rules)
            self._compare_matches(table, replayed, "its own journal")
        self._clock(table)
        self.check(match.confirmed < 4 and match.present < 4, table, "more than two seats")
        if match.phase == phases.AGREED and not table.replaced:
            self._agreed(table)
        self.check(
            not (table.replaced and table.settled),
            table,
            "revoked, and yet it shows its result as saved",
        )
        for sentence in self.histories[table.device].check_screen(table):
            self.check(False, table, sentence)

    def _agreed(self, table):
        """Check a result that a board shows as agreed, and note it."""
        match, event = table.app.match, table.app.journal.event
        place = event, match.round, match.pairing
        ended = match.confirmed == 3 or match.claimed == _RULED
        self.check(ended, table, f"ended by seats {match.confirmed} alone")
        shown = match.outcome, *match.games
        shown = mirrored(shown) if match.swapped else shown
        self.swapped[event, match.round, match.table] = match.swapped
        self.agreed.add((*place, *shown))
        if table.settled:
            self.saved[place] = shown
            laptop = self._venue.laptop
            if laptop.up and not self._venue.two_laptops and not self._behind(laptop, table):
                self._in_archive(laptop, place, shown)

    def _behind(self, laptop, table):
        """Return whether a laptop has still to fetch records that another one has acknowledged."""
        if len(self._venue.laptops) < 2:
            return False
        collector = laptop.station.collector
        return bool(collector._scheduler.missing(collector.statuses[table.device]))

    def _in_archive(self, laptop, place, shown):
        """Check that a laptop has the result that a board shows as saved."""
        event, number, pairing = place
        if laptop.station.archive.roster.event.number != event:
            return
        held = laptop.station.hall.results(number).get(pairing)
        got = held and (held.outcome, *held.games)
        outcome, *games = shown
        want = REPLAYED[outcome], *games
        self.check(got == want, None, f"pairing {place}: shown as saved {want}, archived {got}")

    # periodic checks

    def check_clocks(self) -> None:
        """Compare clocks with the true time and with the error that each declares."""
        for table in self._venue.tables.values():
            if not table.down:
                self._clock(table)

    def _clock(self, table):
        if table.app.journal.event:
            for fault in table.clock_checker.errors(table):
                self.check(False, table, fault)

    def check_replays(self) -> None:
        """Compare each table's match with a replay of its journal."""
        for table in self._venue.tables.values():
            if not table.down:
                fresh = replayed_match(table.app.journal, table.app.match.rules)
                self._compare_matches(table, fresh, "its own journal")

    def check_queues(self, collector: Collector) -> None:
        """Check the lengths of a host's queues; called after each frame received and each poll."""
        self._check_length(len(collector._inbox), "frames wait at the host")
        for session in collector.sessions.values():
            self._check_length(len(session.ack_task._queued), "acknowledgements are queued")
            self._check_length(len(session._fetch_task._requests), "records are asked for")

    def _check_length(self, count, what):
        if count > INBOX:
            self.check(False, None, f"{count} {what}")

    def _compare_matches(self, table, other, whose):
        own = table.app.match
        compared = [name for name in FIELDS if name != "clock_ms"]
        wrong = [name for name in compared if getattr(other, name) != getattr(own, name)]
        self.check(not wrong, table, f"not what {whose} says: {', '.join(wrong)}")

    def check_folds(self) -> None:
        """Once everything has arrived, the host's fold of a table equals the table's match."""
        for table in self._venue.tables.values():
            fold = self._venue.laptop.station.hall.fold_at(table.number)
            self.check(fold is not None, table, "nothing archived")
            if fold is not None and fold.match.round == table.app.match.round:
                self._compare_matches(table, fold.match, "the archive")
                self.check(not fold.incomplete, table, "records lost for good")
                self.check(
                    not fold.invalid_records,
                    table,
                    "records that it wrote make no sense to the archive",
                )


def _is_caused_by(event: events.Event, command: intents.Intent) -> bool:
    """Return whether a desk's event has the values of the command, in the fields that both have.

    The time differs, except for a start.
    """
    if command.kind != DESK[event.kind]:
        return False
    names = {*payload.layout(event.LAYOUT).names} & {*payload.layout(command.LAYOUT).names}
    if event.kind != events.START_SET:
        names.discard("at_ms")
    return all(getattr(command, name) == getattr(event, name) for name in names)


def is_harness(error: BaseException) -> bool:
    """Return whether the simulator's own code raised ``error``.

    The innermost function decides, not counting the one that only passes the program's calls on.
    """
    modules = [
        frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(error.__traceback__)
    ]
    inmost = next((name for name in reversed(modules) if name != _PASSES_ON), "")
    return f"{inmost}.".startswith(f"{_HARNESS}.")


def describe(program: str, error: BaseException) -> str:
    """Return a violation's sentence: which side failed (``program``, or the harness), how and
    where.
    """
    frame, line = list(traceback.walk_tb(error.__traceback__))[-1]
    place = f"{pathlib.Path(frame.f_code.co_filename).name}:{line} ({frame.f_code.co_name})"
    who = "the harness" if is_harness(error) else program
    return f"{who} broke: {type(error).__name__} at {place}: {error}"
