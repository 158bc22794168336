"""No text is cut or covered: measured from its own lit pixels."""

import pytest
from inks import Inks, faults, fullest, unsynced
from said import Said

from host.base import catalogues
from host.sim.scenes import ALL
from host.sim.shots import Studio


@pytest.mark.parametrize("language", catalogues.languages())
@pytest.mark.parametrize("model", ("feathers3", "feathers3-35", "lilygo"))
def test_every_ink_stays_in_its_place(model, language):
    studio, kept = Studio(model, language, lit=False), {}
    inks = Inks(studio, kept)
    found = []
    for scene in ALL:
        name = f"{scene.screen}.{scene.case}".rstrip(".")
        studio.pose(*scene)
        found += [f"{name}: {fault}" for fault in faults(inks)]
        if "failed" not in scene.extra and "keyless" not in scene.extra:
            fullest(studio)
            found += [f"{name}, longest words: {fault}" for fault in faults(inks)]
    assert not found, "\n".join(found)


STRIP = ("tag_left", "word", "tag_right")
APART_PX = 8  # two patches, each 4 px wider than its text


@pytest.mark.parametrize("language", catalogues.languages())
@pytest.mark.parametrize("model", ("feathers3", "feathers3-35", "lilygo"))
def test_words_and_tags_of_the_strip_stand_apart_without_sync(model, language):
    studio = Studio(model, language, lit=False)
    said, close = Said(studio), []
    for scene in ALL:
        if "failed" in scene.extra or "keyless" in scene.extra or not unsynced(studio, scene):
            continue
        shown = [one for one in said.texts if one.place in STRIP]
        for places in (studio.canvas.layout.places, studio.canvas.layout.opposite):
            spans = sorted(span(places, one) for one in shown if one.place in places)
            close += [
                f"{scene.screen}.{scene.case}: {one[2]} and {other[2]}"
                for one, other in zip(spans, spans[1:])
                if other[0] - one[1] < APART_PX
            ]
    assert not close, "\n".join(close)


def span(places, said):
    """Return where a text begins and ends across in its place, and its line."""
    _, align, x, _, _ = places[said.place]
    left = x - said.width * align // 2
    return left, left + said.width, said.line
