"""Types taken out of a source: they are for people and the type checker (docs/extending.md, Types).

A board's compiler drops annotations of functions and variables anyway. What this saves a board is
the rest: ``TYPE_CHECKING`` blocks, and ``assert`` statements, with which the firmware tells the
checker what it knows. To the steps after this one an annotated attribute would look like one that
is stored, too.
"""

import ast

from host.boards.deploy import edits
from host.boards.deploy.syntax import walk

GUARD = "TYPE_CHECKING"


def stripped(source: str) -> str:
    """Return ``source`` without its types; the other statements stay on their lines."""
    lines, found = source.split("\n"), []
    for node in walk(ast.parse(source)):
        if isinstance(node, ast.arg) and node.annotation:
            found.append((_after(node, len(node.arg.encode()), node.annotation), ""))
        elif isinstance(node, edits.DEFINED[:2]) and node.returns:
            found.append((_arrow(lines, node.returns), ""))
        elif isinstance(node, ast.AnnAssign) and node.value:
            size = edits.end_of(node.target)[1] - node.target.col_offset
            found.append((_after(node.target, size, node.annotation), ""))
        elif is_guard(node):
            found.append((node, ""))
        found += _idle(getattr(node, "body", None))
    return edits.replaced(source, found)


def is_guard(node: ast.AST) -> bool:
    """Say whether a statement is a ``TYPE_CHECKING`` block, or sets the name."""
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], ast.Name) and node.targets[0].id == GUARD
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == GUARD


def _after(node, size, annotation):
    """Return the span from ``size`` bytes into a node to the end of its annotation."""
    begin = node.col_offset + size
    return edits.Span(node.lineno, begin, *edits.end_of(annotation))


def _arrow(lines, returns):
    """Return the span from the blank before ``->`` to the end of what it names."""
    begin = lines[returns.lineno - 1].encode().rindex(b" ->", 0, returns.col_offset)
    return edits.Span(returns.lineno, begin, *edits.end_of(returns))


def _idle(body):
    """Return the edits of a body's statements that only tell a type: ``x: int``, ``assert x is not
    None``.
    """
    if not isinstance(body, list):
        return []
    idle = [node for node in body if isinstance(node, ast.Assert) or _only_declares(node)]
    return [(node, "pass" if len(idle) == len(body) else "") for node in idle]


def _only_declares(node):
    return isinstance(node, ast.AnnAssign) and node.value is None
