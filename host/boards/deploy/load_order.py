"""In which order a board loads its program: small files first, each after those that it imports.

Every import ends in a collection (CircuitPython's py/builtinimport.c), which takes the longer the
more is alive by then: some 75 ms at the end of 90 modules. So what is large comes last.
"""

import ast
import functools
from collections.abc import Iterable, Mapping

from host.boards.deploy import imports

# what code.py imports, and what the program may import in a function when it starts at a table: the
# wings' drivers, the systems, the panels' layouts and the first screens, all of them small, would
# each wait for a collection of all the rest
_BEGUN_WITH = (
    "firmware.app", "firmware.launch", "firmware.board.hardware", "firmware.radio.link",
    "firmware.ui.face", "firmware.ui.canvas", "firmware.ui.displayio_surface",
    "firmware.ui.screens.board", "adafruit_ili9341", "adafruit_hx8357",
)  # fmt: skip
_CHOSEN = ("firmware.core.systems", "firmware.ui.layouts")  # of these one
_BODIES = (ast.FunctionDef, ast.Lambda)


def load_order(sources: Mapping[str, bytes], roots: Iterable[str]) -> list[str]:
    """Return the paths of the modules that a table loads at its start, in order.

    ``sources`` are {path on the drive: source}, the modules among them lie below ``roots``.
    """
    folders = tuple(roots)
    paths = {
        imports.module_of(path.removeprefix("lib/")): path
        for path in sources
        if path.endswith(".py") and "/" in path
    }
    needs: dict[str, set[str]] = {}  # the modules that each imports first, its package among them
    waiting = [name for name in paths if name in _BEGUN_WITH or name.startswith(_CHOSEN)]
    while waiting:
        name = waiting.pop()
        if name not in needs:
            first = _at_once(sources[paths[name]], folders) | {name.rpartition(".")[0]}
            needs[name] = paths.keys() & first
            waiting += needs[name]
    order = _order(set(needs), needs, {name: len(sources[paths[name]]) for name in needs})
    return [paths[name] for name in order]


def _order(names: set[str], needs: Mapping[str, set[str]], sizes: Mapping[str, int]) -> list[str]:
    """Return ``names`` in order: next is the module that, with its needs, is small on average."""
    order: list[str] = []
    left = set(names)
    while left:
        groups = {name: _with_needed(name, needs, left) for name in left}
        total = {name: sum(sizes[each] for each in groups[name]) for name in left}
        chosen = min(left, key=lambda name: (total[name] / len(groups[name]), name))
        order += [*_order(groups[chosen] - {chosen}, needs, sizes), chosen]
        left -= groups[chosen]
    return order


def _with_needed(name: str, needs: Mapping[str, set[str]], left: set[str]) -> set[str]:
    """Return ``name`` and the modules of ``left`` that it needs, directly or not."""
    needed, pending = set(), [name]
    while pending:
        module = pending.pop()
        if module in left and module not in needed:
            needed.add(module)
            pending += needs[module]
    return needed


@functools.lru_cache(1024)  # an image is laid from the same files each time
def _at_once(source: bytes, roots: tuple[str, ...]) -> frozenset[str]:
    """Return the imports of a module at its top level, without those in functions."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, _BODIES):
            node.body = []  # pyright: ignore[reportAttributeAccessIssue]  (a lambda imports nothing)
    return frozenset(imports.needs(imports.statements(tree), "", roots))
