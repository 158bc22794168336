"""Figures of the modelled air alone: collisions, discovery, second edges under a beacon."""

from __future__ import annotations

from host.sim.ether import plot, seconds, trials
from host.sim.figures.found import Found
from host.sim.figures.rows import Row

_BOARDS, _INTERVAL_S = 1000, 0.75
_ADVERT_US, _WINDOW_US = 365_000, 30_000
_SCAN_US, _RESONANT_US = 97_000, 92_500  # the latter: an advert's mean period is four of them
_STAMPED_MS = 1


def collisions(seed: int) -> Found:
    """The share of adverts that nobody else hits, by the number of boards."""
    found = [*trials.collisions()]
    crowd = next(one for one in found if one.x == _BOARDS)
    period_us = _INTERVAL_S * 1e6 + trials.MEAN_DELAY_US
    rare = trials.clear(_BOARDS, 10 * _INTERVAL_S, 60, seed)
    fast = trials.clear(_BOARDS, _INTERVAL_S / 10, 0.5, seed)
    row = Row(
        f"adverts that nobody hits, {_BOARDS} boards", "%", 100 * crowd.simulated,
        100 * fast.simulated, 100 * crowd.told,
        f"all advertise ten times as often, {1000 * _INTERVAL_S / 10:g} ms",
        f"(1 - 2l/T)^(N-1), T {period_us / 1000:g} ms; ten times as rarely it is"
        f" {100 * rare.simulated:.0f} %",
    )  # fmt: skip
    drawing = plot.drawn(
        "Adverts at 0.75 s", "boards in the hall", "share that nobody hits",
        [("line: (1 - 2l/T)^(N-1), dots: simulated", found)],
    )  # fmt: skip
    return Found([row], {"collisions.svg": drawing})


def discovery(seed: int) -> Found:
    """The mean time until a scan hears its first advert."""
    ours = trials.discovery(_ADVERT_US, _WINDOW_US, _SCAN_US, 300)
    naive = trials.discovery(_ADVERT_US, _WINDOW_US, _RESONANT_US, 30)
    return Found([
        Row(f"first advert of {_ADVERT_US / 1000:g} ms, scan 30 in 97 ms", "s",
            ours.simulated, naive.simulated, ours.told,
            f"a scan of 30 in {_RESONANT_US / 1000:g} ms, a quarter of the advert's period",
            "the published curve (docs/air.md)"),
    ])  # fmt: skip


def edges(seed: int) -> Found:
    """How far apart the second edges of a hall are that hears a beacon."""
    found = seconds.looks(200, 130, seed)
    last = found[-1]
    row = Row(
        "second edges of 200 boards, p99 of the median", "ms", last.filtered_us / 1000,
        last.believing_us / 1000, _STAMPED_MS,
        "each believes its last stamp", "a stamp is in whole ms",
    )  # fmt: skip
    points = {
        "the filter": [(float(one.at_s), one.filtered_us / 1000) for one in found],
        "the last stamp": [(float(one.at_s), one.believing_us / 1000) for one in found],
    }
    drawing = plot.lines(
        "200 boards under a beacon", "s since the first stamp", "spread of second edges, ms, p99",
        [*points.items()],
    )  # fmt: skip
    return Found([row], {"edges.svg": drawing})
