"""Mutants of a module: each is the module with one small thing in a function written otherwise.

Drawn from the syntax tree: a comparison turned or its bound moved, an operand of ``and`` or ``or``
dropped, a condition negated, a number one higher, a statement left out, None or the other truth
returned. Code at a module's top level (tables, classes' attributes) is not touched.
"""

import ast
import importlib
import inspect
import types
from collections.abc import Iterator
from typing import NamedTuple

import bugs

_TURNED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_NEGATING = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)  # turned is negated
_SIMPLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Delete)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_WHOLE = (ast.expr, ast.keyword, ast.Return, *_SIMPLE)
_STATEMENTS = (ast.stmt, ast.excepthandler)


class Mutant(NamedTuple):
    """One passage written otherwise: ``was`` and ``instead`` as source on one line."""

    function: str  # "module:Class.name"
    lines: tuple[int, int]  # the first and last of the statement that it stands in
    was: str
    instead: str
    code: types.CodeType

    @property
    def name(self) -> str:
        """What tells it from the others, whatever line it stands on: a key for tables."""
        return f"{self.function}: {self.was} -> {self.instead}"

    def plant(self) -> None:
        """Put it into this process, for good."""
        _target(self.function).__code__ = self.code


def mutants(module_name: str) -> Iterator[Mutant]:
    """Yield every Mutant of a module, in the source's order."""
    path = importlib.import_module(module_name).__file__
    assert path is not None
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    for qualified, function in _functions(tree.body):
        where, extents = f"{module_name}:{qualified}", _extents(function)
        for block, field, at, node in list(_changes(function)):
            value = getattr(block, field)
            was = value if at is None else value[at]
            before = _said(block, was)
            _put(block, field, at, node)
            instead = _said(block, node)
            ast.fix_missing_locations(tree)
            code = _code(compile(tree, path, "exec", dont_inherit=True), qualified)
            _put(block, field, at, was)
            if code.co_freevars == _target(where).__code__.co_freevars:  # else it fits in nowhere
                yield Mutant(where, extents[id(was)], before, instead, code)


def _target(where) -> types.FunctionType:
    found = bugs.planted(where)
    found = inspect.unwrap(getattr(found, "__func__", found))
    assert isinstance(found, types.FunctionType), where
    return found


def _functions(body, above="") -> Iterator[tuple[str, ast.AST]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{above}{node.name}.")
        elif isinstance(node, _FUNCTIONS):
            yield above + node.name, node


def _extents(function):
    """Return the first and last line of the statement around each node, by the node's id: of a
    statement with a body, what stands before that.
    """
    found, waiting = {}, [(function, _extent(function))]
    while waiting:
        node, extent = waiting.pop()
        found[id(node)] = extent
        for one in ast.iter_child_nodes(node):
            waiting.append((one, _extent(one) if isinstance(one, _STATEMENTS) else extent))
    return found


def _extent(statement):
    body = getattr(statement, "body", None)
    last = max(statement.lineno, body[0].lineno - 1) if body else statement.end_lineno
    return statement.lineno, last


def _changes(function):
    """Yield (holder, field, index or None, what stands there instead)."""
    for holder in _inside(function):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(holder, field, None)
            for at, node in enumerate(block if isinstance(block, list) else ()):
                if isinstance(node, _SIMPLE) and not _is_text(node):
                    yield holder, field, at, ast.copy_location(ast.Pass(), node)
        for field, value in ast.iter_fields(holder):
            if field in ("annotation", "returns", "decorator_list", "args") and not isinstance(
                holder, ast.Call
            ):
                continue
            for at, node in enumerate(value) if isinstance(value, list) else ((None, value),):
                for instead in _otherwise(node, field):
                    yield holder, field, at, ast.copy_location(instead, node)


def _inside(function):
    """Yield the nodes of a function but those of annotations, of f-strings and of arguments."""
    waiting = [function]
    while waiting:
        node = waiting.pop(0)
        yield node
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "decorator_list") or isinstance(
                value, ast.arguments
            ):
                continue
            held = value if isinstance(value, list) else [value]
            waiting += [one for one in held if isinstance(one, ast.AST) and not _is_said(one)]


def _is_text(node):
    """Say whether a statement is a docstring or ``...``."""
    constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return constant and (isinstance(node.value.value, str) or node.value.value is ...)


def _is_said(node):
    return isinstance(node, ast.JoinedStr)


def _otherwise(node, field):
    """Yield what may stand instead of an expression or a return."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        turned = _TURNED[type(node.ops[0])]()
        yield ast.Compare(node.left, [turned], node.comparators)
    if isinstance(node, ast.BoolOp):
        for at in range(len(node.values)):
            left = node.values[:at] + node.values[at + 1 :]
            yield left[0] if len(left) == 1 else ast.BoolOp(node.op, left)
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.Constant(node.value + 1)
    if isinstance(node, ast.Return) and not _is_none(node.value):
        yield ast.Return(ast.Constant(_returned_instead(node.value)))
    if field == "test" and not _turns(node):
        yield node.operand if _is_not(node) else ast.UnaryOp(ast.Not(), node)


def _returned_instead(value):
    constant = value.value if isinstance(value, ast.Constant) else None
    return not constant if isinstance(constant, bool) else None


def _turns(node):
    return (
        isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], _NEGATING)
    )


def _is_none(node):
    return node is None or isinstance(node, ast.Constant) and node.value is None


def _is_not(node):
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def _put(holder, field, at, node):
    if at is None:
        setattr(holder, field, node)
    else:
        getattr(holder, field)[at] = node


def _code(code, qualified):
    """Return the code object of a function in a module's, by its qualified name."""
    waiting = [code]
    while waiting:
        one = waiting.pop()
        if one.co_qualname == qualified:
            return one
        waiting += [held for held in one.co_consts if isinstance(held, types.CodeType)]
    raise LookupError(qualified)


def _said(holder, node):
    """Return a node's source; a number's with what it stands in, for it says nothing alone."""
    whole = isinstance(node, ast.Constant) and isinstance(holder, _WHOLE)
    return _line(holder if whole else node)


def _line(node):
    return " ".join(ast.unparse(node).split())
