"""Figures of a radio that fails in play: how long the host hears nothing of that table.

Two tables play a round on the modelled air. Ten minutes after the start the radio of one goes deaf
without an error, or has no memory left for another advert (host/sim/bleio/faults.py).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from host.sim import clock
from host.sim.bleio.faults import RADIO
from host.sim.ether.air import EtherAir
from host.sim.evening import Evening
from host.sim.figures.found import Found
from host.sim.figures.rows import Row
from host.sim.programme import RandomProgramme
from host.sim.venue import DARK_S

if TYPE_CHECKING:
    from host.sim.ether.types import Adapter

_TABLES, _MINUTE, _WATCHED_S, _LOOK_S = 2, 12, 1800, 0.25
_ROUND_S, _WATCHDOG_S, _RESTART_S = 3000, 20, 0.3


def faults(seed: int, folder: Path) -> Found:
    """A radio that goes deaf, and one without memory."""
    deaf_s = _silence(seed, folder / "deaf", lambda adapter: adapter.fall_silent(RADIO))
    full_s = _silence(seed, folder / "full", _use_up)
    restart = "the radio off and on, noticed at once"
    return Found([
        Row("a table whose radio went deaf, unheard for", "s", deaf_s, _ROUND_S, _RESTART_S,
            "nobody notices before the round is over", restart),
        Row("a table whose radio has no memory, unheard for", "s", full_s, _WATCHDOG_S + DARK_S,
            _RESTART_S, "its watchdog bites, and it starts again", restart),
    ])  # fmt: skip


def _use_up(adapter: Adapter) -> None:
    adapter.faults.adverts_left = 0


def _silence(seed: int, folder: Path, fault: Callable[[Adapter], None]) -> float:
    """Return the longest time (s) in which the host hears nothing of table 1 after ``fault``."""
    folder.mkdir()
    minutes, failed_s, longest_s = [0], [0.0], [0.0]

    async def main():
        loop = asyncio.get_running_loop()
        assert isinstance(loop, clock.VirtualLoop)
        air, programme = EtherAir(loop, seed, _TABLES), RandomProgramme(_TABLES, seed)
        evening = Evening(loop, air, folder / "a.sqlite", programme, seed)
        venue = evening.venue

        def minute(number: int) -> None:
            minutes[0] += 1
            if minutes[0] == _MINUTE:
                failed_s[0] = loop.time()
                fault(air.adapter(1))

        async def look():
            while True:
                await asyncio.sleep(_LOOK_S)
                heard_ms = venue.station.collector.statuses[1].heard_ms
                if failed_s[0] and heard_ms and loop.time() - failed_s[0] < _WATCHED_S:
                    longest_s[0] = max(longest_s[0], (venue.now_ms() - heard_ms) / 1000)

        evening.minute, looking = minute, loop.create_task(look())
        facts = await evening.play([1])
        looking.cancel()
        venue.close()
        if not facts.sound:
            raise AssertionError(facts.violations or "a result was lost")

    clock.run(main())
    return longest_s[0]
