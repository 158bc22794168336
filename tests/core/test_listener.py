"""What a table does with the beacon, over a real Sync and journal: orders and anchors."""

import pytest
from farside import FarSide
from solo import Solo

from firmware.core import (
    beacon,
    beacon_receiver,
    events,
    frames,
    intents,
    listener,
)
from host.archive.decoded_frames import announced_result
from host.collector.heard_times import HeardTimes
from host.keys.beacon_chain import SHIFT_MS, BeaconChain
from host.sim import stored_records

NOW_MS = 7_200_000
# soon after an anchor the number of an interval needs a bit more than a frame has
TURN_MS = SHIFT_MS + 65536 * beacon.INTERVAL_MS - 1000
SETTLE_STEPS = 60


class Table:
    """One board's program with a Listener, and what the host would say to it."""

    def __init__(self, now_ms=NOW_MS):
        self.solo = Solo()
        self.solo.tell_time(now_ms)
        self.app = self.solo.app
        self.solo.desk(intents.SET_ROUND, 2, 12, 1)
        self.solo.desk(intents.SET_FORMAT, 0, 6, 50)
        self.ear = listener.Listener(self.app.sync, self.app.match)
        self.app.sync.receive = self.ear.receive
        self.ear.result_word(0)
        self.chain = BeaconChain(bytes(32), self.app.journal.event, 0)
        self.far = FarSide(self.app.journal.key, self.app.journal.device)
        self.far.counter = 50_000
        self._true_ms = self.app.timebase.offset_ms

    @property
    def true_ms(self):
        """Event time as the host has it, whatever the board thinks."""
        return self.uptime_ms + self._true_ms

    @property
    def uptime_ms(self):
        return self.app.board.clock.now_ms()

    def down(self, kind, payload):
        """Return a down frame of the board's event."""
        self.far.event, self.far.epoch = self.app.journal.event, self.app.journal.epoch
        return self.far.sign(kind, payload)

    def follow(self):
        whole = self.chain.anchor(self.solo.now_ms)
        for part in range(beacon.PARTS):
            self.app._hear(
                self.down(beacon.ANCHOR, beacon.pack_part(whole, part, 0)), self.uptime_ms
            )

    def say(self, kind, body):
        """Broadcast a frame, let its key come a second later, and have the board prove it."""
        now_ms = self.solo.now_ms
        self.ear.listen(self.chain.sign(kind, body, now_ms), self.uptime_ms)
        self.solo.run(1.2)
        self.ear.listen(self.chain.disclose(self.solo.now_ms), self.uptime_ms)
        self.work()

    def work(self):
        for _ in range(SETTLE_STEPS):
            self.app._hear(listener.WORK, self.uptime_ms)

    def since(self, counter):
        journal = self.app.journal
        found = [
            stored_records.read(journal, journal.epoch, at)
            for at in range(counter, journal.counter)
        ]
        return [events.of_record(one) for one in found if one[0] & 63 != events.SEALED]


@pytest.fixture(params=(NOW_MS, TURN_MS), ids=("early", "five hours later"))
def table(request):
    return Table(request.param)


def started(table, counter, start_ms):
    body = beacon.pack_command(counter, 2, intents.SetStart(start_ms))
    table.say(beacon.COMMAND, body)


def test_a_start_of_the_beacon_is_journalled_as_the_links_and_names_its_counter(table):
    table.follow()
    before, start_ms = table.app.journal.counter, table.solo.now_ms + 600_000
    started(table, 7, start_ms)
    start, answer = table.since(before)
    assert start == events.StartSet(start_ms)
    assert answer == events.Answered(answer.at_ms, 0, 7, intents.SET_START, 1)
    assert table.app.match.start_ms == start_ms


def test_the_same_start_by_the_link_or_again_by_the_beacon_is_not_set_again(table):
    table.follow()
    start_ms = table.solo.now_ms + 60_000
    started(table, 7, start_ms)
    before = table.app.journal.counter
    table.app._hear(table.down(intents.SET_START, frames.plain(start_ms)), table.uptime_ms)
    [answer] = table.since(before)
    assert answer == events.Answered(answer.at_ms, 0, table.far.counter, intents.SET_START, 0)
    before = table.app.journal.counter
    started(table, 8, start_ms)
    assert table.since(before) == []


def test_a_tick_tells_the_start_to_a_table_that_missed_it(table):
    table.follow()
    start_ms = table.solo.now_ms + 60_000
    tick = table.solo.now_ms, 2, beacon.PUBLISHED, 40, start_ms, 0, 9
    table.say(beacon.TICK, beacon.pack_tick((tick[0], 3, *tick[2:])))
    assert table.app.match.start_ms is None  # another round's
    table.say(beacon.TICK, beacon.pack_tick((table.solo.now_ms, *tick[1:])))
    assert table.app.match.start_ms == start_ms and table.ear.tick[3] == 40
    before = table.app.journal.counter
    later = (table.solo.now_ms, *tick[1:4], start_ms + 9000, 0, 9)
    table.say(beacon.TICK, beacon.pack_tick(later))
    assert table.since(before) == []  # whoever has a start keeps it


def test_an_uncertain_board_takes_none(table):
    table.follow()
    table.app.timebase.error_ms = beacon.INTERVAL_MS
    started(table, 7, table.solo.now_ms + 60_000)
    assert table.app.match.start_ms is None


@pytest.fixture
def asking(table):
    """A table that is 200 ms early, knows it only to 220, and has sent a status."""
    table.follow()
    base, at = table.app.timebase, table.uptime_ms
    base.guessed = True
    base.take(200 - 220, 200 + 220, 0, at)
    table.status = table.app.sync.status_frame(table.app.match, frames.TIME_WANTED, at)
    table.ear.sends_status(table.status, at)
    return table


def off(table):
    """Return how far the table's clock is off, and how far it says it can be."""
    table.solo.run(1.2)
    table.ear.clock.steer(table.uptime_ms)
    base = table.app.timebase
    now_ms = table.uptime_ms + base.offset_ms
    return abs(now_ms - table.true_ms), base.uncertainty_ms(table.uptime_ms)


def answered(table, status, heard_ms):
    heard, chain, at_ms = HeardTimes(), table.chain, table.true_ms
    heard.note(status, heard_ms)
    end_ms = chain.start_ms + (chain.interval(at_ms) + 1) * beacon.INTERVAL_MS
    table.ear.listen(chain.sign(beacon.TIMES, heard.next(end_ms), at_ms), table.uptime_ms)
    table.solo.run(1.2)
    table.ear.listen(chain.disclose(table.true_ms), table.uptime_ms)
    table.work()


@pytest.mark.parametrize("later_ms", (0, 40, 120))
def test_when_the_host_heard_it_bounds_a_boards_clock(asking, later_ms):
    early_ms, doubt_ms = off(asking)
    assert early_ms == 200 and doubt_ms >= 220
    sent_ms = asking.true_ms - 1200
    answered(asking, asking.status, sent_ms + later_ms)
    off(asking)  # it stands until the corrected time has caught up
    error_ms, declared_ms = off(asking)
    most_ms = later_ms + 2 * beacon.HEARD_MS + 5  # and what the clock has drifted
    assert error_ms <= min(early_ms, most_ms) and error_ms <= declared_ms <= 20 + most_ms


@pytest.mark.parametrize("other", ("counter", "device", "replayed"))
def test_only_its_last_status_answers_a_boards_question(asking, other):
    """Another board's, or an earlier one's that a thief plays to the host, before it was sent."""
    sent, at_ms = asking.status, asking.true_ms
    if other == "counter":
        sent = sent[:5] + bytes((sent[5] ^ 1,)) + sent[6:]
    elif other == "device":
        sent = bytes((sent[0], sent[1] ^ 1)) + sent[2:]
    else:
        asking.solo.run(11)
        again = asking.app.sync.status_frame(asking.app.match, frames.TIME_WANTED, asking.uptime_ms)
        at_ms = asking.true_ms - 400
        asking.ear.sends_status(again, asking.uptime_ms)
    before = off(asking)[1]
    answered(asking, sent, at_ms)
    assert off(asking)[1] >= before


def test_a_status_that_is_sent_again_asks_from_its_first_time_on(asking):
    asking.solo.run(0.5)
    asking.ear.sends_status(asking.status, asking.uptime_ms)
    answered(asking, asking.status, asking.true_ms - 400)
    error_ms, declared_ms = off(asking)
    assert error_ms <= declared_ms and declared_ms >= 180


def ended(table):
    """Begin the round and have a judge rule: two milestones."""
    table.follow()
    table.solo.desk(intents.SET_START, at_ms=table.solo.now_ms + 1000)
    table.solo.run(130)
    assert table.ear.result_word(0) == 0
    assert table.solo.desk(intents.RULE_RESULT, 1 | 0x80, 2, 0)
    word = table.ear.result_word(0)
    assert word == table.ear.result_word(word) > 0  # the same until there is news
    return word


def acked(table, what, of_round=2, bits=1 << 12):
    table.say(beacon.ACKED, beacon.pack_acked(of_round, what, 0, bits))


def test_an_acknowledgement_counts_for_the_very_milestone(table):
    word = ended(table)
    assert announced_result(word) == (1, 2, 0, 2, 2)
    window, receiver = table.app.sync.window, table.ear
    for what, of_round, bits in (
        (3, 2, 1 << 12),
        (1, 2, 1 << 12),
        (2, 1, 1 << 12),
        (2, 2, 1 << 13),
    ):
        acked(table, what | beacon.WHOLE, of_round, bits)
        assert window.waiting and not receiver.least
    acked(table, 2)
    assert window.waiting and receiver.least == beacon.WHOLE  # the result alone
    acked(table, 2 | beacon.WHOLE)
    assert not window.waiting and receiver.least == 2 * beacon.WHOLE
    assert table.solo.desk(intents.REOPEN_RESULT)
    table.ear.result_word(0)
    acked(table, 2 | beacon.WHOLE)
    assert window.waiting and table.ear.result_word(0) == 0  # what came after it, nobody has


def ticked(table, of_round=2, share=beacon.SHARES, tables=1000, recall=0):
    tick = table.solo.now_ms, of_round, beacon.RUNNING | recall | share << 3, tables, 1, 0, 0
    table.say(beacon.TICK, beacon.pack_tick(tick))


def test_a_table_speaks_as_often_as_the_hall_allows(table):
    ended(table)
    pace = table.ear.pace
    assert pace(0, table.uptime_ms) == listener._CALM  # it has heard no tick
    ticked(table)
    result = pace(0, table.uptime_ms)
    # 376 us each, in two fifths of the boards' part of a cycle
    assert 0.36 < result / 1024 * 1000 * 0.376 / (beacon.CYCLE_MS - beacon.PART_MS) <= 0.4
    ticked(table, share=3)
    assert pace(0, table.uptime_ms) == listener.MOST  # few are left
    acked(table, 2)
    rare = pace(0, table.uptime_ms)
    assert 0 < rare < result / 4 and pace(1, table.uptime_ms) == result  # records; a call
    acked(table, 2 | beacon.WHOLE)
    assert pace(0, table.uptime_ms) == 0
    ticked(table, 3)
    assert pace(0, table.uptime_ms)  # another round comes


def forged(table, kind, body):
    """Return the frame of whoever has the group key, and no key of the chain."""
    index = table.chain.interval(table.solo.now_ms) & 0xFFFF
    return beacon.sign(bytes(16), table.chain.group, kind, index, body)


def few(table):
    """Have a table hear a forged TICK: hardly a result is awaited."""
    body = beacon.pack_tick((table.solo.now_ms, 2, beacon.RUNNING | 1 << 3, 1000, 1, 0, 0))
    table.ear.listen(forged(table, beacon.TICK, body), table.uptime_ms)


def test_a_hint_is_believed_for_a_while_and_not_twice_in_a_row(table):
    """As who has stolen a board has the group key, and can make one."""
    ended(table)
    ticked(table)
    often = table.ear.pace(0, table.uptime_ms)

    def hint():
        body = beacon.pack_acked(2, 2, 0, 1 << 12)
        table.ear.listen(forged(table, beacon.ACKED, body), table.uptime_ms)

    hint()
    assert table.ear.pace(0, table.uptime_ms) < often
    table.solo.run(2.6)
    assert table.ear.pace(0, table.uptime_ms) == often
    hint()
    assert table.ear.pace(0, table.uptime_ms) == often
    table.solo.run(6)
    hint()
    assert table.solo.desk(intents.REOPEN_RESULT)
    assert table.solo.desk(intents.RULE_RESULT, 1 | 0x80, 2, 0)
    table.ear.result_word(0)
    assert table.ear.pace(0, table.uptime_ms) == often  # it was about another result


def test_once_a_frame_was_forged_only_what_is_proven_gives_the_pace(table):
    """As the thief of one board could hold back the news of all others, or drown it."""
    ended(table)
    ticked(table)
    often = table.ear.pace(0, table.uptime_ms)
    few(table)
    assert table.ear.pace(0, table.uptime_ms) > often  # nobody can know yet
    assert not table.ear.wants(table.uptime_ms) & frames.BEACON_FORGED
    ticked(table)  # its key is the forged one's, too
    assert table.ear.refused[beacon_receiver.MAC] == 1
    assert table.ear.wants(table.uptime_ms) & frames.BEACON_FORGED  # the desk is told
    assert table.ear.pace(0, table.uptime_ms) == often
    busy_ms = table.ear.busy_ms
    few(table)
    hint = forged(table, beacon.ACKED, beacon.pack_acked(2, 2, 0, 1 << 12))
    table.ear.listen(hint, table.uptime_ms)
    assert table.ear.pace(0, table.uptime_ms) == often and table.ear.busy_ms == busy_ms
    ticked(table, share=3)
    assert table.ear.pace(0, table.uptime_ms) == listener.MOST  # that is the host's
    acked(table, 2)
    assert table.ear.pace(0, table.uptime_ms) < often


def test_what_was_forged_under_an_older_chain_is_forgotten_with_it(table):
    """Whoever was revoked meanwhile is told nothing of the new one."""
    ended(table)
    ticked(table)
    few(table)
    ticked(table)
    assert table.ear.wants(table.uptime_ms) & frames.BEACON_FORGED
    table.ear.follow_chain(table.chain.anchor(table.solo.now_ms))  # the same again
    assert table.ear.wants(table.uptime_ms) & frames.BEACON_FORGED
    later = BeaconChain(bytes(32), table.app.journal.event, 1)
    table.ear.follow_chain(later.anchor(later.start_ms + 1000))
    assert not table.ear.wants(table.uptime_ms) & frames.BEACON_FORGED


def test_whoever_is_recalled_speaks_until_it_is_heard(table):
    ended(table)
    acked(table, 2 | beacon.WHOLE)
    ticked(table)
    assert table.ear.pace(0, table.uptime_ms) == 0
    ticked(table, recall=beacon.RECALL)
    assert table.ear.pace(0, table.uptime_ms)
    acked(table, beacon.HEARD)
    assert table.ear.pace(0, table.uptime_ms) == 0
    ticked(table, recall=beacon.RECALL)
    assert table.ear.pace(0, table.uptime_ms) == 0  # once
    table.solo.run(4)
    ticked(table, recall=beacon.RECALL)
    assert table.ear.pace(0, table.uptime_ms)  # another host, after a gap


def test_records_wait_while_many_tables_have_results_to_tell(table):
    ended(table)
    ticked(table)
    acked(table, 2)
    table.solo.run(listener._BUSY_MS / 1000)
    calm = table.ear.pace(0, table.uptime_ms)
    ticked(table, share=beacon.SHARES - 1)
    assert table.uptime_ms < table.ear.busy_ms
    assert table.ear.pace(0, table.uptime_ms) < calm / 16
    ticked(table, share=beacon.SHARES - 1)
    table.solo.run(listener._BUSY_MS / 1000)
    assert table.ear.pace(0, table.uptime_ms) == calm  # nothing has changed for a while


def shift(table):
    """Return how far from the cycle's begin, as its clock has it, a table begins to listen."""
    now_ms = table.app.timebase.now_ms(table.uptime_ms)
    return (table.ear.cycle_ms(table.uptime_ms) - now_ms) % beacon.CYCLE_MS


def tries(table, seconds=6):
    """Return what the table tried, in tenths of a second."""
    tried = []
    for _ in range(seconds * 10):
        table.solo.run(0.1)
        tried.append(shift(table))
    return tried


def test_a_board_that_hears_nothing_tries_other_parts_of_the_cycle_in_turn_with_its_own(table):
    table.follow()
    ticked(table)
    assert shift(table) == 0
    table.solo.run(3)
    tried = tries(table)
    assert 0.4 < tried.count(0) / len(tried) < 0.6
    places = sorted({*tried, beacon.CYCLE_MS})
    assert max(b - a for a, b in zip(places, places[1:], strict=False)) <= beacon.PART_MS * 3 // 4


@pytest.mark.parametrize("kind", ["tick", "key"])
def test_whatever_a_board_hears_ends_its_search_there_and_a_tick_sets_its_clock(table, kind):
    table.follow()
    ticked(table)
    table.solo.run(3)
    while not shift(table):
        table.solo.run(0.1)
    at, now_ms = shift(table), table.solo.now_ms
    body = beacon.pack_tick((now_ms, 2, beacon.RUNNING, 40, 1, 0, 0))
    heard = {"tick": table.chain.sign(beacon.TICK, body, now_ms),
             "key": table.chain.disclose(now_ms)}  # fmt: skip
    table.ear.listen(heard[kind], table.uptime_ms)
    table.work()
    table.solo.run(2)
    assert shift(table) == at
    ticked(table)
    assert shift(table) == 0


def test_once_a_frame_was_forged_a_proven_tick_alone_ends_a_search(table):
    table.follow()
    few(table)
    ticked(table)
    table.solo.run(3)
    while not shift(table):
        table.solo.run(0.1)
    few(table)
    assert len({*tries(table, 2)}) > 2  # the search goes on
    ticked(table)
    assert {*tries(table, 2)} == {0}


def test_an_anchor_is_put_together_of_one_batch_of_authentic_parts_alone(table):
    now_ms = table.solo.now_ms
    whole, other = table.chain.anchor(now_ms), table.chain.anchor(now_ms - 5000)
    for told, part, batch in ((whole, 3, 1), (whole, 0, 1), (whole, 2, 1), (other, 1, 2)):
        payload = beacon.pack_part(told, part, batch)
        table.app._hear(table.down(beacon.ANCHOR, payload), table.uptime_ms)
        assert table.ear.index < 0
    parts = [table.down(beacon.ANCHOR, beacon.pack_part(whole, part, 3)) for part in range(4)]
    table.app._hear(parts[0][:-1] + b"0", table.uptime_ms)
    for part in parts[1:]:
        table.app._hear(part, table.uptime_ms)
    table.app._hear(parts[0], table.uptime_ms)  # late, so it counts no more
    assert table.ear.index < 0
    table.follow()
    assert table.ear.index == table.chain.disclosable(now_ms)
