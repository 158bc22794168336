"""A library's source made lean for a board, which compiles every file in its 120 KB of heap.

Gone are comments, docstrings, annotations and what only typing needs, whose words a board would
intern for ever (docs/board.md, Memory). What the code does is untouched. Our own firmware is not
made lean: its lines stay where they are.
"""

import ast
import re
from collections.abc import Callable, Mapping

from host.boards.deploy import imports, known, simplifying
from host.boards.deploy.syntax import walk


class _Stripper(ast.NodeTransformer):
    """Takes out docstrings, annotations and imports for typing alone."""

    def _body(self, node):
        self.generic_visit(node)
        node.body = [child for child in node.body if not _is_idle(child)] or [ast.Pass()]
        return node

    visit_Module = visit_ClassDef = _body

    def visit_FunctionDef(self, node):
        node.returns = None
        return self._body(node)

    def visit_arg(self, node):
        node.annotation = None
        return node

    def visit_AnnAssign(self, node):
        if node.value is None:
            return None
        return ast.copy_location(ast.Assign([node.target], node.value), node)

    def visit_ImportFrom(self, node):
        return None if node.module == "__future__" else node


class _Dropper(ast.NodeTransformer):
    """Takes out the optional imports of what nothing uses, once annotations are gone."""

    def __init__(self, tree):
        self._used = {node.id for node in walk(tree) if isinstance(node, ast.Name)}

    def visit_Try(self, node):
        bound = [
            (alias.asname or alias.name).partition(".")[0]
            for inner in walk(node)
            if isinstance(inner, (ast.Import, ast.ImportFrom))
            for alias in inner.names
        ]
        typing = all(name == "TYPE_CHECKING" or name not in self._used for name in bound)
        if imports.is_optional(node) and bound and typing:
            return None
        return self.generic_visit(node)


def stripped(source: str) -> ast.Module:
    """Return the tree of a source without what only people and typing need."""
    tree = _Stripper().visit(ast.parse(source))
    return ast.fix_missing_locations(_Dropper(tree).visit(tree))


def _is_idle(node):
    if isinstance(node, ast.Assign):
        return ast.unparse(node.targets[0]) in ("__version__", "__repo__")
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _written(tree):
    """Return a tree's source, indented by one space a level (no literal spans lines here)."""
    text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    return re.sub(r"^ +", lambda indent: " " * (len(indent.group()) // 4), text, flags=re.M)


def lean(source: str) -> str:
    """Return the lean source of a library's module."""
    return _written(stripped(source))


def fitted(
    sources: Mapping[str, str],
    libraries: Mapping[str, str],
    prune: Callable[[Mapping[str, str]], dict[str, str]],
) -> dict[str, str]:
    """Return ``{dotted name: source}`` of both, the libraries fitted to the program ``sources``.

    What is known of how the program uses them (``known``) goes through their conditions and stores;
    ``prune`` leaves out of all what is not reached. Both in turn, until nothing more goes.
    """
    others = [ast.parse(text) for text in sources.values()]
    trees = {}
    for module, text in libraries.items():
        trees[module], _ = simplifying.told(stripped(text), known.KNOWN.get(module, {}))
    before, pruned = None, {}
    while before != (texts := {module: _written(tree) for module, tree in trees.items()}):
        before, pruned = texts, prune({**sources, **texts})
        trees = simplifying.simplified(
            {module: ast.parse(pruned[module]) for module in trees}, others, known.HARMLESS
        )
    return {**pruned, **texts}
