"""What a board says: on a link, word by word; in its status; and when nobody answers."""

import types
import unittest

import pytest
from farside import JOIN, FarSide, NearSide, Table, pair
from torn import TornStore

from firmware.core import events, frames, intents, phases, upkeep
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


def flags_of(near, uptime_ms, table=None):
    frame = near.sync.status_frame(table or near.table, 0, uptime_ms)
    return frames.status_of(frame)[3]


def named(near, far, now_ms, number, parts):
    for part in parts:
        for seat in (0, 1):
            payload = frames.pack_name(number, part, seat, bytes((65 + part,)) * 8)
            near.take(far.sign(frames.NAME, payload), now_ms)


@pytest.mark.parametrize(
    ("phase", "number", "wanted"), ((3, 1, 0), (3, 2, 1), (3, 0, 0), (0, 2, 0))
)
def test_names_are_wanted_for_a_round_that_is_set_and_not_the_one_they_are_of(
    phase, number, wanted
):
    near, far, now = pair()
    named(near, far, now, 1, (0, 1, 2))
    flags = flags_of(near, now, Table(number, phase, 0, 5))
    assert bool(flags & frames.NAMES_WANTED) is bool(wanted)


@pytest.mark.parametrize("turn", (0, 7, 8, 300))
def test_a_status_has_room_for_seven_turns_and_no_zero_is_zero(turn):
    near, _, now = pair()
    told = frames.status_of(near.sync.status_frame(Table(1, 3, turn, None), 0, now))
    assert told[:3] == (0, 3, min(turn, 7))


def test_a_status_asks_for_an_answer_where_something_is_unsent_and_no_longer():
    near, _, now = pair()
    for flags, asks in ((frames.UNSENT, True), (0, False)):
        near.sync.status_frame(Table(1, 3, 0, 5), flags, now)
        assert near.sync.asks is asks


def test_a_result_is_told_in_place_of_the_zero():
    near, _, now = pair()
    for result, zero_ms in ((0, 5), (9, 9)):
        frame = near.sync.status_frame(Table(1, 3, 0, 5), 0, now, result)
        assert frames.status_of(frame)[0] == zero_ms


def test_the_time_is_wanted_when_it_may_be_off_by_more_than_half_a_second():
    near, _, now = pair(ppm=100)
    seen = set()
    for later_ms in range(now, now + 100_000_000, 9_000):
        off_ms = near.timebase.uncertainty_ms(later_ms)
        if 500 <= off_ms <= 501:
            wanted = bool(flags_of(near, later_ms) & frames.TIME_WANTED)
            assert wanted is (off_ms > 500)
            seen.add(wanted)
    assert seen == {False, True}


def test_a_clock_that_is_guessed_is_said_to_be_uncertain():
    near, _, now = pair()
    assert not flags_of(near, now) & frames.CLOCK_UNCERTAIN
    near.timebase.forget()
    near.sync.status = None
    assert flags_of(near, now) & frames.CLOCK_UNCERTAIN


def test_a_new_epoch_begins_its_statuses_anew():
    near, _, now = pair()
    near.sync.status_frame(near.table, 0, now)
    for epoch in (2, 3):  # the third says the same as the second
        near.journal.open_epoch(now)
        assert frames.head(near.sync.status_frame(near.table, 0, now))[2:] == (epoch, 0)


def test_names_of_a_new_epoch_are_taken_from_its_first_counter_on():
    near, far, now = pair()
    far.counter = 500
    named(near, far, now, 1, (0, 1, 2))
    near.journal.open_epoch(now)
    far.epoch, far.counter = 2, 0
    near.names.clear()
    named(near, far, now, 2, (0, 1, 2))
    assert sorted(near.names) == [0, 1]


def test_a_name_is_shown_when_each_of_its_parts_has_come():
    near, far = NearSide(TornStore(64), lambda n: 0), FarSide()
    for number in (1, 2):
        named(near, far, 0, number, (1, 2))
        assert not near.names
        named(near, far, 0, number, (0,))
        assert near.names[0][0] == "A" * 8 + "B" * 8 + "C" * 4
        near.names.clear()


def test_a_board_that_has_refused_nothing_says_so():
    assert NearSide(TornStore(64), lambda n: 0).sync.refused == [0] * 7


def test_a_host_of_the_event_before_is_not_obeyed_any_more():
    near, far, now = pair()
    far.event = 0
    near.take(far.sign(JOIN.kind, frames.plain(0, 0, 6, 0)), now)
    far.event = 5
    near.sync.refused[:] = [0] * 7
    near.take(far.sign(intents.FREEZE, frames.plain(now)), now)
    assert near.sync.refused == [0, 0, 0, 0, 0, 1, 0]


RADIO, BOARD, NOTHING = upkeep.RADIO, upkeep.BOARD, upkeep.NOTHING
SECOND = 1000


class Match:
    def __init__(self, phase, start_ms):
        self.phase, self.start_ms = phase, start_ms


class Told:
    """A board's Silence asked once a second; ``found`` lists (second, what) of what was due."""

    def __init__(self, phase=phases.PLAYING, start_ms=None):
        self.silence, self.match, self.found = upkeep.Silence(), Match(phase, start_ms), []

    def ask(self, first_s, last_s, heard_s=1, asks=True, touched_s=0):
        for now_s in range(first_s, last_s):
            ms = heard_s * SECOND, touched_s * SECOND
            due = self.silence.due(asks, ms[0], ms[1], self.match, now_s * SECOND)
            if due:
                self.found.append((now_s, due))
        return self.found


class SilenceTest(unittest.TestCase):
    def test_a_radio_is_restarted_after_two_minutes_and_then_ever_more_rarely(self):
        found = Told().ask(100, 3000)
        self.assertEqual(found, [(at, RADIO) for at in (220, 340, 580, 1060, 2020)])

    def test_who_asks_for_nothing_restarts_nothing(self):
        self.assertEqual(Told(phases.IDLE).ask(0, 3000, asks=False), [])

    def test_a_host_that_never_answered_may_not_be_there_yet(self):
        self.assertEqual(Told(phases.IDLE).ask(0, 3000, heard_s=0), [])

    def test_an_answer_begins_the_wait_anew(self):
        told = Told()
        told.ask(0, 100)
        self.assertEqual(told.ask(100, 219, heard_s=100), [])
        self.assertEqual(told.ask(219, 300, heard_s=100), [(220, RADIO)])

    def test_what_is_asked_for_later_waits_as_long(self):
        told = Told()
        told.ask(0, 1000, asks=False)
        self.assertEqual(told.ask(1000, 1130), [(1120, RADIO)])

    def test_a_press_does_not_wait_for_the_radio(self):
        self.assertEqual(Told().ask(0, 240, touched_s=115), [(125, RADIO)])

    def test_the_board_is_reset_between_two_matches_alone(self):
        for phase in range(phases.AGREED + 1):
            due = [what for _, what in Told(phase).ask(0, 620)]
            between = phase in (phases.IDLE, phases.SEATED, phases.AGREED)
            self.assertEqual(BOARD in due, between)

    def test_a_seated_board_that_knows_its_start_keeps_its_clock(self):
        """A reset forgets the time, and what a beacon says is believed only after a link."""
        told = Told(phases.SEATED, start_ms=0)
        self.assertEqual(told.ask(100, 3000), [(at, RADIO) for at in (220, 340, 580, 1060, 2020)])
        over = Told(phases.AGREED, start_ms=0).ask(0, 620)
        self.assertEqual(over[-1][1], BOARD)

    def test_the_board_is_not_reset_under_anybodys_hands(self):
        told = Told(phases.AGREED)
        told.ask(0, 640, touched_s=590)
        self.assertEqual(BOARD in [what for _, what in told.found], False)
        self.assertEqual(told.ask(640, 651, touched_s=590)[-1], (650, BOARD))


if __name__ == "__main__":
    unittest.main()
