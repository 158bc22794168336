"""What a board says and hears over an open link (``frames``), for a Sync and its Window. No IO.

Every down frame is checked cheapest first: version, device, kind, epoch, counter, and the tag last.
Accepted frames are idempotent, so the air may lose, repeat and reorder them.

The first 16 records that the host has not acknowledged are sent in order, and again from the first
after a second without an acknowledgement; before them those that it has asked for. A board does not
advertise while a link is open, so where nothing else is to be sent, a changed status is.
"""

from firmware.core import answers, digest, events, frames, intents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Heard, Sync

WIDTH = 16
RESEND_MS = 1000
REPORT_MS = 1000  # most links are over by then: what they ask for need not be sent over them
_ASK_MS = 1000
_QUESTIONS = 63  # on a link, a bit each; what foreign packets delay tells little
_FINE_MS = 45  # but an answer in the next event of a connection (30 ms) is as good as it gets
_ACKED = 9  # an ACK names one record and up to eight after it


def on_link_opened(sync: "Sync", uptime_ms: int) -> None:
    """Note that a link opened: it must prove itself, and send the time."""
    sync.opened_ms = sync.ask_ms = uptime_ms
    sync.asking, sync.timebase.first = _QUESTIONS, True
    sync.report_ms, sync.reported = uptime_ms, _told(sync)
    sync.window.cursor = sync.window.first


def next_frame(sync: "Sync", uptime_ms: int, full: bool = False) -> bytes | None:
    """Return the next frame for the open link, or None; call ``mark_sent`` once it was sent.

    ``full``: the link accepts only questions until one of them is answered.
    """
    if sync.opened_ms is None:
        return None
    sync.renew()
    sync.asking = sync.asking or int(full)
    if sync.asking and uptime_ms >= sync.ask_ms:
        return _question(sync, uptime_ms)
    sync.question = None
    record = _record(sync.window, uptime_ms)
    sync.reporting = record is None
    return record or _report(sync, uptime_ms)


def _told(sync):
    """Return what the last status tells, without its head and tag."""
    return sync.status and sync.status[7 : frames.BODY]


def _report(sync, uptime_ms):
    """Return the STATUS, if it tells something new. One that asks for the time does so as an
    advert alone: the beacon's answer counts from when that was sent.
    """
    told = _told(sync)
    if told == sync.reported or uptime_ms - sync.report_ms < REPORT_MS:
        return None
    if not sync.newest:
        sync.status = None
    return None if told is None or told[5] & frames.TIME_WANTED else sync.status


def _question(sync, uptime_ms):
    """Return a TIME_ASKED: the same until it was sent or another frame was signed."""
    if sync.question is None:
        nonce = sync.entropy(4) + bytes(frames.BODY - 11)  # as a payload
        sync.question = sync.inform(frames.TIME_ASKED, nonce, uptime_ms)
    return sync.question


def mark_sent(sync: "Sync", uptime_ms: int) -> None:
    """Note that the link has accepted the frame from ``next_frame``."""
    if sync.question is not None:
        sync.timebase.ask_host(frames.fields(sync.question)[0], uptime_ms)
        sync.question = None
        sync.ask_ms = uptime_ms + _ASK_MS
    elif sync.reporting:
        sync.report_ms, sync.reported = uptime_ms, _told(sync)
    else:
        _advance(sync.window, uptime_ms)


def handle_frame(sync: "Sync", frame: bytes, uptime_ms: int) -> "Heard | None":
    """Process a down frame; return what remains to be done, if anything.

    An intent; ``("event", event)`` to append and apply;
    ``("name", seat, text, number)``; ``("identify", seconds)``; or None.
    """
    sync.renew()
    reason = _refusal(sync, frame)
    if reason is not None:
        sync.refused[reason] += 1
        return None
    kind, _, _, counter = frames.head(frame)  # pyright: ignore[reportGeneralTypeIssues]  (its head was accepted)
    fresh = counter > sync.highest
    if fresh:
        sync.highest = counter
        sync.heard_ms = sync.answered_ms = uptime_ms
    if kind < frames.FIRST_COMMAND:
        return _serve(sync, kind, frame, fresh, uptime_ms)
    if sync.timebase.guessed and not sync.stepped and kind != intents.JOIN_EVENT:
        return None  # it names a time unknown to this clock; the host repeats it
    sync.commanded, sync.answers = counter, (counter, kind, 0)
    if kind in (intents.SET_ROUND, intents.CLEAR_ROUND):
        sync.forget()
        sync.named = [counter] * 6
    return intents.of_frame(frame)


def _refusal(sync, frame):
    head = frames.head(frame)
    if head is None:
        return answers.VERSION
    kind, device, epoch, counter = head
    if device != sync.journal.device:
        return answers.DEVICE
    command = kind >= frames.FIRST_COMMAND
    if kind == 0 or kind > 31 or not command and kind > frames.IDENTIFY:
        return answers.KIND
    if epoch != sync.journal.epoch:
        return answers.EPOCH
    if command and counter <= sync.commanded:
        return answers.COUNTER
    for key in sync.keys:
        if sync.journal.frame.verify(key, frame):
            return None
    return answers.TAG


def join(sync: "Sync", intent: intents.JoinEvent, now_ms: int) -> None:
    """Carry out a JOIN_EVENT: journal it with its answer.

    Another event has another origin of time and other players. Joining the same event again
    changes nothing, unless the host's time was refused: then the desk insists, and the host's
    next time is accepted.
    """
    before, event = sync.journal.event, intent.event
    place = sync.journal.ring.head
    joined = events.EventJoined(now_ms, event, before)
    sync.journal.append(joined, sync.answer(answers.DONE, now_ms))
    if event != before or sync.stepped:
        sync.timebase.forget()
        sync.stepped = False
        sync.asking = _QUESTIONS * (sync.opened_ms is not None)
    if event != before:
        sync.forget()
        if before:  # earlier records may be under keys that this host lacks
            sync.window.restart(place)


def _serve(sync, kind, frame, fresh, uptime_ms):
    """Process what is no command. A table of functions would cost a board 250 bytes."""
    if kind == frames.TIME:
        return _time(sync, frame, uptime_ms)
    if kind == frames.NAME:
        return _name(sync, frame)
    if kind == frames.ACK:
        if not _acknowledge(sync.window, frame):
            sync.refused[answers.DIGEST] += 1
        return None
    if not fresh:
        return None
    if kind == frames.IDENTIFY:
        return "identify", frames.fields(frame)[2]
    return _fetch(sync, frame, uptime_ms)


def _time(sync, frame, uptime_ms):
    base = sync.timebase
    host_ms, nonce = frames.time_of(frame)
    guessed = base.guessed
    taken = base.host_answered(host_ms, nonce, uptime_ms)
    if taken is None:
        return None
    sync.asking = sync.asking >> 1 if taken and uptime_ms - base.asked_ms > _FINE_MS else 0
    before, sync.stepped, sync.ask_ms = sync.stepped, not taken, uptime_ms
    if taken and (guessed or before):
        now_ms, error_ms = base.now_ms(uptime_ms), base.uncertainty_ms(uptime_ms)
        return "event", events.TimeSet(now_ms, error_ms, 1)
    return None if taken or before else _refuse(sync, answers.TIME_STEP, frame, uptime_ms)


def _refuse(sync, reason, frame, uptime_ms):
    kind, _, _, counter = frames.head(frame)  # pyright: ignore[reportGeneralTypeIssues]  (its head was accepted)
    now_ms = sync.timebase.now_ms(uptime_ms)
    return "event", events.Answered(now_ms, reason, counter, kind, 0)


def _name(sync, frame):
    round_number, part, seat, eight = frames.name_of(frame)
    counter, at = frames.head(frame)[3], 3 * seat + part  # pyright: ignore[reportOptionalSubscript]  (its head was accepted)
    if part > 2 or counter <= sync.named[at]:
        return None  # of another round, or received before
    sync.named[at] = counter
    if round_number != sync.round:
        sync.round, sync.parts = round_number, 0
    store = sync.names[seat]
    store[8 * part : 8 * part + 8] = frames.mask_name(sync.journal.key, frame, eight)
    sync.parts |= 1 << at
    if sync.parts >> 3 * seat & 7 != 7:
        return None
    text = ""
    for code in store[:20]:
        text += chr(code) if code else ""
    return "name", seat, text, int.from_bytes(bytes(store[20:]), "little")


def _fetch(sync, frame, uptime_ms):
    epoch, first, count = frames.fetch_of(frame)
    if _queue_resend(sync.window, epoch, first, count):
        return None
    return _refuse(sync, answers.UNKNOWN, frame, uptime_ms)


def _record(window, uptime_ms):
    """Return the record that is due, or None; ``_advance`` goes on to the next."""
    while window.asked < window.asked_end:
        found = window.journal.shown(window.asked)
        if found:
            return found
        window.asked += 1  # lost in both copies, or withheld
    head = window.journal.ring.head
    end = min(head, window.first + WIDTH)
    while window.first < end:
        if window.cursor < end:
            at = window.cursor
            done = at < window.first or window.done >> (at - window.first) & 1
            found = None if done else window.journal.shown(at)
            if found:
                return found
            _mark(window, at)  # lost or withheld: there is nothing to wait for
            window.cursor += 1
        elif uptime_ms - window.sent_ms >= RESEND_MS:
            window.cursor = window.first
        else:
            break
        end = min(head, window.first + WIDTH)
    return None


def _advance(window, uptime_ms):
    """Note that the record from ``_record`` was sent."""
    if window.asked < window.asked_end:
        window.asked += 1
    else:
        window.cursor += 1
        window.sent_ms = uptime_ms


def _acknowledge(window, frame):
    """Process an ACK; False if it names a record that is not held or its digest differs."""
    epoch, first, mask, seen = frames.ack_of(frame)
    place = window.journal.find(epoch, first)
    if place is None:
        return False
    over = digest.new_sha256()
    for i in range(_ACKED):
        if i == 0 or mask >> (i - 1) & 1:
            if window.journal.ring.order(place + i) >> 16 != epoch:
                return False  # of another epoch, lost, or still to come
            over.update(window.journal.ring.tag(place + i))  # pyright: ignore[reportArgumentType]  (it has an order)
    if not digest.same(seen, over.digest()[:4]):
        return False
    for i in range(_ACKED):
        if i == 0 or mask >> (i - 1) & 1:
            _mark(window, place + i)
    return True


def _queue_resend(window, epoch, first, count):
    """Send records again at the host's request; return whether the first of them is held."""
    place = window.journal.find(epoch, first)
    if place is None:
        return False
    window.asked, window.asked_end = place, min(place + count, window.journal.ring.head)
    return True


def _mark(window, place):
    if window.first <= place < window.first + WIDTH:
        window.done |= 1 << (place - window.first)
    while window.done & 1:
        window.done >>= 1
        window.first += 1
