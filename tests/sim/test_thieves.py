"""Whoever relays and replays frames without a key only delays: no order is done twice, every board
is served once they have left, and hardly any counter is spent on them.

`make prove` plays 1,000 drawn seeds, 100 of them on the real BLE air; `make test` a few.
"""

import asyncio
import collections

import drawn
import relayed
from thieves import Thieves

from firmware.core import intents
from host.collector.order_queue import OrderQueue
from host.collector.scheduler import Scheduler
from host.sim import clock
from host.sim.torture import fault_plan, seed_runs
from host.sim.torture.fault_plan import Fault

COUNTERS, DAY_H, MOST_PERCENT = 1 << 16, 24, 1


def test_thieves_on_the_pure_air_only_delay(proving, printed):
    seeds = drawn.seeds("relays", 900 if proving else 2)
    runs = [(seed, relayed.run(seed)) for seed in seeds]
    broken = [f"seed {seed}: {said}" for seed, one in runs for said in one.violations]
    assert broken == []
    spent = sum(sum(one.counters.values()) for _, one in runs)
    hours = sum(one.hours * len(one.counters) for _, one in runs)
    faults = sum((collections.Counter(one.faults) for _, one in runs), collections.Counter())
    calm = [relayed.run(seed, attacked=False) for seed in seeds[: len(seeds) // 9 or 1]]
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


def lay(path, seed):
    """Play a story with thieves on the real air; return what is wrong at its end, and the counters
    that the host spent in how many hours.
    """

    async def main():
        siege = Thieves(asyncio.get_running_loop(), path, seed=seed)
        try:
            return await story(siege)
        finally:
            await siege.end()

    return clock.run(main())


async def story(siege):
    """Let a judge and a table act while thieves are at it, and after they have left."""
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
    runs = [(seed, *lay(tmp_path / f"{seed}.db", seed)) for seed in seeds]
    printed(
        f"thieves on the real air: {len(seeds)} seeds drawn by {drawn.origin().name}",
        [f"most counters in {max(runs, key=lambda one: one[2])[2:]} (counters, seconds)"],
    )
    assert [(seed, wrong) for seed, wrong, *_ in runs if wrong] == []


TABLES, HOURS = 3, 0.35
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
