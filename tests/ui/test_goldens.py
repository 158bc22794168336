"""Every screen in every case, pixel for pixel, against the pictures in ``tests/goldens``.

``pytest tests/ui/test_goldens.py -k "feathers3 and clock"`` draws one screen on one board; with
``--update-goldens`` it takes the pictures as they are now.
"""

import functools

import pytest
from PIL import Image, ImageChops

from host.sim.scenes import ALL
from host.sim.shots import Studio, name_of

BOARDS = ("feathers3", "feathers3-35", "lilygo")
SCREENS = tuple(dict.fromkeys(scene.screen for scene in ALL))


@functools.cache
def studio(model):
    """Return the Studio of a board: scenes follow one another on its panel, in any order."""
    return Studio(model)


@pytest.fixture
def goldens(root, model):
    folder = root / "tests" / "goldens" / model
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def take(image, path):
    """Make an image the golden, unless it looks like the one that is there."""
    if not path.exists() or differs(image, path):
        image.quantize(64).save(path, optimize=True)


def differs(image, path):
    return ImageChops.difference(Image.open(path).convert("RGB"), image).getbbox() is not None


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("model", BOARDS)
def test_a_screen_is_its_golden(model, screen, goldens, root, updates_goldens):
    left, differing = root / "out" / "goldens" / model, []
    for scene in (scene for scene in ALL if scene.screen == screen):
        shot = studio(model).shot(*scene)
        path = goldens / f"{name_of(shot.screen, shot.case)}.png"
        if updates_goldens:
            take(shot.image, path)
        if not path.exists() or differs(shot.image, path):
            left.mkdir(parents=True, exist_ok=True)
            shot.image.save(left / path.name)
            differing.append(name_of(shot.screen, shot.case))
    assert not differing, f"look at {left}, then pytest tests/ui/test_goldens.py --update-goldens"


@pytest.mark.parametrize("model", BOARDS)
def test_no_golden_is_of_a_scene_that_is_none(goldens, updates_goldens):
    names = {name_of(screen, case) for screen, case, *_ in ALL}
    strays = [path for path in goldens.glob("*.png") if path.stem not in names]
    if updates_goldens:
        for path in strays:
            path.unlink()
        strays = []
    assert not strays
