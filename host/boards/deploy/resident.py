"""``code.py`` as a board gets it: without what only a PC's tools run, in words that a board has."""

import ast

from host.boards.deploy import edits, interned, linking, shortening
from host.boards.deploy.syntax import walk

_STARTED = "__name__ == '__main__'"


def laid(source: str) -> str:
    """Return a program's ``source`` for a board, which runs it as ``__main__`` and keeps its names.

    What stands for any other name goes. The program's own names and locals become short; those of
    others' things stay.
    """
    tree = ast.parse(edits.untexted(source))
    for node in tree.body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == _STARTED:
            node.orelse = []
    plain = linking.printed(tree)
    short = shortening.shorten(plain, shortening.keywords([plain]))
    return interned.applied(short, interned.standing_in([short], _own(ast.parse(short))))


def _own(tree):
    """Return the names of two letters or more that the program gives, and asks of nothing else."""
    named, asked = set(), set()
    for node in walk(tree):
        if isinstance(node, (*edits.DEFINED, ast.ExceptHandler)):
            named.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            named.add(node.id)
        elif isinstance(node, ast.Attribute):
            asked.add(node.attr)
        elif isinstance(node, ast.alias):
            asked |= {*node.name.split("."), node.asname}
    named -= {None, *asked}
    return sorted(name for name in named if len(name) > 1 and not name.startswith("__"))
