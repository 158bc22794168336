"""What one place in the program calls, put into that place, whatever module it is in.

A method's name that one class of ours defines and one place mentions means that method there, as no
library nor the PC's own pieces know it. So it can stand in its caller like a private function
(``inlining``), where that module has all that it asks for. So can a function of a module that the
caller's loads at its start; what is loaded for a moment keeps its own, else it would stay.
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


def crossed(
    sources: Mapping[str, str], others: Collection[str], late: Collection[str] = ()
) -> dict[str, str]:
    """Return ``{dotted name: source}`` with such methods and functions in their callers; ``late``
    are modules that are loaded for a moment.

    ``others`` are sources that may ask our objects for anything.
    """
    trees = {name: ast.parse(text) for name, text in sources.items()}
    known = [ast.parse(text) for text in others]
    kept = _NATIVE.union(*map(edits.mentioned, known), *map(edits.spelled, known))
    kept = kept.union(*map(edits.spelled, trees.values()))
    while _one(trees, kept, late):
        pass
    return {name: ast.unparse(ast.fix_missing_locations(tree)) for name, tree in trees.items()}


def _one(trees, kept, late):
    """Put one method or function into its caller; return whether there was one."""
    counts = collections.Counter(word for tree in trees.values() for word in _words(tree))
    called = _called(trees)
    return _one_method(trees, kept, counts, called, late) or _one_function(
        trees, kept, counts, called, late
    )


def _one_function(trees, kept, counts, called, late):
    for module, tree in trees.items():
        for function in (one for one in tree.body if inlining.plain(one)):
            found = called.get(function.name) if _once(function, counts, kept) else None
            if found is None or not _names(trees, module, *found):
                continue
            other, site = found
            if not _knows_all(trees, module, function, other, late):
                continue
            asked, site.call.func = site.call.func, ast.Name(function.name, ast.Load())
            if _put(trees, module, function, other, site, late):
                tree.body.remove(function)
                return True
            site.call.func = asked
    return False


def _once(node, counts, kept):
    """Whether a name is mentioned once beside its definition, and nobody else may know it."""
    return not node.name.startswith("_") and counts[node.name] == 2 and node.name not in kept


def _names(trees, module, other, site):
    """Whether a call asks a ``module`` by the name under which the ``other`` loads it first."""
    alias = getattr(site.call.func.value, "id", "")
    package, _, name = module.rpartition(".")
    own = inlining.bound(site.caller.body) | {one.arg for one in site.caller.args.args}
    known = _meanings(trees[other]).get(alias)
    return alias not in own and known == f"from {package} import {name} as {alias}"


def _one_method(trees, kept, counts, called, late):
    family = families.roots(trees)
    for module, tree in trees.items():
        for owner in (node for node in tree.body if isinstance(node, ast.ClassDef)):
            for method in (one for one in owner.body if inlining.plain(one)):
                if not _once(method, counts, kept):
                    continue
                found = called.get(method.name)
                if not found or not _has_all(trees, family, module, owner, method, found[0], late):
                    continue
                other, site = found
                if _put(trees, module, method, other, site, late):
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


def _called(trees):
    """Return ``{name: (module, Site)}`` of what is first called after a dot by each name."""
    found = {}
    for module, tree in trees.items():
        for call, site in inlining.sites(tree):
            if isinstance(call.func, ast.Attribute):
                found.setdefault(call.func.attr, (module, site))
    return found


def _put(trees, module, method, other, site, late):
    """Put what a ``module`` defines into its ``site`` in the ``other``; return whether it could be.

    What it asks for by a private name has a public one then.
    """
    most = inlining.MOST_LATE_NODES if other in late else inlining.MOST_NODES
    if module == other:
        return site.put(method, most)
    asked = {n.attr for n in walk(method) if isinstance(n, ast.Attribute) and n.attr[0] == "_"}
    moved = copy.deepcopy(method)
    _publish(moved, asked)
    if not site.put(moved, most):
        return False
    _publish(trees[module], asked)
    here, there = _meanings(trees[module]), _meanings(trees[other])
    wanted = {word: here[word] for word in _free(method) if word in here and word not in there}
    trees[other].body[:0] = [_import(wanted[word]) for word in sorted(wanted)]
    return True


def _import(text):
    """Return the statement that says what a name means, as people write it: so none is there
    twice.
    """
    made = ast.parse(text).body[0]
    for alias in made.names:
        alias.asname = None if alias.asname == alias.name else alias.asname
    return made


def _publish(tree, asked):
    """Put public names in the place of the private ones that are ``asked`` for after a dot."""
    for node in walk(tree):
        for field in ("attr", "name"):
            if getattr(node, field, None) in asked:
                setattr(node, field, "own" + getattr(node, field))


def _free(method):
    """Return the names that a method does not bind itself."""
    return inlining.words(method) - inlining.bound(method.body) - {a.arg for a in method.args.args}


def _has_all(trees, family, module, owner, method, other, late):
    """Whether a method of an ``owner`` means in a module ``other`` what it means in its own."""
    if not _knows_all(trees, module, method, other, late):
        return False
    # what it alone stores, its class would not be known to have
    root = family.get((module, owner.name), (module, owner.name))
    kinds = [
        owner,
        *(_kind(trees, kind) for kind in (root, *family) if family.get(kind, kind) == root),
    ]
    elsewhere = (_stored(one) for kind in kinds for one in kind.body if one is not method)
    return _stored(method) <= set().union(*elsewhere)


def _knows_all(trees, module, function, other, late):
    """Whether a module ``other`` knows the names that a function asks its own for, or could: it has
    loaded what the function's module imports, or is loaded once all that is there.
    """
    here, there = _meanings(trees[module]), _meanings(trees[other])
    above = other in late or any(_means(text, module) for text in there.values())
    words = inlining.words(trees[other])
    for word in _free(function):
        if word not in here:
            if not hasattr(builtins, word) or word in there:
                return False
        elif module != other and here[word] != there.get(word):
            if not here[word] or not above or word in words:
                return False
    return True


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
