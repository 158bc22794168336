"""Standard modules of Python whose names the files at the root have, for tools that run there."""

import os
import sys
from importlib.machinery import PathFinder


def names_of(module, beside):
    """Return the names in the standard ``module``, looked for anywhere but in the folder of ``beside``."""
    here = os.path.dirname(os.path.abspath(beside))
    spec = PathFinder.find_spec(
        module, [path for path in sys.path if os.path.abspath(path) != here]
    )
    names = {"__name__": module}
    exec(spec.loader.get_code(module), names)
    return names
