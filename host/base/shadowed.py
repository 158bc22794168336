"""Loads standard modules whose names are shadowed by files at the root, for tools run there."""

import os
import sys
from importlib.abc import InspectLoader
from importlib.machinery import PathFinder


def names_of(module: str, beside: str) -> dict[str, object]:
    """Return a standard module's namespace, without searching the folder of the file ``beside``.

    Raises ImportError if Python has no such module.
    """
    here = os.path.dirname(os.path.abspath(beside))
    elsewhere = [path for path in sys.path if os.path.abspath(path) != here]
    spec = PathFinder.find_spec(module, elsewhere)
    if spec is None or not isinstance(spec.loader, InspectLoader):
        raise ImportError(f"there is no module {module} in Python's own library")
    names: dict[str, object] = {"__name__": module}
    exec(spec.loader.get_code(module) or "", names)
    return names
