"""Over any air the host ends with what the board journalled, and the board does each thing once."""

import random
import types

from farside import ORDERS, FarSide, NearSide, Table, pair, talk
from hypothesis import given, settings
from hypothesis import strategies as st
from torn import TornStore

from firmware.core import answers, events, frames, intents
from firmware.radio import advertiser
from host.base.commands import COMMANDS
from host.keys import signatures
from host.sim import stored_records


def everything(journal):
    return [record for _, record in stored_records.walk(journal.ring, 0) if record]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from((0, 10, 30, 60)), st.integers(0, 2))
def test_any_air_brings_everything_home_once(seed, loss, resets):
    draw = random.Random(seed).randrange
    store, far, uptime_ms = TornStore(64), FarSide(), 0
    far.orders = list(ORDERS)
    for _ in range(resets + 1):
        near = NearSide(store, draw, uptime_ms)
        uptime_ms = talk(near, far, draw, loss, 40, uptime_ms, busy=2)
    for _ in range(20):
        if far.orders or near.sync.waiting or far.fetch():
            uptime_ms = talk(near, far, draw, loss, 200, uptime_ms)
    assert far.orders == [] and near.sync.waiting == 0 and far.conflicts == 0
    assert [far.archive.get(frames.head(r)[2:]) for r in everything(near.journal)] == everything(
        near.journal
    )
    once = [act.at(0) for act in near.applied]
    assert all(once.count(act) == 1 for act in once)
    assert not frames.status_of(near.sync.status_frame(near.table, 0, uptime_ms))[3] & frames.UNSENT


def test_an_acknowledgement_may_name_nine_records_with_gaps():
    near, far, now = pair()
    first = near.journal.counter
    for _ in range(9):
        near.journal.append(events.Conceded(now, 1, 0, 0, 0))
    tags = [stored_records.read(near.journal, 1, first + i)[frames.BODY :] for i in (0, 2, 8)]
    near.take(far.sign(frames.ACK, frames.pack_ack(1, first, 0b10000010, b"".join(tags))), now)
    assert [near.acked(1, first + i) for i in range(9)] == [i in (0, 2, 8) for i in range(9)]


def test_what_is_refused_is_counted_by_its_reason():
    near, far, now = pair()
    good = far.sign(intents.FREEZE, frames.plain(now))
    near.take(good, now)
    forged = far.sign(intents.RESUME, frames.plain(now))
    forged = forged[:-1] + bytes([forged[-1] ^ 1])
    other = FarSide(device=8).sign(frames.ACK, bytes(9))
    far.epoch += 1
    later = far.sign(frames.ACK, bytes(9))
    far.epoch -= 1
    bad = bytes([0xC1]) + good[1:], good[:20], other, far.sign(40, bytes(9)), later, good, forged
    near.sync.refused[:] = [0] * 7
    for frame in bad:
        assert near.sync.receive(frame, now) is None
    assert near.sync.refused == [2, 1, 1, 1, 1, 1, 0]
    assert len(near.applied) == len(ORDERS) + 1


def test_a_board_of_another_event_can_be_moved():
    near, far, now = pair()
    assert (near.journal.event, far.event) == (5, 5)
    far.event = 0
    near.take(far.sign(intents.JOIN_EVENT, frames.plain(0, 0, 6, 0)), now)
    assert near.journal.event == 6 and near.timebase.guessed and near.journal.start is None
    joined = near.sync.window.due(now)
    told = events.of_record(joined)
    assert told == events.EventJoined(told.at_ms, 6, 5)
    assert signatures.verify(frames.stream_key(far.key, 0, frames.UP, 1), joined)
    status = near.sync.status_frame(near.table, 0, now)
    assert signatures.verify(frames.stream_key(far.key, 6, frames.UP, 1), status)


def test_the_status_is_signed_on_a_change_and_every_ten_seconds():
    near, _, now = pair()
    table = Table(1, 3, 2, 123456)
    first = near.sync.status_frame(table, frames.JUDGE_WANTED, now)
    assert near.sync.status_frame(table, frames.JUDGE_WANTED, now + 9999) is first
    later = near.sync.status_frame(table, frames.JUDGE_WANTED, now + 10000)
    other = near.sync.status_frame(table, 0, now + 10001)
    assert frames.head(first)[3] + 2 == frames.head(later)[3] + 1 == frames.head(other)[3]
    zero_ms, phase, turn, flags, news = frames.status_of(first)
    assert (zero_ms, phase, turn, news) == (123456, 3, 2, near.journal.news_head)
    assert flags == frames.JUDGE_WANTED | frames.NAMES_WANTED


def test_names_are_put_together_from_parts_in_any_order():
    near, far, now = pair()
    near.table = Table(17, 1, 0, None)
    texts = "Zoë Ångström-Núñez O".encode("latin-1"), b"Li"
    for seat, text in enumerate(texts):
        whole = text + bytes(20 - len(text)) + (4_000_000_000 + seat).to_bytes(4, "little")
        for part in (2, 0, 1, 1):
            eight = whole[8 * part : 8 * part + 8]
            near.take(far.sign(frames.NAME, frames.pack_name(17, part, seat, eight)), now)
    assert near.names == {0: ("Zoë Ångström-Núñez O", 4_000_000_000), 1: ("Li", 4_000_000_001)}
    assert not frames.status_of(near.sync.status_frame(near.table, 0, now))[3] & frames.NAMES_WANTED
    near.take(far.sign(intents.SET_ROUND, frames.plain(0, 17, 4, 5)), now)
    assert frames.status_of(near.sync.status_frame(near.table, 0, now))[3] & frames.NAMES_WANTED


def test_records_are_fetched_again_and_a_lack_is_answered():
    near, far, now = pair()
    near.sync.link_opened(now)
    near.sync.asking = False
    near.take(far.sign(frames.FETCH, frames.pack_fetch(1, 2, 3)), now)
    got = []
    while (frame := near.sync.outgoing(now)) is not None:
        got.append(frames.head(frame)[3])
        near.sync.sent(now)
    assert got == [2, 3, 4]
    what, event = near.sync.receive(far.sign(frames.FETCH, frames.pack_fetch(1, 900, 1)), now)
    assert (what, event.kind, event.refusal, event.asked) == (
        "event", events.ANSWERED, 3, frames.FETCH,
    )  # fmt: skip


def test_a_full_link_is_asked_for_the_time_at_once():
    near, far, now = pair()
    near.sync.link_opened(now)
    for _ in range(3):  # though less than a second has passed since the last question
        near.journal.append(events.Conceded(now, 1, 0, 0, 0))
        ask = near.sync.outgoing(now, True)
        assert frames.head(ask)[0] == frames.TIME_ASKED
        near.sync.sent(now)
        assert frames.head(near.sync.outgoing(now, True))[0] >= frames.FIRST_RECORD, (
            "once is enough"
        )
        (answer,) = far.heard(ask, now + 1_000_000)
        near.take(answer, now + 40)
        now += 40
    assert frames.head(near.sync.outgoing(now))[0] >= frames.FIRST_RECORD, "there is room"


def test_a_link_is_asked_for_the_time_again_until_an_answer_was_quick():
    near, far, now = pair()
    for trip_ms, questions in ((46, 6), (45, 1)):
        near.sync.link_opened(now)
        asked = 0
        while near.sync.asking:
            ask, asked = near.sync.outgoing(now), asked + 1
            near.sync.sent(now)
            now += trip_ms
            near.take(far.heard(ask, now + 1_000_000)[0], now)
        assert asked == questions
        near.sync.link_closed()


def test_a_link_must_prove_itself_and_stay_fresh():
    near, far, now = pair()
    frame = far.sign(frames.IDENTIFY, frames.plain(0, 0, 30))
    near.sync.link_opened(now)
    assert not near.sync.drop_due(now + 7999) and near.sync.drop_due(now + 8000)
    assert near.sync.receive(frame, now + 5000) == ("identify", 30)
    assert near.sync.receive(frame, now + 12000) is None
    assert not near.sync.drop_due(now + 12999) and near.sync.drop_due(now + 13000)
    near.sync.link_closed()
    assert not near.sync.drop_due(now + 99999) and near.sync.outgoing(now) is None


def test_an_impossible_time_is_refused_and_recorded_once():
    near, far, now = pair()
    counter = near.journal.counter
    for _ in range(3):
        near.sync.link_opened(now)
        ask = near.sync.outgoing(now)
        near.sync.sent(now)
        (answer,) = far.heard(ask, now + 2_000_000)
        near.take(answer, now + 40)
    assert near.journal.counter == counter + 1
    assert events.of_record(stored_records.read(near.journal, 1, counter)).refusal == 4
    flags = frames.status_of(near.sync.status_frame(near.table, 0, now))[3]
    assert flags & frames.CLOCK_UNCERTAIN
    assert near.timebase.now_ms(now) - now < 1_001_000


def test_a_stream_that_runs_out_of_counters_opens_another_epoch():
    near, far, now = pair()
    near.sync._informed = 65535
    assert frames.head(near.sync.status_frame(near.table, 1, now))[2:] == (1, 65535)
    assert frames.head(near.sync.status_frame(near.table, 2, now))[2:] == (2, 0)
    assert events.of_record(stored_records.read(near.journal, 2, 0)).reason == 255


def test_a_board_that_was_not_told_the_time_does_nothing_but_join():
    """A freeze of 9:15 means nothing to who takes it to be 0:01."""
    near, far, now = pair()
    near.timebase.forget()
    near.sync.link_opened(now)
    frozen = far.sign(intents.FREEZE, frames.plain(now + 1_000_000))
    assert near.sync.receive(frozen, now) is None
    ask = near.sync.outgoing(now)
    near.sync.sent(now)
    near.take(far.heard(ask, now + 1_000_000)[0], now + 40)
    done = near.sync.receive(frozen, now + 60)
    assert done == intents.Freeze(now + 1_000_000), "said again, it is done"
    near.timebase.forget()
    near.sync.time_refused = (
        True  # the time itself was refused: only the desk can tell whose clock is wrong
    )
    assert (
        near.sync.receive(far.sign(intents.RESUME, frames.plain(now)), now).kind == intents.RESUME
    )


def test_joining_the_same_event_again_moves_no_clock():
    near, far, now = pair()
    before = near.timebase.now_ms(now), near.timebase.uncertainty_ms(now), near.journal.start
    near.take(far.sign(intents.JOIN_EVENT, frames.plain(0, 0, 5, 0)), now)
    assert (
        near.timebase.now_ms(now), near.timebase.uncertainty_ms(now), near.journal.start,
    ) == before  # fmt: skip


def test_joining_again_is_the_way_out_of_a_refused_time():
    near, far, now = pair()
    near.sync.time_refused = True
    near.take(far.sign(intents.JOIN_EVENT, frames.plain(0, 0, 5, 0)), now)
    near.sync.link_opened(now)
    ask = near.sync.outgoing(now)
    near.sync.sent(now)
    near.take(far.heard(ask, now + 2_000_000)[0], now + 40)
    assert near.timebase.now_ms(now + 40) == now + 2_000_020 and not near.timebase.guessed


def test_every_intent_of_the_desk_gets_through():
    near, far, now = pair()
    kinds = {one.kind for one in intents.CLASSES if intents.from_desk(one.kind)}
    assert kinds == {one.kind for one in COMMANDS if intents.from_desk(one.kind)}
    for kind in sorted(kinds):
        assert near.sync.receive(far.sign(kind, frames.plain(now)), now) == intents.of_numbers(
            kind, now
        )
    assert set(range(frames.FIRST_COMMAND, intents.SEATED_BASE)) <= kinds


def test_an_intent_of_a_newer_desk_is_refused_counted_and_does_not_stop_the_next():
    near, far, now = pair()
    unknown = far.sign(127, frames.plain(now))
    near.sync.refused[:] = [0] * 7
    what, answer = near.sync.receive(unknown, now)
    asked = frames.head(unknown)
    at_ms = near.timebase.now_ms(now)
    assert what == "event" and answer == events.Answered(at_ms, answers.UNKNOWN, asked[3], 127, 0)
    assert near.sync.refused == [0, 0, 1, 0, 0, 0, 0]
    assert near.sync.receive(unknown, now) is None
    assert near.sync.refused == [0, 0, 1, 0, 1, 0, 0]
    freeze = far.sign(intents.FREEZE, frames.plain(now))
    assert near.sync.receive(freeze, now) == intents.Freeze(now)


def test_after_a_reset_the_whole_match_is_offered_again_unasked():
    """What of it the host has is unknown, and a host may have been restored meanwhile."""
    near, far, now = pair()
    near.journal.append(events.TurnEnded(now, 0, 0, 0))
    since = list(stored_records.replay(near.journal))
    assert frames.head(since[0])[0] == events.ROUND_SET and len(since) > 5
    again = NearSide(near.journal.ring.store, lambda n: 0, now)
    offered = []
    for _ in range(len(since)):
        offered.append(again.sync.window.due(now))
        again.sync.window.advance(now)
    assert offered == since


def test_a_stranger_who_stays_does_not_open_the_board_by_staying():
    """A window counts as unused only if somebody could have come."""
    near, _, now = pair()
    link = types.SimpleNamespace(guests=0)
    drawn = [0]
    near.sync.entropy = lambda count: bytes(drawn * count)

    def shut():
        status = advertiser.frame(near.sync, link, near.table, 0, now)
        return bool(frames.status_of(status)[3] & frames.SHUT)

    assert not shut()
    link.guests = 9
    near.sync.link_opened(now)
    now += 30_000
    assert not shut(), "this window is drawn to be open"
    drawn[0] = 255
    now += 30_000
    assert shut()
    near.sync.link_closed()
    drawn[0] = 0
    now += 30_000
    assert not shut(), "and so is this"
    drawn[0] = 255
    now += 30_000
    assert not shut(), "nobody came while anybody could"
