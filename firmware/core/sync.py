"""The board's half of the protocol in ``frames``: what it sends and what it accepts. No IO.

Every down frame is checked cheapest first: version, device, kind, epoch, counter, and the tag last.
Accepted frames are idempotent, so the air may lose, repeat and reorder them. The App runs the loop:
it passes in one frame per step, and appends and applies the events returned.
"""

import struct

from firmware.core import digest, events, frames, intents, timebase
from firmware.core.window import Window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Air, Entropy, Event, Heard, Intent, Journal, Match, Timebase

_WHOLE = 63  # the parts of both names
STATUS_MS = 10000
UNHEARD_MS = 8000
_ASK_MS = 1000
_QUESTIONS = 63  # on a link, a bit each; what foreign packets delay tells little
_FINE_MS = 45  # but an answer in the next event of a connection (30 ms) is as good as it gets

# answers (field a of ANSWERED)
DONE = 0
ILLEGAL = 1  # not legal now
SUPERSEDED = 2
UNKNOWN = 3  # no such command, or not available here
TIME_STEP = 4  # the host's time is impossible

# why frames were refused: places in ``Sync.refused``
VERSION = 0  # or length
DEVICE = 1
KIND = 2
EPOCH = 3
COUNTER = 4  # a command received before
TAG = 5
DIGEST = 6  # an acknowledgement of other bytes


class Sync:
    """One board's conversation; ``entropy(n)`` gives n random bytes for nonces."""

    air: "Air"
    opened_ms: int | None
    answers: "tuple[int, int]"  # counter and kind of the command that was told last
    _status: bytes | None
    _question: bytes | None

    def __init__(self, journal: "Journal", clock: "Timebase", entropy: "Entropy"):
        self.journal, self.timebase, self.entropy = journal, clock, entropy
        self.window = Window(journal)
        self.refused = [0] * (DIGEST + 1)
        self.stepped = False  # the host's time was refused
        self.opened_ms = None  # uptime since when a link is open
        self.asking = 0  # as many bits as questions are still to be answered on this link
        self.ask_ms = self.heard_ms = 0
        self.air = [0, True, 0, None, None, 0, -1, 0]  # see ``hail``
        self._drawn, self._shown = bytearray(frames.BODY - 7), bytearray(frames.BODY - 7)
        self._asks, self._signed_ms, self.answers = 0, 0, (0, 0)  # here: no table grows in play
        self._round = self._parts = 0  # parts of names as bits, seat 0's the lower three
        self._names = bytearray(24), bytearray(24)
        self._event = self._epoch = None
        self._renew()

    def _renew(self):
        """Start the streams of a new epoch or event."""
        journal = self.journal
        if journal.event == self._event and journal.epoch == self._epoch:
            return
        if journal.epoch != self._epoch:
            self._informed = 0  # counter of STATUS and TIME_ASKED
            self._heard = self._commanded = -1
            self._named = [-1] * 6  # the counter that each part of a name came with
            self.keys = [self._down(0)]
        self._event, self._epoch = journal.event, journal.epoch
        # only the key of event 0; deriving two in one step takes much memory
        self.keys = self.keys[-1:]
        if journal.event:
            self.keys.insert(0, self._down(journal.event))
        self._status = self._question = None

    def _down(self, event):
        journal = self.journal
        return digest.blocks(frames.stream_key(journal.key, event, frames.DOWN, journal.epoch))

    def _forget(self):
        """Delete the players' names."""
        for name in self._names:
            name[:] = bytes(24)
        self._parts = 0

    # up

    def status_frame(self, match: "Match", flags: int, uptime_ms: int, told: int = 0) -> bytes:
        """Return the STATUS to advertise, the same object until it changes or is 10 s old; ``told``
        is a result in place of the zero (``announced``).
        """
        self._renew()
        flags |= self._flags(match.phase and match.round, uptime_ms)
        state = match.phase | min(match.turn or 0, 7) << 5
        head = self.journal.news_head
        struct.pack_into("<IBHH", self._drawn, 0, told or match.zero_ms or 0, state, flags, head)
        fresh = self._status is not None and uptime_ms - self._signed_ms < STATUS_MS
        if not fresh or self._drawn != self._shown:
            self._shown[:] = self._drawn
            self._signed_ms = uptime_ms
            self._status = self._inform(frames.STATUS, self._drawn, uptime_ms)
        assert self._status is not None
        return self._status

    def _flags(self, round_number, uptime_ms):
        flags = frames.UNSENT if self.window.waiting else 0
        if self.timebase.uncertainty_ms(uptime_ms) > timebase.WANTED_MS:
            flags |= frames.TIME_WANTED
        if self.timebase.guessed or self.stepped:
            flags |= frames.CLOCK_UNCERTAIN
        if round_number and (round_number & 15 != self._round or self._parts != _WHOLE):
            flags |= frames.NAMES_WANTED
        return flags

    def _inform(self, kind, payload, uptime_ms):
        if self._informed > 65535:
            self.journal.open_epoch(self.timebase.now_ms(uptime_ms), 255)
            self._renew()
        self._informed += 1
        self._question = None
        return self.journal.sign(kind, self._informed - 1, payload)

    def opened(self, uptime_ms: int) -> None:
        """Note that a link opened: it must prove itself, and send the time."""
        self.opened_ms = self.ask_ms = uptime_ms
        self.asking, self.timebase.first = _QUESTIONS, True
        self.window.cursor = self.window.first

    def closed(self) -> None:
        """Note that the link closed."""
        self.opened_ms, self.asking = None, 0

    def drop_due(self, uptime_ms: int) -> bool:
        """Return whether the link has carried no fresh authentic frame for 8 s."""
        since_ms = self.opened_ms
        return since_ms is not None and uptime_ms - max(since_ms, self.heard_ms) >= UNHEARD_MS

    def outgoing(self, uptime_ms: int, full: bool = False) -> bytes | None:
        """Return the next frame for the open link, or None; call ``sent`` once it was sent.

        ``full``: the link accepts only questions until one of them is answered.
        """
        if self.opened_ms is None:
            return None
        self._renew()
        self.asking = self.asking or int(full)
        self._asks = self.asking and uptime_ms >= self.ask_ms
        return self._ask(uptime_ms) if self._asks else self.window.frame(uptime_ms)

    def _ask(self, uptime_ms):
        """Return a TIME_ASKED: the same until it was sent or another frame was signed."""
        if self._question is None:
            nonce = self.entropy(4) + bytes(frames.BODY - 11)  # as a payload
            self._question = self._inform(frames.TIME_ASKED, nonce, uptime_ms)
        return self._question

    def sent(self, uptime_ms: int) -> None:
        """Note that the link has accepted the frame from ``outgoing``."""
        if self._asks:
            assert self._question is not None
            self.timebase.ask(frames.fields(self._question)[0], uptime_ms)
            self._question = None
            self.ask_ms = uptime_ms + _ASK_MS
        else:
            self.window.sent(uptime_ms)

    @property
    def waiting(self) -> int:
        """How many records still wait for an acknowledgement; 0 when all news has arrived."""
        return self.window.waiting

    def acked(self, epoch: int, counter: int) -> bool:
        """Whether the host has acknowledged this record."""
        return self.window.acked(epoch, counter)

    # down

    def receive(self, frame: bytes, uptime_ms: int) -> "Heard | None":
        """Process a down frame; return what remains to be done, if anything.

        An intent ``(kind, at_ms, a, b, c)``; ``("event", event)`` to append and apply;
        ``("name", seat, text, number)``; ``("identify", seconds)``; or None.
        """
        self._renew()
        reason = self._refusal(frame)
        if reason is not None:
            self.refused[reason] += 1
            return None
        kind, _, _, counter = frames.head(frame)  # pyright: ignore[reportGeneralTypeIssues]  (its head was accepted)
        fresh = counter > self._heard
        if fresh:
            self._heard, self.heard_ms = counter, uptime_ms
        if kind < frames.FIRST_COMMAND:
            return _SERVICE[kind - 1](self, frame, fresh, uptime_ms)
        if self.timebase.guessed and not self.stepped and kind != intents.JOIN_EVENT:
            return None  # it names a time unknown to this clock; the host repeats it
        self._commanded, self.answers = counter, (counter, kind)
        if kind in (intents.SET_ROUND, intents.CLEAR_ROUND):
            self._forget()
            self._named = [counter] * 6
        return frames.event_of(frame)

    def _refusal(self, frame):
        head = frames.head(frame)
        if head is None:
            return VERSION
        kind, device, epoch, counter = head
        if device != self.journal.device:
            return DEVICE
        command = kind >= frames.FIRST_COMMAND
        if kind == 0 or kind > 31 or not command and kind > len(_SERVICE):
            return KIND
        if epoch != self.journal.epoch:
            return EPOCH
        if command and counter <= self._commanded:
            return COUNTER
        for key in self.keys:
            if self.journal.frame.verify(key, frame):
                return None
        return TAG

    def answer(self, reason: int, now_ms: int) -> "Event":
        """Return the ANSWERED event of the command that ``receive`` returned last."""
        return (events.ANSWERED, now_ms, reason) + self.answers

    def join(self, intent: "Intent", now_ms: int) -> None:
        """Carry out a JOIN_EVENT: journal it with its answer.

        Another event has another origin of time and other players. Joining the same event again
        changes nothing, unless the host's time was refused: then the desk insists, and the host's
        next time is accepted.
        """
        before, event = self.journal.event, intent[3]
        place = self.journal.ring.head
        joined = events.EVENT_JOINED, now_ms, 0, event, before
        self.journal.append(joined, self.answer(DONE, now_ms))
        if event != before or self.stepped:
            self.timebase.forget()
            self.stepped = False
            self.asking = _QUESTIONS * (self.opened_ms is not None)
        if event != before:
            self._forget()
            if before:  # earlier records may be under keys that this host lacks
                self.window.restart(place)

    def _time(self, frame, fresh, uptime_ms):
        base = self.timebase
        guessed, taken = base.guessed, base.answer(*frames.time_of(frame), uptime_ms)
        if taken is None:
            return None
        self.asking = self.asking >> 1 if taken and uptime_ms - base.asked_ms > _FINE_MS else 0
        before, self.stepped, self.ask_ms = self.stepped, not taken, uptime_ms
        if taken and (guessed or before):
            now_ms, error_ms = base.now_ms(uptime_ms), base.uncertainty_ms(uptime_ms)
            return "event", (events.TIME_SET, now_ms, 0, error_ms, 1)
        return None if taken or before else self._refuse(TIME_STEP, frame, uptime_ms)

    def _refuse(self, reason, frame, uptime_ms):
        kind, _, _, counter = frames.head(frame)  # pyright: ignore[reportGeneralTypeIssues]  (its head was accepted)
        now_ms = self.timebase.now_ms(uptime_ms)
        return "event", (events.ANSWERED, now_ms, reason, counter, kind)

    def _ack(self, frame, fresh, uptime_ms):
        if not self.window.acknowledge(frame):
            self.refused[DIGEST] += 1

    def _name(self, frame, fresh, uptime_ms):
        round_number, part, seat, eight = frames.name_of(frame)
        counter, at = frames.head(frame)[3], 3 * seat + part  # pyright: ignore[reportOptionalSubscript]  (its head was accepted)
        if part > 2 or counter <= self._named[at]:
            return None  # of another round, or received before
        self._named[at] = counter
        if round_number != self._round:
            self._round, self._parts = round_number, 0
        store = self._names[seat]
        store[8 * part : 8 * part + 8] = frames.mask_name(self.journal.key, frame, eight)
        self._parts |= 1 << at
        if self._parts >> 3 * seat & 7 != 7:
            return None
        text = ""
        for code in store[:20]:
            text += chr(code) if code else ""
        return "name", seat, text, int.from_bytes(bytes(store[20:]), "little")

    def _fetch(self, frame, fresh, uptime_ms):
        gone = fresh and not self.window.fetch(*frames.fetch_of(frame))
        return self._refuse(UNKNOWN, frame, uptime_ms) if gone else None

    def _identify(self, frame, fresh, uptime_ms):
        return ("identify", frames.fields(frame)[2]) if fresh else None


_SERVICE = (Sync._time, Sync._ack, Sync._name, Sync._fetch, Sync._identify)
