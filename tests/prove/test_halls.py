"""A round at 1,000 and at 2,000 tables, simulated whole: nothing lost, and what it costs of a core.

The seconds are of CPU and of this machine, and neighbours on it change them. So a loop of Python
alone runs before and after: its time says how fast the machine was meanwhile. What must not grow
with the hall is counted in ``tests/sim/test_linear.py``, as no load changes that; a small hall
plays its round in ``tests/sim/test_simulate.py``.
"""

import time

import pytest
from commands import plusthree
from fixedloop import LOOPS, loop_s

SEED = 1
LIMIT_S = {1000: 60, 2000: 150}  # what it may cost, on a core with nobody beside it


@pytest.mark.prove
@pytest.mark.parametrize("tables", LIMIT_S)
def test_a_whole_hall_plays_a_round(tables, capsys, printed):
    before_s, began_s = loop_s(), time.process_time()
    ended = plusthree("dev", "simulate", "--tables", tables, "--seed", SEED, "--json")
    spent_s, after_s = time.process_time() - began_s, loop_s()
    found = capsys.readouterr().out
    assert ended == 0 and f'"results_archived": {tables}, "lost": 0, "duplicated": 0' in found
    printed(
        f"a round of {tables} tables, seed {SEED}",
        [
            f"{spent_s:.1f} s of CPU, {1000 * spent_s / tables:.0f} ms a table;"
            f" {LIMIT_S[tables]} s are wanted for {tables}",
            f"a loop of {LOOPS}: {before_s:.3f} s before, {after_s:.3f} s after",
        ],
    )
