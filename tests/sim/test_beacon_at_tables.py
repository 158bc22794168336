"""Real boards that listen to the beacon over the modelled air, with 25 % of it foreign.

Half of them have a clock of 500 ppm; they listen for 30 of 97 ms. Once the PC's own radio is
pulled out, nothing but the beacon and adverts that gateways hear goes either way.
"""

import asyncio
import random

import beaconhall
import pytest
from burst import Burst
from stories import run_by

from firmware.core import beacon, events, frames, intents, listener, phases
from host.collector.beacon_caster import advert
from host.keys import signatures
from host.sim import bleio as radio
from host.sim import stored_records
from host.sim.ether.ether import Station

TABLES = 4
START_S = 12
QUIET_S = 100


class Evening:
    """What happened on one evening of ``TABLES`` tables."""

    async def play(self, hall):
        assert await hall.published() is not None
        hall.air.pc.pull()
        await self._start(hall)
        await self._end(hall)
        return self

    async def _start(self, hall):
        start_ms = hall.venue.now_ms() + START_S * 1000
        hall.station.desk.start(start_ms)
        self.start_s = await hall.until(
            lambda: all(app.match.start_ms == start_ms for app in hall.apps), 12
        )
        self.spreads = []
        for _ in range(5):
            await asyncio.sleep(14)
            errors = hall.errors_ms()
            self.spreads.append(max(errors) - min(errors))
        self.phases = {app.match.phase for app in hall.apps}
        self.starts = [one.device for one in hall.records(events.START_SET)]
        orders = hall.station.archive.orders.all
        self.orders = {order.state for order in orders if order.kind == intents.SET_START}

    async def _end(self, hall):
        for number in hall.tables:
            hall.settle(number)
        self.acked_s = await hall.until(lambda: not any(a.sync.waiting for a in hall.apps), 120)
        self.results = hall.station.hall.results(1)
        self.settled = [not app.sync.waiting for app in hall.apps]
        await asyncio.sleep(2)
        self.heard = []
        self.questions = []
        hall.gateways.listeners.append(lambda frame: self._note(frame, hall.loop.time()))
        await asyncio.sleep(QUIET_S)
        self.forged_at = hall.beacon.forged_at

    def _note(self, frame, at_s):
        asks = frames.status_of(frame)[3] & frames.TIME_WANTED
        (self.questions if asks else self.heard).append((frames.head(frame)[1], at_s))


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    made = Evening()
    return beaconhall.played(made.play, tmp_path_factory.mktemp("hall"), tables=TABLES)


def test_a_start_reaches_all_boards_within_4_s_and_sets_their_clocks(evening):
    assert evening.start_s is not None and evening.start_s <= 4
    assert evening.phases == {phases.PLAYING}


def test_a_start_is_journalled_once_and_settles_the_desks_orders(evening):
    assert sorted(evening.starts) == list(range(1, TABLES + 1))
    assert evening.orders == {"done"}


def test_seconds_change_together_after_a_minute(evening):
    assert evening.spreads[-1] <= 15


def test_results_are_folded_and_acknowledged_by_the_beacon_alone(evening):
    assert sorted(evening.results) == list(range(1, TABLES + 1))
    assert evening.acked_s is not None and evening.acked_s <= 60
    assert all(evening.settled)


def test_whoever_is_acknowledged_is_silent_but_for_a_heartbeat(evening):
    beats = {device: [] for device in range(1, TABLES + 1)}
    for device, at_s in evening.heard:
        if not beats[device] or at_s - beats[device][-1] > 1:
            beats[device].append(at_s)
    assert all(len(heard) <= QUIET_S // 30 + 1 for heard in beats.values())
    asked = {device for device, _ in evening.questions}  # a question is a sign of life, too
    assert asked | {device for device, heard in beats.items() if heard} == beats.keys()
    pauses = [b - a for heard in beats.values() for a, b in zip(heard, heard[1:], strict=False)]
    assert min(pauses) >= 29
    assert len(evening.questions) <= TABLES // 2 * 6  # those with a bad clock ask for the time


@run_by(beaconhall.played, "tmp_path", tables=2)
async def test_boards_with_a_bad_clock_stay_certain_for_six_minutes_without_a_link(hall):
    """Their own clocks alone would leave 300 ms, from which on they do not act, after five."""
    await hall.published()
    # whose records nobody takes for long begins anew, and then it has no time
    await hall.until(lambda: not any(app.sync.waiting for app in hall.apps), 60)
    hall.air.pc.pull()
    await asyncio.sleep(360)
    seen = []
    for app in hall.apps:
        uptime_ms = app.board.clock.now_ms()
        off_ms = app.timebase.now_ms(uptime_ms) - hall.venue.now_ms()
        seen.append((abs(off_ms), app.timebase.uncertainty_ms(uptime_ms)))
    start_ms = hall.venue.now_ms() + START_S * 1000
    hall.station.desk.start(start_ms)
    await hall.until(lambda: all(a.match.start_ms == start_ms for a in hall.apps), 10)
    started = [app.match.start_ms == start_ms for app in hall.apps]
    assert all(off_ms <= declared_ms < 200 for off_ms, declared_ms in seen)
    assert started == [True] * 2


@run_by(beaconhall.played, "tmp_path", tables=2)
async def test_a_start_by_both_ways_counts_once(hall):
    await hall.published()
    start_ms = hall.venue.now_ms() + 20_000
    hall.station.desk.start(start_ms)
    await asyncio.sleep(30)
    ends = [app.match.start_ms == start_ms for app in hall.apps]
    starts = [one.device for one in hall.records(events.START_SET)]
    assert all(ends) and sorted(starts) == [1, 2]


@run_by(beaconhall.played, "tmp_path", tables=1)
async def test_a_start_of_the_link_is_answered_once_the_beacon_has_set_it(hall):
    """The same order, under the board's own key, after the beacon's command."""
    await hall.published()
    app, start_ms = hall.tables[1].app, hall.venue.now_ms() + 20_000
    now_ms = hall.venue.now_ms()
    assert app._ask(intents.SetStart(start_ms), now_ms)
    before = app.journal.counter
    key = frames.stream_key(app.journal.key, app.journal.event, frames.DOWN, app.journal.epoch)
    order = signatures.sign(
        key, intents.SET_START, app.journal.device, app.journal.epoch, 60_000,
        frames.plain(start_ms),
    )  # fmt: skip
    app._hear(order, app.board.clock.now_ms())
    [answer] = [
        events.of_record(stored_records.read(app.journal, app.journal.epoch, counter))
        for counter in range(before, app.journal.counter)
    ]
    assert answer == events.Answered(answer.at_ms, 0, 60_000, intents.SET_START, 0)


def test_no_board_takes_the_hosts_own_frames_for_forged(evening):
    assert evening.forged_at == []


class Thief:
    """Has what a board has: the group key, every key once it is told, and all that was said."""

    def __init__(self, hall):
        self.hall, self.heard, self.tries = hall, [], 0
        self.station = Station(hall.air.ether, exclusive=False)
        self.station.hear = lambda heard: self.heard.append(heard.data[4:])
        self.station.scan(0.02, 0.02)

    def _forged(self, later):
        """Sign a start under the newest key that was told, for a ``later`` interval."""
        chain = self.hall.sender._chain(self.hall.venue.now_ms())
        known = chain.disclosable(self.hall.venue.now_ms())
        at_ms = (known + beacon.DELAY) * beacon.INTERVAL_MS
        key = chain.disclose(chain.start_ms + at_ms)[5:21]
        bad = beacon.pack_command(60_000 + self.tries, 0, intents.SetStart(1))
        return beacon.sign(key, chain.group, beacon.COMMAND, known + later, bad)

    async def attack(self, seconds):
        """Send old frames, frames of an earlier key and keys too early, as fast as it can."""
        luck = self.hall.air.ether.luck
        until_s = self.hall.loop.time() + seconds
        while self.hall.loop.time() < until_s:
            old = [frame for frame in self.heard if len(frame) == beacon.SIZE]
            self.tries += 1
            kinds = [self._forged(later) for later in range(4)] + luck.sample(old, min(4, len(old)))
            self.station.advertise(advert(luck.choice(kinds)), 0.02)
            await asyncio.sleep(0.05)
        self.station.stop()


@run_by(beaconhall.played, "tmp_path", tables=3)
async def test_a_thief_on_the_air_changes_nothing(hall):
    await hall.published()
    hall.air.pc.pull()
    thief = Thief(hall)
    await asyncio.sleep(2)
    counters = [app.journal.counter for app in hall.apps]
    await thief.attack(20)
    unmoved = [app.journal.counter for app in hall.apps] == counters
    refused = [sum(hall.listener(number).refused) for number in hall.tables]
    start_ms = hall.venue.now_ms() + START_S * 1000
    hall.station.desk.start(start_ms)
    attacking = hall.loop.create_task(thief.attack(10))
    took_s = await hall.until(lambda: all(a.match.start_ms == start_ms for a in hall.apps), 10)
    await attacking
    told_s = await hall.until(lambda: {*hall.beacon.forged_at} == {*hall.tables}, 60)
    assert unmoved and all(refused) and thief.tries > 400
    assert took_s is not None  # and the true one still comes through
    assert told_s is not None  # and each board has told of it


@run_by(beaconhall.played, "tmp_path", tables=3)
async def test_an_uncertain_board_shows_but_does_not_act_until_it_has_the_time(hall):
    await hall.published()
    hall.air.pc.pull()
    doubtful = hall.tables[2].app
    doubtful.timebase.guessed = True
    # and all that it learns again is an answer of seconds
    doubtful.timebase.take(-2000, 2000, 0, doubtful.board.clock.now_ms())
    start_ms = hall.venue.now_ms() + 100_000
    hall.station.desk.start(start_ms)
    await asyncio.sleep(12)
    meanwhile = [app.match.start_ms == start_ms for app in hall.apps]
    shown = hall.tables[2].face.screen
    asks = frames.status_of(doubtful.sync.status)[3] & frames.TIME_WANTED
    hall.air.pc.plug()
    took_s = await hall.until(lambda: doubtful.match.start_ms == start_ms, 90)
    assert meanwhile == [True, False, True]
    assert shown and asks and took_s is not None


@run_by(beaconhall.played, "tmp_path", tables=2)
async def test_a_board_that_was_reset_hears_again(hall):
    await hall.published()
    hall.reset(1)
    deaf = hall.listener(1).index < 0
    took_s = await hall.until(lambda: hall.listener(1).tick is not None, 90)
    hall.air.pc.pull()
    start_ms = hall.venue.now_ms() + START_S * 1000
    hall.station.desk.start(start_ms)
    await hall.until(lambda: all(a.match.start_ms == start_ms for a in hall.apps), 10)
    started = [app.match.start_ms == start_ms for app in hall.apps]
    assert deaf and took_s is not None and started == [True, True]


@run_by(beaconhall.played, "tmp_path", tables=1)
async def test_the_double_of_a_scan_refuses_as_the_chip(hall):
    await hall.until(lambda: len(hall.apps) == 1, 30)
    adapter = hall.air._adapters[1]
    adapter.stop_scan()
    adapter.stop_advertising()
    scan = adapter.start_scan(interval=0.01, window=0.01)
    with pytest.raises(radio.BluetoothError):
        adapter.start_scan()
    adapter.start_advertising(b"")  # an ESP32-S3 does both at once
    with pytest.raises(radio.Hung):
        next(scan)
    with pytest.raises(ValueError, match="interval"):
        adapter.start_scan(interval=0.01, window=0.02)
    adapter.stop_scan()
    assert list(scan) == []


@run_by(beaconhall.played, "tmp_path", tables=3)
async def test_a_recalled_board_speaks_soon_and_says_its_status_before_its_records(hall):
    """By its status alone the host knows it; and it keeps no pause that it began in silence."""
    await hall.wired()
    hall._tasks[1].cancel()  # the host is silent, and what it recalls stays recalled
    waiting = [app.sync.waiting for app in hall.apps]
    heard = []
    hall.gateways.listeners.append(
        lambda frame: heard.append((frames.head(frame)[1], frames.head(frame)[0]))
    )
    for number, table in hall.tables.items():
        ear = hall.link(number)
        ear.listener.present = ear.quiet = False
        ear.turn_ms = table.app.board.clock.now_ms() + 40_000
        ear.queued = None
    await asyncio.sleep(8)
    assert all(waiting)
    assert {device for device, _ in heard} == {1, 2, 3}
    assert {kind for _, kind in heard} == {frames.STATUS}


@run_by(beaconhall.played, "tmp_path", tables=2)
async def test_an_advert_that_says_what_is_known_meanwhile_is_taken_back(hall):
    await hall.wired()
    ear, app = hall.link(1), hall.tables[1].app
    uptime_ms = app.board.clock.now_ms()
    ear.result = ear.listener.result_word(0)
    seen = []
    for before in (0, 2 * listener.MOST):  # the pace by which its turn was drawn
        ear.queued, ear.pace, ear.turn_ms = bytes(24), before, uptime_ms + 1
        ear.news(app.sync, app.link, app.match, 0, uptime_ms)
        seen.append((ear.queued is None, ear.turn_ms > uptime_ms + 1))
    assert seen == [(False, False), (True, True)]


@run_by(beaconhall.played, "tmp_path", tables=2)
async def test_an_advert_leaves_at_any_place_of_the_boards_part_whenever_its_turn_comes(hall):
    await hall.wired()
    ear, uptime_ms = hall.link(1), hall.tables[1].app.board.clock.now_ms()
    luck, places = random.Random(1), []
    for step in range(2000):
        now_ms = uptime_ms + step
        ear.pace, ear.listener._heard_ms = 100, now_ms  # it looks for the host nowhere else
        ear._turn(100, luck.randbytes(4), now_ms)
        assert now_ms <= ear.send_ms < now_ms + beacon.CYCLE_MS
        places.append((ear.listener.cycle_ms(now_ms) + ear.send_ms - now_ms) % beacon.CYCLE_MS)
    least, most = beacon.PART_MS, beacon.CYCLE_MS - 16
    assert least <= min(places) and max(places) <= most
    late = sum(place > (least + most) // 2 for place in places) / len(places)
    assert 0.45 < late < 0.55  # where those who came late sent at once it was 0.7


@pytest.mark.parametrize(("crowd", "lasts_ms"), [(True, 16), (False, 80)])
@run_by(beaconhall.played, "tmp_path", tables=2)
async def test_a_heartbeat_is_one_advert_in_a_crowd_and_several_outside_of_one(
    hall, crowd, lasts_ms
):
    await hall.wired()
    ear, app = hall.link(1), hall.tables[1].app
    while not 70 <= ear.listener.cycle_ms(app.board.clock.now_ms()) <= 100:
        await asyncio.sleep(0.01)
    uptime_ms = app.board.clock.now_ms()
    ear.pace, ear.listener.busy_ms = 0, uptime_ms + crowd
    ear.queued = app.sync.status_frame(app.match, 0, uptime_ms, 0)
    ear.send_ms = ear.due_ms = uptime_ms
    ear.poll(uptime_ms)
    assert ear.due_ms - uptime_ms == lasts_ms


class Inbox:
    """The packets that wait, as a ``PacketBuffer``."""

    def __init__(self, packets):
        self._packets = packets

    def readinto(self, packet):
        if self._packets:
            packet[:] = self._packets.pop(0)
            return len(packet)
        return 0


@run_by(beaconhall.played, "tmp_path", tables=1)
async def test_what_a_guest_wrote_before_it_left_is_heard(hall):
    await hall.published()
    hall.air.pc.pull()
    app, heard, inbox = hall.apps[0], [], [b"\1" * 24, b"\2" * 24]
    await hall.until(lambda: not app.link.connected, 5)
    hall.link(1)._down = Inbox(inbox)
    app.sync.receive = lambda frame, uptime_ms: heard.append(frame)
    hall.tables[1].wake()
    await hall.until(lambda: not inbox, 5)
    assert [frame for frame in heard if frame != listener.WORK] == [b"\1" * 24, b"\2" * 24]


BURSTING = 8


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hall")
    return beaconhall.played(lambda hall: Burst().play(hall, 3, 60), folder, tables=BURSTING)


def test_a_start_reaches_every_table_within_4_s(seen):
    assert seen.start_s is not None and seen.start_s <= 4


def test_second_edges_are_within_10_ms_of_their_median(seen):
    assert max(seen.edges_ms[1:]) <= 10


def test_a_burst_of_results_is_on_the_disk_and_acknowledged_within_8_s(seen):
    assert len(seen.acked_s) == len(seen.stored_s) == seen.results == BURSTING
    assert seen.stored_s[-1] <= 5 and seen.acked_s[-1] <= 8
