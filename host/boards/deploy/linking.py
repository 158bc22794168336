"""Modules linked into a few files, as a linker does with objects.

On a board each module costs about 150 bytes for itself, each name that it imports 8, and each
``module.name`` in a function a look-up more. So modules that are loaded at the start and stay are
laid as parts, ``firmware/part0.py`` and so on, deepest first; a part is small enough to be compiled
in what memory is left by then. Within a part ``frames.verify`` is a plain global name, elsewhere it
is ``part0.D``. What some boards alone load at their start (``late``) lies in parts of its own.
Modules that come and go, and those that somebody asks for by name, stay files.
"""

import ast
import string
from collections.abc import Collection, Mapping

import python_minifier

from host.boards.deploy import inlining, literals, scopes
from host.boards.deploy.syntax import walk

MOST_BYTES = 12000  # of a part's source
MOST_COMPILED = 5675  # where a board compiles it, which takes two and a half times that
_HEADS = string.ascii_uppercase
_TAILS = ["", *string.ascii_lowercase, *string.digits, *string.ascii_uppercase]


class Plan:
    """Which module lies in which part: ``parts`` {part: [module]}, ``names`` {(module, name):
    short}.
    """

    def __init__(
        self,
        trees: Mapping[str, ast.Module],
        resident: Collection[str],
        late: Collection[str],
        most: int,
    ):
        texts = {name: printed(trees[name]) for name in ordered(trees) if name in resident}
        self.parts = _parts({name: texts[name] for name in texts if name not in late}, most)
        rest = {name: texts[name] for name in texts if name in late}
        self.parts |= _parts(rest, most, len(self.parts))
        self.part_of = {name: part for part, names in self.parts.items() for name in names}
        self.names = {}
        for names in self.parts.values():
            taken = {word for name in names for word in scopes.words(trees[name])}
            short = (head + tail for tail in _TAILS for head in _HEADS if head + tail not in taken)
            for name in names:
                defined = scopes.defined(trees[name])
                self.names.update(zip(((name, word) for word in defined), short))


def link(
    sources: Mapping[str, str],
    resident: Collection[str],
    asking: Mapping[str, str] | None = None,
    most: int = MOST_BYTES,
    late: Collection[str] = (),
) -> dict[str, str]:
    """Return ``{dotted name: source}`` where the modules in ``resident`` are linked into parts.

    ``sources`` are ``{dotted name: source}`` of all our modules, ``asking`` those of what
    is not laid but asks them for names. Functions that one place in a part calls, and texts that
    one asks for, stand there. Raises ValueError for a module that somebody holds as a thing.
    """
    trees = {name: ast.parse(text) for name, text in {**sources, **(asking or {})}.items()}
    plan = Plan(trees, resident, late, most)
    linked = {}
    for part, names in plan.parts.items():
        seen = set()
        body = [node for name in names for node in _body(trees, name, plan, seen).body]
        linked[f"firmware.{part}"] = ast.Module(body, [])
    for name, tree in trees.items():
        if name not in plan.part_of:
            linked[name] = _body(trees, name, plan, set()) if tree.body else tree
    for tree in linked.values():
        _Twice(tree).visit(tree)
    for part in plan.parts:
        tree, asked = linked[f"firmware.{part}"], _asked(linked, part)
        inlining.settle(tree, asked)
        literals.place(tree, asked)
    return {name: printed(tree) for name, tree in linked.items() if name not in (asking or ())}


class _Twice(ast.NodeTransformer):
    """Takes out of functions the imports of parts that their module has: the name would be their
    own, and unset before that line.
    """

    def __init__(self, tree):
        imports = (node for node in tree.body if isinstance(node, ast.ImportFrom))
        self._known = {ast.unparse(node) for node in imports}

    def visit_Module(self, node):
        for child in node.body:
            if not isinstance(child, ast.ImportFrom):
                self.visit(child)
        return node

    def visit_ImportFrom(self, node):
        return ast.Pass() if ast.unparse(node) in self._known else node


def _asked(linked, part):
    """Return the names that other files ask of a ``part``."""
    nodes = (node for tree in linked.values() for node in walk(tree))
    return {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", None) == part
    }


def printed(tree: ast.Module) -> str:
    """Return the source of a module's ``tree`` in few bytes and lines; "" for an empty one."""
    return python_minifier.unparse(tree) + "\n" if tree.body else ""


def _body(trees, name, plan, seen):
    """Return the module's tree as it is laid; ``seen`` are imports that its file already has."""
    tree = scopes.Linked(name, trees, plan).visit(ast.parse(ast.unparse(trees[name])))
    body = []
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            text = ast.unparse(node)
            if text in seen:
                continue
            seen.add(text)
        if not isinstance(node, ast.Pass):
            body.append(node)
    return ast.fix_missing_locations(ast.Module(body, []))


def ordered(trees: Mapping[str, ast.Module]) -> list[str]:
    """Return the modules, each after those that it imports when it is loaded."""
    done, order = set(), []

    def visit(name):
        if name in done:
            return
        done.add(name)
        for node in trees[name].body:
            if isinstance(node, ast.ImportFrom):
                for _, module, _ in scopes.imported(node, trees):
                    if module in trees:
                        visit(module)
        order.append(name)

    for name in trees:
        visit(name)
    return order


def _parts(sources, most, before=0):
    """Return ``{part: [module]}``: neighbours together up to ``most`` bytes of source, numbered
    from ``before`` on.
    """
    parts, sizes = {}, []
    for name, text in sources.items():
        if not sizes or sizes[-1] + len(text) > most:
            sizes.append(0)
        sizes[-1] += len(text)
        parts.setdefault(f"part{before + len(sizes) - 1}", []).append(name)
    return parts
