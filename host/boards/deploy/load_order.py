"""In which order a board loads its program: small files first, each after those that it imports.

Every import ends in a collection (CircuitPython's py/builtinimport.c), which takes the longer the
more is alive by then: about 100 ms at the end of some 90 modules. So what is large comes last.
"""

import ast
from collections.abc import Iterable, Mapping

from host.boards.deploy import imports

# what code.py imports, and what the program imports in a function when it starts at a table
_BEGUN_WITH = (
    "firmware.app", "firmware.launch", "firmware.board.hardware", "firmware.radio.link",
    "firmware.ui.canvas",
)  # fmt: skip
_BODIES = (ast.FunctionDef, ast.Lambda)


def load_order(sources: Mapping[str, bytes], roots: Iterable[str]) -> list[str]:
    """Return the paths of what a table loads at its start, in order.

    ``sources`` are {path on the drive: source}, the modules among them lie below ``roots``.
    """
    folders = tuple(roots)
    paths = {
        imports.module_of(path.removeprefix("lib/")): path
        for path in sources
        if path.endswith(".py") and "/" in path
    }
    wanted: dict[str, set[str]] = {}
    waiting = [name for name in _BEGUN_WITH if name in paths]
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted[name] = _at_once(sources[paths[name]], folders) & paths.keys()
            waiting += wanted[name]
    order: list[str] = []
    while wanted:
        free = [name for name, needed in wanted.items() if not needed & wanted.keys()]
        smallest = min(free or wanted, key=lambda name: (len(sources[paths[name]]), name))
        order.append(paths[smallest])
        del wanted[smallest]
    return order


def _at_once(source: bytes, roots: tuple[str, ...]) -> set[str]:
    """Return what a module imports while it is loaded: not what its functions do."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, _BODIES):
            node.body = []  # pyright: ignore[reportAttributeAccessIssue]  (a lambda imports nothing)
    return set(imports.needed(tree, "", roots))
