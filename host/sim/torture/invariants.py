"""The invariants of a run, each checked where it can break and reported as a sentence.

They are checked against what really happened: the frames that hosts sent, the records that boards
stored, the screens that people saw and the rows that were committed.
"""

from __future__ import annotations

import pathlib
import traceback
from collections.abc import Iterable
from typing import TYPE_CHECKING

from firmware.core import answers, events, frames, intents, phases, play, seeds
from firmware.core.journal import OVER
from firmware.core.match import FIELDS
from host.sim.story import mirrored
from host.sim.tap import head_of
from host.sim.torture import host_frames
from host.sim.torture.board_history import REPLAYED, BoardHistory, replayed_match

if TYPE_CHECKING:
    from host.archive.records import RecordId
    from host.collector.collector import Collector
    from host.sim.torture.types import Command, FaultyTable, FaultyVenue, Laptop, MatchPlace, Placed
    from host.sim.types import Score

_HARNESS = "host.sim"
_PASSES_ON = "host.sim.torture.faulty_database"  # hands the program's statements to SQLite

MOST = 12
TURNS = 3
INBOX = 512
_HELD_MS = (
    8_000 + 250 + 10
)  # a connected board looks four times a second, and its counter is rounded
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
    events.SEED_TOLD: intents.SET_NONCE, events.SQUADS_SET: intents.SET_SQUADS,
}  # fmt: skip
_SAME = {  # fields of an event that must equal the command's
    events.EVENT_JOINED: ("event",), events.ROUND_SET: ("round", "table", "pairing"),
    events.FORMAT_SET: ("system", "format", "minutes"),
    events.START_SET: ("at_ms",), events.EXTENDED: ("total_s",), events.STAMPED_LATE: ("seats",),
    events.RESULT_RULED: ("outcome", "final", "first", "second"),
    events.POLICY_SET: ("switches",), events.ORGANISER_SAID: ("message", "next_round_s"),
    events.SEED_TOLD: ("early", "late"), events.PRIZES_ADJUSTED: ("first", "second"),
    events.SQUADS_SET: ("first", "second"),
}  # fmt: skip


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
        self.check(
            device not in self.revoked_records, None, f"spoke to board {device}, which is revoked"
        )
        if (device, epoch, counter) not in self.sent_frames:
            for said in host_frames.frame_faults(laptop, frame):
                self.check(False, None, said)
        known = self.sent_frames.setdefault((device, epoch, counter), frame)
        self.check(
            known == frame, None, f"two frames down under one counter: {device} {epoch}/{counter}"
        )

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
        table.clock_checker.start(table, lambda said: self.check(False, table, said))
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
            one.id for one in entries if one.device == table.device
        }

    def crashed(self, table: FaultyTable, error: Exception) -> None:
        """A board's program ended with an exception."""
        self.check(False, table, describe("the board's program", error))

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
        self._lawful(table, happened)
        return counter

    def _stored(self, table, write):
        write()
        self._note_stored(table)

    def _note_stored(self, table):
        self.histories[table.device].note_stored(table)
        for sentence in self.histories[table.device].check_copies(table):
            self.check(False, table, sentence)

    def _lawful(self, table, happened):
        """Check that each event only the desk may cause has its command, and that a command was
        carried out once.
        """
        epoch, last, asked = table.app.journal.epoch, happened[-1], None
        if (
            isinstance(last, events.Answered)
            and last.refusal == answers.DONE
            and (last.broadcast or last.asked >= frames.FIRST_COMMAND)
        ):
            asked = self.sent_frames.get((table.device, epoch, last.counter))
            genuine = asked is not None and head_of(asked)[0] == last.asked and not last.broadcast
            self.check(genuine, table, f"did what no host asked: {last}")
            base = table.app.timebase
            joins = last.asked == intents.JOIN_EVENT
            placed = not base.guessed or table.app.sync.stepped or joins
            self.check(placed, table, f"did what the desk said before it knew the time: {last}")
            once = self.histories[table.device].note_command(epoch, last.counter)
            self.check(once, table, f"did one command twice: {last}")
        told = None if asked is None else intents.of_frame(asked)
        first, *_ = happened
        for event in happened:
            wanted = DESK.get(event.kind)
            if wanted is None or isinstance(event, events.SeedTold) and event.part != seeds.NONCE:
                continue
            if isinstance(event, events.PolicySet):
                if first.kind in OVER and event.switches == 4:
                    continue  # rolls barred by a head judge stay barred in the next round
                if asked is None and self._counts(table, event):
                    continue
            same = _SAME.get(event.kind, ())
            meant = (
                told is not None
                and told.kind == wanted
                and all(getattr(told, name) == getattr(event, name) for name in same)
            )
            self.check(meant, table, f"changed by no genuine command: {event}")

    @staticmethod
    def _counts(table, event):
        """Return whether the seats switched the counting of turns, and nothing else."""
        return table.app.match.policy ^ event.switches == play.COUNTED

    def _received(self, table, receive, frame, uptime_ms):
        refused = sum(table.app.sync.refused)
        told = receive(frame, uptime_ms)
        if frame[0] & 63 == frames.ACK and sum(table.app.sync.refused) == refused:
            generation, (epoch, counters) = (
                table.app.board.settings["generation"],
                host_frames.ack_counters(frame),
            )
            records = [table.app.journal.read(epoch, counter) for counter in counters]
            for counter, record in zip(counters, records, strict=True):
                place = table.device, generation, epoch, counter
                held = any(one.durable.get(place) == record for one in self._venue.laptops)
                self.check(
                    held, table, f"acknowledged before it was on the disk: {epoch}/{counter}"
                )
            self.check(
                host_frames.ack_matches(frame, records),
                table,
                f"took an acknowledgement of other bytes: {epoch}/{counters}",
            )
        return told

    def check_archived(self, places: Iterable[Placed]) -> None:
        """Check that each ``(place, frame)`` in an archive was stored by its board; a stolen board
        is exempt.
        """
        for (device, _, epoch, counter), frame in places:
            if device in self._venue.boards:
                stored = (
                    device in self.histories
                    and self.histories[device].records.get((epoch, counter)) == frame
                )
                self.check(
                    stored, self._venue.boards[device], f"archived, never stored: {epoch}/{counter}"
                )

    def screen_changed(self, table: FaultyTable) -> None:
        """A board's screen has changed."""
        app = table.app
        match = app.match
        self.check(match.turn is None or 0 <= match.turn <= TURNS, table, f"turn {match.turn}")
        if match.phase == phases.SEATED and self._seated.get(table.device) != match.round:
            self._seated[table.device] = match.round
            self._alike(table, replayed_match(app.journal, match.rules), "its own journal")
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
        match, event = table.app.match, table.app.journal.event
        place = event, match.round, match.pairing
        both = match.confirmed == 3 or match.claimed == _RULED
        self.check(both, table, f"ended by seats {match.confirmed} alone")
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
        """Return whether a laptop has still to fetch what another one has acknowledged."""
        collector = laptop.station.collector
        return len(self._venue.laptops) > 1 and bool(
            collector._scheduler.missing(collector.statuses[table.device])
        )

    def _in_archive(self, laptop, place, shown):
        event, number, pairing = place
        if laptop.station.archive.roster.event.number != event:
            return
        held = laptop.station.hall.results(number).get(pairing)
        got = held and (held.outcome, *held.games)
        want = REPLAYED[shown[0]], *shown[1:]
        self.check(got == want, None, f"pairing {place}: shown as saved {want}, archived {got}")

    # periodic checks

    def check_clocks(self) -> None:
        """Compare clocks with the true time and with the error that each declares."""
        for table in self._venue.tables.values():
            if not table.down:
                self._clock(table)

    def _clock(self, table):
        if table.app.journal.event:
            for said in table.clock_checker.errors(table):
                self.check(False, table, said)

    def check_replays(self) -> None:
        """Compare each table's match with a replay of its journal."""
        for table in self._venue.tables.values():
            if not table.down:
                fresh = replayed_match(table.app.journal, table.app.match.rules)
                self._alike(table, fresh, "its own journal")

    def check_queues(self, collector: Collector) -> None:
        """Check the lengths of a host's queues; called after each frame received and each poll."""
        self._few(len(collector._inbox), "frames wait at the host")
        for session in collector.sessions.values():
            self._few(len(session.ack_task._queued), "acknowledgements are queued")
            self._few(len(session._fetch_task._sent), "records are asked for")

    def _few(self, count, what):
        if count > INBOX:
            self.check(False, None, f"{count} {what}")

    def _alike(self, table, other, whose):
        ours = table.app.match
        wrong = [x for x in FIELDS if x != "clock_ms" and getattr(other, x) != getattr(ours, x)]
        self.check(not wrong, table, f"not what {whose} says: {', '.join(wrong)}")

    def check_folds(self) -> None:
        """Once everything has arrived, the host's fold of a table equals the table's match."""
        for table in self._venue.tables.values():
            fold = self._venue.laptop.station.hall.fold_at(table.number)
            self.check(fold is not None, table, "nothing archived")
            if fold is not None and fold.match.round == table.app.match.round:
                self._alike(table, fold.match, "the archive")
                self.check(not fold.incomplete, table, "records lost for good")
                self.check(
                    not fold.invalid_records,
                    table,
                    "records that it wrote make no sense to the archive",
                )


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
