"""The pack that deploy lays: a board's own panels alone, and everything that they draw with."""

import pytest

from firmware.ui import pack, start
from host.boards.models import MODELS
from host.boards.screens.pack import TARGET, fitted
from host.boards.screens.theme import Theme
from host.sim import panel


def laid(model):
    """Return the pack that is laid on a model's board."""
    return fitted(
        TARGET.read_bytes(),
        [one.panel for one in MODELS.values() if one.image == MODELS[model].image],
    )


def test_the_firmware_counts_the_panels_as_the_theme_does():
    assert start.PANELS == tuple(Theme().panels)


@pytest.mark.parametrize("model", MODELS)
def test_a_board_draws_with_what_is_laid(model, tmp_path):
    path = tmp_path / "face.bin"
    path.write_bytes(laid(model))
    shown = []
    for source in (TARGET, path):
        glass = panel.Panel(MODELS[model].panel)
        start.tell(start.face(glass.display, MODELS[model].panel, "it", source), MemoryError())
        shown.append(glass.image().tobytes())
    assert shown[0] == shown[1] and any(shown[0])


@pytest.mark.parametrize("model", MODELS)
def test_what_only_others_need_is_not_laid(model):
    own = {one.panel for one in MODELS.values() if one.image == MODELS[model].image}
    with TARGET.open("rb") as file:
        whole = pack.Pack(file)
    data = laid(model)
    assert len(data) < TARGET.stat().st_size
    held = data[0] - pack.PANELS
    assert {
        start.PANELS[at // 4] for at in range(0, held, 4) if _size(data, pack.PANELS + at)
    } == own
    assert all(
        _size(data, number) == whole.size(number) for number in range(pack.COLOURS, pack.FONTS)
    )


def _size(data, section):
    starts = [
        int.from_bytes(data[at : at + 4], "little") for at in (1 + 4 * section, 5 + 4 * section)
    ]
    return starts[1] - starts[0]
