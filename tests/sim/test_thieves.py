"""Whoever relays and replays frames without a key only delays: no order is done twice, every board
is served once they have left, and hardly any counter is spent on them.

`make prove` plays 1,000 drawn seeds, 100 of them on the real BLE air; `make test` a few.
"""

import asyncio
import collections
import pathlib
import tempfile
from contextlib import suppress
from typing import NamedTuple

import drawn
from bleak import BleakClient, BleakScanner
from siege import _TROUBLE, ADDRESS, Siege, lay

from firmware.core import events, frames, intents
from host.collector.order_queue import OrderQueue
from host.collector.scheduler import Scheduler
from host.sim import clock
from host.sim.torture import fault_plan, seed_runs
from host.sim.torture.fault_plan import Fault
from host.sim.torture.faulty_run import FaultyRun
from host.sim.torture.faulty_venue import FaultyVenue

_STEP_S = 0.05
_FAR = 200  # a false board's address minus its table's
_HELD_S = 15  # how long a relay waits for the true board


class Thieves(Siege):
    """A Siege in which ``overheard`` frames are said again."""

    def __init__(self, loop, path, tables=1, seed=3, loss=0.05):
        super().__init__(loop, path, tables, seed, loss)
        self.up, self.down, self.written = [], [], set()
        self.false = {}
        self._overhear(self.station.collector)

    def _overhear(self, collector):
        heard, received, poll = collector.on_advert, collector.on_notification, collector.poll

        def noting(take):
            def taken(address, frame, now_ms):
                if frame not in self.up:
                    self.up.append(bytes(frame))
                take(address, frame, now_ms)

            return taken

        def polled(now_ms):
            actions = poll(now_ms)
            for action in actions:
                if action[0] == "write":
                    self.written.add(bytes(action[2][:7]))
                    self.down.append(bytes(action[2]))
            return actions

        collector.on_advert, collector.on_notification = noting(heard), noting(received)
        collector.poll = polled

    def garbage(self):
        """Return what a phone writes: a frame that the host once sent."""
        return self.luck.choice(self.down) if self.down else super().garbage()

    def of(self, table):
        """Return the frames that were heard of a table's board, oldest first."""
        device = self.tables[table].app.journal.device
        return [one for one in self.up if frames.head(one)[1] == device]

    # false boards

    def replay(self, table):
        """Let a false board say what the table's board once said, in adverts and on its links."""
        self._lie(table, self._replaying)

    def relay(self, table, delay_s):
        """Let a false board carry what the host and the table's board say, late."""
        self._lie(table, lambda table, link: self._relaying(table, link, delay_s))

    def _lie(self, table, act):
        address = _FAR + table
        link = self.false.get(address)
        if link is None:
            link = self.false[address] = self.air.link(address)
        self.phones.append(self.loop.create_task(act(table, link)))

    def _poll(self, link):
        link._answered, link._in_flight = True, []  # it keeps no law of ours
        link.poll(round(self.loop.time() * 1000))

    async def _replaying(self, table, link):
        while True:
            said = self.of(table)
            if said:
                link.advertise(self.luck.choice(said))
                self._poll(link)
                if link.connected:
                    link.send(self.luck.choice(said))
            await asyncio.sleep(_STEP_S * self.luck.randrange(1, 10))

    async def _relaying(self, table, link, delay_s):
        radio = self.air.computer(60 + len(self.radios))
        self.radios.append(radio)
        while True:
            said = [one for one in self.of(table) if frames.head(one)[0] == frames.STATUS]
            if said:
                link.advertise(said[-1])
            self._poll(link)
            if link.connected:
                with suppress(*_TROUBLE):
                    await self._carry(table, link, radio, delay_s)
                link.drop()
            await asyncio.sleep(_STEP_S)

    async def _carry(self, table, link, radio, delay_s):
        """Carry frames both ways for as long as both hold."""
        scanner, backend = radio.backends()
        address = ADDRESS.format(table)
        found = await BleakScanner.find_device_by_address(address, timeout=_HELD_S, backend=scanner)
        client = BleakClient(found, timeout=_HELD_S, backend=backend)
        await client.connect()
        try:
            later = self.loop.call_later
            await client.start_notify(
                frames.UP_UUID, lambda _, data: later(delay_s, link.send, bytes(data))
            )
            while client.is_connected and link.connected:
                self._poll(link)
                frame = link.receive()
                if frame is not None:
                    await asyncio.sleep(delay_s)
                    await client.write_gatt_char(frames.DOWN_UUID, frame, response=False)
                else:
                    await asyncio.sleep(_STEP_S)
        finally:
            with suppress(*_TROUBLE):
                await client.disconnect()

    def leave(self):
        """Let everybody go, false boards too."""
        for phone in self.phones:
            phone.cancel()
        for radio in self.radios:
            radio.pull()
        for address in self.false:
            self.air.power_off(address)
        self.false = {}

    # what came of it

    def done_twice(self):
        """Return the orders that boards carried out more than once."""
        done, archive = [], self.station.archive
        answers = {
            (*one.boot, answer.counter)
            for one in archive.records()
            if isinstance(answer := one.board_event, events.Answered) and not answer.refusal
        }
        for command, *place in archive.query(
            "SELECT command, device, generation, epoch, counter FROM sends"
        ):
            done += [command] * (tuple(place) in answers)
        return sorted({one for one in done if done.count(one) > 1})


PURE_TABLES, PURE_HOURS = 2, 0.25
# as ``fault_plan.KINDS``: what the attacker does, and what happens to anybody meanwhile
ATTACKS = {
    "relay": (12, True, 200, 600),
    "replay": (12, False, 60, 300),
    "phone": (4, True, 20, 90),
}
MISHAPS = {
    "kill": (4, False, 0, 0), "reset": (1, True, 0, 0), "cut": (1, True, 0, 0),
    "loss": (2, False, 30, 90),
}  # fmt: skip


class Spent(NamedTuple):
    """The violations, and the down counters that a host used, by board, with their hours."""

    violations: list[str]
    counters: dict[int, int]
    hours: float
    faults: dict[str, int]


def run(seed, attacked=True):
    """Run a seed, ``attacked`` or with its mishaps alone; return what was Spent."""
    kinds = {**MISHAPS, **(ATTACKS if attacked else {})}
    faults = fault_plan.draw_faults(seed, PURE_TABLES, PURE_HOURS * 3600, kinds)

    async def main(folder):
        venue = FaultyVenue(asyncio.get_running_loop(), folder, PURE_TABLES, seed)
        outcome = await FaultyRun(venue, PURE_HOURS, seed, faults).run()
        spent = dict.fromkeys(venue.tables, 0)
        for device, _, _ in venue.invariants.sent_frames:
            if device in spent:
                spent[device] += 1
        return Spent(outcome.violations, spent, outcome.virtual_s / 3600, outcome.faults)

    with tempfile.TemporaryDirectory(dir=seed_runs.memory_folder()) as folder:
        return clock.run(main(pathlib.Path(folder)))


COUNTERS, DAY_H, MOST_PERCENT = 1 << 16, 24, 1


def test_thieves_on_the_pure_air_only_delay(proving, printed):
    seeds = drawn.seeds("relays", 900 if proving else 1)
    runs = [(seed, run(seed)) for seed in seeds]
    broken = [f"seed {seed}: {said}" for seed, one in runs for said in one.violations]
    assert broken == []
    spent = sum(sum(one.counters.values()) for _, one in runs)
    hours = sum(one.hours * len(one.counters) for _, one in runs)
    faults = sum((collections.Counter(one.faults) for _, one in runs), collections.Counter())
    calm = [run(seed, attacked=False) for seed in seeds[: len(seeds) // 9 or 1]]
    before = sum(sum(one.counters.values()) for one in calm) / sum(
        one.hours * len(one.counters) for one in calm
    )
    more = (spent / hours - before) * DAY_H
    printed(
        f"relays and replays on the pure air: {len(seeds)} seeds drawn by {drawn.origin().name}",
        [
            f"{dict(faults)}, {hours:.0f} hours of a board; {spent / hours:.0f} counters an hour,"
            f" {before:.0f} without anybody: {100 * more / COUNTERS:.2f} % of their range more a day"
        ],
    )
    assert more <= COUNTERS * MOST_PERCENT / 100 or not proving


async def story(siege):
    """Let a judge and a table act while thieves are at it, and after they have left; return what is
    wrong at its end, and the counters that the host spent in how many hours.
    """
    desk, luck = siege.station.desk, siege.luck
    await siege.begin()
    desk.freeze(1, author="judge")
    await siege.rest(20)
    before, began_s = len(siege.written), siege.loop.time()
    for act in luck.sample((siege.replay, siege.phone, relay_of(siege)), luck.randrange(1, 4)):
        act(1)
    for act in (desk.resume, desk.freeze, desk.resume):
        await siege.rest(luck.uniform(20, 60))
        act(1, author="judge")
    spent = len(siege.written) - before
    siege.leave()
    await siege.rest(60)
    siege.act(1, intents.CALL_JUDGE)
    desk.extend(1, 3)
    await siege.rest(60)
    wrong = {
        "done twice": siege.done_twice(),
        "not answered": [one.id for one in siege.station.archive.orders.pending],
        "not told": siege.missing(1),
        "waits": siege.tables[1].app.sync.waiting,
    }
    return (
        {name: found for name, found in wrong.items() if found},
        spent,
        siege.loop.time() - began_s,
    )


def relay_of(siege):
    """Return the act of relaying, as late as the seed says."""
    return lambda table: siege.relay(table, siege.luck.uniform(0.05, 2))


def test_thieves_on_the_real_air_only_delay(proving, printed, tmp_path):
    seeds = drawn.seeds("thieves", 100 if proving else 1)
    runs = [(seed, *lay(tmp_path / f"{seed}.db", story, Thieves, seed=seed)) for seed in seeds]
    printed(
        f"thieves on the real air: {len(seeds)} seeds drawn by {drawn.origin().name}",
        [f"most counters in {max(runs, key=lambda one: one[2])[2:]} (counters, seconds)"],
    )
    assert [(seed, wrong) for seed, wrong, *_ in runs if wrong] == []


TABLES, HOURS = 2, 0.35
FAULTS = [Fault(n, "impostor", 100 + 40 * n, 300, 1 + n % TABLES) for n in range(25)]


def test_no_order_is_done_twice_after_a_kill_and_a_replay(proving):
    for seed in range(1, 41 if proving else 2):
        found = seed_runs.run_seed(seed, TABLES, HOURS, FAULTS)
        assert found.violations == [] and found.faults["impostor"] and found.results >= TABLES


def test_a_host_that_believes_an_old_status_is_caught(monkeypatch):
    def complete(self, status):
        return status.visited and status.news_head and not self.missing(status)

    monkeypatch.setattr(Scheduler, "_complete", complete)
    monkeypatch.setattr(OrderQueue, "must_prove", lambda self, status: False)
    (said,) = seed_runs.run_seed(1, TABLES, HOURS, FAULTS).violations
    assert "orders done twice" in said


def test_a_later_kind_of_fault_leaves_the_others_of_a_seed_as_they_are():
    faults = fault_plan.draw_faults(3, 4, 3600)
    kinds = {kind: one for kind, one in fault_plan.KINDS.items() if kind != "impostor"}
    assert fault_plan.draw_faults(3, 4, 3600, kinds) == [
        one for one in faults if one.kind != "impostor"
    ]
    assert len({(one.kind, one.number) for one in faults}) == len(faults)
