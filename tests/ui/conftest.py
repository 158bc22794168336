"""What the tests of the face share: its goldens, and the option that takes new ones."""

import pytest
from PIL import Image


def pytest_addoption(parser):
    parser.addoption(
        "--update-goldens", action="store_true", help="take the pictures as they are now"
    )


@pytest.fixture
def updates_goldens(request):
    """Whether the goldens are to be written instead of compared."""
    return request.config.getoption("--update-goldens", default=False)


@pytest.fixture(scope="session")
def golden(root):
    """A function from a model and a scene's name to its picture."""

    def picture(model, name):
        return Image.open(root / "tests" / "goldens" / model / f"{name}.png").convert("RGB")

    return picture
