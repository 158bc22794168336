"""Currents and battery life: sources told, thresholds kept, the firmware's policy the same."""

import ast
import csv
import re

import pytest
import tree

from firmware.board import pins
from hw import power
from hw.bom import sums

BASES = ("estimate", "label", "firmware", "datasheet", "assumption", "rules", "requirement")


def written(name):
    with open(power.HERE / name, encoding="utf-8", newline="") as file:
        return [tuple(row) for row in csv.reader(file)]


def test_every_figure_says_what_it_rests_on():
    for kind in ("current", "cell", "policy", "limit"):
        for row in power.rows(kind):
            assert row["basis"] in BASES and row["source"], row["item"]


def test_the_committed_tables_are_what_follows():
    assert written("power_life.csv") == [tuple(row) for row in power.life()]
    assert written("charging.csv") == [tuple(row) for row in power.charging()]


@pytest.mark.parametrize("capacity", ["2500", "2000"])
def test_a_cell_lasts_as_long_as_asked_for(capacity):
    assert power.hours(power.day_ma(), int(capacity)) >= power.value("threshold", capacity)


def test_the_regulator_is_never_asked_for_too_much():
    assert power.brightest_ma() <= 0.6 * power.value("limit", "regulator of the FeatherS3")


def test_the_pixels_are_dimmed_by_the_divider():
    """``pixels.py`` shifts every value; the shift is the divider of power.csv."""
    shifts = [node.right.value for node in ast.walk(tree.parsed(tree.ROOT / "firmware/board/signals.py"))
              if isinstance(node, ast.BinOp) and isinstance(node.op, ast.RShift)]  # fmt: skip
    assert [1 << shift for shift in shifts] == [power.value("policy", "pixel divider")]


def test_the_low_tag_and_the_bar_are_the_firmwares():
    view = (tree.ROOT / "firmware/ui/view.py").read_text("utf-8")
    assert int(re.search(r"_LOW_PERCENT = (\d+)", view).group(1)) == power.value(
        "policy", "battery low below"
    )
    assert pins.row("unexpectedmaker_feathers3")[6] == power.value("policy", "pixels")


def capacity(build):
    """Return the mAh of the cell in a build's bill."""
    (part,) = (row["part"] for row in sums.read(build) if row["part"].startswith("LiPo"))
    return int(re.search(r"(\d+) mAh", part).group(1))


@pytest.mark.parametrize(
    "build, current_ma", [("feathers3", power.day_ma()), ("lilygo", power.lilygo_ma())]
)
def test_an_old_cell_of_the_bill_lasts_the_day(build, current_ma):
    day_h = sum(float(row["value"]) for row in power.rows("day")) / 60
    new_h = power.hours(current_ma, capacity(build))
    assert new_h * power.value("cell", "left when old") >= 1.2 * day_h


def test_nothing_is_lit_while_nothing_is_played():
    assert power.light_levels("IDLE") == 0
    assert power.state_ma("AGREED") < power.state_ma("PLAYING")
    assert max(power.state_ma(row["item"]) for row in power.rows("day")) < power.brightest_ma()


def test_the_readme_tells_the_life():
    text = (power.HERE / "README.md").read_text("utf-8")
    day = next(row for row in power.life() if row[0].startswith("the day"))
    assert (
        "| a day of six rounds | " + " | ".join(f"{hours} h" for hours in day[2:5]) + " |" in text
    )


def test_fifty_tells_the_charging():
    text = (power.HERE / "fifty.md").read_text("utf-8")
    for row in power.charging()[1:]:
        assert re.search(
            rf"\| {row[0]}\b[^|]*\| {row[1]} A \| {row[2]} W \| {row[3]} A \|", text
        ), row
