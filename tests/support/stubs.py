"""CircuitPython's own stubs, as tables: a board's pins and modules, a module's names and
parameters.

Two releases are read: the one installed for the tests, and the oldest that the boards may run
(laid in .venv/stubs-10.1 by the Makefile).
"""

import ast
import functools
import pathlib
import re
import sysconfig

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RELEASES = {
    "10.3.1": pathlib.Path(sysconfig.get_path("purelib")),
    "10.1.0": ROOT / ".venv" / "stubs-10.1",
}
_INCLUDED = re.compile(r"Included modules: (.*)")


def board_text(release, board_id):
    """Return a board's stub; FileNotFoundError: that release has no such board."""
    return (RELEASES[release] / "board_definitions" / board_id / "__init__.pyi").read_text("utf-8")


def board_names(release, board_id):
    """Return the attributes of ``board`` on that board: pins, buses, the display."""
    found = set()
    for node in ast.parse(board_text(release, board_id)).body:
        if isinstance(node, ast.AnnAssign):
            found.add(node.target.id)
        elif isinstance(node, ast.FunctionDef):
            found.add(node.name)
    return found


def board_modules(release, board_id):
    """Return the modules built into that board's CircuitPython."""
    return set(_INCLUDED.search(board_text(release, board_id)).group(1).split(", "))


@functools.cache
def module_tree(release, module):
    """Return the AST of a native module's stub, or None where there is no stub of it."""
    path = RELEASES[release] / f"{module}-stubs" / "__init__.pyi"
    return ast.parse(path.read_text("utf-8")) if path.is_file() else None


def module_members(release, module):
    """Return ``{name: AST node}`` of what a native module defines."""
    members = {}
    for node in module_tree(release, module).body:
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
