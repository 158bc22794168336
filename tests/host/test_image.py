"""What deploy makes of sources on their way to a board: the same program in fewer words."""

import ast
import sys
import types

import pytest

from host.boards.deploy import (
    edits,
    folding,
    image,
    imports,
    lean,
    privates,
    pruning,
    publics,
    shortening,
)


def folded(**modules):
    return folding.fold({name.replace("__", "."): source for name, source in modules.items()})


def test_a_named_number_is_laid_as_the_number():
    laid = folded(
        p__kinds="CLOCK = 13\nTWICE = CLOCK * 2\n", p__user="from p import kinds\nx = kinds.TWICE\n"
    )
    assert laid == {"p.user": "pass\nx = 26\n"}


def test_lines_stay_where_they_are():
    source = (
        "from p import (\n    kinds,\n    other,\n)\n\n\ndef f():\n    return"
        " other.g(kinds.CLOCK)\n"
    )
    laid = folded(p__kinds="CLOCK = 13\n", p__other="def g(x):\n    return x\n", p__user=source)
    assert laid["p.user"].split("\n")[7] == "    return other.g(13)"
    assert laid["p.user"].startswith("from p import other\n")


@pytest.mark.parametrize(
    "user",
    [
        "from p import kinds\nx = f'{kinds.CLOCK}'\n",
        "from p import kinds\nf(kinds)\n",
        "from p import kinds\nx = getattr(kinds, 'CLOCK')\n",
    ],
)
def test_a_name_that_may_be_asked_for_stays(user):
    laid = folded(p__kinds="CLOCK = 13\n", p__user=user)
    assert laid["p.kinds"] == "CLOCK = 13\n"
    assert laid["p.user"] == user


def test_what_is_no_number_or_changes_stays():
    source = "TABLE = (1, 2)\nTRUE = True\nCOUNT = 0\nCOUNT = 1\nlower = 3\n"
    assert folded(p__kinds=source)["p.kinds"] == source


REACH = '''"""Text that names unused."""
def used():
    return inner()


def inner():
    return 1


def unused():
    return unused() + other()


def other():
    return 2


class Thing:
    def __init__(self):
        self.kept()

    def kept(self):
        return 3

    @property
    def idle(self):
        return 4
'''


def test_what_nothing_reaches_is_left_out():
    laid = pruning.prune({"m": REACH + "Thing()\n"}, ("used",))["m"]
    left = {node.name for node in ast.walk(ast.parse(laid)) if hasattr(node, "name")}
    assert left == {"used", "inner", "Thing", "__init__", "kept"}
    assert laid.count("\n") == REACH.count("\n") + 1


def test_a_name_that_another_module_has_too_keeps_nothing():
    both = "def shown():\n    return 1\n"
    sources = {"a": both, "b": both, "c": "import a\n\na.shown()\n"}
    laid = pruning.prune(sources)
    assert ast.parse(laid["a"]).body and not ast.parse(laid["b"]).body


def test_what_is_asked_of_a_module_is_no_method():
    thing = "class Thing:\n    def shown(self):\n        return 1\n\n\nTHING = Thing()\n"
    asked = "import a\nfrom b import THING\n\na.shown()\n"
    sources = {"a": "def shown():\n    return 1\n", "b": thing}
    assert "shown" not in pruning.prune(sources | {"c": asked})["b"]
    for used in ("THING.shown()\n", "def f(a):\n    return a.shown()\n\n\nf(THING)\n"):
        assert "shown" in pruning.prune(sources | {"c": asked + used})["b"]


def test_what_is_asked_of_an_imported_class_stays():
    thing = "class Thing:\n    OPEN = 1\n"
    for line in ("from lib.b import Thing", "from .b import Thing"):
        asked = {
            "lib": "",
            "lib.b": thing,
            "lib.c": line + "\n\nPLACE = Thing.OPEN\nprint(PLACE)\n",
        }
        assert "OPEN" in pruning.prune(asked)["lib.b"]


def test_a_module_that_is_handed_around_keeps_what_anybody_asks_for():
    rules = "def turns():\n    return 1\n"
    sources = {"a": rules, "b": "import a\n\n\ndef f(rules):\n    return rules.turns()\n\n\nf(a)\n"}
    assert pruning.prune(sources)["a"] == rules


def test_a_class_that_loses_all_is_still_a_class():
    laid = pruning.prune({"m": "class A:\n    def idle(self):\n        return 1\n\n\nA()\n"})["m"]
    assert ast.parse(laid).body[0].name == "A"


def run(source, **names):
    space = dict(names)
    exec(source, space)
    return space


def test_locals_get_short_words_and_mean_the_same():
    source = (
        "def f(value, passed=2):\n    total_sum = 0\n    for number in range(value):\n       "
        " total_sum += number * passed\n    return [number + total_sum for number in (1, 2)]\n"
    )
    short = shortening.shorten(source, {"passed"})
    assert "total_sum" not in short and "number" not in short and "passed" in short
    assert run(short)["f"](4, passed=3) == run(source)["f"](4, passed=3)


def test_names_that_others_know_are_left():
    source = (
        "limit = 9\n\n\ndef f(first):\n    import math\n    try:\n        pass\n"
        "    except ValueError as error:\n        print(error)\n    size = limit\n"
        "    return f'{size}' + str(math) + str(first)\n"
    )
    short = shortening.shorten(source, set())
    for word in ("limit", "math", "error", "size"):
        assert word in short
    assert "first" not in short


def test_a_lambda_and_what_it_closes_over():
    source = "def f(outer):\n    doubled = outer * 2\n    return lambda inner: inner + doubled\n"
    assert run(shortening.shorten(source, set()))["f"](3)(1) == 7


def test_a_lean_library_has_no_typing_and_no_text():
    source = (
        '"""Text."""\nfrom __future__ import annotations\ntry:\n    from typing import'
        " Optional\n    import fast\nexcept ImportError:\n    pass\n__version__ = '1'\n\n\ndef f(a:"
        " Optional[int] = None) -> int:\n    '''Text.'''\n    b: int = 3\n    return fast(a, b)\n"
    )
    laid = lean.lean(source)
    assert "typing" in laid, "an optional import that is used stays whole"
    laid = lean.lean(source.replace("    import fast\n", ""))
    assert laid.lstrip() == "def f(a=None):\n b = 3\n return fast(a, b)\n"


def test_a_package_is_needed_only_where_a_name_is_taken_from_it(tmp_path):
    (tmp_path / "big").mkdir()
    (tmp_path / "big/__init__.py").write_text("import nothing\n")
    (tmp_path / "big/part.py").write_text("from . import other\n")
    (tmp_path / "big/other.py").write_text("x = 1\n")
    found = imports.closure(["big.part"], (tmp_path,), ("big",))
    assert list(found) == ["big.other", "big.part"]
    assert imports.needs("from big import thing\n", "", (tmp_path,)) == ["big"]


def test_every_laid_source_compiles():
    for text in image.programs("feather").values():
        ast.parse(text)


def test_what_only_people_read_is_not_laid():
    source = (
        '"""Text."""\n# more\nx = 1  # "why"\n\n\nclass A:\n    """Text\n    of lines."""\n\n    y'
        ' = "# no"\n'
    )
    laid = edits.untexted(source + 'def f():\n    """Alone."""\n')
    assert laid.split("\n")[:3] == ["", "", "x = 1"] and laid.count("\n") == source.count("\n") + 2
    assert run(laid)["A"].y == "# no" and run(laid)["f"]() is None
    every = "".join(
        text for name, text in image.programs("feather").items() if "/systems/" not in name
    )
    assert '"""' not in every


def test_what_only_the_pc_uses_is_not_laid():
    laid = image.modules("feather")
    assert "def pack_ack" not in laid["firmware.core.frames"]
    assert "firmware.core.events" not in laid or "CLOCK =" not in laid["firmware.core.events"]
    assert "adafruit_ble" not in laid


def test_private_names_are_short_and_mean_the_same():
    source = (
        "_LIMIT = 3\n\n\nclass Box:\n    def __init__(self):\n        self._size = _LIMIT\n\n   "
        " def _double(self):\n        return self._size * 2\n\n    @property\n    def size(self):\n"
        "        return self._double() + len('_kept') + self._kept\n\n    _kept = 1\n"
    )
    laid = privates.shorten({"m": {"m": source}})["m"]
    assert "_double" not in laid and "_size" not in laid and "_LIMIT" not in laid
    assert laid.count("_kept") == source.count("_kept"), "a name that stands in a text stays"
    assert run(laid)["Box"]().size == run(source)["Box"]().size


def test_a_private_name_that_another_module_uses_stays():
    laid = privates.shorten({"a": {"a": "def _f():\n    pass\n"}, "b": {"b": "import a\na._f()\n"}})
    assert laid == {"a": "def _f():\n    pass\n", "b": "import a\na._f()\n"}


PUBLIC = {
    "firmware.box": (
        "def doubled(box):\n    return box.content * 2\n\n\nclass Box:\n    sides = 4\n\n    def"
        " __init__(self, content):\n        self.content = content\n        self.told = 'spelled'\n"
        "        self.spelled = 1\n\n    @property\n    def twice(self):\n        return"
        " doubled(self)\n"
    ),
    "firmware.user": (
        "from firmware import box\nfrom firmware.box import Box\n\n\nclass Shelf:\n    def"
        " __init__(self):\n        self.first = Box(3)\n        self.text = b'x'\n\n    def"
        " counted(self):\n        return self.first.twice + box.doubled(self.first) +"
        " self.first.sides + self.text.count(b'x')\n\n\ndef entry():\n    return Shelf().counted()"
        " + Shelf().first.spelled\n"
    ),
}


def test_public_names_share_words_and_mean_the_same(monkeypatch):
    plan = publics.plan(PUBLIC, ["box.content"], ["from firmware import user\nuser.entry()"])
    laid = {name: plan.applied(text, name) for name, text in PUBLIC.items()}
    for word in ("doubled", "Shelf", "sides", "told =", "twice", "counted", "first"):
        assert word not in "".join(laid.values()), word
    assert "content" in laid["firmware.box"], "a library may ask for it"
    assert "self.spelled" in laid["firmware.box"] and "def entry" in laid["firmware.user"]
    shared = [name for name in plan.attributes if plan.attributes[name] == plan.attributes["first"]]
    assert len(shared) == 2, "attributes of different classes share a word"
    assert entered(monkeypatch, laid) == entered(monkeypatch, PUBLIC) == 18


def entered(monkeypatch, sources):
    """Run modules under their names and return what the last one's ``entry`` gives."""
    for name, source in sources.items():
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
        exec(source, vars(sys.modules[name]))
    return sys.modules[name].entry()
