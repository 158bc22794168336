"""The board's half of the protocol in ``frames``: its status, and what it says and hears over an
open link. No IO: the App passes in one frame a step, and appends and applies the events returned.

Every down frame is checked cheapest first: version, device, kind, epoch, counter, and the tag last.
Accepted frames are idempotent, so the air may lose, repeat and reorder them.

The first 16 records that the host has not acknowledged are sent in order, and again from the first
after a second without an acknowledgement; before them those that it has asked for. A board does not
advertise while a link is open, so where nothing else is to be sent, a changed status is.
"""

from firmware.core import answers, digest, events, frames, intents, timebase
from firmware.core.journal import ROLLED_OVER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Bytes, Entropy, Event, Heard, Journal, Match, Timebase

STATUS_MS = 10000
UNHEARD_MS = 8000
WIDTH = 16
RESEND_MS = 1000
REPORT_MS = 1000  # most links are over by then: what they ask for need not be sent over them
_BOTH_NAMES = 63  # ``name_parts`` when all six have come
_ANSWERED = frames.UNSENT | frames.TIME_WANTED  # a host that hears these answers them in any case
_ASK_MS = 1000
_FIRST_MS = 250  # then twice as long each time: the guest may not have subscribed before
_QUESTIONS = 6  # on a link; what foreign packets delay tells little
_FINE_MS = 45  # but an answer in the next event of a connection (30 ms) is as good as it gets
_ACKED = 9  # an ACK names one record and up to eight after it


class Advertising:
    """What a board advertises, and when it changes its advert (``radio.advertiser``). ``turn_ms``:
    uptime in ms of the next turn, at which another frame may follow. ``guests``: how many had
    connected when the host was last heard, or when nobody came.
    """

    def __init__(self):
        self.turn_ms = 0
        self.connectable = True
        self.place = 0  # of the next record to advertise
        self.status: bytes | None = None  # the last status
        self.frame = b""  # the last one
        self.guests = 0
        self.turn_guests = -1  # how many had connected as this turn began; -1 while a link was open
        self.heard_ms = 0  # uptime at which the host was last heard


class Window:
    """The records to send over a link: unacknowledged ones, and those requested. Records are named
    by their place in the journal; places before ``first`` are done.
    """

    def __init__(self, journal: "Journal"):
        self.journal = journal
        # after a reset it is unknown what the host has of the current match: send all of it
        self.restart(journal.base if journal.start is None else journal.start)

    def restart(self, place: int) -> None:
        """Set the first record that the host does not have to ``place``."""
        self.first = place
        self.done = 0  # bit i: the record at first + i is acknowledged
        self.cursor = self.first
        self.sent_ms = 0
        self.asked = self.asked_end = 0

    @property
    def waiting(self) -> int:
        """The number of records from the first unacknowledged one to the last one to send."""
        return max(0, self.journal.base + self.journal.news_head - self.first)

    def due(self, uptime_ms: int) -> bytes | None:
        """Return the record that is to be sent, or None; ``advance`` goes on to the next."""
        while self.asked < self.asked_end:
            record = self.journal.to_send(self.asked)
            if record:
                return record
            self.asked += 1  # lost in both copies, or withheld
        head = self.journal.ring.head
        while self.first < head:
            if self.cursor < min(head, self.first + WIDTH):
                record = None
                if not self._is_done(self.cursor):
                    record = self.journal.to_send(self.cursor)
                if record:
                    return record
                self._mark(self.cursor)  # done; or lost or withheld, so nothing is waited for
                self.cursor += 1
            elif uptime_ms - self.sent_ms >= RESEND_MS:
                self.cursor = self.first
            else:
                break
        return None

    def advance(self, uptime_ms: int) -> None:
        """Note that the record from ``due`` was sent."""
        if self.asked < self.asked_end:
            self.asked += 1
        else:
            self.cursor += 1
            self.sent_ms = uptime_ms

    def acknowledge(self, frame: bytes) -> bool:
        """Process an ACK; False if it names a record that is not held or its digest differs."""
        epoch, counter, mask, stated = frames.ack_of(frame)
        first, ring = self.journal.find(epoch, counter), self.journal.ring
        if first is None:
            return False
        places = [first] + [first + i for i in range(1, _ACKED) if mask >> (i - 1) & 1]
        tags = digest.new_sha256()
        for place in places:
            if ring.order(place) >> 16 != epoch:
                return False  # of another epoch, lost, or still to come
            tags.update(ring.at(place)[frames.BODY :])  # pyright: ignore[reportOptionalSubscript]  (it has an order)
        if not digest.same(stated, tags.digest()[:4]):
            return False
        for place in places:
            self._mark(place)
        return True

    def resend(self, epoch: int, first: int, count: int) -> bool:
        """Send records again at the host's request; return whether the first of them is held."""
        place = self.journal.find(epoch, first)
        if place is None:
            return False
        self.asked, self.asked_end = place, min(place + count, self.journal.ring.head)
        return True

    def _is_done(self, place):
        return place < self.first or self.done >> (place - self.first) & 1

    def _mark(self, place):
        """Mark a record as done, and move on to the first that is not."""
        if self.first <= place < self.first + WIDTH:
            self.done |= 1 << (place - self.first)
        while self.done & 1:
            self.done >>= 1
            self.first += 1


class Sync:
    """One board's conversation; ``entropy(n)`` gives n random bytes for nonces."""

    def __init__(self, journal: "Journal", clock: "Timebase", entropy: "Entropy"):
        self.journal, self.timebase, self.entropy = journal, clock, entropy
        self.window = Window(journal)
        self.refused = [0] * (answers.DIGEST + 1)
        self.time_refused = False  # the host's last one
        self.opened_ms: int | None = None  # uptime since when a link is open
        self.asking = 0  # how many questions are still to be answered on this link
        self.ask_ms = self.heard_ms = 0
        self._again_ms = _FIRST_MS  # until the next question, on a link that no host has proved
        self.answered_ms = 0  # uptime of the host's last word, over a link or by the beacon
        self.answers = 0, 0, 0  # of the last command: counter, kind, 1 if it was broadcast
        self.asks = False  # whether the last status asks for an answer
        self.question: bytes | None = None  # the TIME_ASKED that waits to be sent
        self.status: bytes | None = None  # the last STATUS, None if the next is to be signed anew
        self._payload = b""  # of ``status``
        self._signed_ms = self._status_at = 0  # when it was signed; ``_informed`` right after that
        self.reporting = False  # whether ``outgoing`` returned a STATUS
        self.reported: bytes | None = None  # the payload that the host of this link knows
        self.report_ms = 0
        self.advertising = Advertising()
        self.names_round = self.name_parts = 0  # parts as bits, seat 0's the lower three
        self.names = bytearray(24), bytearray(24)
        self._event = self._epoch = None
        self.renew()

    def renew(self) -> None:
        """Start the streams of a new epoch or event."""
        journal = self.journal
        if journal.event == self._event and journal.epoch == self._epoch:
            return
        if journal.epoch != self._epoch:
            self._informed = 0  # the next counter of STATUS and TIME_ASKED
            self.highest = self.commanded = -1
            self.named = [-1] * 6  # the counter that each part of a name came with
        self._event, self._epoch = journal.event, journal.epoch
        self.keys = [self._down_key(0)]
        if journal.event:
            self.keys.insert(0, self._down_key(journal.event))
        self.status = self.question = None

    def _down_key(self, event):
        journal = self.journal
        return digest.blocks(frames.stream_key(journal.key, event, frames.DOWN, journal.epoch))

    def forget(self) -> None:
        """Delete the players' names."""
        self.names = bytearray(24), bytearray(24)
        self.name_parts = 0

    # up

    def status_frame(self, match: "Match", flags: int, uptime_ms: int, result: int = 0) -> bytes:
        """Return the STATUS to advertise, the same object until it changes or is 10 s old;
        ``result`` is announced in place of the zero (``announced``).
        """
        self.renew()
        flags |= self._flags(match.phase and match.round, uptime_ms)
        self.asks = bool(flags & _ANSWERED)
        first, turn = (result or match.zero_ms or 0), min(match.turn, 7)
        payload = frames.pack_status(first, match.phase, turn, flags, self.journal.news_head)
        old = self.status is None or uptime_ms - self._signed_ms >= STATUS_MS
        if old or payload != self._payload:
            self._payload, self._signed_ms = payload, uptime_ms
            self.status = self.inform(frames.STATUS, payload, uptime_ms)
            self._status_at = self._informed
        assert self.status is not None
        return self.status

    def _flags(self, round_number, uptime_ms):
        """Return the flags of what the board asks of the host."""
        flags = frames.UNSENT if self.window.waiting else 0
        if self.timebase.uncertainty_ms(uptime_ms) > timebase.WANTED_MS:
            flags |= frames.TIME_WANTED
        if self.timebase.guessed or self.time_refused:
            flags |= frames.CLOCK_UNCERTAIN
        whole_names = self.name_parts == _BOTH_NAMES and self.names_round == (round_number & 15)
        if round_number and not whole_names:
            flags |= frames.NAMES_WANTED
        return flags

    def inform(self, kind: int, payload: "Bytes", uptime_ms: int) -> bytes:
        """Return a frame of this ``kind`` under the next counter of its stream."""
        if self._informed > 65535:
            self.journal.open_epoch(self.timebase.now_ms(uptime_ms), ROLLED_OVER)
            self.renew()
        self._informed += 1
        self.question = None
        return self.journal.sign(kind, self._informed - 1, payload)

    @property
    def waiting(self) -> int:
        """How many records still wait for an acknowledgement; 0 when all news has arrived."""
        return self.window.waiting

    # the link

    def link_opened(self, uptime_ms: int) -> None:
        """Note that a link opened: it must prove itself, and send the time."""
        self.opened_ms = self.ask_ms = uptime_ms
        self._again_ms = _FIRST_MS
        self.asking, self.timebase.first = _QUESTIONS, True
        self.report_ms, self.reported = uptime_ms, self._status_payload()
        self.window.cursor = self.window.first

    def link_closed(self) -> None:
        """Note that the link closed: what is advertised from now on must be newer than what the
        host was asked over it, or the host refuses it. A stranger's link changes nothing.
        """
        if self._proved:
            self._drop_old_status()
        self.opened_ms, self.asking = None, 0

    @property
    def _proved(self):
        """Whether the open link is the host's."""
        return self.opened_ms is not None and self.heard_ms >= self.opened_ms

    def _drop_old_status(self):
        """Have the status signed anew if a question was signed since: the host refuses an older."""
        if self._status_at != self._informed:
            self.status = None

    def drop_due(self, uptime_ms: int) -> bool:
        """Return whether the link has carried no fresh authentic frame for 8 s."""
        since_ms = self.opened_ms
        return since_ms is not None and uptime_ms - max(since_ms, self.heard_ms) >= UNHEARD_MS

    def outgoing(self, uptime_ms: int, asks: bool = False) -> bytes | None:
        """Return the next frame for the open link, or None; call ``sent`` once it was sent.
        ``asks``: the link needs an answer, which frees its queue.
        """
        if self.opened_ms is None:
            return None
        self.renew()
        self.asking = self.asking or int(asks)
        if self.asking and uptime_ms >= self.ask_ms:
            return self._question(uptime_ms)
        self.question = None
        record = self.window.due(uptime_ms)
        self.reporting = record is None
        return record or self._report(uptime_ms)

    def _question(self, uptime_ms):
        """Return a TIME_ASKED: the same until it was sent or another frame was signed."""
        if self.question is None:
            nonce = self.entropy(4) + bytes(frames.BODY - 11)  # as a payload
            self.question = self.inform(frames.TIME_ASKED, nonce, uptime_ms)
        return self.question

    def _status_payload(self):
        """Return what the last status tells, without its head and tag."""
        return self.status and self.status[7 : frames.BODY]

    def _report(self, uptime_ms):
        """Return the STATUS, if it tells something new. One that asks for the time does so as an
        advert alone: the beacon's answer counts from when that was sent.
        """
        payload = self._status_payload()
        too_soon = uptime_ms - self.report_ms < REPORT_MS
        if payload is None or payload == self.reported or too_soon:
            return None
        self._drop_old_status()
        asks_time = payload[5] & frames.TIME_WANTED  # the low byte of its flags
        return None if asks_time else self.status

    def sent(self, uptime_ms: int) -> None:
        """Note that the link has accepted the frame from ``outgoing``."""
        if self.question is not None:
            self.timebase.ask_host(frames.fields(self.question)[0], uptime_ms)
            self.question = None
            self.ask_ms = uptime_ms + (_ASK_MS if self._proved else self._again_ms)
            self._again_ms *= 2  # until the host has answered on this link
        elif self.reporting:
            self.report_ms, self.reported = uptime_ms, self._status_payload()
        else:  # a record
            self.window.advance(uptime_ms)

    # down

    def receive(self, frame: bytes, uptime_ms: int) -> "Heard | None":
        """Process a down frame; return what remains to be done, if anything: an intent, ``("event",
        event)`` to append and apply, ``("name", seat, text, number)`` or ``("identify", seconds)``.
        """
        self.renew()
        reason = self._refusal(frame)
        if reason is not None:
            self.refused[reason] += 1
            return None
        kind, _, _, counter = frames.head(frame)  # pyright: ignore[reportGeneralTypeIssues]  (its head was accepted)
        fresh = counter > self.highest
        if fresh:
            self.highest = counter
            self.heard_ms = self.answered_ms = uptime_ms
        if kind < frames.FIRST_COMMAND:
            return self._serve(kind, frame, counter, fresh, uptime_ms)
        if self.timebase.guessed and not self.time_refused and kind != intents.JOIN_EVENT:
            return None  # it names a time unknown to this clock; the host repeats it
        self.commanded, self.answers = counter, (counter, kind, 0)
        if kind in (intents.SET_ROUND, intents.CLEAR_ROUND):
            self.forget()
            self.named = [counter] * 6
        intent = intents.of_frame(frame)
        if intent.kind:
            return intent
        self.refused[answers.KIND] += 1
        return "event", self.answer(answers.UNKNOWN, self.timebase.now_ms(uptime_ms))

    def _refusal(self, frame):
        """Return why a frame is refused (``answers``), None if it is accepted."""
        head = frames.head(frame)
        if head is None:
            return answers.VERSION
        kind, device, epoch, counter = head
        if device != self.journal.device:
            return answers.DEVICE
        command = kind >= frames.FIRST_COMMAND
        known = intents.from_desk(kind) if command else 0 < kind <= frames.IDENTIFY
        if not known:
            return answers.KIND
        if epoch != self.journal.epoch:
            return answers.EPOCH
        if command and counter <= self.commanded:
            return answers.COUNTER
        for key in self.keys:
            if frames.authentic(key, frame):
                return None
        return answers.TAG

    def _serve(self, kind, frame, counter, fresh, uptime_ms):
        """Process what is no command."""
        if kind == frames.TIME:
            return self._time(frame, counter, uptime_ms)
        if kind == frames.NAME:
            return self._name(frame, counter)
        if kind == frames.ACK:
            if not self.window.acknowledge(frame):
                self.refused[answers.DIGEST] += 1
        elif fresh and kind == frames.IDENTIFY:
            return "identify", frames.fields(frame)[2]
        elif fresh and not self.window.resend(*frames.fetch_of(frame)):
            now_ms = self.timebase.now_ms(uptime_ms)
            return "event", events.Answered(now_ms, answers.UNKNOWN, counter, kind, 0)
        return None

    def _time(self, frame, counter, uptime_ms):
        """Take the host's answer; return an event where it is the first, or impossible."""
        base = self.timebase
        was_guessed, was_refused = base.guessed, self.time_refused
        host_ms, nonce = frames.time_of(frame)
        accepted = base.host_answered(host_ms, nonce, uptime_ms)
        if accepted is None:
            return None
        again = accepted and uptime_ms - base.asked_ms > _FINE_MS
        self.asking = max(0, self.asking - 1) if again else 0
        self.time_refused, self.ask_ms = not accepted, uptime_ms
        now_ms = base.now_ms(uptime_ms)
        if accepted and (was_guessed or was_refused):
            return "event", events.TimeSet(now_ms, base.uncertainty_ms(uptime_ms), 1)
        if not accepted and not was_refused:
            return "event", events.Answered(now_ms, answers.TIME_STEP, counter, frames.TIME, 0)
        return None

    def _name(self, frame, counter):
        """Take a part of a name; return the name once all its parts have come."""
        round_number, part, seat, piece = frames.name_of(frame)
        at = 3 * seat + part
        if part > 2 or counter <= self.named[at]:
            return None  # of another round, or received before
        self.named[at] = counter
        if round_number != self.names_round:
            self.names_round, self.name_parts = round_number, 0
        name = self.names[seat]
        name[8 * part : 8 * part + 8] = frames.mask_name(self.journal.key, frame, piece)
        self.name_parts |= 1 << at
        parts_of_seat = self.name_parts >> 3 * seat & 7
        if parts_of_seat != 7:  # not all three
            return None
        text = "".join([chr(code) for code in name[:20] if code])
        return "name", seat, text, int.from_bytes(bytes(name[20:]), "little")

    def answer(self, reason: int, now_ms: int) -> "Event":
        """Return the ANSWERED event of the command that ``receive`` returned last."""
        counter, asked, broadcast = self.answers
        return events.Answered(now_ms, reason, counter, asked, broadcast)

    def join_event(self, intent: "intents.Intent", now_ms: int) -> None:
        """Carry out a JOIN_EVENT: journal it with its answer. Another event has another origin of
        time and other players. Joining the same event again changes nothing, unless the host's time
        was refused: then the desk insists, and the host's next time is accepted.
        """
        before, event = self.journal.event, intent.event
        place = self.journal.ring.head
        joined = events.EventJoined(now_ms, event, before)
        self.journal.append(joined, self.answer(answers.DONE, now_ms))
        if event != before or self.time_refused:
            self.timebase.forget()
            self.time_refused = False
            self.asking = 0 if self.opened_ms is None else _QUESTIONS
        if event != before:
            self.forget()
            if before:  # earlier records may be under keys that this host lacks
                self.window.restart(place)
