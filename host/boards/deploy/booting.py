"""What a board loads between its power and its first picture: modules and their bytes, as laid."""

from host.boards.deploy import bytecode, image, imports

_SYSTEMS = "firmware.core.systems."
# of two panels that fit a board the wider one's driver; where a beacon is listened to; with a PC
_NOT_EVERY = ("adafruit_hx8357", "firmware.radio.scanning_link", "firmware.board.service")


def loaded(model: str, system: str = "p18") -> dict[str, int]:
    """Return ``{module: bytes}`` of what is loaded at boot for an event under ``system``, first
    come first.
    """
    laid = {
        imports.module_of(path.removeprefix("lib/")): (path, data.decode())
        for path, data in image.build(model).items()
        if bytecode.is_module(path)
    }
    roots = (image.tree(), *image.library_roots())
    done, waiting = {}, ["firmware.app", _SYSTEMS + system]
    while waiting:
        parts = waiting.pop().split(".")
        for module in (".".join(parts[:at]) for at in range(1, len(parts) + 1)):
            if module in laid and module not in done and module not in _NOT_EVERY:
                path, text = laid[module]
                done[module] = _size(path, text)
                package = module if path.endswith("__init__.py") else module.rpartition(".")[0]
                waiting += imports.needs(text, package, roots)
    return done


def _size(path, text):
    return len(text.encode() if bytecode.lacking() else bytecode.compiled(path, text))
