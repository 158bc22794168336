"""Somebody keeps a board's answer back, has the host die, and replays the past: no order is done
twice, and a host that believed an old status would be caught.
"""

from host.collector.order_queue import OrderQueue
from host.collector.scheduler import Scheduler
from host.sim.torture import fault_plan, seed_runs
from host.sim.torture.fault_plan import Fault

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
