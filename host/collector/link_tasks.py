"""What the host has to say on one link, a source each: ``next(now_ms)`` gives a signed frame or None.

``busy`` tells that something is still expected. Frames are signed as they leave, so that their
counters rise in the order of sending.
"""

from firmware.core import events, frames, intents

REPEAT_MS = 1000
TRIES = 8
_FETCH_COUNT = 64
_OFTEN = 3
_QUIET_MS = 1500  # by then a board has sent again what it believes to be missing
_AGAIN = 8  # so many held records between two gaps are rather sent again than asked around
_PAUSE_MS = 600  # by then it has begun, or gone on, with what it was asked for
_SWAP_MS = 150  # what was sent before another record has come by then, or never comes
_SPAN = 9  # an acknowledgement's first counter and its mask's eight


class TimeTask:
    """Answers TIME_ASKED at once, under the key it was asked with."""

    def __init__(self, post):
        self._post, self._asked = post, []
        self.busy = False

    def ask(self, verified):
        """Note an authentic TIME_ASKED."""
        self._asked = [verified]

    def next(self, now_ms):
        """Return a TIME frame with the event time of this very moment."""
        if not self._asked:
            return None
        asked = self._asked.pop()
        payload = frames.pack_time(now_ms, frames.fields(asked.frame)[0])
        signed = self._post.sign(asked.event, frames.TIME, payload)
        return signed and signed[0]


class AckTask:
    """Acknowledges archived records, up to nine of an epoch in a frame."""

    def __init__(self, post):
        self._post, self._owed = post, {}
        self.repeated = False  # the board sent what was archived before: frames get lost here

    def take(self, entry, known):
        """Owe an acknowledgement for an Entry that the archive holds (``known``: held before)."""
        self.repeated = self.repeated or known
        self._owed[entry.epoch, entry.counter] = entry.frame[frames.BODY :]

    @property
    def busy(self):
        """Whether an acknowledgement is owed."""
        return bool(self._owed)

    def next(self, now_ms):
        """Return an ACK frame over the oldest records owed."""
        if not self._owed:
            return None
        epoch, first = min(self._owed)
        mask, tags = 0, b""
        for counter in range(first, first + _SPAN):
            tag = self._owed.pop((epoch, counter), None)
            if tag is not None:
                tags += tag
                mask |= 1 << counter - first
        payload = frames.pack_ack(epoch, first, mask >> 1, tags)
        return self._post.frame(frames.ACK, payload)


class OrderTask:
    """Tells one order at a time, again and again until its answer is archived."""

    def __init__(self, post, watch, commander):
        self._post, self._watch, self._commander = post, watch, commander
        self._order_id = None
        self._sent_ms = self.tries = 0
        self.round_told = False

    @property
    def busy(self):
        """Whether an order waits for its answer."""
        return self._commander.wanted(self._watch)

    def next(self, now_ms):
        """Return the frame of the order whose turn it is, when it is due."""
        order = self._commander.next(self._watch, now_ms) if self.busy else None
        if order is None:
            return None
        if order.id != self._order_id:
            self._order_id, self.tries = order.id, 0
            if order.kind == intents.SET_ROUND:
                self.round_told, self._watch.named = True, 0
        elif now_ms - self._sent_ms < REPEAT_MS:
            return None
        self._sent_ms, self.tries = now_ms, self.tries + 1
        return self._commander.frame(order, self._watch, self._post)


class NameTask:
    """Gives the board its players' names, once a link and again when a status asks."""

    def __init__(self, post, watch, errand, placards):
        self._post, self._watch, self._errand, self._placards = post, watch, errand, placards
        self._queue, self._given = [], None

    @property
    def busy(self):
        """Whether parts of names have still to go out."""
        self._fill()
        return bool(self._queue)

    def again(self):
        """A status on this link still wants names."""
        if not self._queue:
            self._given = None

    def _fill(self):
        if self._queue and not self._placards.payloads(self._watch.table):
            self._queue = []  # its round was cleared meanwhile
        told = self._errand.round_told and not self._errand.busy
        if self._given is None and (self._watch.has(frames.NAMES_WANTED) or told):
            payloads = self._placards.payloads(self._watch.table)
            self._given = bool(payloads) or None
            if payloads:  # what was lost once is said more often
                self._watch.named = min(self._watch.named + 1, _OFTEN)
                self._queue = payloads * self._watch.named

    def next(self, now_ms):
        """Return the next NAME frame."""
        self._fill()
        if not self._queue:
            return None
        return self._post.frame(frames.NAME, self._queue.pop(0))


class BlinkTask:
    """Has the board show itself, which nothing answers: it is said a few times."""

    def __init__(self, post, watch):
        self._post, self._watch, self._said = post, watch, 0
        self._said_ms = None

    @property
    def busy(self):
        """Whether it is to be said once more."""
        return self._watch.blink_s > 0

    def next(self, now_ms):
        """Return an IDENTIFY frame when it is due."""
        if not self.busy or self._said_ms is not None and now_ms - self._said_ms < REPEAT_MS:
            return None
        self._said, self._said_ms = self._said + 1, now_ms
        frame = self._post.frame(frames.IDENTIFY, frames.plain(0, 0, self._watch.blink_s))
        if self._said >= _OFTEN:
            self._watch.blink_s = 0
        return frame


class FetchTask:
    """Asks for records that the board owes and does not send of itself."""

    def __init__(self, post, watch, holdings, event):
        self._post, self._watch, self._holdings, self._event = post, watch, holdings, event
        self._quiet_ms, self._runs, self.tries = None, None, 0
        self._sent = {}  # counter of the frame -> (epoch, first)
        # of itself a board sends again from its first record without an acknowledgement
        self._again = None if watch.has(frames.UNSENT) else (watch.epoch, watch.news_head)
        self._last = None  # the place that ends what was asked for, once it has come

    def came(self, verified, now_ms):
        """A record has come in: there is no need to press. It may say that one is gone."""
        self._quiet_ms = now_ms
        place = verified.epoch, verified.counter
        if not self._sent:
            self._again = min(self._again or place, place)
        elif place == self._last:
            self._last = None
        kind, _, reason, counter, asked = frames.event_of(verified.frame)
        if kind == events.ANSWERED and asked == frames.FETCH and reason:
            gone = self._sent.pop(counter, None)
            if gone is not None:
                self._holdings.give_up(self._watch.device, self._watch.generation, *gone)

    @property
    def asked(self):
        """Whether the board was asked for records, some of which may be here already."""
        return bool(self._sent)

    @property
    def gaps(self):
        """The runs ``(epoch, first, count)`` that the board owes."""
        watch = self._watch
        place = (watch.device, watch.generation, watch.epoch)
        return self._holdings.gaps(*place, watch.news_head, self._event)

    @property
    def busy(self):
        """Whether the board owes anything."""
        return bool(self.gaps)

    def _pause_ms(self, runs):
        """Return how long a board must be quiet before it is asked for ``runs``."""
        if self._sent:
            return _PAUSE_MS if self._last else _SWAP_MS
        epoch, first, count = runs[0]
        if self._again and (epoch, first + count) <= self._again:
            return _SWAP_MS  # it takes these for done
        return _QUIET_MS if self._watch.has(frames.UNSENT) else _PAUSE_MS

    def next(self, now_ms):
        """Return a FETCH frame when the board has been quiet over something it owes."""
        if self._quiet_ms is None:
            self._quiet_ms = now_ms
        if now_ms - self._quiet_ms < _SWAP_MS:
            return None
        runs = self.gaps
        if not runs or now_ms - self._quiet_ms < self._pause_ms(runs):
            return None
        self.tries = self.tries + 1 if runs == self._runs else 1
        self._runs, self._quiet_ms = runs, now_ms
        epoch, first, count = _span(runs)
        count = min(count, _FETCH_COUNT)
        payload = frames.pack_fetch(epoch, first, count)
        signed = self._post.sign(self._watch.event, frames.FETCH, payload)
        if signed is None:
            return None
        self._sent[signed[1]] = epoch, first
        self._last = epoch, first + count - 1
        return signed[0]


def _span(runs):
    """Return one run over the first of ``runs`` and those of its epoch that begin soon after."""
    epoch, first, count = runs[0]
    for other, begins, more in runs[1:]:
        if other != epoch or begins - first - count > _AGAIN:
            break
        count = begins + more - first
    return epoch, first, count
