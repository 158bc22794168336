"""What a board loads between its power and its first picture: modules and their bytes, as laid."""

import ast

from host.boards.deploy import bytecode, image, imports

_SYSTEMS = "firmware.core.systems"
_HARDWARE = "firmware/board/hardware.py"
# imported in a function that not every start comes to
NOT_YET = ("firmware.board.service", "firmware.core.team", "adafruit_hx8357")


def laid(model: str) -> dict[str, int]:
    """Return ``{module: bytes}`` of every module of a ``model``'s image."""
    return {_module(path): _size(path, text) for path, text in _sources(model).items()}


def loaded(model: str, system: str = "p18") -> dict[str, int]:
    """Return ``{module: bytes}`` of what is loaded at boot for an event under ``system``, first
    come first.
    """
    texts, sizes, done = _texts(model), laid(model), {}
    apart = {*NOT_YET, *late()} | {name for name in texts if name.startswith(_SYSTEMS + ".")}
    apart.discard(f"{_SYSTEMS}.{system}")
    waiting = ["firmware.app", f"{_SYSTEMS}.{system}"]
    while waiting:
        name = waiting.pop()
        parts = name.split(".")
        for module in (".".join(parts[:at]) for at in range(1, len(parts) + 1)):
            if module in texts and module not in done and module not in apart:
                done[module] = sizes[module]
                waiting += _imported(texts[module], module)
    return done


def late() -> tuple[str, ...]:
    """Return the modules that are loaded for one act, as the board's own list has them."""
    for node in ast.parse((image.tree() / _HARDWARE).read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "LATE":
            return ast.literal_eval(node.value)
    raise LookupError("LATE")


def _sources(model):
    """Return ``{path: source}`` of the programs of a ``model``'s image."""
    files = image.build(model).items()
    return {name: data.decode() for name, data in files if bytecode.is_module(name)}


def _texts(model):
    return {_module(path): text for path, text in _sources(model).items()}


def _module(path):
    return imports.module_of(path.removeprefix("lib/"))


def _size(path, text):
    return len(text.encode() if bytecode.lacking() else bytecode.compiled(path, text))


def _imported(text, module):
    """Return what a source imports anywhere."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            package = module.rsplit(".", node.level)[0] + "." if node.level else ""
            base = f"{package}{node.module or ''}".rstrip(".")
            found += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return found
