"""What a board loads between its power and its first picture: modules and their bytes, as laid."""

from host.boards.deploy import bytecode, image, imports, load_order


def loaded(model: str) -> dict[str, int]:
    """Return ``{module: bytes}`` of what a table loads at its start, first come first."""
    files = image.build(model)
    return {
        imports.module_of(path.removeprefix("lib/")): _size(path, files[path].decode())
        for path in load_order.load_order(files, image.roots())
    }


def _size(path, text):
    return len(text.encode() if bytecode.lacking() else bytecode.compiled(path, text))
