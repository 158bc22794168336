"""What the tests of the face share: the option that takes new goldens."""

import pytest


def pytest_addoption(parser):
    parser.addoption(
        "--update-goldens", action="store_true", help="take the pictures as they are now"
    )


@pytest.fixture
def updates_goldens(request):
    """Whether the goldens are to be written instead of compared."""
    return request.config.getoption("--update-goldens", default=False)
