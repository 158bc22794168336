"""An archive for tests that look at its file: a round that has begun, and a copy to be spoilt."""

import laid
import pytest


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """An archive of a round that has begun."""
    return laid.played(tmp_path_factory.mktemp("played"))


@pytest.fixture
def path(played, tmp_path):
    """A copy of it with its key, without the head."""
    return laid.copied(played, tmp_path)
