"""Public names of the firmware by short words that all modules and classes use again.

A module's names (functions, classes, tables) are asked of that module, so all modules use the same
words, each of which a board interns once; attributes: ``attributes``. Left as they are: names that
stand in a text, and those that libraries, built-in or native objects or the PC's own pieces
(``outside``) ask for. Lines do not move: a traceback on a board shows file and line as ever.
"""

import ast
import string
from collections.abc import Collection, Iterable, Mapping

from host.boards.deploy import attributes, edits
from host.boards.deploy.syntax import walk

_LETTERS = string.ascii_lowercase
_SHORT = ["_" + word for word in [*_LETTERS, *(x + y for x in _LETTERS for y in _LETTERS)]]


class Plan:
    """Which names become which: ``names`` is {module: {name: word}}, ``attributes``
    {name: word}.
    """

    def __init__(
        self,
        names: Mapping[str, Mapping[str, str]],
        words: Mapping[str, str],
        known: Collection[str],
    ):
        self.names, self.attributes, self._known = names, words, known

    def applied(self, source: str, module: str = "", before: str = "") -> str:
        """Return ``source`` in short words; ``before`` is what ran in the same names before it."""
        tree = ast.parse(source)
        imported = _imported(tree, self.names, module)
        own = {**self.names.get(module, {}), **imported}
        found = [
            edits.definition(n, own[n.name])
            for n in tree.body
            if isinstance(n, edits.DEFINED) and n.name in own
        ]
        found += attributes.definitions(tree, self.attributes)
        found += attributes.fields(tree, self.attributes)
        aliases = {
            **edits.modules(ast.parse(before), self._known),
            **edits.modules(tree, self._known),
        }
        in_class = {
            id(n) for c in walk(tree) if isinstance(c, ast.ClassDef) for n in attributes.places(c)
        }
        for node in walk(tree):
            if isinstance(node, ast.Name) and node.id in own and id(node) not in in_class:
                found.append(edits.name(node, own[node.id]))
            elif isinstance(node, ast.Attribute) and (word := self._word(node, aliases)):
                found.append(edits.attribute(node, word))
            elif isinstance(node, ast.ImportFrom):
                found += _import_edits(node, self.names.get(node.module or "", {}), imported)
        return edits.applied(source, found)

    def _word(self, node, aliases):
        """Return the word for what follows an attribute's dot, or None where it stays."""
        base = node.value.id if isinstance(node.value, ast.Name) else None
        if base in aliases:
            return self.names.get(aliases[base], {}).get(node.attr)
        return self.attributes.get(node.attr)


def plan(sources: Mapping[str, str], libraries: Iterable[str], outside: Iterable[str]) -> Plan:
    """Return the Plan for ``{dotted name: source}``.

    ``libraries`` are sources that know nothing of ours but are given our objects; ``outside`` are
    sources that ask our modules for names and run as they are.
    """
    trees = {name: ast.parse(source) for name, source in sources.items()}
    apart = [ast.parse(source) for source in outside]
    things = held(trees)
    kept = _doubtful(trees).union(*(edits.mentioned(tree) | edits.spelled(tree) for tree in apart))
    spelled = set().union(*(edits.spelled(tree) for tree in trees.values()))
    names = {}
    for module, tree in trees.items():
        if module.startswith("firmware.") and module not in things:
            names[module] = _short(tree, kept | spelled)
    fixed = attributes.fixed(trees.values(), [ast.parse(source) for source in libraries])
    fixed |= kept.union(*(_public(trees[name]) for name in things))
    return Plan(names, attributes.plan(trees, fixed), frozenset(trees))


def _public(tree):
    """Return the names that a module's top level defines."""
    found = {node.name for node in tree.body if isinstance(node, edits.DEFINED)}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            found |= {inner.id for inner in node.targets if isinstance(inner, ast.Name)}
    return found


def held(trees: Mapping[str, ast.Module]) -> set[str]:
    """Return the modules that somebody holds as things, and the systems, which are handed
    around.
    """
    held = {name for name in trees if name.startswith("firmware.core.systems")}
    for tree in trees.values():
        aliases = edits.modules(tree, trees.keys())
        bases = {id(node.value) for node in walk(tree) if isinstance(node, ast.Attribute)}
        for node in walk(tree):
            if isinstance(node, ast.Name) and id(node) not in bases and node.id in aliases:
                held.add(aliases[node.id])
    return held & trees.keys()


def _doubtful(trees):
    """Return the attributes asked of a name that is a module here and something else there."""
    found = set()
    for tree in trees.values():
        doubtful = edits.modules(tree, trees.keys()).keys() & (
            edits.local_names(tree) | _public(tree)
        )
        for node in walk(tree):
            if isinstance(node, ast.Attribute) and getattr(node.value, "id", None) in doubtful:
                found.add(node.attr)
    return found


def _short(tree, kept):
    """Return ``{public name: short word}`` of one module."""
    used = edits.mentioned(tree)
    words = (word for word in _SHORT if word not in used)
    inner = {n.id for c in walk(tree) if isinstance(c, ast.ClassDef) for n in attributes.places(c)}
    wanted = sorted(_public(tree) - kept - edits.local_names(tree) - inner)
    return {name: next(words) for name in wanted if len(name) > 2 and not name.startswith("_")}


def _imported(tree, names, module):
    """Return ``{name: short word}`` for what a module of ours takes out of others by name."""
    if module not in names:
        return {}
    used = edits.mentioned(tree) | set(names[module].values())
    words = (word for word in _SHORT if word not in used)
    local = edits.local_names(tree)
    found = {}
    for node in walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if (
                    alias.name in names.get(node.module, {})
                    and not alias.asname
                    and alias.name not in local
                ):
                    found[alias.name] = found.get(alias.name) or next(words)
    return found


def _import_edits(node, theirs, imported):
    """Return the edits of the names that one import takes out of a module."""
    found = []
    for alias in node.names:
        if alias.name in theirs:
            bound = imported.get(alias.name, alias.name)
            new = theirs[alias.name] + ("" if alias.asname else f" as {bound}")
            found.append((alias.lineno, alias.col_offset, alias.name, new))
    return found
