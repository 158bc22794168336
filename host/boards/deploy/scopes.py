"""What a name in a module means where it stands, and the module as the linker leaves it."""

import ast
from collections.abc import Collection, Iterator, Mapping
from typing import Protocol, TypeAlias

from host.boards.deploy.syntax import walk

_FUNCTIONS = (ast.FunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_OWN = (ast.ClassDef, *_FUNCTIONS, *_COMPREHENSIONS)
OURS = "firmware"


def imported(
    node: ast.ImportFrom, modules: Collection[str]
) -> Iterator[tuple[str, str, str | None]]:
    """Yield ``(bound name, module, name in it or None)`` of a ``from`` import; None: the module
    itself.
    """
    module = node.module or ""
    for alias in node.names:
        inner = f"{module}.{alias.name}"
        whole = inner in modules
        yield (
            alias.asname or alias.name,
            inner if whole else module,
            None if whole else alias.name,
        )


def words(tree: ast.AST) -> set[str]:
    """Return every plain name, parameter and import that a tree mentions."""
    found = set()
    for node in walk(tree):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.alias):
            found.add(node.asname or node.name.partition(".")[0])
    return found


def defined(tree: ast.Module) -> list[str]:
    """Return the names that a module's top level defines, in order; imports are none."""
    return list(dict.fromkeys(_stored(tree.body)))


def _stored(body):
    """Yield the names that statements bind in their own scope, imports apart."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
            continue
        waiting = [node]
        while waiting:
            inner = waiting.pop(0)
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, (ast.Store, ast.Del)):
                yield inner.id
            elif isinstance(inner, ast.ExceptHandler) and inner.name:
                yield inner.name
            if isinstance(inner, (ast.FunctionDef, ast.ClassDef)):
                yield inner.name
            elif not isinstance(inner, _OWN):
                waiting += ast.iter_child_nodes(inner)


def _locals(function):
    """Return the names that a function or lambda keeps to itself."""
    arguments = function.args
    found = {argument.arg for argument in walk(arguments) if isinstance(argument, ast.arg)}
    if isinstance(function, ast.FunctionDef):
        found.update(_stored(function.body))
    return found


Meaning: TypeAlias = str | tuple[str, str | None]
"""What a name is: "own", "local", or a name of a module (None: the module itself)."""


class Plan(Protocol):
    """Which part a module is linked into, and the short word of each of its names."""

    part_of: dict[str, str]
    names: dict[tuple[str, str], str]


class Linked(ast.NodeTransformer):
    """Puts a module's names, and those it asks of linked modules, in the words of ``plan``.

    ``name`` is the module, ``modules`` all of ours. ``plan`` has ``part_of`` and ``names``
    (``linking.Plan``).
    """

    def __init__(self, name: str, modules: Mapping[str, ast.Module], plan: Plan):
        self._name, self._modules, self._plan = name, modules, plan
        self._part = plan.part_of.get(name)
        self._scopes: list[dict[str, Meaning]] = [dict.fromkeys(defined(modules[name]), "own")]

    def _meaning(self, word):
        for scope in reversed(self._scopes):
            if word in scope:
                return scope[word]
        return None

    def _reference(self, module, word, context):
        """Return the node that stands for a linked module's name here."""
        short, part = self._plan.names[module, word], self._plan.part_of[module]
        if part == self._part:
            return ast.Name(short, context)
        return ast.Attribute(ast.Name(part, ast.Load()), short, context)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | list[ast.ImportFrom]:
        """Bind names of linked modules to what they mean; import the parts that they lie in."""
        if (node.module or "").partition(".")[0] != OURS:
            return node
        left, parts = [], {}
        for alias, (bound, module, word) in zip(node.names, imported(node, self._modules)):
            part = self._plan.part_of.get(module)
            if part is None:
                left.append(alias)
                continue
            self._scopes[-1][bound] = module, word
            if part != self._part:
                parts[part] = True
        found = [ast.ImportFrom(node.module, left, 0)] if left else []
        found += [ast.ImportFrom(OURS, [ast.alias(part)], 0) for part in parts]
        return found or ast.Pass()

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """``module.name`` is a name where the module is linked."""
        meaning = self._meaning(node.value.id) if isinstance(node.value, ast.Name) else None
        if isinstance(meaning, tuple) and meaning[1] is None:
            return self._reference(meaning[0], node.attr, node.ctx)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """A name of the module's own, or one taken out of a linked module."""
        meaning = self._meaning(node.id)
        if meaning == "own" and self._part:
            return ast.Name(self._plan.names[self._name, node.id], node.ctx)
        if isinstance(meaning, tuple):
            module, word = meaning
            if word is None:
                raise ValueError(f"{self._name} holds the module {module} as a thing")
            return self._reference(module, word, node.ctx)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """A function: its name, its defaults outside, its body inside."""
        self._named(node)
        return self._function(node, {})

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """As a function."""
        return self._function(node, {})

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """A class: what it binds is its own, and its methods do not see it."""
        self._named(node)
        node.bases = [self.visit(one) for one in node.bases]
        inner = dict.fromkeys(_stored(node.body), "local")
        node.body = [
            self._function(one, inner)
            if isinstance(one, ast.FunctionDef)
            else self._within(inner, one)
            for one in node.body
        ]
        return node

    def _within(self, scope, node):
        self._scopes.append(scope)
        made = self.visit(node)
        self._scopes.pop()
        return made

    def _function(self, node, around):
        """Visit a function or lambda; ``around`` are names that its defaults see and its body does
        not.
        """
        for field in ("decorator_list", "defaults", "kw_defaults"):
            owner = node if field == "decorator_list" else node.args
            found = [one and self._within(around, one) for one in getattr(owner, field, ())]
            setattr(owner, field, found)
        self._scopes.append(dict.fromkeys(_locals(node), "local"))
        node.body = (
            self._statements(node.body) if isinstance(node.body, list) else self.visit(node.body)
        )
        self._scopes.pop()
        return node

    def _named(self, node):
        if len(self._scopes) == 1 and self._part:
            node.name = self._plan.names[self._name, node.name]

    def _statements(self, body):
        found = []
        for node in body:
            made = self.visit(node)
            found += made if isinstance(made, list) else [made]
        return [one for one in found if not isinstance(one, ast.Pass)] or [ast.Pass()]

    def _comprehension(self, node):
        first = node.generators[0]
        first.iter = self.visit(first.iter)
        bound = {n.id for g in node.generators for n in walk(g.target) if isinstance(n, ast.Name)}
        self._scopes.append(dict.fromkeys(bound, "local"))
        for one in node.generators:
            if one is not first:
                one.iter = self.visit(one.iter)
            one.ifs = [self.visit(test) for test in one.ifs]
        for field in ("elt", "key", "value"):
            if hasattr(node, field):
                setattr(node, field, self.visit(getattr(node, field)))
        self._scopes.pop()
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension
