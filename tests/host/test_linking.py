"""The linker: a few files that do what the modules did."""

import ast
import sys
import types

import pytest

from host.boards.deploy import image, linking, literals

BOX = """
from firmware import shapes
from firmware.shapes import AREA, area as of
LIMIT = 3
class Box:
    LIMIT = 4
    def __init__(self, area=LIMIT):
        self.LIMIT, self.area = LIMIT, area
    def shapes(self):
        return [LIMIT + shapes for shapes in (1, 2)] + [shapes.area(LIMIT)]
    def outer(self, LIMIT=1):
        def inner():
            return LIMIT + AREA
        return inner() + of(2) + (lambda AREA: AREA + self.area)(5)
    def late(self):
        from firmware import late
        try:
            return late.seen(self)
        except ValueError as shapes:
            return str(shapes)
"""
SOURCES = {
    "firmware.shapes": "AREA = 7\ndef area(x):\n    return AREA * x\n",
    "firmware.late": (
        "from firmware import box, shapes\ndef seen(one):\n    return one.area + shapes.AREA +"
        " box.LIMIT\n"
    ),
    "firmware.box": BOX,
    "firmware.app": (
        "from firmware.box import Box\nfrom firmware import box, shapes\ndef main():\n    one ="
        " Box()\n    return one.shapes(), one.outer(), one.late(), box.LIMIT, Box.LIMIT,"
        " shapes.AREA\n"
    ),
}


def run(sources):
    """Return what ``main`` of the program's app returns."""
    before = {
        name: module for name, module in sys.modules.items() if name.partition(".")[0] == "firmware"
    }
    for name in before:
        del sys.modules[name]
    try:
        root = sys.modules["firmware"] = types.ModuleType("firmware")
        root.__path__ = []
        for name in linking.ordered({name: ast.parse(text) for name, text in sources.items()}):
            module = sys.modules[name] = types.ModuleType(name)
            setattr(root, name.rpartition(".")[2], module)
            exec(compile(sources[name], name, "exec"), vars(module))
        return sys.modules["firmware.app"].main()
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == "firmware"]:
            del sys.modules[name]
        sys.modules.update(before)


@pytest.mark.parametrize("resident", [
    (), ("firmware.shapes",), ("firmware.box",), ("firmware.shapes", "firmware.box"),
    tuple(SOURCES)[:1] + tuple(SOURCES)[2:],
])  # fmt: skip
@pytest.mark.parametrize("most", [1, 10_000])
def test_linked_modules_do_what_they_did(resident, most):
    linked = linking.link(SOURCES, {*resident} - {"firmware.app"}, most=most)
    assert run(linked) == run(SOURCES)
    assert not {*linked} & {*resident} - {"firmware.app"}


def test_a_module_that_is_held_as_a_thing_cannot_be_linked():
    sources = {"firmware.a": "X = 1\n", "firmware.b": "from firmware import a\nKEPT = [a]\n"}
    with pytest.raises(ValueError, match="firmware.b holds the module firmware.a"):
        linking.link(sources, {"firmware.a"})


def test_a_part_stays_small_enough_to_be_compiled_on_a_board():
    parts = {name: text for name, text in image.programs("feather").items() if "/part" in name}
    assert len(parts) > 3
    largest = max(map(len, image.modules("feather").values()))
    assert all(len(text) <= max(linking.MOST_BYTES * 1.2, largest) for text in parts.values())


def test_a_compact_source_is_the_same_program():
    for text in image.modules("feather").values():
        tree = ast.parse(text)
        assert ast.dump(ast.parse(linking.printed(tree))) == ast.dump(tree)


def test_a_compact_source_of_every_statement():
    text = (
        "@once\ndef f(a, *b, c=1, **d):\n    for x in a:\n        if x:\n            continue\n    "
        "    elif b:\n            break\n        else:\n            pass\n    else:\n        while"
        " d:\n            d.pop()\n        else:\n            c = 2\n    with open(a) as z:\n      "
        "  return z\nclass A(B, metaclass=C):\n    x = 1\n    try:\n        y = 2\n    except (E,"
        " F) as e:\n        y = 3\n    except G:\n        y = 4\n    else:\n        y = 5\n   "
        " finally:\n        z = 6\n"
    )
    assert ast.dump(ast.parse(linking.printed(ast.parse(text)))) == ast.dump(ast.parse(text))


def test_a_public_function_that_one_place_of_a_part_calls_stands_there():
    sources = {
        "firmware.a": "def half(x):\n    return x // 2\ndef third(x):\n    return x // 3\n",
        "firmware.b": "from firmware import a\ndef go(x):\n    return a.half(x) + a.third(x)\n",
    }
    asking = {"firmware.c": "from firmware import a\nSIX = a.third(18)\n"}
    linked = linking.link(sources, {*sources}, asking)
    assert linked.keys() == {"firmware.part0"}
    assert linked["firmware.part0"].count("def ") == 2  # third is asked for by what is not laid


def test_a_method_that_other_files_call_stays():
    sources = {
        "firmware.a": "class A:\n    def go(self):\n        return self._b()\n"
        "    def _b(self):\n        return 1\n",
        "firmware.b": "from firmware import a\nONE = a.A()._b()\n",
    }
    assert "def _b" in linking.link(sources, {"firmware.a"})["firmware.part0"]


def test_what_a_function_imports_late_may_lie_beside_what_its_module_has_imported():
    """Else the part's name is the function's own, and unset before that line."""
    sources = {
        "firmware.first": "def one():\n    return 1\n",
        "firmware.second": "def two():\n    return 2\n",
        "firmware.app": (
            "from firmware import first\n"
            "def main(later=True):\n"
            "    found = first.one()\n"
            "    if later:\n"
            "        from firmware import second\n"
            "        found += second.two()\n"
            "    return found\n"
        ),
    }
    linked = linking.link(sources, ("firmware.first", "firmware.second"))
    assert "firmware.part0" in linked and "firmware.part1" not in linked
    assert run(linked) == 3


def test_a_text_that_one_place_of_a_part_asks_for_stands_there():
    source = (
        "A = 'a'\nB = b'b'\nC = 'c'\nD = 'd'\nE = 'e'\nF = (1, 2)\ndef go(E):\n"
        "    return A + B + C + C + f'{D}' + E + F\n"
    )
    tree = ast.parse(source)
    literals.place(tree, {"go"})
    told = "\n".join(line for line in source.splitlines() if line[0] not in "AB")
    assert ast.unparse(tree) == ast.unparse(ast.parse(told.replace("A + B", "'a' + b'b'")))
    for kept in ("A", "B"):
        tree = ast.parse(source)
        literals.place(tree, {"go", kept})
        assert f"\n{kept} = " in "\n" + ast.unparse(tree)
