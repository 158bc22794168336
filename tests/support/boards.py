"""Which boards a test tries that needs the image of one: its making takes seconds a board."""

import os

import pytest

from host.boards.models import MODELS

ONE_OF_EACH_CHIP = ("feather", "feathers3")


def tried(models):
    """Return the parameters of ``models``: `make test` tries one board of each chip, `make prove`
    all.
    """
    every = os.environ.get("PLUSTHREE_PROVE")
    later = pytest.mark.skip(reason="make prove tries the boards of the same chips, too")
    few = ONE_OF_EACH_CHIP if not every else [model.image for model in MODELS.values()]
    return [pytest.param(one, marks=() if MODELS[one].image in few else later) for one in models]
