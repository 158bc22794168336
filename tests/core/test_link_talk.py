"""What a board says and asks on a link, word by word: its questions, what it offers, what it joins."""

import types

from farside import NearSide, pair
from torn import TornStore

from firmware.core import events, frames, intents
from firmware.core.journal import HIDDEN
from firmware.core.sync import WIDTH, Advertising
from firmware.radio import advertiser
from host.sim import stored_records


def asking(near, now_ms):
    """Open a link; the nonces are 1, 1, 1, 1, then 2, 2, 2, 2 and so on."""
    drawn = []
    near.sync.entropy = lambda count: drawn.append(0) or bytes((len(drawn),)) * count
    near.sync.link_opened(now_ms)


def test_a_question_stays_the_same_until_it_is_sent_or_something_else_was_signed():
    near, _, now = pair()
    asking(near, now)
    first = bytes(near.sync.outgoing(now))
    assert first[7:16] == bytes((1, 1, 1, 1, 0, 0, 0, 0, 0))
    assert bytes(near.sync.outgoing(now)) == first
    near.sync.status_frame(near.table, frames.JUDGE_WANTED, now)
    second = bytes(near.sync.outgoing(now))
    assert second[7:11] == bytes((2, 2, 2, 2))
    assert frames.head(second)[3] == frames.head(first)[3] + 2
    assert bytes(near.sync.outgoing(now)) == second
    near.sync.sent(now)
    third = bytes(near.sync.outgoing(now + 1000))
    assert third[7:11] == bytes((3, 3, 3, 3)), "each question has a nonce of its own"


def test_a_link_that_opens_again_is_offered_everything_again():
    near, _, now = pair()
    for _ in range(3):
        near.journal.append(events.Conceded(now, 1, 0, 0, 0))
    offered = []
    for _ in range(2):
        near.sync.link_opened(now)
        near.sync.asking = False
        offered.append([])
        while (frame := near.sync.outgoing(now)) is not None:
            offered[-1].append(bytes(frame))
            near.sync.sent(now)
        near.sync.link_closed()
    assert offered[0] == offered[1] and len(offered[0]) == 3


def test_a_record_that_was_acknowledged_is_not_advertised():
    near, _, now = pair()
    for _ in range(3):
        near.journal.append(events.Conceded(now, 1, 0, 0, 0))
    window, advertising = near.sync.window, Advertising()
    window.restart(near.journal.end - 1)
    assert advertiser.news(window, advertising) == near.journal.to_send(near.journal.end - 1)
    assert advertiser.news(window, advertising) is None


def offered(near, now_ms):
    """Return the records that a board sends now, and that is all."""
    found = []
    while (frame := near.sync.outgoing(now_ms)) is not None:
        assert frames.head(frame)[0] >= frames.FIRST_RECORD
        found.append(frames.head(frame)[3])
        near.sync.sent(now_ms)
    return found


def test_sixteen_records_are_sent_and_after_a_second_those_that_did_not_arrive():
    near, far, now = pair()
    for _ in range(20):
        near.journal.append(events.Conceded(now, 1, 0, 0, 0))
    near.sync.link_opened(now)
    near.sync.asking = 0
    first = offered(near, now)
    assert first == list(range(first[0], first[0] + 16))
    assert offered(near, now + 999) == []
    assert offered(near, now + 1000) == first
    arrived = first[3]
    tag = stored_records.read(near.journal, 1, arrived)[frames.BODY :]
    near.take(far.sign(frames.ACK, frames.pack_ack(1, arrived, 0, tag)), now)
    assert offered(near, now + 2000) == [one for one in first if one != arrived]


def test_a_question_that_an_answer_overtook_is_not_taken_for_the_record_that_was_sent():
    near, far, now = pair()
    for _ in range(2):
        near.journal.append(events.Conceded(now, 1, 0, 0, 0))
    near.sync.link_opened(now)
    (answer,) = far.heard(bytes(near.sync.outgoing(now)), now + 1_000_000)
    near.sync.sent(now)
    assert frames.head(near.sync.outgoing(now + 1000))[0] == frames.TIME_ASKED, (
        "and it was not sent"
    )
    near.sync.receive(answer, now + 1000)
    near.sync.asking = 0
    first, second = offered(near, now + 1000)
    assert second == first + 1


def test_a_record_behind_those_that_need_not_be_sent_goes_at_once():
    near, far, now = pair()
    first = near.journal.ring.head
    while near.journal.ring.head <= first + WIDTH:
        near.journal.append(events.Conceded(now, 1, 0, 0, 0))
    near.journal.withheld = first
    records = [near.journal.ring.at(place) for place in range(first, near.journal.ring.head)]
    for record in records[HIDDEN:WIDTH]:
        counter, tag = frames.head(record)[3], record[frames.BODY :]
        near.take(far.sign(frames.ACK, frames.pack_ack(1, counter, 0, tag)), now)
    near.sync.link_opened(now)
    near.sync.asking = 0
    assert offered(near, now) == [frames.head(records[WIDTH])[3]]


def test_a_question_without_an_answer_is_asked_again_soon_and_then_more_seldom():
    """A guest may subscribe just after the first one, which is lost then; later ones fill a queue."""
    near, _, now = pair()
    near.sync.link_opened(now)
    for sent_ms, again_ms in ((now, 250), (now + 250, 500), (now + 750, 1000), (now + 1750, 2000)):
        assert frames.head(near.sync.outgoing(sent_ms))[0] == frames.TIME_ASKED
        near.sync.sent(sent_ms)
        assert near.sync.outgoing(sent_ms + again_ms - 1) is None


def test_on_a_link_that_the_host_has_answered_a_question_is_asked_again_after_a_second():
    near, far, now = pair()
    for _ in range(2):
        near.sync.link_opened(now)
        (answer,) = far.heard(bytes(near.sync.outgoing(now)), now + 1_000_000)
        near.sync.sent(now)
        near.sync.receive(answer, now + 60)
        for sent_ms in (now + 60, now + 1060):
            assert frames.head(near.sync.outgoing(sent_ms))[0] == frames.TIME_ASKED
            near.sync.sent(sent_ms)
            assert near.sync.outgoing(sent_ms + 999) is None
        near.sync.link_closed()
        now += 10_000


def test_a_fresh_board_gives_its_first_link_eight_seconds_and_asks_nobody_before():
    near = NearSide(TornStore(64), lambda n: 0)
    assert not near.sync.asking
    near.sync.link_opened(0)
    assert near.sync.asking
    assert not near.sync.drop_due(7999) and near.sync.drop_due(8000)
    near.sync.link_closed()
    assert not near.sync.asking


def test_a_fresh_board_counts_each_stranger_from_the_first_on():
    near = NearSide(TornStore(64), lambda n: 255)
    link = types.SimpleNamespace(guests=3)
    flags = frames.status_of(advertiser.frame(near.sync, link, near.table, 0, 5))[3]
    assert flags & frames.SHUT


def test_an_acknowledgement_from_before_a_command_still_counts_after_it():
    near, far, now = pair()
    counter = near.journal.append(events.Conceded(now, 1, 0, 0, 0))
    tag = stored_records.read(near.journal, 1, counter)[frames.BODY :]
    late = far.sign(frames.ACK, frames.pack_ack(1, counter, 0, tag))
    near.take(far.sign(intents.FREEZE, frames.plain(now)), now)
    near.take(late, now)
    assert near.acked(1, counter)


def test_after_joining_another_event_the_time_is_asked_and_older_records_are_not_offered():
    near, far, now = pair()
    near.journal.append(events.Conceded(now, 1, 0, 0, 0))
    near.sync.link_opened(now)
    near.sync.asking, near.sync.time_refused, far.event = False, True, 0
    near.take(far.sign(intents.JOIN_EVENT, frames.plain(0, 0, 6, 0)), now)
    assert near.sync.asking and not near.sync.time_refused
    joined = events.of_record(near.sync.window.due(now))
    assert joined == events.EventJoined(joined.at_ms, 6, 5)


def test_a_board_without_a_link_asks_nothing_as_it_joins():
    near, far, now = pair()
    far.event = 0
    near.take(far.sign(intents.JOIN_EVENT, frames.plain(0, 0, 6, 0)), now)
    assert not near.sync.asking


def answered(near, far, now_ms, host_ms):
    """Ask for the time; return what is left to do with the answer."""
    near.sync.link_opened(now_ms)
    ask = near.sync.outgoing(now_ms)
    near.sync.sent(now_ms)
    (answer,) = far.heard(bytes(ask), host_ms)
    return near.sync.receive(answer, now_ms + 40)


def test_a_time_is_journalled_where_it_was_unknown_or_refused_before_and_not_each_time():
    near, far, now = pair()
    assert answered(near, far, now, now + 1_000_000) is None
    near.timebase.forget()
    what, event = answered(near, far, now, now + 1_000_000)
    assert (what, event) == ("event", events.TimeSet(event.at_ms, 23, 1)), "40 ms under way"
    near.sync.time_refused = True
    assert answered(near, far, now + 1000, now + 1_001_000)[1].kind == events.TIME_SET
    assert answered(near, far, now + 2000, now + 1_002_000) is None


def test_low_numbers_advertise_most_often_and_no_two_neighbours_alike():
    """A thousand boards are heard about as often as at 1.25 s (docs/air.md)."""

    def every_s(device):
        return advertiser.interval_s(bytes((65, device & 255, device >> 8)) + bytes(21))

    assert every_s(1) < 0.16 and every_s(32) < 0.16 and every_s(40) < 0.2
    assert 0.3 < every_s(96) < every_s(128) < every_s(1000) < every_s(1023) < 0.56
    near = [every_s(device) for device in range(1, 41)]
    assert len({round(one, 3) for one in near}) > 30 and max(near) < 0.31
    rate = sum(1 / every_s(device) for device in range(1, 1001))
    assert rate < 1.1 * 1000 / 0.4775


def linked(near, now_ms):
    """Open a link to a board that has advertised a status and asks for nothing."""
    near.sync.status_frame(near.table, 0, now_ms)
    near.sync.link_opened(now_ms)
    near.sync.asking = 0


def test_a_changed_status_goes_over_an_open_link_once():
    near, _, now = pair()
    linked(near, now)
    changed = bytes(near.sync.status_frame(near.table, frames.JUDGE_WANTED, now + 500))
    assert near.sync.outgoing(now + 999) is None, "most links are over by then"
    assert near.sync.outgoing(now + 1000) == changed
    near.sync.sent(now + 1000)
    assert near.sync.outgoing(now + 2000) is None


def test_a_result_of_another_number_is_a_changed_status():
    near, _, now = pair()
    linked(near, now)
    for told in (1, 2):
        now += 1000
        status = bytes(near.sync.status_frame(near.table, 0, now, told))
        assert near.sync.outgoing(now) == status
        near.sync.sent(now)


def test_a_status_that_a_question_overtook_is_signed_anew():
    near, _, now = pair()
    linked(near, now)
    old = bytes(near.sync.status_frame(near.table, frames.JUDGE_WANTED, now + 500))
    near.sync.asking = 1
    near.sync.outgoing(now + 1000)
    near.sync.sent(now + 1000)
    near.sync.asking = 0
    assert near.sync.outgoing(now + 1001) is None, "a host refuses the older counter"
    fresh = near.sync.status_frame(near.table, frames.JUDGE_WANTED, now + 1002)
    assert near.sync.outgoing(now + 1002) == fresh != old


def test_a_status_that_a_question_overtook_is_signed_anew_when_the_link_closes():
    near, far, now = pair()
    asking(near, now)
    shown = bytes(near.sync.status_frame(near.table, 0, now))
    question = bytes(near.sync.outgoing(now))
    near.sync.sent(now)
    near.take(far.sign(frames.FETCH, frames.pack_fetch(1, 0, 0)), now)
    near.sync.link_closed()
    anew = bytes(near.sync.status_frame(near.table, 0, now))
    assert frames.head(shown)[3] < frames.head(question)[3] < frames.head(anew)[3]
    assert bytes(near.sync.status_frame(near.table, 0, now)) == anew


def test_a_link_without_the_host_leaves_the_status_as_it_is():
    """Else whoever keeps connecting would use up counters, and open a board that is shut."""
    near, _, now = pair()
    shown = bytes(near.sync.status_frame(near.table, 0, now))
    asking(near, now + 1)
    near.sync.outgoing(now + 1)
    near.sync.sent(now + 1)
    near.sync.link_closed()
    assert bytes(near.sync.status_frame(near.table, 0, now + 2)) == shown


def test_a_new_epoch_has_no_status_to_tell_until_one_is_signed():
    near, _, now = pair()
    linked(near, now)
    near.journal.open_epoch(now)
    offered(near, now + 1000)
    assert near.sync.outgoing(now + 1001) is None
