"""Which attributes of our objects get which short word.

An attribute is asked of an object whose type nobody knows here, so it gets one word wherever it
stands. Two attributes share a word where no class has both: each object then has one of them, and
it is the one that is meant.
"""

import ast
import io
import string
from collections.abc import Collection, Iterable, Iterator, Mapping

from host.boards.deploy import edits, families
from host.boards.deploy.syntax import walk

# attributes of native objects that classes of ours have too (held by a test, against the stubs)
NATIVE = (
    "connected",
    "dirty",
    "display",
    "feed",
    "open",
    "reset",
    "send",
    "size",
    "update",
    "width",
)
_BUILT_IN = (
    str,
    bytes,
    bytearray,
    list,
    dict,
    set,
    tuple,
    int,
    property,
    io.FileIO,
    io.StringIO,
    Exception,
)
_LETTERS = string.ascii_lowercase
_SHORT = [
    *_LETTERS,
    *("_" + x for x in _LETTERS),
    *("_" + x + y for x in _LETTERS for y in _LETTERS),
]


def owned(
    tree: ast.Module, fields: Collection[str] = (), ours: Collection[str] = ()
) -> dict[str, set[str]]:
    """Return ``{class: names}`` that its body defines or its methods store in ``self``.

    Names of a class that stands on another one are under "", but for those in ``ours``: somebody
    else knows them. A class that asks for ``NAMES`` has all ``fields`` (``edits.field_names``).
    """
    found = {}
    for node in walk(tree):
        if isinstance(node, ast.ClassDef):
            foreign = node.bases and node.name not in ours
            names = found.setdefault("" if foreign else node.name, set())
            names.update(_own(node), fields if "NAMES" in edits.mentioned(node) else ())
    return found


def _own(owner):
    for node in owner.body:
        if isinstance(node, edits.DEFINED):
            yield node.name
    for node in places(owner):
        yield node.id
    for node in walk(owner):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            if isinstance(node.value, ast.Name) and node.value.id == "self":
                yield node.attr


def _given(tree):
    """Return the attributes that are stored in anything but ``self``."""
    stored = [
        n for n in walk(tree) if isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load)
    ]
    return {node.attr for node in stored if getattr(node.value, "id", None) != "self"}


def places(owner: ast.ClassDef) -> Iterator[ast.Name]:
    """Yield the plain names that a class's body stores."""
    for node in owner.body:
        if not isinstance(node, edits.DEFINED):
            yield from (
                n for n in walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
            )


def _owners(trees, fixed):
    """Return ({attribute: classes that have it}, {class: words that it cannot use})."""
    owners, taken, roots = {}, {}, families.roots(trees)
    fields = {edits.said(text) for tree in trees.values() for text in edits.field_names(tree)}
    for module, tree in trees.items():
        private = {name for name in edits.mentioned(tree) if name and name.startswith("_")}
        ours = {name for kind, name in roots if kind == module}
        for owner, names in owned(tree, fields, ours).items():
            kind = roots.get((module, owner), (module, owner))
            taken.setdefault(kind, set()).update(private | (names & fixed))
            for name in names:
                owners.setdefault(name, set()).add(kind)
    for module, tree in trees.items():  # what is stored in from outside may be one object's
        taken[module, None] = set()
        for name in _given(tree) & owners.keys():
            owners[name].add((module, None))
    return owners, taken


def plan(trees: Mapping[str, ast.Module], fixed: set[str]) -> dict[str, str]:
    """Return ``{attribute: short word}`` for ``{module: AST}``; names in ``fixed`` stay."""
    owners, taken = _owners(trees, fixed)
    spelled = set().union(*(edits.spelled(tree) for tree in trees.values()))
    words = [word for word in _SHORT if word not in spelled]
    chosen = {}
    for name in sorted(owners, key=lambda name: (-len(owners[name]), name)):
        apart = [taken[owner] for owner in owners[name]]
        if (
            len(name) > 2
            and name[0] != "_"
            and name not in fixed
            and "" not in {owner for _, owner in owners[name]}
        ):
            chosen[name] = next(word for word in words if not any(word in names for names in apart))
            for names in apart:
                names.add(chosen[name])
    return chosen


def fixed(trees: Iterable[ast.Module], libraries: Iterable[ast.Module]) -> set[str]:
    """Return the attributes that must stay as they are, for our ASTs and those of libraries."""
    kept = set(NATIVE).union(*(dir(kind) for kind in _BUILT_IN))
    for tree in libraries:
        kept |= edits.mentioned(tree) | edits.spelled(tree)
    for tree in trees:
        kept |= edits.spelled(tree)
        for owner in walk(tree):
            if isinstance(owner, ast.ClassDef):
                heads = [
                    *owner.decorator_list,
                    *(n for n in owner.body if not isinstance(n, edits.DEFINED)),
                ]
                heads += [
                    n
                    for f in owner.body
                    if isinstance(f, edits.DEFINED[:2])
                    for n in f.decorator_list
                ]
                kept |= {word for head in heads for n in walk(head) if (word := _asked(n))}
    return kept


def _asked(node):
    """Return the name that a node loads, or ""."""
    return node.id if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) else ""


def definitions(tree: ast.AST, words: Mapping[str, str]) -> list[edits.Edit]:
    """Return the edits of the names that classes' bodies define."""
    found = []
    for owner in walk(tree):
        if isinstance(owner, ast.ClassDef):
            made = [n for n in owner.body if isinstance(n, edits.DEFINED) and n.name in words]
            found += [edits.definition(node, words[node.name]) for node in made]
            found += [
                edits.name(node, words[node.id]) for node in places(owner) if node.id in words
            ]
    return found


def fields(tree: ast.AST, words: Mapping[str, str]) -> list[edits.Edit]:
    """Return the edits of a module's table of fields (``edits.field_names``)."""
    texts = [node for node in edits.field_names(tree) if edits.said(node) in words]
    return [edits.text(node, words[edits.said(node)]) for node in texts]
