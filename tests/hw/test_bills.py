"""The bills of material: whole, dated, and summed as the committed totals and the README say."""

import csv
import datetime
import re
from decimal import Decimal

import pytest

from hw.bom import sums

README = sums.HERE.parent / "README.md"


@pytest.mark.parametrize("name", [*sums.BUILDS, "venue"])
def test_every_row_is_whole(name):
    with open(sums.HERE / f"{name}.csv", encoding="utf-8", newline="") as file:
        assert tuple(next(csv.reader(file))) == sums.COLUMNS
    for row in sums.read(name):
        assert all(row[column] for column in sums.COLUMNS[:7]), row["part"]
        assert None not in row and None not in row.values(), row["part"]
        assert int(row["quantity"]) > 0 and Decimal(row["unit_usd"]) > 0
        datetime.datetime.strptime(row["price_date"], "%Y-%m")
        assert row["price_source"] in ("list price as remembered", "estimate")


@pytest.mark.parametrize("build", sums.BUILDS)
def test_what_is_not_for_sale_everywhere_has_an_alternative(build):
    assert all(row["alternative"] for row in sums.read(build) if row["maker"] != "generic")


def test_the_totals_are_the_sums():
    with open(sums.HERE / "totals.csv", encoding="utf-8", newline="") as file:
        assert [tuple(row) for row in csv.reader(file)] == sums.totals()


def test_a_board_as_it_comes_costs_a_third_of_ours():
    assert sums.per_board("lilygo") == Decimal("29.05")  # 18.00 8.00 0.32 0.726 2.00
    assert 3 * sums.per_board("lilygo") < sums.per_board("feathers3")


def test_the_readme_tells_the_totals():
    text = README.read_text("utf-8")
    told = re.findall(r"\d+\.\d\d(?= USD)", text)
    wanted = {row[3] if row[1] == "1" else row[6] for row in sums.totals()[1:]}
    assert set(told) == wanted


def test_there_are_screws_for_every_hole():
    parts = {row["part"]: int(row["quantity"]) for row in sums.read("feathers3")}
    assert parts["Screw M2 x 6 pan head"] == 6  # four posts and the tray
    assert parts["Screw M3 x 10 pan head"] == 4


def test_the_readme_of_the_project_tells_what_a_board_costs():
    text = (README.parent.parent / "README.md").read_text("utf-8")
    assert re.findall(r"\d+\.\d\d(?= USD)", text) == [
        str(sums.per_board(build)) for build in sums.BUILDS
    ]
