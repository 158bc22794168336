"""The printed parts as committed: closed solids of the told size, and every check passed."""

import csv

import pytest

from hw import manifest
from hw.enclosure import mesh
from hw.enclosure.dimensions import TILT_LEAST, TILT_MOST, WALL_LEAST, Cradle, Wedge

FOLDER = manifest.HERE / "enclosure"
PARTS = ("shell", "base", "diffuser", "bar_tray", "number_plate", "lilygo_stand")
CUBE = [((0, 0, 0), (0, 1, 0), (1, 0, 0)), ((0, 0, 0), (1, 0, 0), (0, 0, 1)),
        ((0, 0, 0), (0, 0, 1), (0, 1, 0)), ((1, 0, 0), (0, 1, 0), (0, 0, 1))]  # fmt: skip


@pytest.fixture(scope="module")
def told():
    with open(FOLDER / "checks.csv", encoding="utf-8", newline="") as file:
        return [tuple(row) for row in csv.reader(file)]


@pytest.mark.parametrize("name", PARTS)
def test_a_part_is_closed_and_of_the_told_size(name, told):
    triangles = mesh.read(FOLDER / "stl" / f"{name}.stl")
    assert mesh.open_edges(triangles) == 0
    facts = {check: value for part, check, value, _, _ in told if part == name}
    assert f"{mesh.volume(triangles) / 1000:.2f}" == facts["volume cm3"]
    assert " x ".join(f"{x:.1f}" for x in mesh.size(triangles)) == facts["box mm"]
    assert min(z for triangle in triangles for _, _, z in triangle) == 0


def test_every_check_passed(told):
    assert [row for row in told[1:] if row[4] != "True"] == []
    assert {row[0] for row in told[1:]} == {*PARTS, "wedge", "cradle"}


def test_the_checks_asked_for_are_there(told):
    done = {(part, check) for part, check, *_ in told}
    for part in PARTS:
        for check in ("open edges", "thinnest wall mm", "widest bridge mm", "volume cm3",
                      "print time h (estimate)"):  # fmt: skip
            assert (part, check) in done
    assert any(part == "wedge" and check.startswith("parts clear") for part, check in done)


def test_a_mesh_with_a_hole_or_a_turned_face_is_seen():
    assert mesh.open_edges(CUBE) == 0
    assert mesh.volume(CUBE) == pytest.approx(1 / 6)
    assert mesh.open_edges(CUBE[:3]) == 3
    assert mesh.open_edges([*CUBE[:3], CUBE[3][::-1]]) == 3


def test_a_mesh_is_written_and_read_the_same(tmp_path):
    path = tmp_path / "cube.stl"
    mesh.write(path, CUBE, "cube")
    first = path.read_bytes()
    mesh.write(path, mesh.read(path), "cube")
    assert path.read_bytes() == first
    path.write_bytes(first[:-1])
    with pytest.raises(ValueError):
        mesh.read(path)


def test_the_wedge_is_as_asked_for():
    wedge = Wedge()
    assert TILT_LEAST <= wedge.tilt_deg <= TILT_MOST
    assert (round(wedge.wing.hole_width, 2), wedge.wing.hole_length) == (47.5, 59.69)
    walls = wedge.wall, wedge.bar.hat_wall, wedge.plate, Cradle().wall, Cradle().floor
    assert min(walls) >= WALL_LEAST
    assert wedge.window_length > wedge.wing.active_length
    assert wedge.window_width > wedge.wing.active_width
