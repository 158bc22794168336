"""Venues in which everything goes wrong: nothing breaks, whatever the seed; the same seed is the same run."""

import json

from host import cli
from host.sim.torture import plan, runs

SEEDS = "1-4"
FOUND = {
    "runs", "hours", "results", "lost", "duplicated", "violations", "faults", "wall_s",
}  # fmt: skip


def test_torture_breaks_nothing_and_says_what_it_did(capsys, proving, printed):
    seeds, tables, hours = ("1-20", 16, 1) if proving else (SEEDS, 3, 0.5)
    code = cli.main(["torture", "--seeds", seeds, "--tables", str(tables), "--hours", str(hours), "--json"])
    found = json.loads(capsys.readouterr().out)
    printed(f"torture: seeds {seeds}, {tables} tables, {hours} h (pure air, virtual time)", [json.dumps(found)])
    assert code == 0 and found.keys() == FOUND
    assert found["violations"] == [] and found["lost"] == found["duplicated"] == 0
    assert found["results"] >= tables * found["runs"]


def test_the_same_seed_is_the_same_run():
    first, again = (runs.once(5, 2, 0.3) for _ in range(2))
    assert first == again and first.results and first.faults


def test_taking_one_fault_out_changes_no_other():
    faults = plan.drawn(3, 4, 3600)
    assert {one.kind for one in faults} <= set(plan.KINDS)
    assert faults == plan.drawn(3, 4, 3600)
    assert [one.luck(3).random() for one in faults[1:]] == [one.luck(3).random() for one in plan.drawn(3, 4, 3600)[1:]]
