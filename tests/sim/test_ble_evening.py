"""A round over the real BLE stack: nothing lost, no board hung in its radio, twice the same."""

import asyncio

import pytest

from host.sim import clock
from host.sim.air import BleAir
from host.sim.evening import Evening
from host.sim.programme import RandomProgramme


def evening(path, tables, seed, loss):
    """Play one round; a board that hangs in its radio ends it (bleio.Hung)."""

    async def main():
        loop = asyncio.get_running_loop()
        air = BleAir(loop, seed, loss)
        return await Evening(loop, air, path, RandomProgramme(tables, seed), seed).play((1,))

    return clock.run(main())


@pytest.mark.prove  # test_simulate plays a smaller one twice
def test_a_round_over_a_lossy_radio_loses_nothing_and_replays(tmp_path):
    first = evening(tmp_path / "first.sqlite", 3, 11, 0.25)
    assert (first.archived, first.lost, first.duplicated, first.violations) == (3, 0, 0, [])
    assert first.frames["up"] > 100
    assert first == evening(tmp_path / "second.sqlite", 3, 11, 0.25)
