"""The event files in examples/ are read, and say what they are there to show."""

import pytest
import tree
from typed_evening import TypedEvening

from host.formats import event_file

EXAMPLES = sorted((tree.ROOT / "examples").glob("*.csv"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_imported_without_a_remark(path, tmp_path, capsys):
    assert event_file.read(path).pairings
    out = TypedEvening(tmp_path, capsys).done("import", path)
    assert out.count("\n") == 1, out


def test_the_judges_of_the_example_are_asked_about_once_they_play(tmp_path, capsys):
    evening = TypedEvening(tmp_path, capsys)
    text = (tree.ROOT / "examples" / "escalation.csv").read_text(encoding="utf-8")
    out = evening.done("import", evening.file("cup.csv", text.replace("Gaia Longo", '"Blu, Ugo"')))
    assert "player 2007 judges, and no judge plays at a Premier event" in out
