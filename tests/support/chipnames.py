"""The names of CircuitPython that our files really use, read from their syntax trees."""

import ast
import builtins
import re

import tree

from host.boards.deploy.image import LIBRARIES

FILES = [
    *tree.python_files("firmware"),
    *tree.python_files("hw/bench"),
    tree.ROOT / "boot.py",
    tree.ROOT / "code.py",
]
NOT_LAID = ("hw/bench/selftest.py",)  # sent over the console, with a PC at the other end
OURS = ("firmware", "host", *LIBRARIES)
# of the language, not of the chip: docs/board.md's list of what breaks is held by
# tests/rules/test_language.py
LANGUAGE = {"struct", "binascii", "collections", "array", "math", "micropython"}
_TYPES = (str, bytes, bytearray, list, dict, tuple, set, int, Exception, memoryview)
PLAIN = {name for kind in _TYPES for name in dir(kind)}
OF_A_LIBRARY = {
    "color"
}  # of adafruit_display_text's label, which lies on the drive, not in the chip
PURE = (
    "firmware/core/",
    "firmware/app.py",
)  # never holds an object of the chip; a test holds the layers


def files():
    """Return the files that run on a board."""
    return [path for path in FILES if tree.name_of(path) not in NOT_LAID]


def imported(path):
    """Return ``{local name: dotted name}`` of a file's imports."""
    found = {}
    for node in ast.walk(tree.running(path)):
        if isinstance(node, ast.Import):
            found.update({alias.asname or alias.name: alias.name for alias in node.names})
        elif isinstance(node, ast.ImportFrom):
            found.update(
                {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            )
    return found


def natives(path):
    """Return ``{local name: dotted native name}`` of a file's imports."""
    others = {*OURS, *LANGUAGE}
    return {
        local: name for local, name in imported(path).items() if name.split(".")[0] not in others
    }


def dotted(node, local):
    """Return the dotted native name that an expression spells, or None."""
    if isinstance(node, ast.Name):
        return local.get(node.id)
    if isinstance(node, ast.Attribute):
        start = dotted(node.value, local)
        return start and f"{start}.{node.attr}"
    return None


def spelled():
    """Return ``{dotted native name: where}`` of everything reached from an imported module."""
    found = {}
    for path in files():
        local = natives(path)
        for name in local.values():
            if "." in name:
                found[name] = tree.name_of(path)
        for node in ast.walk(tree.running(path)):
            name = isinstance(node, ast.Attribute) and dotted(node, local)
            if name:
                found[name] = f"{tree.name_of(path)}:{node.lineno}"
    return found


def _defined():
    """Return every name that our own files give to something."""
    found = set()
    for path in FILES:
        for node in ast.walk(tree.running(path)):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                found.add(node.name)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                found |= (
                    {node.attr}
                    if isinstance(node.value, ast.Name) and node.value.id == "self"
                    else set()
                )
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            elif isinstance(node, ast.alias):
                found.add((node.asname or node.name).rpartition(".")[2])
            elif isinstance(node, ast.Call) and ast.unparse(node.func) == "namedtuple":
                found |= set(node.args[1].value.split())
            elif (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and PURE[0] in tree.name_of(path)
            ):
                # a match's and an event's fields stand in tables of words
                found |= set(re.findall(r"\w+", node.value))
    return found


def asked_of_objects():
    """Return ``{attribute: where}`` of what is asked of objects that are neither ours nor the
    language's.
    """
    known = _defined() | PLAIN | OF_A_LIBRARY | set(dir(builtins))
    return {name: at for name, at in attributes().items() if name not in known}


def attributes():
    """Return ``{attribute: where}`` of objects in the files that can hold one of the chip's."""
    found = {}
    for path in files():
        if tree.name_of(path).startswith(PURE):
            continue
        local = imported(path)
        for node in ast.walk(tree.running(path)):
            if isinstance(node, ast.Attribute) and not dotted(node, local):
                found[node.attr] = f"{tree.name_of(path)}:{node.lineno}"
    return found
