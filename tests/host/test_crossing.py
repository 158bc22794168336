"""Methods put into their only callers in other modules, and classes into the only ones on them."""

import ast

import pytest

from host.boards.deploy import crossing, families, inlining

ROOM = """
import struct
from m import parts
SIZE = 3
class Room:
    def __init__(self):
        self._seats, self.taken = [0, 0, 0], 0
    def sit(self, number):
        if self._seats[number] >= 2:
            return False
        self._seats[number] += 1
        self.taken += 1
        return True
    def leave(self, number):
        for at in range(len(self._seats)):
            if self._seats[at]:
                self._seats[at] -= 1
                return at + number
        return parts.NOBODY
"""
HALL = """
from m import room
class Hall:
    def __init__(self, one):
        self.one, self._seats, self.told = one, 9, []
    def step(self, at):
        self.told.append(self._seats)
        if self.one.sit(at):
            self.told.append('sat')
        left = self.one.leave(2)
        return self.told, left
"""
PARTS = "NOBODY = -1\n"


def run(sources):
    """Return what a hall of ``sources`` does."""
    space, modules = {}, {}
    for name in ("m.parts", "m.room", "m.hall"):
        lines = sources[name].splitlines()
        text = "\n".join(line for line in lines if not line.startswith("from m import"))
        space = dict(modules)
        exec(compile(text, name, "exec"), space)
        modules[name[2:]] = type("module", (), space)
    room = modules["room"].Room()
    hall = modules["hall"].Hall(room)
    return [repr(hall.step(at)) for at in (1, 1, 2)], room.taken


def laid(**changed):
    sources = {"m.parts": PARTS, "m.room": ROOM, "m.hall": HALL} | changed
    return sources, crossing.crossed(sources, ["def f(x):\n    x.open()\n"])


def test_stand_in_their_callers_and_do_what_they_did():
    sources, crossed = laid()
    assert "def sit" not in crossed["m.room"] and "def leave" not in crossed["m.room"]
    assert "from m import parts" in crossed["m.hall"]
    assert run(crossed) == run(sources)


@pytest.mark.parametrize(
    ("old", "new"),
    (
        ("'sat'", "'sit'"),  # a text spells it
        ("self._seats[number] += 1", "self._seats[number] += SIZE // 3"),  # its module's own
        (
            "self._seats[number] += 1",
            "self.seated = self._seats[number] = 1",
        ),  # stored nowhere else
        ("self.told.append('sat')", "self.one.sit(0)"),  # two callers
        ("def step(self, at):", "def step(self, at, sit=0):"),  # may be a keyword
        ("if self.one.sit(at):", "if at and self.one.sit(at):"),  # not always called
    ),
)
def test_what_could_mean_something_else_stays(old, new):
    _, crossed = laid(**{"m.room": ROOM.replace(old, new), "m.hall": HALL.replace(old, new)})
    assert "def sit" in crossed["m.room"]


def test_a_name_that_a_library_asks_for_stays():
    changed = {"m.room": ROOM.replace("sit", "open"), "m.hall": HALL.replace(".sit", ".open")}
    assert "def open" in laid(**changed)[1]["m.room"]


TABLE = """
from m import parts
def asked(number):
    found = parts.NOBODY
    if number:
        found = number * 2
    return found
"""
CALLER = """
from m import table
def told(number):
    return 1 + table.asked(number)
"""


def called(table=TABLE, caller=CALLER, late=()):
    """Return what is left of a table's module and of its caller's."""
    sources = {"m.parts": PARTS, "m.table": table, "m.caller": caller}
    crossed = crossing.crossed(sources, [], late)
    return crossed["m.table"], crossed["m.caller"]


def test_a_function_stands_in_its_only_caller():
    left, caller = called()
    assert "def asked" not in left and "asked" not in caller
    space = {"parts": type("parts", (), {"NOBODY": -1})}
    exec("\n".join(line for line in caller.splitlines() if "import" not in line), space)
    assert [space["told"](number) for number in (0, 4)] == [0, 9]


@pytest.mark.parametrize(
    ("old", "new"),
    (
        ("def told(number):", "def told(number, table):"),  # another's thing of this name
        ("    return 1 +", "    from m import table\n    return 1 +"),  # loaded for a moment
        ("    return 1 +", "    table.asked(0)\n    return 1 +"),  # two callers
    ),
)
def test_a_function_that_may_be_anothers_or_is_loaded_for_a_moment_stays(old, new):
    caller = CALLER.replace(old, new)
    if "from m import table\n  " in caller:
        caller = caller.replace("\nfrom m import table", "", 1)
    assert "def asked" in called(caller=caller)[0]


def test_into_what_is_loaded_for_a_moment_only_a_little_is_put(monkeypatch):
    """A large function there is a large piece of memory beside all that is there by then."""
    monkeypatch.setattr(inlining, "MOST_LATE_NODES", 20)
    assert "def asked" in called(late=("m.caller",))[0]
    assert "def asked" not in called()[0]


BASE = "class A:\n    def __init__(self, x):\n        y = x + 1\n        self.x = y\n    def get(self):\n        return self.x\n"
KIND = (
    "class B(A):\n    def __init__(self, y):\n        A.__init__(self, y * 2)\n        self.y = y\n"
)


def test_a_class_that_one_other_stands_on_is_put_into_that_one():
    tree = ast.parse(BASE + KIND)
    inlining.flatten(tree, {"B"})
    text = ast.unparse(ast.fix_missing_locations(tree))
    space = {}
    exec(compile(text, "laid", "exec"), space)
    assert "A" not in space and (space["B"](4).get(), space["B"](4).y) == (9, 4)


@pytest.mark.parametrize(
    ("more", "kept"),
    (
        ("", {"A", "B"}),
        ("class C(A):\n    pass\n", {"B"}),
        ("a = A(1)\n", {"B"}),
        ("def g():\n    return A\n", {"B"}),
    ),
)
def test_a_class_that_somebody_else_knows_stays(more, kept):
    tree = ast.parse(BASE + KIND + more)
    inlining.flatten(tree, kept)
    assert ast.unparse(tree) == ast.unparse(ast.parse(BASE + KIND + more))


def test_a_class_whose_method_is_overridden_stays():
    source = BASE + KIND + "    def get(self):\n        return A.get(self) + 1\n"
    tree = ast.parse(source)
    inlining.flatten(tree, {"B"})
    assert ast.unparse(tree) == ast.unparse(ast.parse(source))


def test_classes_that_stand_on_each_other_are_a_family():
    trees = {
        "m.a": ast.parse("class A:\n    pass\nclass Z(tuple):\n    pass\n"),
        "m.b": ast.parse("from m.a import A as First\nclass B(First):\n    pass\n"),
        "m.c": ast.parse("from m import b\nclass C(b.B):\n    pass\n"),
    }
    assert families.roots(trees) == {("m.b", "B"): ("m.a", "A"), ("m.c", "C"): ("m.a", "A")}
    groups = families.groups(trees)
    assert groups["m.a"] == groups["m.b"] == groups["m.c"]
