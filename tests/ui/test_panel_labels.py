"""A label that some panels do without (``except``), or that they alone have (``only``)."""

import io
import shutil

import pytest

from firmware.ui.face import Face
from firmware.ui.pack import Pack
from firmware.ui.rows import LABELS
from host.boards.models import MODELS
from host.boards.screens import compiler, numbers, theme, words
from host.boards.screens.pack import TARGET, build, fitted


def with_line(monkeypatch, folder, line):
    """Have the compiler read a copy of the screens whose ``idle`` has one line more."""
    ui = folder / "ui"
    shutil.copytree(words.UI, ui)
    with (ui / "screens" / "idle.txt").open("a", encoding="utf-8") as source:
        source.write(f"\n{line}\n")
    for module in (words, numbers, compiler, theme):
        monkeypatch.setattr(module, "UI", ui)


def labels(model):
    """Return the number of labels that a model's board has for ``idle``."""
    data = fitted(TARGET.read_bytes(), sorted(compiler.together(MODELS[model].panel)))
    face = Face(Pack(io.BytesIO(data)), None)
    face.open(compiler.names().index("idle"))
    face.rows.holds = lambda at: True
    return face.rows.count(LABELS)


@pytest.mark.parametrize(("word", "large", "small"), [("except", 1, 0), ("only", 0, 1)])
def test_a_panel_does_without_a_line(monkeypatch, tmp_path, word, large, small):
    before = {model: labels(model) for model in MODELS}
    with_line(monkeypatch, tmp_path, f"label four table white {word} 320x170 ? begun")
    assert (len(build()) > TARGET.stat().st_size) == large, "face.bin is for panels without a name"
    more = {model: labels(model) - before[model] for model in MODELS}
    wide = dict.fromkeys(("feathers3", "feathers3-35"), large)
    assert more == wide | {"lilygo": small}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("label four table white except 240", "no panel is called '240'; try"),
        ("label four table white only 480x320", "the same program as those of 320x240"),
        ("label four table white on except", "a label line is: label PLACE TEXT COLOUR"),
        ("label four table white except 480x320", "the same program as those of 320x240"),
        ("item table -> home except 320x170", "an item line is"),
    ],
)
def test_a_line_that_a_panel_cannot_do_without_is_refused(monkeypatch, tmp_path, line, said):
    with_line(monkeypatch, tmp_path, line)
    with pytest.raises(words.SourceError, match=r"idle\.txt:\d+: ") as refused:
        build()
    assert said in str(refused.value)
