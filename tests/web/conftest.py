"""What the tests that look at pages share."""

import browser
import pytest


@pytest.fixture(scope="module")
def chromium():
    """A real Chromium; ``chromium.open(url)`` gives a page of a context of its own."""
    with browser.browser() as one:
        yield one
