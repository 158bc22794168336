"""Mutants of a module: each is the module with one small thing in a function written otherwise.

Drawn from the syntax tree: a comparison turned or its bound moved, an operand of ``and`` or ``or``
dropped, a condition negated, a number one higher, a statement left out, None or the other truth
returned. Code at a module's top level (tables, classes' attributes) is not touched.
"""

import ast
import copy
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
_UNTOUCHED = ("annotation", "returns", "decorator_list")


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
        _target(self.function).__code__ = self.code


def mutants(module_name: str) -> Iterator[Mutant]:
    path = importlib.import_module(module_name).__file__
    assert path is not None
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    for qualified, function, whole in _functions(tree.body):
        where, alone = f"{module_name}:{qualified}", ast.Module([whole], [])
        for holder, block, at, field, lines in list(_places(function, _lines(function))):
            was = block[at]
            for instead in _otherwise(was, field):
                before = _source(holder, was)
                block[at] = ast.copy_location(instead, was)
                after = _source(holder, instead)
                ast.fix_missing_locations(alone)
                code = _code(compile(alone, path, "exec", dont_inherit=True), qualified)
                block[at] = was
                if code.co_freevars == _target(where).__code__.co_freevars:  # else it fits nowhere
                    yield Mutant(where, lines, before, after, code)


def _target(where) -> types.FunctionType:
    found = bugs.planted(where)
    found = inspect.unwrap(getattr(found, "__func__", found))
    assert isinstance(found, types.FunctionType), where
    return found


def _functions(body, above="") -> Iterator[tuple[str, ast.AST, ast.stmt]]:
    """Yield (qualified name, node, what is to be compiled: it alone, in its classes)."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            for qualified, function, inner in _functions(node.body, f"{above}{node.name}."):
                alone = copy.copy(node)
                alone.body = [inner]
                yield qualified, function, alone
        elif isinstance(node, _FUNCTIONS):
            yield above + node.name, node, node


def _places(holder, lines):
    """Yield (holder, list or dict, index or field, field, lines) of each node in a function that is
    neither in an annotation nor in a declared argument nor in a formatted text. ``lines``: the first
    and last of the statement around it; of one with a body, what stands before that.
    """
    for field, value in ast.iter_fields(holder):
        if field in _UNTOUCHED or isinstance(value, ast.arguments):
            continue
        listed = isinstance(value, list)
        block, places = (value, range(len(value))) if listed else (vars(holder), [field])
        for at in places:
            node = block[at]
            if isinstance(node, ast.AST) and not isinstance(node, ast.JoinedStr):
                around = _lines(node) if isinstance(node, _STATEMENTS) else lines
                yield holder, block, at, field, around
                yield from _places(node, around)


def _lines(statement):
    body = getattr(statement, "body", None)
    last = max(statement.lineno, body[0].lineno - 1) if body else statement.end_lineno
    return statement.lineno, last


def _otherwise(node, field):
    """Yield what may stand instead of a node."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Constant(value=bool()):
            pass  # a docstring, or ``...``; a truth is changed where it is returned
        case _ if isinstance(node, _SIMPLE):
            yield ast.Pass()
        case ast.Return(value=ast.Constant(value=bool(truth))):
            yield ast.Return(ast.Constant(not truth))
        case ast.Return(value=value) if value and getattr(value, "value", value) is not None:
            yield ast.Return(ast.Constant(None))
        case ast.Compare(ops=[one]):
            yield ast.Compare(node.left, [_TURNED[type(one)]()], node.comparators)
        case ast.BoolOp(values=values):
            for at in range(len(values)):
                left = values[:at] + values[at + 1 :]
                yield left[0] if len(left) == 1 else ast.BoolOp(node.op, left)
        case ast.Constant(value=int(number)):
            yield ast.Constant(number + 1)
    if field == "test":
        match node:
            case ast.UnaryOp(op=ast.Not()):
                yield node.operand
            case ast.Compare(ops=[one]) if isinstance(one, _NEGATING):
                pass
            case _:
                yield ast.UnaryOp(ast.Not(), node)


def _code(code, qualified):
    """Return the code object of a function in a module's, by its qualified name."""
    waiting = [code]
    while waiting:
        one = waiting.pop()
        if one.co_qualname == qualified:
            return one
        waiting += [held for held in one.co_consts if isinstance(held, types.CodeType)]
    raise LookupError(qualified)


def _source(holder, node):
    """Return a node's source; a number's with what it stands in, for it says nothing alone."""
    whole = isinstance(node, ast.Constant) and isinstance(holder, _WHOLE)
    return " ".join(ast.unparse(holder if whole else node).split())
