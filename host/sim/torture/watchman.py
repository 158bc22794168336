"""What must hold, whatever goes wrong: looked at where it can break, told as sentences.

The measure is what truly happened: the frames that hosts wrote, the records that boards stored,
the faces that people saw, the rows that COMMIT promised.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from firmware.core import events, frames, intents, phases, seeds, sync
from firmware.core.journal import OVER
from host.sim.story import mirrored
from host.sim.tap import head_of
from host.sim.torture import origin, words
from host.sim.torture.sworn import REPLAYED, Sworn, state_of

if TYPE_CHECKING:
    from host.archive.records import RecordId
    from host.collector.collector import Collector
    from host.sim.torture.types import Command, FrailTable, Hall, Laptop, MatchPlace, Placed
    from host.sim.types import Score


MOST = 12
TURNS = 3
INBOX = 512
_HELD_MS = (
    8_000 + 250 + 10
)  # a board with a link looks four times a second, and its counter is rounded
_RULED = 2
# what only the desk may bring about: event -> the intent that does
DESK = {
    events.EVENT_JOINED: intents.JOIN_EVENT, events.ROUND_SET: intents.SET_ROUND,
    events.FORMAT_SET: intents.SET_FORMAT, events.START_SET: intents.SET_START,
    events.FROZEN: intents.FREEZE, events.RESUMED: intents.RESUME, events.EXTENDED: intents.EXTEND,
    events.LATE_STAMPED: intents.STAMP_LATE, events.RESULT_RULED: intents.RULE_RESULT,
    events.POLICY_SET: intents.SET_POLICY, events.ROLL_RULED: intents.RULE_ROLL,
    events.PRIZES_ADJUSTED: intents.ADJUST_PRIZES, events.ROUND_CLEARED: intents.CLEAR_ROUND,
    events.ORGANISER_SAID: intents.SAY, events.JUDGE_ARRIVED: intents.ARRIVE,
    events.CALL_ENDED: intents.END_CALL,
    events.SEED_TOLD: intents.SET_NONCE,
}  # fmt: skip
_SAME = {  # the numbers of an act that must arrive as the host wrote them: places in the event
    events.EVENT_JOINED: (3,), events.ROUND_SET: (2, 3, 4), events.FORMAT_SET: (2, 3, 4),
    events.START_SET: (1,), events.EXTENDED: (3,), events.LATE_STAMPED: (2,),
    events.RESULT_RULED: (2, 3, 4), events.POLICY_SET: (2,), events.ORGANISER_SAID: (2, 3),
    events.SEED_TOLD: (1, 3, 4), events.PRIZES_ADJUSTED: (3, 4),
}  # fmt: skip


class Watchman:
    """Watches the boards and laptops of ``hall``; ``violations`` are sentences."""

    def __init__(self, hall: Hall):
        self._hall = hall
        self.violations: list[str] = []
        self.spoken: dict[Command, bytes] = {}  # the frames that hosts wrote
        self.sworn: dict[int, Sworn] = {}  # by device
        # (event, round, pairing, outcome, games, games) that a board came to
        self.agreed: set[tuple[int, ...]] = set()
        self.saved: dict[MatchPlace, Score] = {}  # the results that were shown as saved
        self._seated: dict[int, int] = {}  # device -> the round that it was seen to begin
        # device -> the records archived of it, once a spare has taken its table over
        self.taken: dict[int, set[RecordId]] = {}
        # (event, round, table) -> whether the players sat down the other way round
        self.swapped: dict[tuple[int, int, int], int] = {}

    @property
    def stopped(self) -> bool:
        """Whether something broke: no use in going on."""
        return bool(self.violations)

    def check(self, holds: bool | int, table: FrailTable | None, sentence: str) -> None:
        """Note a violation at ``table`` (None: none of them) unless it ``holds``."""
        if not holds and len(self.violations) < MOST:
            where = f"table {table.number}: " if table else ""
            self.violations.append(f"{self._hall.loop.time():.1f} s: {where}{sentence}")

    def heard(self, laptop: Laptop, frame: bytes) -> None:
        """A host wrote ``frame``."""
        kind, device, epoch, counter = head_of(frame)
        if kind == frames.TIME and device in self._hall.boards:
            self._hall.boards[device].keeper.spoken(frame)
        self.check(device not in self.taken, None, f"spoke to board {device}, which is revoked")
        if (device, epoch, counter) not in self.spoken:
            for said in words.faults(laptop, frame):
                self.check(False, None, said)
        known = self.spoken.setdefault((device, epoch, counter), frame)
        self.check(
            known == frame, None, f"two frames down under one counter: {device} {epoch}/{counter}"
        )

    # a board

    def waking(self, table: FrailTable) -> None:
        """The power is on, and no program has run yet."""
        for sentence in self.sworn.setdefault(table.device, Sworn()).found(table):
            self.check(False, table, sentence)

    def born(self, table: FrailTable) -> None:
        """A life of a program has begun."""
        sworn = self.sworn[table.device]
        for sentence in sworn.survived(table):
            self.check(False, table, sentence)
        app = table.app
        table.keeper.born(table, lambda said: self.check(False, table, said))
        append, settle, acknowledge = (
            app.journal.append,
            app.journal.settle,
            app.sync.window.acknowledge,
        )
        app.journal.append = lambda *happened: self._appended(table, append, happened)
        app.journal.settle = lambda: self._settled(table, settle)
        app.sync.window.acknowledge = lambda frame: self._acknowledged(table, acknowledge, frame)

    def revoked(self, table: FrailTable) -> None:
        """A spare lies in the board's place now: no word of it is taken from here on."""
        entries = self._hall.laptop.station.archive.records()
        self.taken[table.device] = {one.id for one in entries if one.device == table.device}

    def crashed(self, table: FrailTable, error: Exception) -> None:
        """A program ended with an exception."""
        self.check(False, table, origin.broke("the board's program", error))

    def held(self, table: FrailTable) -> None:
        """A stranger's link to a board ends: it lasted not much longer than any proof of a host."""
        sync = table.app.sync
        proof_ms = table.board.clock.now_ms() - max(sync.heard_ms, sync.opened_ms or 0)
        self.check(
            proof_ms < _HELD_MS, table, f"a stranger on the link, {proof_ms} ms after any proof"
        )

    def _appended(self, table, append, happened):
        counter = append(*happened)
        if not table.app.journal.held:
            self._stored(table)
        self._lawful(table, happened)
        return counter

    def _settled(self, table, settle):
        settle()
        self._stored(table)

    def _stored(self, table):
        self.sworn[table.device].stored(table)
        for sentence in self.sworn[table.device].written(table):
            self.check(False, table, sentence)

    def _lawful(self, table, happened):
        """What only the desk may do needs its frame, and one frame does one thing once."""
        epoch, last = table.app.journal.epoch, happened[-1]
        asked = None
        if last[0] == events.ANSWERED and last[4] >= frames.FIRST_COMMAND and last[2] == sync.DONE:
            asked = self.spoken.get((table.device, epoch, last[3]))
            genuine = asked is not None and head_of(asked)[0] == last[4]
            self.check(genuine, table, f"did what no host asked: {last}")
            base = table.app.timebase
            placed = not base.guessed or table.app.sync.stepped or last[4] == intents.JOIN_EVENT
            self.check(placed, table, f"did what the desk said before it knew the time: {last}")
            once = self.sworn[table.device].did(epoch, last[3])
            self.check(once, table, f"did one command twice: {last}")
        for event in happened:
            wanted = DESK.get(event[0])
            if wanted is None or event[0] == events.SEED_TOLD and event[2] != seeds.NONCE:
                continue
            if event[0] == events.POLICY_SET and happened[0][0] in OVER and event[2] == 4:
                continue  # what a head judge barred, the board keeps barred in the next round
            told = None if asked is None else frames.event_of(asked)
            meant = (
                told is not None
                and told[0] == wanted
                and all(told[i] == event[i] for i in _SAME.get(event[0], ()))
            )
            self.check(meant, table, f"changed by no genuine command: {event}")

    def _acknowledged(self, table, acknowledge, frame):
        taken = acknowledge(frame)
        if taken:
            generation, (epoch, counters) = (
                table.app.board.settings["generation"],
                words.named(frame),
            )
            records = [table.app.journal.read(epoch, counter) for counter in counters]
            for counter, record in zip(counters, records, strict=True):
                place = table.device, generation, epoch, counter
                held = any(one.durable.get(place) == record for one in self._hall.laptops)
                self.check(
                    held, table, f"acknowledged before it was on the disk: {epoch}/{counter}"
                )
            self.check(
                words.fits(frame, records),
                table,
                f"took an acknowledgement of other bytes: {epoch}/{counters}",
            )
        return taken

    def archived(self, places: Iterable[Placed]) -> None:
        """Every ``(place, frame)`` in an archive is one that its board stored; a stolen board says
        what it likes.
        """
        for (device, _, epoch, counter), frame in places:
            if device in self._hall.boards:
                stored = (
                    device in self.sworn
                    and self.sworn[device].records.get((epoch, counter)) == frame
                )
                self.check(
                    stored, self._hall.boards[device], f"archived, never stored: {epoch}/{counter}"
                )

    def look(self, table: FrailTable) -> None:
        """A face has changed."""
        app = table.app
        match = app.match
        self.check(match.turn is None or 0 <= match.turn <= TURNS, table, f"turn {match.turn}")
        if match.phase == phases.SEATED and self._seated.get(table.device) != match.round:
            self._seated[table.device] = match.round
            self._alike(table, state_of(app.journal, match.rules), "its own journal")
        self._clock(table)
        self.check(match.confirmed < 4 and match.present < 4, table, "more than two seats")
        if match.phase == phases.AGREED and not table.away:
            self._agreed(table)
        self.check(
            not (table.away and table.settled),
            table,
            "revoked, and yet it shows its result as saved",
        )
        for sentence in self.sworn[table.device].kept(table):
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
            laptop = self._hall.laptop
            if laptop.up and not self._hall.doubled and not self._behind(laptop, table):
                self._in_archive(laptop, place, shown)

    def _behind(self, laptop, table):
        """Whether a laptop has still to fetch what another one has acknowledged."""
        collector = laptop.station.collector
        return len(self._hall.laptops) > 1 and bool(
            collector._connection_scheduler.missing(collector.statuses[table.device])
        )

    def _in_archive(self, laptop, place, shown):
        event, number, pairing = place
        if laptop.station.archive.roster.event.number != event:
            return
        held = laptop.station.hall.results(number).get(pairing)
        got = held and (held.outcome, *held.games)
        want = REPLAYED[shown[0]], *shown[1:]
        self.check(got == want, None, f"pairing {place}: shown as saved {want}, archived {got}")

    # now and then

    def clocks(self) -> None:
        """Compare clocks with the true time, and with what each declares."""
        for table in self._hall.tables.values():
            if not table.dark:
                self._clock(table)

    def _clock(self, table):
        if table.app.journal.event:
            for said in table.keeper.off(table):
                self.check(False, table, said)

    def replayed(self) -> None:
        """Compare a table's match, and the host's fold of it, with what their records say."""
        for table in self._hall.tables.values():
            if not table.dark:
                fresh = state_of(table.app.journal, table.app.match.rules)
                self._alike(table, fresh, "its own journal")

    def waiting(self, collector: Collector) -> None:
        """A host has taken a frame in, or worked some off."""
        self._few(len(collector._inbox), "frames wait at the host")
        for session in collector.sessions.values():
            self._few(len(session.ack_task._owed), "acknowledgements are owed")
            self._few(len(session._fetch_task._sent), "records are asked for")

    def _few(self, count, what):
        self.check(count <= INBOX, None, f"{count} {what}")

    def _alike(self, table, other, whose):
        ours = table.app.match
        wrong = [
            x for x in ours.fields() if x != "clock_ms" and getattr(other, x) != getattr(ours, x)
        ]
        self.check(not wrong, table, f"not what {whose} says: {', '.join(wrong)}")

    def folded(self) -> None:
        """Once all has arrived, the host's fold of a table is the table."""
        for table in self._hall.tables.values():
            fold = self._hall.laptop.station.hall.fold_at(table.number)
            self.check(fold is not None, table, "nothing archived")
            if fold is not None and fold.match.round == table.app.match.round:
                self._alike(table, fold.match, "the archive")
                self.check(not fold.incomplete, table, "records lost for good")
                self.check(
                    not fold.invalid_records,
                    table,
                    "records that it wrote make no sense to the archive",
                )
