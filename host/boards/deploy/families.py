"""Classes of ours that stand on others of ours: an object has the names of both."""

import ast
from collections.abc import Mapping

from host.boards.deploy import edits
from host.boards.deploy.syntax import walk

Kind = tuple[str, str]  # module and class


def roots(trees: Mapping[str, ast.Module]) -> dict[Kind, Kind]:
    """Return ``{class: the one at the bottom}`` for the classes of ``{module: AST}`` that stand on
    one of them.
    """
    bases = {}
    for module, tree in trees.items():
        known = _known(tree, trees)
        for node in walk(tree):
            if isinstance(node, ast.ClassDef) and len(node.bases) == 1:
                base = known.get(ast.unparse(node.bases[0]))
                if base:
                    bases[module, node.name] = base
    return {kind: _bottom(kind, bases) for kind in bases}


def _known(tree, trees):
    """Return ``{as it is written: class}`` of what a module can name of the others."""
    found = {}
    for name, module in edits.modules(tree, trees.keys()).items():
        if module in trees:
            found |= {f"{name}.{word}": (module, word) for word in _classes(trees[module])}
    for node in walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in trees:
            theirs = _classes(trees[node.module])
            found |= {
                a.asname or a.name: (node.module, a.name) for a in node.names if a.name in theirs
            }
    return found


def _classes(tree):
    return {node.name for node in tree.body if isinstance(node, ast.ClassDef)}


def _bottom(kind, bases):
    while kind in bases:
        kind = bases[kind]
    return kind


def groups(trees: Mapping[str, ast.Module]) -> dict[str, str]:
    """Return ``{module: group}`` for the modules whose classes share objects with others'."""
    found = {}
    for (one, _), (other, _) in roots(trees).items():
        joined, group = found.get(one, one), found.get(other, other)
        found |= {one: group, other: group}
        found |= {module: group for module in found if found[module] == joined}
    return found
