"""The board's half of the protocol in ``frames``: its status, and what it knows of the host. No IO.

What goes over an open link, either way, is in ``talk``. The App runs the loop: it passes in one
frame per step, and appends and applies the events returned.
"""

import struct

from firmware.core import answers, digest, events, frames, talk, timebase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core import intents
    from firmware.core.types import (
        Bytes,
        Entropy,
        Event,
        Heard,
        Journal,
        Match,
        Timebase,
    )

_WHOLE = 63  # the parts of both names
_ANSWERED = frames.UNSENT | frames.TIME_WANTED  # a host that hears these answers them in any case
STATUS_MS = 10000
UNHEARD_MS = 8000


class Advertising:
    """What a board advertises, and when it changes its advert (``radio.advertiser``).

    ``turn_ms``: uptime in ms of the next turn, at which another frame may follow. ``guests``: how
    many had connected when the host was last heard, or when nobody came.
    """

    status: "bytes | None"  # the last status

    def __init__(self):
        self.turn_ms = 0
        self.connectable = True
        self.place = 0  # of the next record to advertise
        self.status = None
        self.frame = b""  # the last one
        self.guests = 0
        self.turn_guests = -1  # how many had connected as this turn began; -1 while a link was open
        self.heard_ms = 0  # uptime at which the host was last heard


class Window:
    """The records to send over a link: unacknowledged ones, and those requested.

    Records are named by their place in the journal; places before ``first`` are done. How they are
    sent and acknowledged is in ``talk``.
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
        count = self.journal.base + self.journal.news_head - self.first
        return count if count > 0 else 0

    def acked(self, epoch: int, counter: int) -> bool:
        """Return whether the host has certainly got this record."""
        place = self.journal.find(epoch, counter)
        if place is None:
            return False
        return place < self.first or self.done >> (place - self.first) & 1 == 1


class Sync:
    """One board's conversation; ``entropy(n)`` gives n random bytes for nonces."""

    opened_ms: int | None
    answers: "tuple[int, int, int]"  # of the last command: counter, kind, 1 if it was broadcast
    question: bytes | None  # the TIME_ASKED that waits to be sent
    status: bytes | None  # the last STATUS, None if the next is to be signed anew

    def __init__(self, journal: "Journal", clock: "Timebase", entropy: "Entropy"):
        self.journal, self.timebase, self.entropy = journal, clock, entropy
        self.window = Window(journal)
        self.refused = [0] * (answers.DIGEST + 1)
        self.stepped = False  # the host's time was refused
        self.opened_ms = None  # uptime since when a link is open
        self.asking = 0  # as many bits as questions are still to be answered on this link
        self.ask_ms = self.heard_ms = 0
        self.answered_ms = 0  # uptime of the host's last word, over a link or by the beacon
        self.asks = False  # whether the last status asks for an answer
        self.reporting = False  # whether ``outgoing`` returned a STATUS
        self.reported: bytes | None = None  # the payload that the host of this link knows
        self.report_ms = 0
        self.advertising = Advertising()
        self._drawn, self._shown = bytearray(frames.BODY - 7), bytearray(frames.BODY - 7)
        self._signed_ms, self.answers = 0, (0, 0, 0)  # here: no table grows in play
        self.round = self.parts = 0  # parts of names as bits, seat 0's the lower three
        self.names = bytearray(24), bytearray(24)
        self._event = self._epoch = None
        self.renew()

    def renew(self) -> None:
        """Start the streams of a new epoch or event."""
        journal = self.journal
        if journal.event == self._event and journal.epoch == self._epoch:
            return
        if journal.epoch != self._epoch:
            self._informed = 0  # counter of STATUS and TIME_ASKED
            self.highest = self.commanded = -1
            self.named = [-1] * 6  # the counter that each part of a name came with
            self.keys = [self._down(0)]
        self._event, self._epoch = journal.event, journal.epoch
        # only the key of event 0; deriving two in one step takes much memory
        self.keys = self.keys[-1:]
        if journal.event:
            self.keys.insert(0, self._down(journal.event))
        self.status = self.question = None

    def _down(self, event):
        journal = self.journal
        return digest.blocks(frames.stream_key(journal.key, event, frames.DOWN, journal.epoch))

    def forget(self) -> None:
        """Delete the players' names."""
        for name in self.names:
            name[:] = bytes(24)
        self.parts = 0

    # up

    def status_frame(self, match: "Match", flags: int, uptime_ms: int, told: int = 0) -> bytes:
        """Return the STATUS to advertise, the same object until it changes or is 10 s old; ``told``
        is a result in place of the zero (``announced``).
        """
        self.renew()
        flags |= self._flags(match.phase and match.round, uptime_ms)
        self.asks = bool(flags & _ANSWERED)
        state = match.phase | min(match.turn or 0, 7) << 5
        head = self.journal.news_head
        struct.pack_into("<IBHH", self._drawn, 0, told or match.zero_ms or 0, state, flags, head)
        fresh = self.status is not None and uptime_ms - self._signed_ms < STATUS_MS
        if not fresh or self._drawn != self._shown:
            self._shown[:] = self._drawn
            self._signed_ms = uptime_ms
            self.status = self.inform(frames.STATUS, self._drawn, uptime_ms)
        assert self.status is not None
        return self.status

    def _flags(self, round_number, uptime_ms):
        flags = frames.UNSENT if self.window.waiting else 0
        if self.timebase.uncertainty_ms(uptime_ms) > timebase.WANTED_MS:
            flags |= frames.TIME_WANTED
        if self.timebase.guessed or self.stepped:
            flags |= frames.CLOCK_UNCERTAIN
        if round_number and (round_number & 15 != self.round or self.parts != _WHOLE):
            flags |= frames.NAMES_WANTED
        return flags

    @property
    def newest(self) -> bool:
        """Whether no question was signed since the status: the host refuses an older frame."""
        head = self.status and frames.head(self.status)
        return bool(head) and head[3] == self._informed - 1

    def inform(self, kind: int, payload: "Bytes", uptime_ms: int) -> bytes:
        """Return a frame of this ``kind`` under the next counter of its stream."""
        if self._informed > 65535:
            self.journal.open_epoch(self.timebase.now_ms(uptime_ms), 255)
            self.renew()
        self._informed += 1
        self.question = None
        return self.journal.sign(kind, self._informed - 1, payload)

    def link_opened(self, uptime_ms: int) -> None:
        """Note that a link opened, as ``talk.on_link_opened``."""
        talk.on_link_opened(self, uptime_ms)

    def link_closed(self) -> None:
        """Note that the link closed."""
        self.opened_ms, self.asking = None, 0

    def drop_due(self, uptime_ms: int) -> bool:
        """Return whether the link has carried no fresh authentic frame for 8 s."""
        since_ms = self.opened_ms
        return since_ms is not None and uptime_ms - max(since_ms, self.heard_ms) >= UNHEARD_MS

    def outgoing(self, uptime_ms: int, full: bool = False) -> bytes | None:
        """Return the next frame for the open link, or None, as ``talk.next_frame``."""
        return talk.next_frame(self, uptime_ms, full)

    def sent(self, uptime_ms: int) -> None:
        """Note that the link has accepted the frame from ``outgoing``."""
        talk.mark_sent(self, uptime_ms)

    @property
    def waiting(self) -> int:
        """How many records still wait for an acknowledgement; 0 when all news has arrived."""
        return self.window.waiting

    def acked(self, epoch: int, counter: int) -> bool:
        """Whether the host has acknowledged this record."""
        return self.window.acked(epoch, counter)

    def receive(self, frame: bytes, uptime_ms: int) -> "Heard | None":
        """Process a down frame, as ``talk.handle_frame``; return what remains to be done."""
        return talk.handle_frame(self, frame, uptime_ms)

    def answer(self, reason: int, now_ms: int) -> "Event":
        """Return the ANSWERED event of the command that ``receive`` returned last."""
        counter, asked, broadcast = self.answers
        return events.Answered(now_ms, reason, counter, asked, broadcast)

    def join_event(self, intent: "intents.JoinEvent", now_ms: int) -> None:
        """Carry out a JOIN_EVENT, as ``talk.join``."""
        talk.join(self, intent, now_ms)
