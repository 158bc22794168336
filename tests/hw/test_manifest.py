"""The manifest: all that is made is there, unchanged; the printed parts are closed solids of the told size."""

import ast
import csv

import pytest
import tree

from hw import manifest
from hw.enclosure import mesh
from hw.enclosure.dimensions import TILT_LEAST, TILT_MOST, WALL_LEAST, Cradle, Wedge

PAGES = ("README.md", "assembly.md", "bringup.md", "fifty.md")
LARGEST_BYTES = 4_000_000


def test_the_manifest_is_true():
    """A failure here means: run ``make hw`` and look at what it made."""
    assert manifest.read() == manifest.rows()


def taken(path):
    """Yield (module, name) of everything of hw's own that a source imports."""
    for node in ast.walk(tree.running(path)):
        if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] == "hw":
            yield from ((node.module, alias.name) for alias in node.names)


def named(module):
    """Return the names that a module of hw's binds at its top, its own modules among them."""
    path = tree.ROOT / module.replace(".", "/")
    found = {one.stem for one in path.glob("*.py")} if path.is_dir() else set()
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    for node in tree.parsed(source).body if source.is_file() else ():
        targets = [one for target in getattr(node, "targets", ()) for one in ast.walk(target)]
        found |= {one.id for one in targets if isinstance(one, ast.Name)}
        found |= {node.name} if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else set()
    return found


@pytest.mark.parametrize("path", sorted(manifest.HERE.rglob("*.py")), ids=lambda path: path.name)
def test_what_a_source_takes_of_the_others_is_there(path):
    """``make hw`` alone loads them all, as the CAD kernel that they need is not installed here."""
    missing = [(module, name) for module, name in taken(path) if name not in named(module)]
    assert not missing


def test_what_is_made_stays_small():
    assert sum(int(row[2]) for row in manifest.read()[1:]) < LARGEST_BYTES


def test_every_picture_is_shown_somewhere():
    shown = "".join((manifest.HERE / page).read_text("utf-8") for page in PAGES)
    made = {path.name for path in (manifest.HERE / "pictures").glob("*.png")}
    assert {name for name in made if name not in shown} <= {"wedge_rear.png", "wedge_aisle.png"}


@pytest.mark.parametrize(
    "old, new, within", [(b"same", b"same", None), (b"1,2\n", b"1,3\n", False)]
)
def test_a_table_may_not_differ(tmp_path, old, new, within):
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_bytes(old)
    second.write_bytes(new)
    difference = manifest.differs(first, second)
    assert difference is None if within is None else difference


def test_a_drawing_may_differ_in_its_layout_alone(tmp_path):
    first, second = tmp_path / "a.svg", tmp_path / "b.svg"
    first.write_text('<text x="1">A0</text>')
    second.write_text('<text x="2">A0</text>')
    assert manifest.differs(first, second) == ""
    second.write_text('<text x="2">A1</text>')
    assert manifest.differs(first, second)


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
