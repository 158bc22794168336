"""The board's journal: signed records in a ring of flash, in epochs, with seals.

A record's place follows from its epoch's first place and its counter, because the records of an
epoch lie one after the other. Before the first ``open_epoch`` of a boot the journal is read-only.
"""

from firmware.core import digest, events, frames, intents, payload
from firmware.core.ring import ROOM, Ring

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Any, Blocks, Bytes, Event, Store

SEAL_EVERY = 16
PRESS = 4  # the most records that a press stores, with their seal
ROLLED_OVER = 255  # reason in BOOTED: the counters of the epoch ran out, nothing was reset
_LAST = 65535
_PAST = (  # kinds whose time had passed; an act of the desk may name a future time
    events.BOOTED, events.ANSWERED, events.TIME_SET, events.CLOCK, events.PREGAME_BEGUN,
    events.ROUND_BEGUN, events.TIME_CALLED, events.RESUMED, events.TURN_ENDED,
    events.SEAT_CONFIRMED, events.RESULT_CONFIRMED,
)  # fmt: skip
OVER = bytes((events.ROUND_SET, events.ROUND_CLEARED, events.MATCH_ENDED))  # a seed may be told
_BEFORE = bytes((events.EVENT_JOINED, events.TIME_SET))  # looked for before the match, too
_SET, _BUILT = 0, 8  # steps of a draft; deck building without one before it has 1 as ``first``
HIDDEN = 4  # records with the parts of a seed, just before its commitment


def key_event(event: int, happened: "Event") -> int:
    """Return the event id whose key signs ``happened`` at a board of ``event`` (see frames)."""
    if isinstance(happened, events.EventJoined):
        return 0
    if isinstance(happened, events.Answered) and not happened.broadcast:
        return 0 if happened.asked == intents.JOIN_EVENT else event
    return event


def begins(event: "Event") -> bool:
    """Return whether an event begins what is resumed after a reset: a round, or a draft."""
    if not isinstance(event, events.Drafted):
        return event.kind == events.ROUND_SET
    if event.step == _BUILT:
        return event.first == 1
    return event.step == _SET


def _commits(event):
    """Return whether an event is the first part of a commitment, just behind its seed."""
    return isinstance(event, events.SeedStored) and not event.part


class Journal:
    """Append-only events of one board; ``key`` is the 32-byte board key.

    ``start`` is the place of the current match's ROUND_SET (None without one). ``last_ms`` is a
    lower bound of the event time found by ``recover`` (None if no host ever sent it). ``withheld``
    is the first of four records with the seed of a match that is not over: they must not be sent.
    """

    def __init__(self, store: "Store", device: int, key: bytes):
        self.ring = Ring(store)
        self.device = device
        self.key = key
        self.epoch = self.event = self.base = 0
        self.news_head = self._sealed = 0
        self._last_digest = bytes(7)  # in the last seal
        self._keys: "dict[tuple[int, int], Blocks]" = {}  # of streams, by event and epoch
        self._verified = 0  # from this place on every record is known to be this board's own
        self.start: int | None = None
        self.last_ms: int | None = None
        self.withheld: int | None = None
        self.held = False

    @property
    def counter(self) -> int:
        """The counter that the next record gets."""
        return self.ring.head - self.base

    def recover(self) -> None:
        """Find the head, repair a torn copy, find event and match again."""
        ring = self.ring
        ring.recover()
        self._verified = ring.head
        last = ring.order(ring.head - 1)
        if last >= 0:
            self.epoch = last >> 16
            self.base = ring.head - 1 - (last & 0xFFFF)
            self._look_back()

    def _look_back(self):
        """Find the event, its current match, its withheld seed and the last time, newest first."""
        joined = start = time_set = None
        seed_known = False  # whether one is to be withheld
        last_ms = 0  # the latest: a record may name the time it was due, before the host's word
        ring = self.ring
        for place in range(ring.head - 1, ring.oldest - 1, -1):
            kind = ring.kind(place)
            match_known = start is not None and seed_known
            if not kind or (match_known and kind not in _BEFORE):
                continue  # times before this match are earlier than those in it
            event = ring.event(place)
            if time_set is None:
                if kind in _PAST:
                    last_ms = max(last_ms, event.at_ms)
                if isinstance(event, events.TimeSet) and event.by_host:
                    time_set = place
            if not seed_known and (kind in OVER or _commits(event)):
                seed_known = True
                self.withheld = place - HIDDEN if kind == events.SEED_STORED else None
            if start is None and begins(event):
                start = place
            if isinstance(event, events.EventJoined):
                if not self.authentic(ring.at(place)):  # pyright: ignore[reportArgumentType]  (it has a kind)
                    break  # signed with a former key
                joined = event.event if joined is None else joined
                if event.event != event.before:
                    break  # earlier records belong to another event
            if None not in (joined, start, time_set):
                break
        self.event = joined or 0
        self.start = start if self._is_own(start) else None
        self.last_ms = last_ms if self._is_own(time_set) else None

    def _is_own(self, place):
        return place is not None and self.authentic(self.ring.at(place))  # pyright: ignore[reportArgumentType]  (it has a kind)

    def open_epoch(self, at_ms: int, reason: int = 0, version: int = 0) -> None:
        """Begin a new boot's counters; must precede every frame. ValueError if none is left."""
        if self.epoch == _LAST:
            raise ValueError("epoch")
        booted = events.Booted(at_ms, reason, version, self.epoch)
        closed, records = self._to_close()
        self.epoch += 1
        self.base = self.ring.head
        self.news_head = self._sealed = 0
        self._last_digest = bytes(7)
        self._keys = {}
        self.append(booted, events.EpochClosed(at_ms, closed, records))

    def _to_close(self):
        """Return the last epoch that named the one before it, and how many records it holds."""
        last = self.ring.order(self.base - 1)
        if self.counter == 1 and last >= 0:  # of this one only BOOTED was stored, and nothing sent
            return last >> 16, (last & 0xFFFF) + 1
        return self.epoch, self.counter

    def append(self, *happened: "Event") -> int | None:
        """Sign and store events in one write to each copy; return the last one's counter, or None.

        While ``held`` is True they are safe only after ``settle``, and must not be shown or sent
        before. Raises ValueError for a number that does not fit (nothing is stored), or the store's
        OSError (only a reset shows what is stored).
        """
        if happened and self.counter + 2 * len(happened) > _LAST - ROOM:
            first, *_ = happened
            self.open_epoch(first.at_ms, ROLLED_OVER)
        counter, ended = None, False
        payloads = [payload.pack(event) for event in happened]  # all fit, or none is stored
        if not self.fits(len(happened)):
            self._fill()
        for event, packed in zip(happened, payloads):
            counter = self._put(event, packed)
            ended = ended or event.kind == events.MATCH_ENDED
        if ended or self.counter - self._sealed >= SEAL_EVERY:
            self.seal()  # never between a batch's own records
        if not self.held:
            self.ring.flush()
        return counter

    def settle(self) -> None:
        """Write held events at once, so that one press costs one flash write."""
        self.held = False
        self.ring.flush()

    def fits(self, count: int = PRESS) -> bool:
        """Return whether so many records fit whole into the block, or begin the next one."""
        if self.counter == 0 or self.ring.room == 0:
            return True  # an epoch begins with its first record, wherever that is
        return self.ring.room >= count

    def close_block(self) -> None:
        """End the block with seals while nobody waits, where a press may not fit: then a press is
        written into one block of each copy, not into two.
        """
        self._fill()
        self.ring.flush()

    def _fill(self):
        """Fill the block with seals."""
        for _ in range(self.ring.room):
            self.seal()

    def _put(self, happened, packed):
        """Store an event with its payload, and note what it changes here; return its counter."""
        kind = happened.kind
        counter = self._store(kind, key_event(self.event, happened), packed)
        if isinstance(happened, events.EventJoined):
            if happened.event != self.event:
                self.start = self.withheld = None
            self.event = happened.event
        elif begins(happened):
            self.start = self.ring.head - 1
        if kind in OVER:
            self.withheld = None
        elif _commits(happened):
            self.withheld = self.ring.head - 1 - HIDDEN
        if kind not in events.NOT_NEWS:
            self.news_head = counter + 1
        return counter

    def _store(self, kind, event, packed):
        """Put a record into the ring, signed under the key of an event; return its counter."""
        counter, key_blocks = self.counter, self._up_key(event, self.epoch)
        self.ring.put(frames.signed(key_blocks, kind, self.device, self.epoch, counter, packed))
        return counter

    def seal(self) -> None:
        """Add a record with the digest of everything in this epoch since the previous seal."""
        tags = digest.new_sha256(self._last_digest)
        for place in range(self.base + self._sealed, self.ring.head):
            record = self.ring.at(place)
            if record:
                tags.update(record[frames.BODY :])
        sealed = events.Sealed(self._sealed, tags.digest()[:7])
        self._sealed = self._store(events.SEALED, self.event, payload.pack(sealed)) + 1
        self._last_digest = sealed.digest

    def sign(self, kind: int, counter: int, packed: "Bytes") -> bytes:
        """Return a frame that is never stored, under the records' key; ``packed``: its payload."""
        key_blocks = self._up_key(self.event, self.epoch)
        return frames.signed(key_blocks, kind, self.device, self.epoch, counter, packed)

    def _up_key(self, event, epoch):
        """Return the blocks of the key that signs this board's records."""
        if (event, epoch) not in self._keys:
            key = frames.stream_key(self.key, event, frames.UP, epoch)
            self._keys[event, epoch] = digest.blocks(key)
        return self._keys[event, epoch]

    def authentic(self, record: bytes) -> bool:
        """Return whether a stored record has this board's own tag at its current event."""
        kind, device, epoch, _ = frames.head(record) or (0, 0, 0, 0)
        if kind < frames.FIRST_RECORD:
            return False
        event = key_event(self.event, events.of_record(record))
        return device == self.device and frames.authentic(self._up_key(event, epoch), record)

    def find(self, epoch: int, counter: int) -> int | None:
        """Return the place of a record, or None when it is not (or no longer) held."""
        if epoch == self.epoch:
            place = self.base + counter
            return place if self.ring.oldest <= place < self.ring.head else None
        low, high, wanted = self.ring.oldest, self.ring.head, epoch << 16 | counter
        while low < high:
            middle = (low + high) // 2
            if 0 <= self.ring.order(middle) < wanted:
                low = middle + 1
            else:
                high = middle
        return low if self.ring.order(low) == wanted else None

    def to_send(self, place: int) -> bytes | None:
        """Return the record at ``place`` to send; None if there is none or it is withheld."""
        if self.withheld is not None and 0 <= place - self.withheld < HIDDEN:
            return None
        return self.ring.at(place)

    # the current match, across later epochs

    def verify(self) -> None:
        """Verify the current match's records, newest first, down to a foreign one."""
        while self._verified > self.first:
            record = self.ring.at(self._verified - 1)
            if record and not self.authentic(record):
                break
            self._verified -= 1

    @property
    def first(self) -> int:
        """The place of the current match's first record; ``end`` without a match."""
        if self.start is None or self.start < self.ring.oldest:
            return self.end
        return self.start

    @property
    def end(self) -> int:
        """The place that the next record gets."""
        return self.ring.head

    def kind(self, place: int) -> int:
        """Return the kind of a record of the match, 0 if it is lost or not this board's own."""
        kind = self.ring.kind(place)
        if kind and place < self._verified and not self.authentic(self.ring.at(place)):  # pyright: ignore[reportArgumentType]  (it has a kind)
            return 0
        return kind

    def event_at(self, place: int) -> "Any":
        """Return the event at a place, of the class of its ``kind``; ask for that first."""
        return self.ring.event(place)

    def order(self, place: int) -> int:
        """Return a record's id, epoch << 16 | counter."""
        return self.ring.order(place)
