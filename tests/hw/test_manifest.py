"""The manifest: everything made is there, unchanged, and made from what the tree holds."""

import re

import pytest

from hw import manifest

PAGES = ("README.md", "assembly.md", "bringup.md", "fifty.md")
LARGEST_BYTES = 4_000_000


def test_the_manifest_is_true():
    """A failure here means: run ``make hw`` and look at what it made."""
    assert manifest.read() == manifest.rows()


def test_what_is_made_stays_small():
    assert sum(int(row[2]) for row in manifest.read()[1:]) < LARGEST_BYTES


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page):
    text = (manifest.HERE / page).read_text("utf-8")
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        assert (manifest.HERE / target).resolve().is_file(), target


@pytest.mark.parametrize("page", PAGES)
def test_every_chapter_linked_to_is_there(page):
    text = (manifest.HERE / page).read_text("utf-8")
    heads = {re.sub(r"[^\w -]", "", line.lstrip("# ")).lower().replace(" ", "-")
             for line in text.splitlines() if line.startswith("#")}  # fmt: skip
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= heads


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
