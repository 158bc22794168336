"""Sums of the bills of material: per build, for 1, 10 and 50 tables, with spare boards."""

import csv
import pathlib
from decimal import Decimal

HERE = pathlib.Path(__file__).resolve().parent
BUILDS = ("feathers3", "lilygo")
TABLES = (1, 10, 50)
SPARES = {1: 0, 10: 1, 50: 3}  # boards in reserve
OFF = {
    1: Decimal(0),
    10: Decimal("0.10"),
    50: Decimal("0.10"),
}  # Adafruit, 10 pieces and more; remembered
COLUMNS = (
    "part", "maker", "number", "quantity", "unit_usd", "price_date", "price_source", "alternative",
    "note",
)  # fmt: skip
HEAD = ("build", "tables", "boards", "usd_per_board", "usd_boards", "usd_venue", "usd_total")
CENT = Decimal("0.01")


def read(name):
    """Return the rows of ``name``.csv as dicts."""
    with open(HERE / f"{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def price(row, tables=1):
    """Return what one row costs a board, USD, when parts for ``tables`` are bought at once."""
    off = OFF[tables] if row["maker"] == "Adafruit" else Decimal(0)
    return int(row["quantity"]) * Decimal(row["unit_usd"]) * (1 - off)


def per_board(build, tables=1):
    """Return what one board costs, USD."""
    return sum(price(row, tables) for row in read(build)).quantize(CENT)


def totals():
    """Return the rows of totals.csv; the chargers and crates are bought for 50 alone."""
    rows = [HEAD]
    for build in BUILDS:
        for tables in TABLES:
            boards, each = tables + SPARES[tables], per_board(build, tables)
            venue = sum(price(row) for row in read("venue")) if tables == 50 else Decimal(0)
            all_boards = boards * each
            rows.append(
                (build, tables, boards, each, all_boards, venue.quantize(CENT), all_boards + venue)
            )
    return [tuple(str(value) for value in row) for row in rows]
