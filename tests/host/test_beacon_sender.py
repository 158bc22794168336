"""What the host broadcasts when and by which gateways, and that boards understand it."""

import random
import statistics

import pytest
from acknowledged import acked_of
from hypothesis import given
from hypothesis import strategies as st

from firmware.core import beacon, frames, intents
from firmware.core.beacon import pack_part
from firmware.core.beacon_receiver import BeaconReceiver
from host.archive.roster import Board
from host.archive.store import Archive
from host.collector import beacon_caster
from host.collector.beacon_caster import ALL, ALONE, BeaconCaster
from host.collector.beacon_sender import (
    LEAD_MS,
    SLOT_MS,
    SLOTS,
    AckedBlocks,
    BeaconSender,
    Command,
    HallState,
)
from host.collector.board_status import BoardStatus
from host.collector.frame_signer import FrameSigner
from host.keys import signatures
from host.keys.beacon_chain import EVERY_MS, INTERVALS, SHIFT_MS, BeaconChain
from host.keys.keyring import Keyring

SECRET, EVENT = bytes(range(32)), 5
BEGIN_MS = 20_000
HALL = HallState(3, beacon.RUNNING, 1000, 60_000, 8)
TOLD = 3, beacon.RUNNING, 1000, 60_000, 8  # as a TICK has it: no result is awaited
START = intents.SetStart(60_000)


def sender(hall=HALL):
    made = BeaconSender(SECRET, EVENT)
    made.set_hall(hall)
    return made


def sent(host, from_ms, until_ms, every_ms=100):
    return [one for now_ms in range(from_ms, until_ms, every_ms) for one in host.poll(now_ms)]


def kinds(sendings, kind):
    return [one for one in sendings if beacon.kind_of(one.frame) == kind]


class Boards:
    """Some tables that hear each frame by chance, a little late."""

    def __init__(self, host, tables, chance, seed=1, error_ms=30, begin_ms=BEGIN_MS):
        self._luck, self._chance, self._error_ms = random.Random(seed), chance, error_ms
        self.receivers, self.done, self.ticks, self.acked = [], {}, {}, {}
        for table in tables:
            receiver = BeaconReceiver(self._luck.randbytes)
            receiver.table, receiver.round, receiver.milestone = table, 3, 1
            receiver.follow_chain(host.anchor(begin_ms))
            self.receivers.append(receiver)

    def hear(self, sendings):
        """Let all of it arrive."""
        for at_ms, frame, _ in sendings:
            for receiver in self.receivers:
                if self._luck.random() < self._chance:
                    arrived_ms = at_ms + self._luck.randrange(40)
                    receiver.hear(frame, arrived_ms, arrived_ms, self._error_ms)
                    for _ in range(3):
                        self._note(receiver, arrived_ms)

    def _note(self, receiver, now_ms):
        proven = receiver.step(now_ms, self._error_ms)
        kind = 0 if proven is None else beacon.kind_of(proven)
        if kind == beacon.COMMAND:
            self.done.setdefault(receiver.table, []).append(beacon.command_of(proven))
        elif kind == beacon.TICK:
            self.ticks[receiver.table] = beacon.tick_of(proven), receiver.arrived_ms
        elif kind == beacon.ACKED:
            self.acked[receiver.table] = now_ms, acked_of(proven, receiver.table)


def interval(at_ms):
    """Return the interval of an event time in the first chain, the first one before that."""
    return max(0, at_ms - SHIFT_MS) // beacon.INTERVAL_MS


def test_ticks_say_when_they_leave_and_leave_often():
    for host in (sender(), sender(), sender()):
        ticks = kinds(sent(host, BEGIN_MS, BEGIN_MS + 6000), beacon.TICK)
        assert len(ticks) >= 55
        for at_ms, frame, _ in ticks:
            assert beacon.tick_of(frame) == (at_ms, *TOLD, 0)
            assert beacon.u16(frame, beacon.INTERVAL, interval(at_ms)) == interval(at_ms)


def test_the_beacon_keeps_to_its_part_of_each_cycle():
    host = sender()
    host.add_command(Command(1, 3, START), BEGIN_MS)
    for at_ms, _, _ in sent(host, BEGIN_MS, BEGIN_MS + 6000):
        phase_ms = at_ms % beacon.CYCLE_MS
        assert phase_ms + SLOT_MS <= beacon.PART_MS + 5


def test_no_board_that_listens_at_the_same_moments_hears_one_kind_alone():
    host = sender()
    host.add_command(Command(1, 3, START), BEGIN_MS)
    found = sent(host, BEGIN_MS, BEGIN_MS + 12_000)
    phases = {one.at_ms % beacon.CYCLE_MS for one in found}
    assert len(phases) == SLOTS
    for phase_ms in phases:
        heard = [one for one in found if one.at_ms % beacon.CYCLE_MS == phase_ms]
        for kind in (beacon.TICK, beacon.KEY, beacon.COMMAND):
            assert len(kinds(heard, kind)) >= 5


@given(st.lists(st.integers(0, 900), max_size=40), st.integers(0, 3_000_000))
def test_whenever_it_is_asked_it_plans_each_slot_once_and_tells_no_key_early(pauses, begin_ms):
    host, now_ms, last_ms = sender(), begin_ms, -1
    for pause_ms in pauses:
        now_ms += pause_ms
        for at_ms, frame, _ in host.poll(now_ms):
            assert now_ms <= at_ms <= now_ms + LEAD_MS and at_ms > last_ms
            last_ms = at_ms
            index = beacon.u16(frame, beacon.INTERVAL, interval(at_ms))
            if beacon.kind_of(frame) == beacon.KEY:
                assert index + beacon.DELAY <= interval(now_ms)
            else:
                assert index == interval(at_ms)


def test_boards_learn_time_and_start_and_act_once():
    host = sender()
    boards = Boards(host, range(1, 40), 0.5)
    host.add_command(Command(1, 3, START), BEGIN_MS)
    boards.hear(sent(host, BEGIN_MS, BEGIN_MS + 4000))
    assert boards.done == {table: [(1, 3, START)] for table in range(1, 40)}
    for tick, arrived_ms in boards.ticks.values():
        assert tick[1:] == (*TOLD, 1) and 0 <= arrived_ms - tick[0] < 100
    boards.hear(sent(host, BEGIN_MS + 4000, BEGIN_MS + 6000))
    assert all(len(done) == 1 for done in boards.done.values())


HOUR_MS = 3_600_000
WRAP_MS = 65536 * beacon.INTERVAL_MS  # a frame names an interval by 16 bits: five and a half hours


@pytest.mark.parametrize(
    "at_ms", (4 * HOUR_MS, 5 * HOUR_MS, WRAP_MS, 12 * HOUR_MS, 2 * WRAP_MS, 71 * HOUR_MS)
)
def test_boards_follow_the_beacon_for_three_days(at_ms):
    host, begin_ms = sender(), at_ms - 2000
    boards = Boards(host, range(1, 10), 0.5, begin_ms=begin_ms)
    boards.hear(sent(host, begin_ms, at_ms + 1000))
    start = 3, intents.SetStart(at_ms + 60_000)
    host.add_command(Command(1, *start), at_ms + 1000)
    boards.hear(sent(host, at_ms + 1000, at_ms + 6000))
    assert boards.done == {table: [(1, *start)] for table in range(1, 10)}
    assert min(tick[0] for tick, _ in boards.ticks.values()) >= at_ms + 3000


def test_a_board_that_heard_nothing_for_hours_follows_on():
    host, later_ms = sender(), BEGIN_MS + 3 * HOUR_MS
    boards = Boards(host, (1,), 1)
    boards.hear(sent(host, BEGIN_MS, BEGIN_MS + 2000))
    (receiver,) = boards.receivers
    key = kinds(sent(host, later_ms, later_ms + 2000), beacon.KEY)[0]
    assert receiver.hear(key.frame, 0, key.at_ms, 30)
    while receiver.goal > receiver.index:
        receiver.step(key.at_ms, 30)
    boards.hear(sent(host, later_ms + 2000, later_ms + 5000))
    assert boards.ticks[1][0][0] >= later_ms + 3000


def test_a_command_is_repeated_until_it_takes_effect():
    host = sender()
    host.add_command(Command(1, 3, START), BEGIN_MS)
    said = kinds(sent(host, BEGIN_MS, 62_000), beacon.COMMAND)
    assert 59_000 <= said[-1].at_ms <= 60_000 + LEAD_MS


def test_several_commands_take_turns():
    host = sender()
    for counter in (1, 2, 3):
        host.add_command(Command(counter, 3, START), BEGIN_MS)
    said = kinds(sent(host, BEGIN_MS, BEGIN_MS + 2000), beacon.COMMAND)
    counts = [sum(beacon.command_of(one.frame)[0] == n for one in said) for n in (1, 2, 3)]
    assert min(counts) >= 4 and max(counts) - min(counts) <= 1


@pytest.mark.parametrize("command", (
    Command(2, 3, intents.SetStart(BEGIN_MS + beacon.AHEAD_MS - 1)),
    Command(1, 3, START),
    Command(65536, 3, START),
    Command(2, 3, intents.JoinEvent(60_000, 0, 7)),
))  # fmt: skip
def test_what_boards_could_not_take_is_refused(command):
    host = sender()
    host.add_command(Command(1, 3, START), BEGIN_MS)
    with pytest.raises(ValueError):
        host.add_command(command, BEGIN_MS)
    said = kinds(sent(host, BEGIN_MS, BEGIN_MS + 2000), beacon.COMMAND)
    assert {beacon.command_of(one.frame)[0] for one in said} == {1}


def told(blocks, tables, turns=400):
    found = {}
    for body in {blocks.next() for _ in range(turns)} - {None}:  # most come again and again
        for table in tables:
            acked = acked_of(bytes(5) + body, table)
            if acked is not None:
                found.setdefault(table, set()).add(acked)
    return found


WHATS = st.sampled_from([1, 2, 3, 1 | beacon.WHOLE, 2 | beacon.WHOLE, 3 | beacon.WHOLE])


@given(st.lists(st.tuples(st.integers(1, 400), WHATS), max_size=60))
def test_blocks_tell_the_last_of_each_table_and_nothing_else(results):
    blocks, newest = AckedBlocks(3, range(1, 401)), {}
    for table, what in results:
        blocks.add(table, what)
        newest[table] = max(what, newest.get(table, 0), key=lambda one: (one & 31, one))
    expected = {table: {(3, what)} for table, what in newest.items()}
    assert told(blocks, range(1, 401)) == expected


@given(st.sets(st.integers(1, 30), max_size=beacon.MOST_BUT))
def test_where_few_lack_it_one_frame_acknowledges_all_others(lacking):
    blocks = AckedBlocks(3, range(1, 31))
    for table in set(range(1, 31)) - lacking:
        blocks.add(table, 2)
    body = blocks.next()
    found = {table for table in range(1, 31) if acked_of(bytes(5) + body, table)}
    assert found == set(range(1, 31)) - lacking


def test_whoever_was_heard_is_told_so_beside_what_it_told():
    blocks = AckedBlocks(3, range(1, 31))
    blocks.add(7, 2)
    blocks.add(7, beacon.HEARD)
    assert told(blocks, (7, 8)) == {7: {(3, 2), (3, beacon.HEARD)}}


def test_results_come_before_what_ends_repetitions():
    blocks = AckedBlocks(3, range(1, 1001))
    blocks.add(100, 1 | beacon.WHOLE)
    blocks.add(500, 2)
    soon = [blocks.next() for _ in range(3)]
    assert all(acked_of(bytes(5) + body, 500) == (3, 2) for body in soon)


def test_while_results_come_in_little_is_said_of_what_was_acknowledged_earlier():
    blocks = AckedBlocks(3)
    for table in range(1, 1001):
        blocks.add(table, 1 | beacon.WHOLE)
    while blocks.changed:
        blocks.next()
    said = []
    for table in range(1, 401):
        blocks.add(table, 2)
        said.append(blocks.next()[1])
    assert 0.94 <= said.count(2) / len(said) < 1


def test_a_changed_block_comes_first():
    blocks = AckedBlocks(3)
    for table in range(1, 1001):
        blocks.add(table, 1)
    for _ in range(1000):
        blocks.next()
    blocks.add(500, 2)
    soon = [blocks.next() for _ in range(4)]
    assert sum(acked_of(bytes(5) + body, 500) == (3, 2) for body in soon) >= 3


def test_of_the_results_those_come_first_that_were_sent_least():
    blocks = AckedBlocks(3, range(1, 1001))
    late = random.Random(1).sample(range(1, 1001), 20)
    for table in set(range(1, 1001)) - set(late):
        blocks.add(table, 1)
    for _ in range(40):
        blocks.next()
    for table in late:
        blocks.add(table, 1)
        soon = [bytes(5) + blocks.next() for _ in range(2)]
        assert (3, 1) in [acked_of(body, table) for body in soon]


@pytest.mark.parametrize("changed", [6, 9, 13])
def test_each_gateway_sends_each_block_and_not_all_the_same(changed):
    """With one turn for all, three gateways sent the same third of six blocks again and again."""
    blocks = AckedBlocks(3, range(1, 1101))
    assert [blocks.next(gateway) for gateway in range(3)] == [None] * 3
    for first in range(changed):
        blocks.add(first * beacon.BLOCK + 1, 1)
    sent = [[blocks.next(gateway) for gateway in range(3)] for _ in range(2 * changed)]
    assert {len(set(bodies)) for bodies in zip(*sent, strict=True)} == {changed}
    assert sum(len(set(bodies)) == 3 for bodies in sent) >= len(sent) * 3 // 4


def test_a_hall_of_results_is_acknowledged():
    host = sender()
    boards = Boards(host, range(7, 1001, 31), 0.5)
    for table in range(1, 1001):
        host.acknowledge(table, 1)
    boards.hear(sent(host, BEGIN_MS, BEGIN_MS + 15_000))
    assert {what for _, what in boards.acked.values()} == {(3, 1)}
    assert len(boards.acked) == len(boards.receivers)


def shares(hall):
    """Return the share of each kind among what is sent in ten seconds of results."""
    host = sender(hall)
    for table in range(1, 1001):
        host.acknowledge(table, 1)
    found = sent(host, BEGIN_MS, BEGIN_MS + 10_000)
    return [len(kinds(found, kind)) / len(found) for kind in range(beacon.TIMES + 1)]


def test_most_of_a_burst_of_results_is_acknowledgements_and_of_a_recall_more_are_ticks():
    results = shares(HALL._replace(awaited=100))
    recalled = shares(HALL._replace(unheard=9, recalling=True))
    assert results[beacon.ACKED] >= 0.6
    assert recalled[beacon.TICK] >= 0.25  # boards are silent until they have proven one
    assert (
        min(one[kind] for one in (results, recalled) for kind in (beacon.TICK, beacon.KEY)) >= 0.08
    )


@pytest.mark.parametrize(("awaited", "keys"), [(0, 0.4), (beacon.MOST_BUT, 0.4), (7, 0.17)])
def test_once_one_frame_acknowledges_all_but_a_few_there_are_more_keys(awaited, keys):
    found = shares(HALL._replace(awaited=awaited))
    assert keys <= found[beacon.KEY] < keys + 0.05 and found[beacon.ACKED] >= 0.4


def left_ms(sending):
    """Return how long a frame is safe: from its sending until its key may be told."""
    index = beacon.u16(sending.frame, beacon.INTERVAL, interval(sending.at_ms))
    told_ms = SHIFT_MS + (index + beacon.DELAY) * beacon.INTERVAL_MS
    return told_ms - sending.at_ms


@pytest.mark.parametrize("begin_ms", [0, BEGIN_MS])
def test_keys_of_acknowledgements_come_soon_and_leave_boards_time_to_take_the_frames(begin_ms):
    host = sender()
    for table in range(1, 1001):
        host.acknowledge(table, 1)
    found = sent(host, begin_ms, begin_ms + 10_000)
    acked = [left_ms(one) for one in kinds(found, beacon.ACKED) if one.at_ms >= 300]
    assert min(acked) >= 140 and max(acked) <= 440
    ticks = [left_ms(one) for one in kinds(found, beacon.TICK)]
    assert min(ticks) > 300  # whoever's time is uncertain needs these


def test_the_key_of_an_acknowledgement_follows_soon_at_a_bursts_end():
    """Whenever within its 20 ms the host plans."""
    means = []
    for phase_ms in range(0, 20, 2):
        host, begin_ms = sender(HALL._replace(awaited=1)), BEGIN_MS + phase_ms
        for table in range(1, 1001):
            host.acknowledge(table, 1)
        found = sent(host, begin_ms, begin_ms + 10_000, every_ms=20)
        keys, waits = kinds(found, beacon.KEY), []
        for at_ms, frame, _ in kinds(found, beacon.ACKED)[:-40]:
            proves = [one.at_ms for one in keys if number(one.frame) >= number(frame)]
            waits.append(min(proves) - at_ms)
        means.append(statistics.mean(waits))
        assert max(waits) <= 600
    assert statistics.mean(means) <= 430 and max(means) <= 450


def number(frame):
    return beacon.u16(frame, beacon.INTERVAL)


def test_an_acknowledgement_at_a_chains_begin_is_signed_with_the_one_before():
    host = sender()
    host.acknowledge(1, 1)
    begin_ms = EVERY_MS + SHIFT_MS
    found = kinds(sent(host, begin_ms, begin_ms + 600), beacon.ACKED)
    last = (INTERVALS - 1) & 0xFFFF
    assert {beacon.u16(one.frame, beacon.INTERVAL) for one in found} == {last, 0, 1}
    assert all(
        (beacon.u16(one.frame, beacon.INTERVAL) == last) == (one.at_ms < begin_ms + 164)
        for one in found
    )


@pytest.mark.parametrize(("recalling", "share"), [(True, 1), (False, beacon.SHARES)])
def test_a_tick_tells_how_many_are_to_speak_in_a_recall_too(recalling, share):
    host = sender(HALL._replace(awaited=1000, unheard=9, recalling=recalling))
    ticks = kinds(sent(host, BEGIN_MS, BEGIN_MS + 1000), beacon.TICK)
    states = {beacon.tick_of(one.frame)[2] for one in ticks}
    assert states == {beacon.RUNNING | beacon.RECALL | share << 3}


def test_another_round_begins_without_acknowledgements():
    host = sender()
    host.acknowledge(1, 1)
    assert kinds(sent(host, BEGIN_MS, BEGIN_MS + 1000), beacon.ACKED)
    host.set_hall(HALL._replace(round=4))
    assert not kinds(sent(host, BEGIN_MS + 1500, BEGIN_MS + 2500), beacon.ACKED)


def test_a_host_that_starts_again_continues_the_chain():
    first, second = sender(), sender()
    said = kinds(sent(first, BEGIN_MS, BEGIN_MS + 300), beacon.TICK)
    assert kinds(sent(second, BEGIN_MS, BEGIN_MS + 300), beacon.TICK) == said
    other = BeaconChain(SECRET, EVENT + 1, 0)
    assert other.group != BeaconChain(SECRET, EVENT, 0).group


def test_the_next_chain_follows_without_a_pause():
    host = sender()
    found = sent(host, EVERY_MS - 1500, EVERY_MS + 3000)
    ticks = {beacon.tick_of(one.frame)[0]: one.frame for one in kinds(found, beacon.TICK)}
    begin_ms = EVERY_MS + SHIFT_MS
    last_ms = max(at_ms for at_ms in ticks if at_ms < begin_ms)
    first_ms = min(at_ms for at_ms in ticks if at_ms >= begin_ms)
    last = INTERVALS - 1
    assert beacon.u16(ticks[last_ms], beacon.INTERVAL, last) == last
    assert beacon.u16(ticks[first_ms], beacon.INTERVAL, 0) == 0 and first_ms - last_ms < 400
    keys = [beacon.u16(one.frame, beacon.INTERVAL) for one in kinds(found, beacon.KEY)]
    assert last & 0xFFFF in keys and keys[-1] in (6, 7, 8, 9)
    assert host.anchor(begin_ms + 599) is None and host.anchor(begin_ms + 600) is not None


def test_an_anchor_travels_masked_under_the_boards_own_key(tmp_path):
    with Archive(tmp_path / "a.db") as archive:
        archive.roster.add_board(Board(7, 1, 1), 0)
        keyring = Keyring(SECRET, archive.roster)
        status = BoardStatus(7, 1, 1)
        status.epoch = 3
        signer, anchor = FrameSigner(archive, keyring, status), sender().anchor(BEGIN_MS)
        told = [signer.frame(beacon.ANCHOR, pack_part(anchor, part, 1)) for part in range(4)]
        key = keyring.board(7, 1)
        down = keyring.stream(7, 1, status.event, frames.DOWN, 3)
        assert [frame[7] for frame in told] == [part | 1 << 2 for part in range(4)]
        assert all(signatures.verify(down, frame) and frame[8:16] not in anchor for frame in told)
        assert b"".join(frames.mask_name(key, one, one[8:16]) for one in told) == anchor


WHOLE_MS = 16 * beacon.CYCLE_MS


class Sent:
    """Gateways that note what they are to send, in ms of the event."""

    def __init__(self, apart=1):
        self.now_ms, self.turns, self.apart, self.frames = WHOLE_MS, {}, apart, []

    def now_us(self):
        return self.now_ms * 1000

    def send(self, advert, at_us, span_ms, turn):
        assert at_us % (1000 * beacon.CYCLE_MS) + span_ms * 1000 <= beacon.PART_MS * 1000 + 6000
        self.frames.append((at_us // 1000, turn, advert[4:]))
        self.turns.setdefault(at_us // 1000 // beacon.CYCLE_MS, set()).add(turn)


def test_all_send_most_parts_and_every_other_one_a_few_that_the_rest_hear():
    sender, sent = BeaconSender(bytes(32), 5), Sent()
    sender.set_hall(HallState(1, beacon.RUNNING, 2, 1))
    caster = BeaconCaster(sender, sent, lambda: sent.now_ms)
    while sent.now_ms < 3 * WHOLE_MS:
        caster.step()
        sent.now_ms += 50
    turns = [sent.turns[cycle] for cycle in range(17, 33)]
    assert turns.count({ALL}) == 14 and turns.count({0}) == turns.count({1}) == 1


def test_gateways_that_can_be_told_apart_send_different_acknowledgements_at_a_time():
    sender, sent = BeaconSender(bytes(32), 5), Sent(apart=3)
    sender.set_hall(HallState(1, beacon.RUNNING, 1000, 1, awaited=500), range(1, 1001))
    for table in range(1, 501):
        sender.acknowledge(table, 2)
    caster = BeaconCaster(sender, sent, lambda: sent.now_ms)
    while sent.now_ms < 2 * WHOLE_MS:
        caster.step()
        sent.now_ms += 50
    acked = {}
    for at_ms, turn, frame in sent.frames:
        acks = beacon.kind_of(frame) == beacon.ACKED
        assert turn < ALONE or acks
        if turn >= ALONE:
            acked.setdefault(at_ms, {})[turn - ALONE] = frame
    assert len(acked) > 20
    for at_once in acked.values():
        assert set(at_once) == {0, 1, 2} and len(set(at_once.values())) > 1


@pytest.mark.parametrize(
    ("turn", "which"), ((ALL, [0, 1, 2]), (0, [0, 2]), (1, [1]), (ALONE + 1, [1]), (ALONE + 3, []))
)
def test_a_turn_says_which_gateways_send(turn, which):
    assert [place for place in range(3) if beacon_caster.sends(place, turn, 3)] == which
    assert beacon_caster.sends(0, 1, 1)  # one alone always does
