"""Which boards a test tries that needs the image of one: its making takes seconds a board."""

import pytest

from host.boards.models import MODELS

ONE_OF_EACH_CHIP = ("feather", "feathers3")


def tried(models):
    """Return the parameters of ``models``: `make test` tries one board of each chip, `make prove`
    all.
    """
    return [
        pytest.param(one, marks=() if MODELS[one].image in ONE_OF_EACH_CHIP else pytest.mark.prove)
        for one in models
    ]
