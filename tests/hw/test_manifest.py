"""The manifest: everything made is there, unchanged, and made from what the tree holds."""

import ast

import pytest
import tree

from hw import manifest

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
