"""Where stations stand in a hall, and how strong one is heard by another."""

from __future__ import annotations

import math
from random import Random
from typing import NamedTuple

SENSITIVITY_DBM = -96  # nRF52840 product specification, 1 Mbit/s
_AT_A_METRE_DBM = -48
_DECADE_DB = 25  # 20 in the open; people stand between
_FADING_DB = 4  # at most, either way, for each packet anew
_TABLE_M = 1.8, 2.5  # from one table to the next in a row, and from row to row


class Spot(NamedTuple):
    """A place in the hall, in metres."""

    x_m: float
    y_m: float


CORNER, FAR = Spot(0, 0), Spot(40, 40)


def level_dbm(sender: Spot, receiver: Spot, luck: Random) -> float:
    """Return how strong one packet arrives."""
    metres = math.hypot(sender.x_m - receiver.x_m, sender.y_m - receiver.y_m)
    fading_db = (2 * luck.random() - 1) * _FADING_DB
    return _AT_A_METRE_DBM - _DECADE_DB * math.log10(max(1.0, metres)) + fading_db


def tables(count: int) -> list[Spot]:
    """Return the places of ``count`` tables in rows, in a hall about as wide as it is deep."""
    across = max(1, round(math.sqrt(count * _TABLE_M[1] / _TABLE_M[0])))
    return [
        Spot(number % across * _TABLE_M[0], number // across * _TABLE_M[1])
        for number in range(count)
    ]


def size_m(count: int) -> Spot:
    """Return the far corner of the hall of ``count`` tables; the near one is (0, 0)."""
    spots = tables(count)
    return Spot(max(spot.x_m for spot in spots), max(spot.y_m for spot in spots))


def gateways(count: int, tables_count: int) -> list[Spot]:
    """Return the places of ``count`` gateways, evenly along the middle of the tables' hall."""
    far = size_m(tables_count)
    return [Spot(far.x_m * (2 * place + 1) / (2 * count), far.y_m / 2) for place in range(count)]
