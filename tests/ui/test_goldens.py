"""Every screen in every case, pixel for pixel, against the pictures in ``tests/goldens``."""

import pytest
from PIL import Image, ImageChops

from host.sim.shots import Studio, name_of

BOARDS = ("feather", "clue", "feather35", "lilygo")  # a FeatherS3 has the Feather's panel and keys


@pytest.fixture(scope="module", params=BOARDS)
def drawn(request):
    """(model, {name: image}) of one board."""
    return request.param, {name_of(shot): shot.image for shot in Studio(request.param).shots()}


def test_screens_are_the_goldens(drawn, root, updates_goldens):
    model, images = drawn
    goldens, left = root / "tests" / "goldens" / model, root / "out" / "goldens" / model
    goldens.mkdir(parents=True, exist_ok=True)
    if updates_goldens:
        for old in goldens.glob("*.png"):
            old.unlink()
        for name, image in images.items():
            image.quantize(64).save(goldens / f"{name}.png", optimize=True)
    differing = []
    for name, image in images.items():
        path = goldens / f"{name}.png"
        if not path.exists() or ImageChops.difference(Image.open(path).convert("RGB"), image).getbbox():
            left.mkdir(parents=True, exist_ok=True)
            image.save(left / path.name)
            differing.append(name)
    assert not differing, f"look at {left}, then pytest tests/ui --update-goldens"
    assert {path.stem for path in goldens.glob("*.png")} == set(images)
