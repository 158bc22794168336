"""A function's statements drawn out of an expression, to stand before the statement that asks."""

import ast

from host.boards.deploy.syntax import walk

_QUIET = (ast.Name, ast.Constant, ast.expr_context, ast.operator, ast.unaryop, ast.cmpop)
_WHOLE = (  # evaluate all that is in them, in the order of their fields
    ast.Call, ast.keyword, ast.Tuple, ast.List, ast.BinOp, ast.UnaryOp, ast.Subscript, ast.Slice,
    ast.Attribute,
)  # fmt: skip
_NO_WAY_OUT = (ast.Break, ast.For, ast.While, ast.Try, ast.With)  # of a loop that has one in it
_ASKING = {  # the field of a statement that is evaluated first, and once
    ast.Return: "value", ast.Assign: "value", ast.Expr: "value", ast.If: "test", ast.For: "iter",
}  # fmt: skip


def asked_first(statement: ast.stmt, call: ast.Call) -> bool:
    """Whether ``call`` is evaluated whenever ``statement`` is, before all but plain names."""
    value = getattr(statement, _ASKING.get(type(statement), ""), None)
    return isinstance(value, ast.AST) and _reach(value, call) is True


def _reach(node, call):
    """Return True where evaluating ``node`` comes to ``call`` first, None where it comes to nothing
    that has or sees an effect, False otherwise.
    """
    if node is call:
        return True
    if isinstance(node, _QUIET):
        return None
    # the first of these is always asked
    if isinstance(node, ast.BoolOp):
        return bool(_reach(node.values[0], call))
    if isinstance(node, ast.IfExp):
        return bool(_reach(node.test, call))
    if isinstance(node, ast.Compare):
        found = _reach(node.left, call)
        return bool(_reach(node.comparators[0], call) if found is None else found)
    if not isinstance(node, _WHOLE):
        return False
    for inner in ast.iter_child_nodes(node):
        method = isinstance(node, ast.Call) and inner is node.func
        if method and isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name):
            continue  # nobody binds a method anew
        found = _reach(inner, call)
        if found is not None:
            return found
    return None if isinstance(node, (ast.Tuple, ast.keyword)) else False


def as_value(body: list[ast.stmt]) -> ast.expr | None:
    """Return a function's ``body`` as one expression, None where it is more than conditions."""
    one = body[0] if body else None
    if isinstance(one, ast.Return):
        return one.value or ast.Constant(None)
    if not isinstance(one, ast.If) or not _leaves(one.body):
        return None
    yes, no = as_value(one.body), as_value(one.orelse + body[1:])
    return None if yes is None or no is None else ast.IfExp(one.test, yes, no)


def ended(body: list[ast.stmt], name: str) -> list[ast.stmt] | None:
    """Return a function's ``body`` where what it returns is bound to ``name``, or, "", forgotten;
    None where it returns out of more than conditions or one loop.
    """
    for at, one in enumerate(body):
        if isinstance(one, ast.Return):
            return body[:at] + _bound(name, one.value or ast.Constant(None))
        if isinstance(one, ast.Raise):
            return body[: at + 1]
        if _returns(one):
            rest = _split(one, body[at + 1 :], name)
            return None if rest is None else [*body[:at], rest]
    return body + _bound(name, ast.Constant(None))


def _returns(statement):
    return any(isinstance(inner, ast.Return) for inner in walk(statement))


def _split(one, rest, name):
    """Return a condition or a loop that returns and the ``rest`` after it as one statement."""
    if isinstance(one, ast.For) and not one.orelse and _breaks(one.body, name):
        after = ended(rest, name)
        return None if after is None else ast.For(one.target, one.iter, one.body, after)
    if not isinstance(one, ast.If):
        return None
    yes, no = one.body, one.orelse
    if _leaves(yes):
        no = no + rest
    elif _leaves(no):
        yes = yes + rest
    elif rest:
        return None
    yes, no = ended(yes, name), ended(no, name)
    return None if yes is None or no is None else ast.If(one.test, yes or [ast.Pass()], no)


def _breaks(body, name):
    """Have a loop's ``body`` break where it returns; return whether it can."""
    if any(isinstance(inner, _NO_WAY_OUT) for one in body for inner in walk(one)):
        return False
    for block in _blocks(body):
        if block and isinstance(block[-1], ast.Return):
            block[-1:] = [*_bound(name, block[-1].value or ast.Constant(None)), ast.Break()]
    return True


def _blocks(body):
    yield body
    for one in body:
        if isinstance(one, ast.If):
            yield from _blocks(one.body)
            yield from _blocks(one.orelse)


def _leaves(body):
    """Whether no way through ``body`` comes to its end."""
    last = body[-1] if body else None
    if isinstance(last, ast.If):
        return _leaves(last.body) and _leaves(last.orelse)
    return isinstance(last, (ast.Return, ast.Raise))


def _bound(name, value):
    if name:
        return [ast.Assign([ast.Name(name, ast.Store())], value)]
    return [] if isinstance(value, (ast.Name, ast.Constant)) else [ast.Expr(value)]
