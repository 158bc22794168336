"""Named numbers put in place of their names in what a board is given.

A public constant costs a board 31 bytes, and its word is interned for ever; ours are some 150
(kinds of events, flags, phases). So ``events.CLOCK`` is laid as ``13``, and definitions and imports
that are needless then become blank. Every statement stays on its line: a traceback stays true.
"""

import ast
from collections.abc import Mapping

from host.boards.deploy import constants, edits
from host.boards.deploy.syntax import walk


def fold(sources: Mapping[str, str]) -> dict[str, str]:
    """Return ``{dotted name: source}`` with numbers for names; needless modules are left out.

    A module that somebody holds as a thing (a system's table) keeps its names, and so does a
    constant that stands in an f-string.
    """
    modules = constants.read(sources)
    named = [name for module in modules.values() for name in _kept(module)]
    folded = {}
    for name, module in modules.items():
        text = edits.replaced(module.source, _edits(module, named))
        if not _is_hollow(text) or _is_hollow(module.source):
            folded[name] = text
    return folded


def _kept(module):
    """Yield the names of constants that this module goes on asking for by name."""
    for node in walk(module.tree):
        if isinstance(node, ast.JoinedStr):
            for inner in walk(node):
                if module.number(inner) is None:
                    continue
                if isinstance(inner, ast.Attribute):
                    yield inner.attr
                elif isinstance(inner, ast.Name):
                    yield inner.id


def _edits(module, named):
    """Return ``[(node, new text)]`` for one module."""
    in_text = {id(n) for s in walk(module.tree) if isinstance(s, ast.JoinedStr) for n in walk(s)}
    removed = [
        node
        for node in module.tree.body
        if module.definition(node) in module.numbers
        and not module.held
        and module.definition(node) not in named
    ]
    edits = [(node, "") for node in removed]
    gone = {id(inner) for node in removed for inner in walk(node)}
    still_used = set()
    for node in walk(module.tree):
        if id(node) in gone:
            continue
        value = None if id(node) in in_text else module.number(node)
        if value is not None:
            edits.append((node, str(value) if value >= 0 else f"({value})"))
            gone.update(id(inner) for inner in walk(node))
        elif isinstance(node, ast.Name):
            still_used.add(node.id)
    return edits + _import_edits(module, still_used)


def _import_edits(module, still_used):
    """Return the edits that drop imported modules nobody asks any more."""
    edits = []
    for node in walk(module.tree):
        if not isinstance(node, ast.ImportFrom):
            continue
        dropped = [alias for alias in node.names if _is_idle(module, alias, still_used)]
        if dropped:
            left = [ast.unparse(alias) for alias in node.names if alias not in dropped]
            edits.append((node, f"from {node.module} import {', '.join(left)}" if left else "pass"))
    return edits


def _is_idle(module, alias, still_used):
    name = alias.asname or alias.name
    if name in still_used:
        return False
    other, theirs = module.taken.get(name, (None, None))
    return name in module.aliases or bool(other and theirs in other.numbers)


def _is_hollow(source):
    """Say whether a module holds nothing but text and ``pass``."""
    return all(
        isinstance(node, ast.Pass)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for node in ast.parse(source).body
    )
