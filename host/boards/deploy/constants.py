"""What the named numbers of a set of modules are: ``events.CLOCK`` is 13, wherever it is
asked for.
"""

import ast
import operator
import re
from collections.abc import Callable, Mapping

from host.boards.deploy.syntax import walk

_CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]*$")
_OPERATIONS: dict[type[ast.operator], Callable[..., int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.LShift: operator.lshift,
    ast.BitOr: operator.or_,
}


class Module:
    """One source: its tree, the modules its names stand for, and its known numbers."""

    def __init__(self, source: str):
        self.source = source
        self.tree = ast.parse(source)
        self.aliases: dict[str, Module] = {}  # local name -> Module
        self.taken: dict[str, tuple[Module, str]] = {}  # local name -> (Module, its name there)
        self.numbers: dict[str, int | float] = {}  # constant -> value
        self.held = False  # somebody holds the module itself and may ask it for any name
        stored = [n.id for n in walk(self.tree) if isinstance(n, ast.Name) and not _loads(n)]
        self._once = {name for name in stored if stored.count(name) == 1}

    def definition(self, node: ast.AST) -> str | None:
        """Return the constant's name that a top-level statement defines once, or None."""
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if len(node.targets) == 1 and name in self._once and _CONSTANT.match(name):
                return name
        return None

    def read_numbers(self) -> bool:
        """Note the constants whose value is known by now; return whether there were new ones."""
        before = len(self.numbers)
        for node in self.tree.body:
            name = self.definition(node)
            if name is None or not isinstance(node, ast.Assign):
                continue
            value = self.value(node.value)
            if value is not None:
                self.numbers[name] = value
        return len(self.numbers) > before

    def value(self, node: ast.AST) -> int | float | None:
        """Return the number that an expression comes to, or None."""
        if isinstance(node, ast.Constant):
            if isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
                return node.value
            return None
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            value = self.value(node.operand)
            return None if value is None else -value
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
            left, right = self.value(node.left), self.value(node.right)
            if left is None or right is None:
                return None
            return _OPERATIONS[type(node.op)](left, right)
        return self.number(node)

    def number(self, node: ast.AST) -> int | float | None:
        """Return the number that a loaded name or attribute stands for, or None."""
        if isinstance(node, ast.Name) and _loads(node):
            other, name = self.taken.get(node.id, (self, node.id))
            return other.numbers.get(name)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            other = self.aliases.get(node.value.id)
            return other.numbers.get(node.attr) if other else None
        return None


def _loads(node):
    return isinstance(node.ctx, ast.Load)


def read(sources: Mapping[str, str]) -> dict[str, Module]:
    """Return ``{dotted name: Module}`` for ``{dotted name: source}``, all constants resolved."""
    modules = {name: Module(source) for name, source in sources.items()}
    for module in modules.values():
        for node in walk(module.tree):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    full = f"{node.module}.{alias.name}"
                    if full in modules:
                        module.aliases[alias.asname or alias.name] = modules[full]
                    elif node.module in modules:
                        module.taken[alias.asname or alias.name] = modules[node.module], alias.name
    while any([module.read_numbers() for module in modules.values()]):
        pass
    for module in modules.values():
        bases = {id(n.value) for n in walk(module.tree) if isinstance(n, ast.Attribute)}
        for node in walk(module.tree):
            if isinstance(node, ast.Name) and id(node) not in bases and node.id in module.aliases:
                module.aliases[node.id].held = True
    return modules
