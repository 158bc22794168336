"""What mutants and banks of planted bugs rest on: a passage is found, a module's mutants are made."""

import ast
import importlib
import re
import sys

import mutants
import mutation
import pytest

SOURCE = """
def step(self, frame):
    head = frames.head(frame)
    if head is None or len(frame) != frames.SIZE or not signed(self.key, frame):
        return REFUSED
    with self.archive.transaction():
        self.archive.write("INSERT INTO seen VALUES (?, ?)", *head)
        self.seen += 1
    return None
"""


def mutated(passage, instead, source=SOURCE):
    """Return ``source`` with a passage written otherwise, as ``ast`` prints it."""
    tree = ast.parse(source)
    mutation.mutate(tree, passage, instead, "here")
    return ast.unparse(tree)


@pytest.mark.parametrize(("passage", "instead", "line"), [
    ("len(frame) != frames.SIZE", "False", "if head is None or False or (not signed(self.key, frame)):"),
    ("not signed(...)", "False", "if head is None or len(frame) != frames.SIZE or False:"),
    ("... != frames.SIZE", "... < frames.SIZE", "if head is None or len(frame) < frames.SIZE or"),
    ("head is None or ... or ...", "... or ...", "if len(frame) != frames.SIZE or not signed(self.key, frame):"),
    ("frames.head(...)", "careless(...)", "head = careless(frame)"),
    ("return REFUSED", "pass", "        pass"),
    ("self.seen += 1", "self.seen += 1; self.seen += 1", "self.seen += 1\n        self.seen += 1"),
    ("with self.archive.transaction(): ...", "if True: ...", "if True:\n        self.archive.write("),
    ("with self.archive.transaction(): ...", "return", "    return\n    return None"),
    ('"VALUES (?, ?)"', '"VALUES (?, 0)"', "'INSERT INTO seen VALUES (?, 0)'"),
    ("self.seen", "self.missed", "self.missed += 1"),
])  # fmt: skip
def test_a_passage_is_written_otherwise(passage, instead, line):
    assert line in mutated(passage, instead)


@pytest.mark.parametrize(("passage", "instead", "said", "source"), [
    ("len(frame) == frames.SIZE", "0", "not once", SOURCE),
    ("frame", "0", "not once", SOURCE),
    ("self.seen += 2", "0", "not once", SOURCE),
    ("return", "0", "not once", SOURCE),
    ("self.seen += 1", "self.seen+=(1)", "is not changed", SOURCE),
    ("not signed(self.key, head)", "False", None, SOURCE),  # a name that is still there was not renamed
    ("refuse(one, one)", "False", None, "def step(a, b):\n    return deny(a, b)\n"),  # nor do two become one
])  # fmt: skip
def test_a_passage_must_be_there_exactly_once_and_change(passage, instead, said, source):
    with pytest.raises(LookupError, match=said):
        mutated(passage, instead, source)


LAID_OTHERWISE = """
def step(
    self, frame,
):
    head = frames.head(frame)
    if (
        (head is None)  # nothing
        or len(frame) != frames.SIZE or (not signed(self.key, frame))
    ): return REFUSED
    with (self.archive.transaction()):
        self.archive.write('INSERT INTO seen ' 'VALUES (?, ?)', *head); self.seen += 1
    return None
"""


@pytest.mark.parametrize(
    "passage",
    ["head is None or len(frame) != frames.SIZE or ...", '"VALUES (?, ?)"', "self.seen += 1"],
)
def test_neither_line_breaks_nor_quotes_nor_brackets_nor_comments_matter(passage):
    assert mutated(passage, "'anything'", LAID_OTHERWISE) == mutated(passage, "'anything'")


@pytest.mark.parametrize(
    "old, new", [("frames", "packets"), ("signed", "sound"), ("frame", "packet"), ("key", "secret")]
)
def test_what_was_renamed_is_found_and_renamed_in_what_stands_instead(old, new):
    def renamed(text):
        return re.sub(rf"\b{old}\b", new, text)

    passage, instead = (
        "head is None or len(frame) != frames.SIZE or ...",
        "len(frame) < frames.SIZE and signed(self.key)",
    )
    passage = passage.replace("...", "not signed(self.key, frame)")
    with pytest.warns(UserWarning, match="renamed"):
        assert mutated(passage, instead, renamed(SOURCE)) == renamed(mutated(passage, instead))


def test_a_renamed_module_is_told_from_an_attribute_of_its_name():
    source = "def step(self):\n    return self.sync.drop(range({}.CHECKS))\n"
    with pytest.warns(UserWarning, match="sync to talk"):
        assert mutated("range(sync.CHECKS)", "range(9)", source.format("talk")) == mutated(
            "range(sync.CHECKS)", "range(9)", source.format("sync")
        )


def test_a_name_that_nobody_knows_is_told():
    tree = ast.parse(
        "def step(one, *more):\n    from here import two\n    three = [x for x in more]\n    return"
        " four + len(one)\n"
    )
    assert mutation.unknown(tree, {"five"}) == {"four"}


MODULE = '''
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
    (tmp_path / "doors_made.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("doors_made")
    del sys.modules["doors_made"]


def test_each_small_change_of_a_function_is_a_mutant_once(made):
    found = list(mutants.mutants("doors_made"))
    told = [(one.function.partition(":")[2], one.was, one.instead) for one in found]
    assert set(told) == WANTED
    assert len(told) == len(set(told))
    lines = {one.lines for one in found if one.was == "self.asked > 3"}
    assert [MODULE.splitlines()[first - 1].strip() for first, last in lines if first == last] == [
        "return self.asked > 3 or not self.shut"
    ]


def test_a_mutant_that_is_planted_is_what_runs(made):
    door = made.Door()
    door.asked, door.shut = 4, True
    assert door.open
    number = next(one for one in mutants.mutants("doors_made") if one.instead == "self.asked > 4")
    number.plant()
    assert not door.open
