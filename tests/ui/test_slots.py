"""Every text finds a slot: a bitmap of its panel that exists from the start and is large enough."""

import pytest
from inks import FULLEST, unsynced
from said import Said

from firmware.ui import face
from host.sim.scenes_more import ALL
from host.sim.shots import Studio

MODELS = ("feathers3", "feathers3-35", "lilygo")


def drawn(studio):
    """Draw every scene, again with the longest words, and without sync; yield its name each time."""
    for scene in ALL:
        studio.pose(*scene)
        yield f"{scene[0]}.{scene[1]}"
        if "failed" not in scene[-1] and "keyless" not in scene[-1]:
            studio.face.drawn = False
            studio.face.show(list(FULLEST), [0, 0, 2048, 3, 6, 0, 0, 155])
            yield f"{scene[0]}.{scene[1]}, longest words"
            if unsynced(studio, scene):
                yield f"{scene[0]}.{scene[1]}, no sync"


@pytest.mark.parametrize("language", face.LANGUAGES)
@pytest.mark.parametrize("model", MODELS)
def test_every_text_finds_a_slot_that_is_large_enough(model, language):
    studio = Studio(model, language, lit=False)
    said, short = Said(studio), []
    for name in drawn(studio):
        short += [f"{name}: {one}" for one in said.texts if one.slot < 0 or one.cut]
    assert not short, "wider or more slots in theme.txt, please:\n" + "\n".join(short)


def test_a_picture_that_says_the_same_again_draws_no_letter():
    studio, letters = Studio("feathers3", lit=False), []
    label = studio._canvas._slots._label
    place = label._place_text
    label._place_text = lambda *told: letters.append(told[1]) or place(*told)
    for scene in ALL:
        studio.pose(*scene)
        studio.face._draw(list(FULLEST))
        del letters[:]
        studio._canvas.refresh()
        studio.face._draw(list(FULLEST))
        assert not letters and not studio._canvas._stale, scene[:2]
