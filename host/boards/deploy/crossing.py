"""Methods that one place in the program calls, put into that place, whatever module it is in.

A method's name that one class of ours defines and one place mentions means that method there, as no
library nor the PC's own pieces know it. So it can stand in its caller like a private function
(``inlining``), where that module has all that it asks for.
"""

import ast
import builtins
import collections
import copy
from collections.abc import Collection, Mapping

from host.boards.deploy import edits, families, inlining
from host.boards.deploy.syntax import walk

_NATIVE = {
    word for kind in (str, bytes, bytearray, list, dict, set, tuple, int) for word in dir(kind)
}


def crossed(sources: Mapping[str, str], others: Collection[str]) -> dict[str, str]:
    """Return ``{dotted name: source}`` with such methods in their callers.

    ``others`` are sources that may ask our objects for anything.
    """
    trees = {name: ast.parse(text) for name, text in sources.items()}
    known = [ast.parse(text) for text in others]
    kept = _NATIVE.union(*map(edits.mentioned, known), *map(edits.spelled, known))
    kept = kept.union(*map(edits.spelled, trees.values()))
    while _one(trees, kept):
        pass
    return {name: ast.unparse(ast.fix_missing_locations(tree)) for name, tree in trees.items()}


def _one(trees, kept):
    """Put one method into its caller; return whether there was one."""
    counts = collections.Counter(word for tree in trees.values() for word in _words(tree))
    for module, tree in trees.items():
        for owner in (node for node in tree.body if isinstance(node, ast.ClassDef)):
            for method in (one for one in owner.body if inlining.plain(one)):
                # once where it is defined and once where it is called
                if method.name.startswith("_") or counts[method.name] != 2 or method.name in kept:
                    continue
                found = _called(trees, method.name)
                if found and _has_all(trees, module, owner, method, found[0]):
                    if _put(trees, module, method, *found):
                        owner.body.remove(method)
                        owner.body = owner.body or [ast.Pass()]
                        return True
    return False


def _words(tree):
    """Yield each mention of a name in a tree."""
    for node in walk(tree):
        for field in ("attr", "id", "name", "arg"):
            word = getattr(node, field, None)
            if isinstance(word, str):
                yield word


def _called(trees, name):
    """Return (module, Site) of the only call of a method, None where it is not called."""
    for module, tree in trees.items():
        for call, site in inlining.sites(tree):
            if isinstance(call.func, ast.Attribute) and call.func.attr == name:
                return module, site
    return None


def _put(trees, module, method, other, site):
    """Put a method of a ``module`` into its ``site`` in the ``other``; return whether it could be.

    What it asks for by a private name has a public one then.
    """
    if module == other:
        return site.put(method)
    asked = {n.attr for n in walk(method) if isinstance(n, ast.Attribute) and n.attr[0] == "_"}
    moved = copy.deepcopy(method)
    _publish(moved, asked)
    if not site.put(moved):
        return False
    _publish(trees[module], asked)
    here, there = _meanings(trees[module]), _meanings(trees[other])
    wanted = {word: here[word] for word in _free(method) if word in here and word not in there}
    trees[other].body[:0] = [ast.parse(wanted[word]).body[0] for word in sorted(wanted)]
    return True


def _publish(tree, asked):
    """Put public names in the place of the private ones that are ``asked`` for after a dot."""
    for node in walk(tree):
        for field in ("attr", "name"):
            if getattr(node, field, None) in asked:
                setattr(node, field, "own" + getattr(node, field))


def _free(method):
    """Return the names that a method does not bind itself."""
    return inlining.words(method) - inlining.bound(method.body) - {a.arg for a in method.args.args}


def _has_all(trees, module, owner, method, other):
    """Whether a method means in a module ``other`` what it means in its own, or could."""
    here, there = _meanings(trees[module]), _meanings(trees[other])
    above = any(_means(text, module) for text in there.values())  # it has loaded what this imports
    words = inlining.words(trees[other])
    for word in _free(method):
        if word not in here:
            if not hasattr(builtins, word) or word in there:
                return False
        elif module != other and here[word] != there.get(word):
            if not here[word] or not above or word in words:
                return False
    # what it alone stores, its class would not be known to have
    family = families.roots(trees)
    root = family.get((module, owner.name), (module, owner.name))
    kinds = [
        owner,
        *(_kind(trees, kind) for kind in (root, *family) if family.get(kind, kind) == root),
    ]
    elsewhere = (_stored(one) for kind in kinds for one in kind.body if one is not method)
    return _stored(method) <= set().union(*elsewhere)


def _kind(trees, kind):
    """Return the class of that module and name."""
    return next(n for n in trees[kind[0]].body if getattr(n, "name", "") == kind[1])


def _means(text, module):
    package, _, name = module.rpartition(".")
    return text.startswith((f"from {module} import ", f"from {package} import {name} "))


def _stored(tree):
    """Return the attributes of ``self`` that a tree stores."""
    nodes = (n for n in walk(tree) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store))
    return {node.attr for node in nodes if getattr(node.value, "id", "") == "self"}


def _meanings(tree):
    """Return ``{name: how it is imported}`` of a module; "" for what it defines itself."""
    found = dict.fromkeys(inlining.bound(tree.body), "")
    found |= {node.name: "" for node in tree.body if isinstance(node, edits.DEFINED)}
    for node in tree.body:
        for alias in node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else ():
            name = alias.asname or alias.name
            origin = f"from {node.module} " if isinstance(node, ast.ImportFrom) else ""
            found[name] = f"{origin}import {alias.name} as {name}"
    return found
