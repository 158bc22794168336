"""The collector: everything the host does on the air, without the air (docs/architecture.md).

Sans-IO: a carrier tells it what was heard and does what ``poll`` returns, soon after every
call and at least every 500 ms (``due_ms`` says when nothing will happen before). Addresses are
whatever the carrier calls a radio; a board is known by the device id in its authentic frames.
Times are event time in ms.
"""

from collections import Counter, deque

from firmware.core import events, frames
from host.archive import store as fates
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.collector.board_status import BoardStatus
from host.collector.connection_scheduler import ConnectionScheduler
from host.collector.frame_signer import FrameSigner
from host.collector.name_frames import NameFrames
from host.collector.order_scheduler import OrderScheduler
from host.collector.session import Session
from host.collector.undelivered import Undelivered
from host.event.holdings import Holdings

LINKS = 4
_POLL_MS = 60
_IDLE_MS = 500
_INBOX = 512
_ALARMS = 200


class Collector:
    """Collects from and speaks to every board of the archive's roster.

    ``stored(entries)`` is called with records right after they are on the disk, before they are
    acknowledged. ``links`` is how many connections the adapter holds at a time.
    """

    def __init__(self, archive, keyring, *, links=LINKS, stored=lambda entries: None):
        self._archive, self._keyring, self._links, self._stored = archive, keyring, links, stored
        self.commander = OrderScheduler(archive)
        self._placards, self._holdings = NameFrames(archive), Holdings(archive.records())
        self._heads, self.now_ms = Undelivered(archive, self._holdings), archive.latest_ms
        self.watches, self.sessions, self._posts = {}, {}, {}
        self.refused = Counter()  # (device or None, reason) -> frames
        self.alarms = deque(maxlen=_ALARMS)  # (now_ms, device, Sentence)
        self._inbox = []
        self._connecting, self._closing = {}, set()
        self._waitlist = ConnectionScheduler(self.commander, self._placards, self._holdings)
        self.refresh()
        archive.undone = self.refresh  # else an order that was never kept would go out

    def refresh(self):
        """Read the roster and the orders again after anything was added to either."""
        self._keyring.refresh()
        self.commander.reload()
        self._placards.clear_all()
        boards = self._archive.roster.current_boards
        for watch in list(self.watches.values()):
            board = boards.get(watch.device)
            if board is None or board.generation != watch.generation:
                self._let_go(watch)
        for board in boards.values():
            known = self.watches.get(board.device)
            if known is None:
                watch = BoardStatus(board.device, board.generation, board.address)
                self.watches[board.device] = watch
                self._posts[board.device] = FrameSigner(self._archive, self._keyring, watch)
            else:
                known.table = board.address
        for watch in self.watches.values():
            self._review(watch)

    def _let_go(self, watch):
        """A board was revoked or has a new key: no word under this one is taken, none is given."""
        del self.watches[watch.device], self._posts[watch.device]
        self._waitlist.drop(watch.device)
        self._inbox = [one for one in self._inbox if one[1].device != watch.device]
        for session in self.sessions.values():
            if session.watch is watch:
                session.cancelled = True

    def identify(self, device, seconds):
        """Have a board blink for so long when it is linked next."""
        watch = self.watches.get(device)
        if watch is None:
            raise UserError("board {device} is not in use", device=device)
        watch.blink_s = seconds
        self._review(watch)

    def ask(self, round_number, table, intent, *, author, reason=""):
        """Keep an order for a table on the disk and let it go out; return its id."""
        order_id = self.commander.ask(
            round_number, table, intent, author=author, reason=reason, now_ms=self.now_ms
        )
        self._placards.clear(table)
        for watch in self.watches.values():
            if watch.table == table:
                self._review(watch)
        return order_id

    @property
    def gone(self):
        """The records ``(device, generation, epoch, counter)`` that boards say they have lost."""
        return self._holdings.gone

    def owed(self, watch):
        """Return the runs ``(epoch, first, count)`` of records that a board has and the archive has not."""
        return self._waitlist.owed(watch)

    # what the carrier tells

    def heard(self, address, frame, now_ms):
        """An advert carried ``frame``."""
        self.now_ms = now_ms
        if self._echo(address, frame):
            return
        verified = self._verify(frame)
        if verified is not None:
            self._take(address, verified)

    def received(self, address, frame, now_ms):
        """``frame`` was notified on a link."""
        self.now_ms = now_ms
        verified, session = self._verify(frame), self.sessions.get(address)
        if verified is None or session is None:
            return
        if verified.device != session.watch.device:
            self._refuse(verified.device, "link")
        elif self._take(address, verified):
            session.heard(verified, now_ms)

    def opened(self, address):
        """A connection that ``poll`` asked for stands."""
        device = self._connecting.pop(address, None)
        if device is None:
            return
        watch = self.watches.get(device)
        if watch is None:  # revoked meanwhile
            self._closing.add(address)
            return
        watch.linked, watch.served_ms = True, self.now_ms
        parts = self.commander, self._placards, self._holdings
        self.sessions[address] = Session.open(
            address, watch, self._posts[device], parts, self.now_ms
        )

    def closed(self, address):
        """A connection has ended, or could not be made."""
        device = self._connecting.pop(address, None)
        session = self.sessions.pop(address, None)
        self._closing.discard(address)
        watch = session.watch if session else self.watches.get(device)
        if watch is None:
            return
        watch.served_ms = self.now_ms
        if session is None or not session.authentic:
            watch.failed(self.now_ms)
        self._review(watch)

    def deaf(self, whether, now_ms):
        """From now on the carrier can hear nobody, or can again: boards grow no older meanwhile."""
        self._waitlist.listening.deafen(whether, now_ms)

    # what the carrier does

    def poll(self, now_ms):
        """Return the actions due: ``("connect", address)``, ``("write", address, frame)`` and
        ``("disconnect", address)``. What was heard so far is on the disk when it returns.
        """  # fmt: skip
        self.now_ms = now_ms
        self._commit()
        self._heads.keep(now_ms)
        actions = []
        for address, session in list(self.sessions.items()):
            actions += [("write", address, frame) for frame in session.step(now_ms)]
            ending = session.over(now_ms, bool(self._waitlist))
            if ending is not None:
                actions.append(("disconnect", address))
                self._end(address, session, ending)
        return actions + self._connect()

    def due_ms(self, now_ms):
        """Return when ``poll`` is worth calling again if nothing is heard before."""
        return now_ms + (_POLL_MS if self.sessions else _IDLE_MS)

    @property
    def idle(self):
        """Whether no link stands or is being made, and no board heard lately waits for one."""
        return not (
            self.sessions
            or self._connecting
            or self._inbox
            or self._waitlist.reachable(self.watches, self._busy, self.now_ms)
        )

    def _verify(self, frame):
        verified = self._keyring.verify(frame)
        if not isinstance(verified, str):
            watch = self.watches.get(verified.device)
            if watch is not None and watch.generation == verified.generation:
                return verified
            self._refuse(verified.device, "revoked" if watch is None else "generation")
            return None
        head = frames.head(frame)
        known = head is not None and self._keyring.known(head[1])
        self._refuse(head[1] if known else None, verified)
        return None

    def _echo(self, address, frame):
        """Take in a status frame that was verified before, which adverts repeat all the time."""
        head = frames.head(frame)
        watch = self.watches.get(head[1]) if head else None
        if watch is None or watch.frame != frame:
            return False
        if address not in self.sessions:
            watch.address = address
        if watch.again(self.now_ms):
            self._review(watch)
        return True

    def _refuse(self, device, reason):
        self.refused[device, reason] += 1

    def _take(self, address, verified):
        """Take in an authentic frame; return whether it was news of its kind."""
        watch, refusal = self.watches[verified.device], None
        if verified.kind >= frames.FIRST_RECORD:
            if len(self._inbox) < _INBOX:
                self._inbox.append((address, verified))
        elif verified.kind == frames.STATUS:
            refusal = watch.told(verified, self.now_ms)
            self._heads.heard(verified, self.now_ms)
        else:
            refusal = watch.asked(verified)
        self.commander.reborn(watch)
        if refusal:
            self._refuse(verified.device, refusal)
            return False
        if verified.kind == frames.STATUS and address not in self.sessions:
            watch.address = address
        self._review(watch)
        return True

    def _commit(self):
        inbox, self._inbox = self._inbox, []
        entries = [fates.Entry.of(verified, self.now_ms) for _, verified in inbox]
        found = self._archive.commit(entries)
        self._note([e for e, fate in zip(entries, found, strict=True) if fate == fates.ADDED])
        for (address, _), entry, fate in zip(inbox, entries, found, strict=True):
            session = self.sessions.get(address)
            if fate == fates.CONFLICT:
                said = Sentence(
                    "record {epoch}/{counter} contradicts the archive",
                    epoch=entry.epoch,
                    counter=entry.counter,
                )
                self.alarms.append((self.now_ms, entry.device, said))
            elif session is not None and session.watch.device == entry.device:
                session.receipts.take(entry, fate == fates.KNOWN)

    def _note(self, added):
        answered = set()
        for entry in added:
            self._holdings.add(entry)
            kind, _, _, number, _ = frames.event_of(entry.frame)
            watch = self.watches.get(entry.device)
            if watch is None:
                continue
            if kind == events.ANSWERED:
                answered.add(watch.table)
            elif kind == events.EVENT_JOINED and entry.epoch == watch.epoch:
                watch.joined(number, entry.counter)
        for table in answered:
            self.commander.settled(table)
            self._placards.clear(table)
        for device in {entry.device for entry in added} & self.watches.keys():
            self._review(self.watches[device])
        if added:
            self._stored(added)

    def _end(self, address, session, ending):
        del self.sessions[address]
        self._closing.add(address)
        if ending == "failed":
            session.watch.failed(self.now_ms)
        else:
            session.watch.served()
        self._review(session.watch)

    def _review(self, watch):
        if self.watches.get(watch.device) is watch:
            self._waitlist.review(watch)
            if self.commander.holds(watch) and self._waitlist.complete(watch):
                self.commander.release(watch)
                self._waitlist.review(watch)

    @property
    def _busy(self):
        """The devices with a link, or to which one is being made."""
        return {session.watch.device for session in self.sessions.values()} | {
            *self._connecting.values()
        }

    def _connect(self):
        taken = {*self.sessions, *self._connecting, *self._closing}
        chosen = self._waitlist.chosen(self.watches, self._busy, taken, self._links, self.now_ms)
        self._connecting |= chosen
        return [("connect", address) for address in chosen]
