"""Tables of bytes as the literals that they are, and literals where they are asked for.

``bytes((1, 2))`` keeps its tuple on a board beside the bytes that are made of it; and a name of a
module costs 8 bytes there, more where the table of names grows for it.
"""

import ast
import collections
from collections.abc import Collection

from host.boards.deploy.syntax import walk


class _Written(ast.NodeTransformer):
    def visit_Call(self, node):
        self.generic_visit(node)
        plain = isinstance(node.func, ast.Name) and node.func.id == "bytes"
        if not (plain and len(node.args) == 1 and isinstance(node.args[0], ast.Tuple)):
            return node
        every = node.args[0].elts
        values = [part.value for part in every if isinstance(part, ast.Constant)]
        numbers = [one for one in values if type(one) is int and one in range(256)]
        if len(numbers) < len(every):
            return node
        return ast.copy_location(ast.Constant(bytes(numbers)), node)


def written(source: str) -> str:
    """Return ``source`` with ``bytes((...))`` of numbers as a literal."""
    tree = ast.parse(source)
    return ast.unparse(ast.fix_missing_locations(_Written().visit(tree)))


def place(tree: ast.Module, kept: Collection[str]) -> None:
    """Put a text or bytes that one place in a linked part asks for into that place.

    ``kept`` are the names that others ask of it. The AST is changed.
    """
    names = [node for node in walk(tree) if isinstance(node, ast.Name)]
    counts = collections.Counter(node.id for node in names)
    # as an argument or an import it is another thing, and an f-string has quotes of its own
    barred = {getattr(node, field, None) for node in walk(tree) for field in ("arg", "name")}
    for text in (node for node in walk(tree) if isinstance(node, ast.JoinedStr)):
        barred.update(node.id for node in walk(text) if isinstance(node, ast.Name))
    loaded = {node.id for node in names if isinstance(node.ctx, ast.Load)}
    found = {}
    for node in tree.body:
        if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)):
            continue
        name = getattr(node.targets[0], "id", "")
        once = len(node.targets) == 1 and counts[name] == 2 and name in loaded
        if once and name not in barred.union(kept) and isinstance(node.value.value, (str, bytes)):
            found[name] = node
    _Placed(found).visit(tree)
    tree.body = [node for node in tree.body if node not in found.values()]


class _Placed(ast.NodeTransformer):
    def __init__(self, found):
        self._found = found

    def visit_Name(self, node):
        there = isinstance(node.ctx, ast.Load) and node.id in self._found
        return self._found[node.id].value if there else node
