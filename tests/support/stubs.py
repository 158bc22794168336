"""CircuitPython's own stubs, as tables: a board's pins and modules, a module's names and
parameters, in the oldest release that the boards may run (pyproject.toml pins it).
"""

import ast
import functools
import pathlib
import re
import sysconfig

STUBS = pathlib.Path(sysconfig.get_path("purelib"))
_INCLUDED = re.compile(r"Included modules: (.*)")


def board_text(board_id):
    """Return a board's stub; FileNotFoundError: there is no such board."""
    return (STUBS / "board_definitions" / board_id / "__init__.pyi").read_text("utf-8")


def board_names(board_id):
    """Return the attributes of ``board`` on that board: pins, buses, the display."""
    found = set()
    for node in ast.parse(board_text(board_id)).body:
        if isinstance(node, ast.AnnAssign):
            found.add(node.target.id)
        elif isinstance(node, ast.FunctionDef):
            found.add(node.name)
    return found


def board_modules(board_id):
    """Return the modules built into that board's CircuitPython."""
    return set(_INCLUDED.search(board_text(board_id)).group(1).split(", "))


@functools.cache
def module_tree(module):
    """Return the AST of a native module's stub, or None where there is no stub of it."""
    path = STUBS / f"{module}-stubs" / "__init__.pyi"
    return ast.parse(path.read_text("utf-8")) if path.is_file() else None


def module_members(module):
    """Return ``{name: AST node}`` of what a native module defines."""
    members = {}
    for node in module_tree(module).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            members[node.name] = node
        elif isinstance(node, ast.AnnAssign):
            members[node.target.id] = node
    return members


def parameters(node):
    """Return the parameter names of a stub's function or of its class's constructor."""
    if isinstance(node, ast.ClassDef):
        makers = [n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"]
        return set().union(*(parameters(maker) for maker in makers))
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return {argument.arg for argument in every}
