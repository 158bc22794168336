"""What a board compiles between its power and its first picture: modules and their bytes, as laid."""

import ast

from host.deploy import image, imports

# what code.py comes to import before the first step, those inside functions too (firmware/launch.py)
ROOTS = ("firmware.app", "firmware.launch", "firmware.board.hardware", "firmware.core.settings", "firmware.ui.start",
         "firmware.ui.canvas", "firmware.radio.link", "firmware.board.pins", "adafruit_ili9341")  # fmt: skip


def roots(system):
    """Return the modules that are imported by name for an event under ``system``; a board may lack one."""
    return (*ROOTS, f"{image.SYSTEMS}.{system}")


def laid(model):
    """Return ``{module: bytes}`` of every module of a ``model``'s image."""
    found = {}
    for path, text in image.programs(model).items():
        found[imports.module_of(path.removeprefix("lib/"))] = len(text.encode())
    return found


def loaded(model, system="p18"):
    """Return ``{module: bytes}`` of what is compiled at boot, in no order."""
    texts = {imports.module_of(path.removeprefix("lib/")): text for path, text in image.programs(model).items()}
    done, waiting = {}, list(roots(system))
    while waiting:
        name = waiting.pop()
        parts = name.split(".")
        for at in range(1, len(parts) + 1):
            module = ".".join(parts[:at])
            if module in texts and module not in done:
                done[module] = len(texts[module].encode())
                waiting += _imported(texts[module], module)
    return done


def _imported(text, module):
    """Return what a source imports outside of its functions."""
    found = []
    for node in _outside(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = module.rsplit(".", node.level)[0] + "." if node.level else ""
            found += [f"{base}{node.module or ''}".rstrip(".")]
            found += [f"{found[-1]}.{alias.name}" for alias in node.names]
    return found


def _outside(node):
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.FunctionDef, ast.Lambda)):
            yield child
            yield from _outside(child)
