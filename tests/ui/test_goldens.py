"""Every screen in every case, pixel for pixel, and what its pixels measure."""

import pytest
from PIL import Image, ImageChops

from host.sim.shots import Studio, name_of

BOARDS = ("feather", "clue")


@pytest.fixture(scope="module", params=BOARDS)
def drawn(request):
    """(model, {name: image}) of one board."""
    return request.param, {name_of(shot): shot.image for shot in Studio(request.param).shots()}


def ink(image, box, paper=(0, 0, 0)):
    """Return the box of what differs from ``paper`` within ``box``: left, top, right, bottom."""
    part = image.crop(box)
    return ImageChops.difference(part, Image.new("RGB", part.size, paper)).getbbox()


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


def test_clock_is_as_large_as_the_panel_allows(drawn, printed):
    model, images = drawn
    wide = 320 if model == "feather" else 240
    pitch_mm, least_mm = (0.1524, 16) if model == "feather" else (0.0975, 15)
    left, top, right, bottom = ink(images["clock.long_names"], (0, 27, wide, 178 if model == "feather" else 183))
    height_mm = (bottom - top) * pitch_mm
    printed(f"clock digits, {model}", [f"{right - left} px of {wide} wide, {height_mm:.1f} mm high"])
    assert height_mm >= least_mm
    if model == "feather":
        assert right - left >= 0.85 * wide
