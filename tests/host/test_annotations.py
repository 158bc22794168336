"""Types cost a board nothing: what is laid has none of them, and is what it would be
without them.
"""

import ast
import importlib.util

import boards
import pytest
import tree

from host.boards.deploy import annotations, bytecode, image, portable
from host.boards.models import IMAGES

TYPED = '''"""Text."""

from firmware.core import events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware.core.types import (
        Event,
        Match,
    )

ROWS: "Sequence[int]" = (1, 2)


class Table:
    """A class."""

    phase: int
    told: "Event | None"
    blocks: int = 3

    def __init__(self, match: "Match | None" = None, *more: int, late: bool = False, **named: str):
        self.match: Match | None = match
        assert match is not None, "a match"
        self.late = late

    def after(
        self,
        seat: int,
        rows: "dict[str, int]",
    ) -> "tuple[int, Sequence[int]]":
        """A method."""
        turn: int
        turn = seat + events.CLOCK
        return turn, rows or ROWS


class Bare:
    seat: int
'''
PLAIN = '''"""Text."""

from firmware.core import events










ROWS = (1, 2)


class Table:
    """A class."""



    blocks = 3

    def __init__(self, match = None, *more, late = False, **named):
        self.match = match

        self.late = late

    def after(
        self,
        seat,
        rows,
    ):
        """A method."""

        turn = seat + events.CLOCK
        return turn, rows or ROWS


class Bare:
    pass
'''


def without_blanks(text):
    return "\n".join(line.rstrip() for line in text.split("\n"))


def test_types_are_taken_out_and_lines_stay():
    assert without_blanks(annotations.stripped(TYPED)) == PLAIN


def types_in(source):
    """Return what a source has of types, as it is written."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.arg) and node.annotation:
            found.append(f"{node.arg}: {ast.unparse(node.annotation)}")
        elif isinstance(node, ast.FunctionDef) and node.returns:
            found.append(f"-> {ast.unparse(node.returns)}")
        elif isinstance(node, (ast.AnnAssign, ast.Assert)) or annotations.is_guard(node):
            found.append(ast.unparse(node))
    return found


@pytest.mark.parametrize("model", boards.tried(IMAGES))
def test_a_board_is_laid_no_types(model):
    laid = image.programs(model)
    assert not [path for path in laid if path.endswith(".pyi") or "types" in path]
    assert {path: types_in(text) for path, text in laid.items() if types_in(text)} == {}


def test_the_tests_for_a_board_have_no_types():
    """Beyond the portable tests' own assertions."""
    laid = {path: data.decode() for path, data in portable.build().items() if "firmware" in path}
    assert laid
    assert {path: types_in(text) for path, text in laid.items() if types_in(text)} == {}


class Untyped(ast.NodeTransformer):
    """Takes types out of a tree, as ``annotations`` does of a text."""

    def visit_arg(self, node):
        node.annotation = None
        return node

    def visit_FunctionDef(self, node):
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node):
        return ast.Assign([node.target], node.value, lineno=node.lineno) if node.value else None

    def visit_Assert(self, node):
        return None

    def visit(self, node):
        return None if annotations.is_guard(node) else super().visit(node)


FIRMWARE = tree.python_files("firmware")


def test_nothing_but_types_is_taken_out_of_the_firmware():
    for path in FIRMWARE:
        source = path.read_text("utf-8")
        plain = ast.parse(annotations.stripped(source))
        assert ast.dump(plain) == ast.dump(Untyped().visit(ast.parse(source))), tree.name_of(path)
        assert annotations.stripped(source).count("\n") == source.count("\n"), tree.name_of(path)


def test_annotations_are_no_bytecode():
    """Those of functions and variables, whatever they name: a board that gets the source drops
    them, too.
    """
    plain = (
        "class A:\n    size = 1\n\n    def f(self, a, b=2):\n        c = a\n        return c + b\n"
    )
    typed = (
        "class A:\n    size: Nobody = 1\n    late: Unknown\n\n"
        "    def f(self, a: Nobody, b: 'int' = 2) -> Unknown[int]:\n"
        "        c: Nobody = a\n        return c + b\n"
    )
    assert bytecode.compiled("a.py", typed) == bytecode.compiled("a.py", plain)


def test_a_types_file_is_for_the_checker_alone():
    for path in sorted((tree.ROOT / "firmware").rglob("*.pyi")):
        name = ".".join(path.relative_to(tree.ROOT).with_suffix("").parts)
        assert importlib.util.find_spec(name) is None, f"{name} could be imported when it runs"
        assert path.relative_to(tree.ROOT / "firmware").as_posix() not in image.firmware_files()


def test_only_the_checker_sees_a_types_file_imported():
    for path in FIRMWARE:
        for node in ast.walk(ast.parse(annotations.stripped(path.read_text("utf-8")))):
            if isinstance(node, ast.ImportFrom):
                assert not node.module.endswith(".types"), f"{tree.name_of(path)}:{node.lineno}"
