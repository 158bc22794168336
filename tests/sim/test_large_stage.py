"""A round comes to a large virtual hall about as soon as to a small one, in virtual time and in the
processor's.
"""

import asyncio
import time

from host.sim.stage import Stage

LATER = 1.5  # times as long: whoever is unlucky several times is rarer among few
MOST_S = 300  # of the processor, twice what an idle machine takes for two thousand tables


def opened(folder, tables):
    """Open a round at so many tables; return how long it took, virtual seconds and CPU seconds."""
    folder.mkdir()
    stage, began_s = Stage(folder, tables), time.process_time()
    began_ms = stage.now_ms()
    try:
        asyncio.run(stage.open_round())
        assert not stage.station.archive.orders.waiting
        return (stage.now_ms() - began_ms) / 1000, time.process_time() - began_s
    finally:
        stage.close()


def test_a_round_is_opened_as_soon_as_in_a_small_hall(tmp_path, proving, printed):
    (few_s, _), (many_s, cpu_s) = (
        opened(tmp_path / str(tables), tables) for tables in (50, 2000 if proving else 100)
    )
    printed("a round opened", [f"{many_s:.0f} virtual s ({cpu_s:.1f} s of the processor)"])
    assert many_s <= LATER * few_s
    assert not proving or cpu_s <= MOST_S
