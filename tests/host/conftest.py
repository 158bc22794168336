"""Where tests of the host begin: an empty folder, commands, a board's voice, an archive."""

import os

import laid
import pytest
from commands import runner
from typed_evening import TypedEvening
from voiced import Voice


@pytest.fixture
def umask():
    """A function that sets the umask until the test is over."""
    before = os.umask(0o077)
    os.umask(before)
    yield os.umask
    os.umask(before)


@pytest.fixture
def run(here, capsys):
    return runner(capsys)


@pytest.fixture
def evening(tmp_path, capsys):
    """An event as its organiser runs it, before anything is done."""
    return TypedEvening(tmp_path, capsys)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    return laid.played(tmp_path_factory.mktemp("played"))


@pytest.fixture
def path(played, tmp_path):
    return laid.copied(played, tmp_path)


@pytest.fixture
def voice(venue):
    """The first table's board, which has nothing to tell and is told nothing any more."""
    venue.publish(1)
    return Voice(venue)
