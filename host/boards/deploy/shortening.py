"""Locals and parameters by short words that all functions share.

A board interns every distinct word that it compiles, for ever. Names that only their own function
knows are given one of a few short words, in place: no line moves, and nothing that a traceback
prints (files, lines, functions) changes.
"""

import ast
import builtins
import string
from collections.abc import Iterable

from host.boards.deploy.syntax import walk

_SHORT = [*string.ascii_lowercase, *(x + y for x in "abcd" for y in string.ascii_lowercase)]
_SHORT = [word for word in _SHORT if word not in ("as", "if", "in", "is", "or")]
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_FOREIGN = (ast.ClassDef, ast.Global, ast.Nonlocal)


def keywords(sources: Iterable[str]) -> set[str]:
    """Return every name that some call in ``sources`` passes an argument by."""
    return {
        node.arg
        for source in sources
        for node in walk(ast.parse(source))
        if isinstance(node, ast.keyword) and node.arg
    }


def shorten(source: str, passed: set[str]) -> str:
    """Return ``source`` with short words; parameters named in ``passed`` are left as they are."""
    tree = ast.parse(source)
    outer = _outer_names(tree)
    edits = []
    for function in _outermost(tree):
        edits += _edits(function, outer, passed)
    return _edited(source, edits)


def _outer_names(tree):
    """Return the names that a module or its classes define, and the built-in ones."""
    names = set(dir(builtins))
    for owner in [tree, *(node for node in walk(tree) if isinstance(node, ast.ClassDef))]:
        for node in owner.body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                names.add(node.name)
                continue
            for inner in walk(node):
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                    names.add(inner.id)
                elif isinstance(inner, ast.alias):
                    names.add((inner.asname or inner.name).partition(".")[0])
    return names


def _outermost(tree):
    """Return the functions of a module and of its classes, not those within functions."""
    found, waiting = [], [tree]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            (found if isinstance(node, _FUNCTIONS) else waiting).append(node)
    return found


def _arguments(function):
    every = function.args
    plain = [*every.posonlyargs, *every.args, *every.kwonlyargs, every.vararg, every.kwarg]
    return [argument for argument in plain if argument]


def _inside(function):
    """Return the AST nodes of a function's own scope: its body, and its parameters."""
    body = function.body if isinstance(function.body, list) else [function.body]
    return [*(n for part in body for n in walk(part)), *_arguments(function)]


def _edits(function, outer, passed):
    """Return ``[(line, column, old, new)]`` for one outermost function."""
    nodes = _inside(function)
    if any(isinstance(node, _FOREIGN) for node in nodes):
        return []
    names = [n for n in nodes if isinstance(n, ast.Name)]
    arguments = [n for n in nodes if isinstance(n, ast.arg)]
    taken = {n.id for n in names} | {n.arg for n in arguments}
    fixed = outer | passed | _fixed(nodes)
    wanted = [n.arg for n in arguments] + [n.id for n in names if isinstance(n.ctx, ast.Store)]
    renamed = {}
    free = iter([word for word in _SHORT if word not in taken | outer])
    for name in dict.fromkeys(wanted):
        if name not in fixed and len(name) > 1 and name != "self":
            renamed[name] = next(free, name)
    found = [(n, n.id) for n in names] + [(n, n.arg) for n in arguments]
    return [(n.lineno, n.col_offset, old, renamed[old]) for n, old in found if old in renamed]


def _fixed(nodes):
    """Return the names in a function that cannot be renamed where they stand."""
    fixed = set()
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            fixed |= {inner.id for inner in walk(node) if isinstance(inner, ast.Name)}
        elif isinstance(node, ast.alias):
            fixed.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            fixed.add(node.name)
        elif isinstance(node, ast.FunctionDef):
            fixed.add(node.name)
    return fixed


def _edited(source, edits):
    lines = [line.encode() for line in source.split("\n")]
    for line, column, old, new in sorted(set(edits), reverse=True):
        text = lines[line - 1]
        lines[line - 1] = text[:column] + new.encode() + text[column + len(old.encode()) :]
    return b"\n".join(lines).decode()
