"""The collector: the host's radio protocol, without IO (docs/architecture.md).

Sans-IO: a carrier reports received frames and carries out the actions of ``poll``, which it calls
soon after every report and at least every 500 ms (``due_ms`` says when nothing will happen before).
Addresses are the carrier's names of radios; a board is identified by the device id in its authentic
frames. Times are event time in ms.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Literal

from firmware.core import events, frames
from host.archive.decoded_frames import VerifiedFrame
from host.archive.orders import NewOrder
from host.archive.records import ArchivedRecord, RecordId
from host.archive.store import ADDED, CONFLICT, KNOWN, Archive
from host.base.errors import UserError
from host.collector.actions import Action, Connect
from host.collector.alarms import Alarms
from host.collector.board_status import BoardStatus
from host.collector.clock_rounds import ClockRounds
from host.collector.frame_signer import FrameSigner
from host.collector.intake import Intake
from host.collector.name_frames import NameFrames
from host.collector.order_queue import OrderQueue
from host.collector.scheduler import Scheduler
from host.collector.session import Session, Sources
from host.collector.undelivered import Undelivered
from host.event.holdings import Gap, Holdings
from host.keys.keyring import Keyring

MOST_CONNECTIONS = 5  # of most adapters; ``scheduler.AdapterLimit`` notices where it is fewer
_IDLE_MS = 500
_INBOX = 512
_LOSES_TURN = 3  # failed attempts in a row after which a board goes behind the others
_LISTEN_FIRST_MS = 1500  # most boards are heard by then, the rarest advertise every 0.56 s


def _ignore(status: bytes, heard_ms: int) -> None:
    """Do nothing: without a beacon, nothing needs the time at which a STATUS was heard."""


class Collector:
    """Collects records from, and sends orders to, every board of the archive's roster.

    ``stored(entries)`` is called with records right after they are on the disk, before they are
    acknowledged. ``links`` is the adapter's limit of open connections. ``announcing`` gathers the
    devices whose statuses ``host.desk.announcements`` has to see, and which it removes.
    """

    def __init__(
        self,
        archive: Archive,
        keyring: Keyring,
        *,
        links: int = MOST_CONNECTIONS,
        stored: Callable[[list[ArchivedRecord]], None] = lambda entries: None,
    ):
        self._archive, self._keyring, self.links, self._stored = archive, keyring, links, stored
        records = archive.records()
        self._holdings = Holdings(records, lambda: archive.roster.numbers)
        self.orders, self._name_frames = OrderQueue(archive), NameFrames(archive)
        self._sources = Sources(self.orders, self._name_frames, self._holdings)
        self._scheduler = Scheduler(self.orders, self._name_frames, self._holdings)
        self._undelivered, self.now_ms = Undelivered(archive, self._holdings), archive.latest_ms
        self.statuses: dict[int, BoardStatus] = {}  # by device
        self._signers: dict[int, FrameSigner] = {}
        self.sessions = dict[str, Session]()  # by address
        self.heard_ms: int | None = None  # when any board was heard last
        self._radio_begun = False  # a carrier has said that it listens
        self._first_ms: int | None = None  # when it heard its first board
        self.refused: Counter[tuple[int | None, str]] = Counter()  # (device, reason) -> frames
        self.alarms = Alarms()
        self._inbox = list[tuple[str | None, VerifiedFrame]]()
        self.announcing, self._intake = set[int](), Intake()
        self._beacon_boards = {record.board for record in records if record.answers_beacon}
        self._note_time: Callable[[bytes, int], None] = _ignore
        self._connecting, self._closing = dict[str, int](), set[str]()  # address: device
        self._clock_rounds = ClockRounds(self._scheduler.listening)
        self.refresh()
        archive.on_rollback(self.refresh)  # else an order that was rolled back would be sent

    def refresh(self) -> None:
        """Read the roster and the orders again after a change."""
        self._keyring.refresh()
        self.orders.reload()
        self._name_frames.clear_all()
        boards = self._archive.roster.current_boards
        for status in list(self.statuses.values()):
            board = boards.get(status.device)
            if board is None or board.generation != status.generation:
                self._drop_board(status)
        for board in boards.values():
            known = self.statuses.get(board.device)
            if known is None:
                status = BoardStatus(board.device, board.generation, board.address)
                self.statuses[board.device] = status
                status.listens = board.key in self._beacon_boards
                self._signers[board.device] = FrameSigner(self._archive, self._keyring, status)
            else:
                known.table = board.address
        self._clock_rounds.refresh(self.statuses)
        self._at: dict[int, list[BoardStatus]] = {}  # by table
        for status in self.statuses.values():
            self._at.setdefault(status.table, []).append(status)
            self._reschedule(status)

    def _drop_board(self, status: BoardStatus):
        """Forget a board that was revoked or has a new key: the old one counts no more."""
        del self.statuses[status.device], self._signers[status.device]
        self._scheduler.drop(status.device)
        waiting, device = self._inbox, status.device
        self._inbox = [(address, frame) for address, frame in waiting if frame.device != device]
        for session in self.sessions.values():
            if session.status is status:
                session.cancelled = True
        self._scheduler.reschedule_session(status)

    def enable_beacon(
        self, anchor: Callable[[int], bytes | None], note_time: Callable[[bytes, int], None]
    ) -> None:
        """From now on send ``anchor(now_ms)`` of the beacon's chain to each board that asks for it,
        and call ``note_time(frame, heard_ms)`` (event time) when a STATUS is heard first.
        """
        self._note_time = note_time
        self._sources.anchor, self._scheduler.anchors = anchor, True
        for status in self.statuses.values():
            self._reschedule(status)

    def identify(self, device: int, seconds: int) -> None:
        """Have a board blink for ``seconds`` at its next connection; UserError if it is not in
        use.
        """
        status = self.statuses.get(device)
        if status is None:
            raise UserError(
                "board {device} is not in use: the list of boards has those that are", device=device
            )
        status.blink_s = seconds
        self._reschedule(status)

    def add_order(self, order: NewOrder) -> int:
        """Store an order and queue it for sending; return its id.

        Raises ValueError when a number does not fit into a frame.
        """
        order_id = self.orders.add(order, self.now_ms)
        self._name_frames.clear(order.table)
        for status in self._at.get(order.table, ()):
            self._reschedule(status)
        return order_id

    @property
    def lost(self) -> set[RecordId]:
        """The records ``(device, generation, epoch, counter)`` that boards say they have lost."""
        return self._holdings.lost

    def missing(self, status: BoardStatus) -> list[Gap]:
        """Return the runs ``(epoch, first counter, count)`` of a board that the archive lacks."""
        return self._scheduler.missing(status)

    # reports of the carrier

    def on_advert(self, address: str | None, frame: bytes, now_ms: int) -> None:
        """Process ``frame`` from an advert; ``address`` is None where nobody can connect to it."""
        self.now_ms = now_ms
        if self._is_repeat(address, frame):
            return
        verified = self._verify(frame)
        if verified is not None:
            self.heard_ms = now_ms
            self._take(address, verified)

    def take_over(self, frame: bytes) -> None:
        """Archive a record that another archive's host has received from a board that belongs to
        this archive from now on.
        """
        self.on_advert(None, frame, self.now_ms)
        self._commit()

    def on_notification(self, address: str, frame: bytes, now_ms: int) -> None:
        """Process ``frame``, notified on a connection."""
        self.now_ms = now_ms
        verified, session = self._verify(frame), self.sessions.get(address)
        if verified is None or session is None:
            return
        if verified.device != session.status.device:
            self._refuse(verified.device, "link")
        elif self._take(address, verified):
            self.heard_ms = now_ms
            session.heard(verified, now_ms)

    def on_connected(self, address: str) -> None:
        """Note that a connection that ``poll`` requested is open."""
        device = self._connecting.pop(address, None)
        if device is None:
            return
        self._begin_attempts(self._connecting.values())
        self._scheduler.adapter.note_success()
        status = self.statuses.get(device)
        if status is None:  # revoked meanwhile
            self._closing.add(address)
            return
        status.linked, status.served_ms = True, self.now_ms
        session = Session(address, status, self._signers[device], self._sources, self.now_ms)
        self.sessions[address] = session
        self._scheduler.open_session(session)

    def on_disconnected(self, address: str) -> None:
        """Note that a connection has ended, or could not be made."""
        device = self._connecting.pop(address, 0)  # 0: no board
        if device:
            self._begin_attempts(self._connecting.values())
            self._scheduler.adapter.note_failure(len(self.sessions), self.now_ms)
        session = self.sessions.pop(address, None)
        self._closing.discard(address)
        status = session.status if session else self.statuses.get(device)
        if session is not None:
            self._scheduler.end_session(session)
        if status is None:
            return
        if session is None or not session.authentic:
            status.back_off(self.now_ms)
        if session is not None or status.failures >= _LOSES_TURN:
            status.served_ms = self.now_ms
        self._reschedule(status)

    def _begin_attempts(self, devices: Iterable[int]):
        """Restart the clock of these boards' attempts: the PC connects to one board at a time, so
        the attempt of a waiting board has not begun yet.
        """
        for status in filter(None, map(self.statuses.get, devices)):
            status.tried_ms = self.now_ms

    def set_radio_down(self, down: bool, now_ms: int) -> None:
        """Note that the carrier can hear nothing, or can again: meanwhile no board is silent."""
        self._radio_begun = self._radio_begun or not down
        self._scheduler.listening.set_down(down, now_ms)

    @property
    def radio_down_since_ms(self) -> int | None:
        """Since when the carrier can hear nothing, None while it can."""
        return self._scheduler.listening.down_since_ms

    def drop_carrier(self, now_ms: int) -> None:
        """Note that the carrier has ended, with all its connections."""
        self.set_radio_down(True, now_ms)
        self._inbox = []  # not acknowledged: boards send it again
        for address in [*self.sessions, *self._connecting, *self._closing]:
            self.on_disconnected(address)

    # actions for the carrier

    def poll(self, now_ms: int) -> list[Action]:
        """Return the actions due. Everything heard so far is on the disk when it returns."""
        self.now_ms = now_ms
        self._commit()
        self._undelivered.store_due(now_ms)
        actions: list[Action] = []
        due = self._scheduler.take_due(now_ms)
        crowded = bool(due) and self._scheduler.others_wait(self._busy)
        for session in due:
            for frame in session.step(now_ms):
                actions.append(("write", session.address, frame))
            ending = session.over(now_ms, crowded)
            if ending is not None:
                actions.append(("disconnect", session.address))
                self._end(session, ending)
            self._scheduler.requeue(session)
        return [*actions, *self._connect()]

    def has_work(self, now_ms: int) -> bool:
        """Return whether ``poll`` has anything to do at once. In a large hall most of what is heard
        is a status that asks for nothing.
        """
        if self._inbox or now_ms >= self._scheduler.due_ms:
            return True
        return self.links_taken < self.links and self._scheduler.waited_for

    def due_ms(self, now_ms: int) -> int:
        """Return when to call ``poll`` again if nothing is heard before."""
        return min(now_ms + _IDLE_MS, self._scheduler.due_ms)

    @property
    def idle(self) -> bool:
        """Whether no connection is open or being made, and no board heard lately waits for one."""
        if self.sessions or self._connecting or self._inbox:
            return False
        return not self._scheduler.reachable(self.statuses, self._busy, self.now_ms)

    @property
    def links_taken(self) -> int:
        """How many connections are open, being made or being ended."""
        return len(self.sessions) + len(self._connecting) + len(self._closing)

    def genuine(self, frame: bytes) -> bool:
        """Return whether a board of this archive has signed ``frame``."""
        return not isinstance(self._keyring.verify(frame), str)

    def _verify(self, frame: bytes) -> VerifiedFrame | None:
        """Return a frame of a board in use, verified; count any other as refused."""
        verified = self._keyring.verify(frame)
        if isinstance(verified, str):  # why not
            _, device, _, _ = frames.head(frame) or (None, None, None, None)
            known = device is not None and self._keyring.known(device)
            self._refuse(device if known else None, verified)
            return None
        status = self.statuses.get(verified.device)
        if status is not None and status.generation == verified.generation:
            return verified
        self._refuse(verified.device, "revoked" if status is None else "generation")
        return None

    def _is_repeat(self, address: str | None, frame: bytes) -> bool:
        """Return whether an advert needs no check, as the same bytes were verified before."""
        head = frames.head(frame)
        if head is None:
            return False
        kind, device, _, _ = head
        status = self.statuses.get(device)
        if status is None:
            return False
        if kind >= frames.FIRST_RECORD:
            return self._archived_before(address, frame, status)
        return self._take_repeat(address, frame, status)

    def _take_repeat(self, address: str | None, frame: bytes, status: BoardStatus) -> bool:
        """Process a status frame that was verified before; adverts repeat it all the time."""
        if status.frame != frame:
            return False
        if address is not None and address not in self.sessions:
            status.address = address
        self.heard_ms = self.now_ms
        if status.announced is not None:
            self.announcing.add(status.device)
        if status.hear_again(self.now_ms):
            self._reschedule(status)
        else:
            self._scheduler.note_heard(status)
        return True

    def _archived_before(self, address: str | None, frame: bytes, status: BoardStatus) -> bool:
        """Return whether an advert repeats an archived record; a board that waits for a connection
        does so every few seconds.
        """
        if address in self.sessions or not status.has_archived(frame):
            return False
        self.heard_ms = self.now_ms
        return True

    def _refuse(self, device: int | None, reason: str):
        self.refused[device, reason] += 1

    def _take(self, address: str | None, verified: VerifiedFrame) -> bool:
        """Process an authentic frame; return whether it was new."""
        status, refusal, same = self.statuses[verified.device], None, False
        was_reset = verified.epoch > status.epoch
        if verified.kind >= frames.FIRST_RECORD:
            if len(self._inbox) < _INBOX:
                self._inbox.append((address, verified))
        elif verified.kind == frames.STATUS:
            refusal = self._take_status(status, verified)
            same = not refusal and not status.changed  # as most are in a large hall
            if not same:
                self._undelivered.note(verified, self.now_ms)
        else:
            refusal = status.take_question(verified)
        if was_reset:
            self.orders.note_reset(status)
        if refusal:
            self._refuse(verified.device, refusal)
            return False
        from_advert = address is not None and address not in self.sessions
        if verified.kind == frames.STATUS and from_advert:
            status.address = address
        if same:
            self._scheduler.reschedule_unchanged(status)
        else:
            self._scheduler.reschedule(status)
        return True

    def _take_status(self, status: BoardStatus, verified: VerifiedFrame) -> str | None:
        """Process an authentic STATUS; return None, or why it is refused."""
        before = status.phase, status.announced
        refusal = status.take_status(verified, self.now_ms)
        if refusal is None:
            self._note_time(verified.frame, self.now_ms)
        if (status.phase, status.announced) != before or status.announced is not None:
            self.announcing.add(status.device)
        return refusal

    def _commit(self):
        """Archive the records of the inbox, then acknowledge or refuse each."""
        if not self._inbox:
            return
        waiting, self._inbox = self._inbox, []
        addresses: list[str | None] = []
        entries: list[ArchivedRecord] = []
        for address, verified in waiting:
            entry = ArchivedRecord.of(verified, self.now_ms)
            if self._admits(entry):
                addresses.append(address)
                entries.append(entry)
        fates = self._archive.commit(entries)
        self._note([entry for entry, fate in zip(entries, fates, strict=True) if fate == ADDED])
        for address, entry, fate in zip(addresses, entries, fates, strict=True):
            session = self.sessions.get(address) if address is not None else None
            if fate == CONFLICT:
                self._refuse(entry.device, "contradiction")
                count = self.refused[entry.device, "contradiction"]
                self.alarms.warn_of_conflict(entry, count, self.now_ms)
            elif session is not None and session.status.device == entry.device:
                if fate == ADDED:
                    session.prove(self.now_ms)
                session.queue_ack(entry, fate == KNOWN)
            elif entry.device in self.statuses:
                self.statuses[entry.device].note_archived(entry.frame)

    def _admits(self, entry: ArchivedRecord) -> bool:
        """Return whether a record may be stored; if not, its board keeps it and sends it again.

        Otherwise a thief of a board's key could fill the disk.
        """
        if self._intake.has_room(entry.board, self.now_ms) or self._holdings.holds(entry.id):
            return True
        self._refuse(entry.device, "crowd")
        self.alarms.warn_of_flood(entry, self.now_ms)
        return False

    def _note(self, added: list[ArchivedRecord]):
        """Update boards, orders and names by records that were archived just now."""
        answered: set[int] = set()
        for entry in added:
            self._intake.fill(entry.board, self.now_ms)
            self._holdings.add(entry)
            self.orders.challenges.note(entry)
            event = entry.board_event
            status = self.statuses.get(entry.device)
            if status is None:
                continue
            status.listens = status.listens or entry.answers_beacon
            if event.kind in (events.ANSWERED, events.START_SET):
                answered.add(status.table)
            elif isinstance(event, events.EventJoined) and entry.epoch == status.epoch:
                status.join(event.event, entry.counter)
        for table in answered:
            self.orders.reload_table(table)
            self._name_frames.clear(table)
        for device in {entry.device for entry in added} & self.statuses.keys():
            self._reschedule(self.statuses[device])
        if added:
            self._stored(added)

    def _end(self, session: Session, ending: Literal["served", "failed"]):
        """Note that a session has ended, and when its board is due next."""
        del self.sessions[session.address]
        self._scheduler.end_session(session)
        signer = self._signers.get(session.status.device)
        if signer is not None and signer.runs_low:
            self.alarms.warn_low(session.status.device, session.status.epoch, self.now_ms)
        self._closing.add(session.address)
        session.status.served_ms = self.now_ms
        if ending == "failed":
            session.status.back_off(self.now_ms)
        else:
            session.status.mark_served(not self.orders.must_prove(session.status))
        self._reschedule(session.status)

    def _reschedule(self, status: BoardStatus):
        """Reschedule a board, unless it is out of use by now."""
        if self.statuses.get(status.device) is status:
            self._scheduler.reschedule(status)

    @property
    def _busy(self) -> set[int]:
        """The devices with a connection, or to which one is being made."""
        connected = {session.status.device for session in self.sessions.values()}
        return connected | set(self._connecting.values())

    @property
    def _listens_first(self) -> bool:
        """Whether the first boards were heard just now: a board that was not heard yet may be more
        urgent, and most systems hear nothing while they connect.
        """
        if self._first_ms is None and self._radio_begun:
            self._first_ms = self.heard_ms
        if self._first_ms is None or self.now_ms - self._first_ms >= _LISTEN_FIRST_MS:
            return False
        return any(status.heard_ms is None for status in self.statuses.values())

    def _connect(self) -> list[Connect]:
        """Return the connections to begin now."""
        if self.links_taken >= self.links or self._listens_first:
            return []  # most of the time in a large hall
        chosen: dict[str, int] = {}
        if self._scheduler.queued(self.now_ms):
            taken = {*self.sessions, *self._connecting, *self._closing}
            chosen = self._scheduler.choose(
                self.statuses, self._busy, taken, self.links, self.now_ms
            )
        if not (chosen or self.sessions or self._connecting or self._closing):
            chosen = self._clock_rounds.choose(self.statuses, self.now_ms)
        self._begin_attempts(chosen.values())
        self._connecting |= chosen
        return [("connect", address) for address in chosen]
