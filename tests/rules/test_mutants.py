"""What ``mutants`` makes of a module, shown on one made for it."""

import importlib
import sys

import mutants
import pytest

SOURCE = '''
"""A module."""
LIMIT = 5


class Door:
    """A door."""

    @property
    def open(self) -> bool:
        """Whether it is."""
        return self.asked > 3 or not self.shut

    def ask(self, often: int = 1):
        self.asked += often
        if self.asked:
            raise ValueError(f"{LIMIT + 1}")


def inner():
    def one():
        return two is None
    two = one
    return one()
'''
WANTED = {
    ("Door.open", "return self.asked > 3 or not self.shut", "return None"),
    ("Door.open", "self.asked > 3 or not self.shut", "not self.shut"),
    ("Door.open", "self.asked > 3 or not self.shut", "self.asked > 3"),
    ("Door.open", "self.asked > 3", "self.asked >= 3"),
    ("Door.open", "self.asked > 3", "self.asked > 4"),
    ("Door.ask", "self.asked += often", "pass"),
    ("Door.ask", "self.asked", "not self.asked"),
    ("Door.ask", "raise ValueError(f'{LIMIT + 1}')", "pass"),
    ("inner", "return one()", "return None"),
    ("inner", "return two is None", "return None"),
    ("inner", "two is None", "two is not None"),
    ("inner", "two = one", "pass"),
}


@pytest.fixture
def made(tmp_path, monkeypatch):
    (tmp_path / "doors_made.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("doors_made")
    del sys.modules["doors_made"]


def test_each_small_change_of_a_function_is_a_mutant_once(made):
    found = list(mutants.mutants("doors_made"))
    told = [(one.function.partition(":")[2], one.was, one.instead) for one in found]
    assert set(told) == WANTED
    assert len(told) == len(set(told))
    lines = {one.lines for one in found if one.was == "self.asked > 3"}
    assert [SOURCE.splitlines()[first - 1].strip() for first, last in lines if first == last] == [
        "return self.asked > 3 or not self.shut"
    ]


def test_a_mutant_that_is_planted_is_what_runs(made):
    door = made.Door()
    door.asked, door.shut = 4, True
    assert door.open
    number = next(one for one in mutants.mutants("doors_made") if one.instead == "self.asked > 4")
    number.plant()
    assert not door.open
