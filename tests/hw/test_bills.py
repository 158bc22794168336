"""The bills of material and the pages: whole, dated, summed, every part and test named, each way whole."""

import csv
import datetime
import re
from decimal import Decimal

import pytest

from host.boards.bringup import self_test
from host.sim.virtual_bench import FAULTS
from hw import manifest
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


TOLD_AS = {  # a part's words in assembly.md
    "FeatherS3 with 16 MB flash and 8 MB PSRAM": "Feather", '2.4" TFT FeatherWing V2 320x240': "wing",
    "Arcade button 24 mm snap-in": "button", "NeoPixel stick 8 x 5050 RGB": "pixels",
    "Piezo 12 mm": "piezo",
    "Rocker switch 8.5 x 13.5 mm": "ocker switch", "LiPo 3.7 V 2500 mAh with JST PH": "cell",
    "Screw M2 x 6 pan head": "M2 × 6", "Screw M3 x 10 pan head": "M3 × 10",
    "Silicone foot 8 mm": "silicone feet",
    "Stranded wire 28 AWG per metre": "28 AWG", "Heat-shrink tube per 10 cm": "heat-shrink",
    "PLA filament per gram": "Print", "Cable USB-C 1 m": "cable",
}  # fmt: skip


def page(name):
    return (manifest.HERE / name).read_text("utf-8")


def test_the_way_from_parts_to_a_table_is_whole():
    block = re.findall(r"```\n(.*?)```", page("assembly.md"), re.S)[-1]
    typed = re.findall(r"plusthree ((?:board )?\w+)", block)
    assert typed == ["board provision", "board deploy", "board bringup", "serve"]


def test_every_part_of_the_bill_is_used():
    parts = {row["part"] for row in sums.read("feathers3")}
    assert set(TOLD_AS) == parts
    assert [part for part, word in TOLD_AS.items() if word not in page("assembly.md")] == []


def test_every_tested_part_and_every_fault_is_explained():
    text = page("bringup.md")
    parts = (
        "board", "firmware", "key of the board", *self_test.KEY_NAMES, "display", "light",
        "sound",
    )  # fmt: skip
    parts += ("clock", "entropy", "journal copy 0", "radio", *(f"`{fault}`" for fault in FAULTS))
    assert [part for part in parts if part not in text] == []


def test_the_colours_of_the_wires_are_those_of_the_drawing():
    from yaml import safe_load

    words = {
        "OG": "orange", "BU": "blue", "WH": "white", "VT": "violet", "GN": "green",
        "YE": "yellow",
    }  # fmt: skip
    told = safe_load((manifest.HERE / "wiring/feathers3.yml").read_text("utf-8"))
    for first, cable, _ in told["connections"]:
        (name,) = cable
        colours = told["cables"][name].get("colors", [])
        for pin, colour in zip(first.get("FEATHER", ()), colours):
            if colour in words:
                assert f"| {pin} | {words[colour]} |" in page("assembly.md")
