"""No text is cut or covered: measured from each one's own lit pixels, with every letter's full
height.
"""

import pytest
from inks import FULLEST, Inks, faults

from firmware.ui import start
from host.sim.scenes_more import ALL
from host.sim.shots import Studio


def fullest(studio):
    """Draw a posed scene anew with the longest words there are."""
    studio.face.drawn = False
    studio.face.show(list(FULLEST), [0, 0, 2048, 3, 6, 0, 0, 155])


@pytest.mark.parametrize("language", start.LANGUAGES)
@pytest.mark.parametrize("model", ("feather", "clue", "feather35", "lilygo"))
def test_every_ink_stays_in_its_place(model, language):
    studio, kept = Studio(model, language, lit=False), {}
    inks = Inks(studio, kept)
    found = []
    for scene in ALL:
        name = f"{scene[0]}.{scene[1]}".rstrip(".")
        studio.pose(*scene)
        found += [f"{name}: {fault}" for fault in faults(inks)]
        if "failed" not in scene[-1] and "keyless" not in scene[-1]:
            fullest(studio)
            found += [f"{name}, longest words: {fault}" for fault in faults(inks)]
    assert not found, "\n".join(found)
