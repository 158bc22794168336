"""The drawn wires against the firmware's pin table."""

import csv
import pathlib
import re

import pytest

from firmware.board import pins
from hw import make
from hw.wiring import nets

ROW_FIELDS = {"keys": 2, "buzzer": 4, "bar": 5, "wires": 8}


def row(build):
    return pins.row(nets.BUILDS[build])


def changed(field, at, pin):
    cells = list(row("feathers3"))
    place = ROW_FIELDS[field]
    if at is None:
        cells[place] = pin
    else:
        cells[place] = tuple(pin if i == at else old for i, old in enumerate(cells[place]))
    return tuple(cells)


@pytest.mark.parametrize("build", nets.BUILDS)
def test_every_wire_is_where_the_firmware_looks(build):
    assert nets.faults(build, row(build)) == []


@pytest.mark.parametrize(
    "field, at, end",
    [("keys", 0, "KEY_TRIANGLE signal"), ("keys", 1, "KEY_CIRCLE signal"),
     ("keys", 2, "KEY_JUDGE signal"),
     ("buzzer", None, "PIEZO signal"), ("bar", None, "BAR DIN"), ("wires", 0, "WING DC"),
     ("wires", 1, "WING CS")],
)  # fmt: skip
def test_a_pin_changed_in_the_firmware_names_the_wire_that_is_wrong(field, at, end):
    said = nets.faults("feathers3", changed(field, at, "D13"))
    assert len(said) == 1
    line, told = re.fullmatch(r"hw/wiring/feathers3\.yml:(\d+): (.*)", said[0]).groups()
    assert told.startswith(f"{end} is wired to ") and told.endswith("says D13")
    text = (nets.HERE / "feathers3.yml").read_text("utf-8").splitlines()[int(line) - 1]
    assert text.strip().startswith("- FEATHER:")


def test_a_wire_changed_in_the_drawing_is_named_too():
    text = (
        (nets.HERE / "feathers3.yml")
        .read_text("utf-8")
        .replace("FEATHER: [A3, GND]", "FEATHER: [A4, GND]")
    )
    faults = nets.faults("feathers3", row("feathers3"), text)
    assert any("PIEZO signal is wired to A4" in said for said in faults)


def test_a_wire_left_out_is_named():
    text = (nets.HERE / "feathers3.yml").read_text("utf-8")
    text = text.replace("FEATHER: [EN, GND]", "FEATHER: [EN]")
    text = text.replace("SWITCH: [enable, ground]", "SWITCH: [enable]")
    assert nets.faults("feathers3", row("feathers3"), text) == [
        "hw/wiring/feathers3.yml: no wire to SWITCH ground"
    ]


def test_every_pin_of_the_drawing_is_on_its_connector():
    from yaml import safe_load

    for build in nets.BUILDS:
        told = safe_load((nets.HERE / f"{build}.yml").read_text("utf-8"))
        for connection in told["connections"]:
            for part in (connection[0], connection[-1]):
                for name, labels in part.items():
                    assert set(labels) <= set(told["connectors"][name]["pinlabels"]), name


def test_the_pinout_is_what_the_pins_say():
    with open(nets.HERE / "pinout.csv", encoding="utf-8", newline="") as file:
        written = [tuple(line) for line in csv.reader(file)]
    assert written == nets.pinout({name: pins.row(name) for name in make.BOARDS})


@pytest.mark.parametrize("build", nets.BUILDS)
def test_the_drawing_shows_every_connector(build):
    drawing = pathlib.Path(nets.HERE / f"{build}.svg").read_text("utf-8")
    for wire in nets.wires(build):
        assert f">{wire.connector}<" in drawing
        assert f">{wire.pin}<" in drawing
