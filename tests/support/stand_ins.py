"""The firmware on the 32-bit WebAssembly MicroPython, over stand-ins for a chip's own modules."""

import pathlib

import interpreters

from host.boards.deploy import image

MODULES = pathlib.Path(__file__).with_name("modules")
SET_UP = "import sys, gc\nsys.path[:0] = ['/p', '/p/stubs']\nsys.path.append('/p/lib')"


def drive_files():
    """Return ``{path inside: bytes}`` of a drive as it is laid, in source, and the stand-ins."""
    stubs = interpreters.sources(MODULES.relative_to(interpreters.ROOT), "/p/stubs")
    return {f"/p/{name}": data for name, data in image.build("feathers3").items()} | stubs
