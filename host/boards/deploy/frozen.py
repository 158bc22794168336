"""The program for shops that freeze it into a CircuitPython build of their own, by FROZEN_MPY_DIRS.

``tree`` is the folder to name there: every module as it is laid, libraries beside ``firmware``. The
drive then holds ``drive``: what a build cannot. A folder ``/firmware`` on it would be found before
the frozen one (sys.path is "", "/", ".frozen", "/lib"), so the face lies at the drive's root.
"""

import pathlib
from collections.abc import Mapping

from host.base.errors import UserError
from host.base.private_files import write_whole
from host.boards.deploy import image

LAID, FROZEN = "firmware/ui/face.bin", "face.bin"  # where the program opens it
_MARK = "plusthree-frozen.txt"
_GATEWAY = b'PLUSTHREE_ROLE = "gateway"'


def tree(
    model: str, own: Mapping[str, bytes] | None = None, language: str | None = None
) -> dict[str, bytes]:
    """Return ``{path: bytes}`` to be frozen; ``own`` is an organiser's system, as for
    ``image.build``.

    A ``language`` that comes with no board is known to the program of its own boards alone.
    """
    found, apart = {}, {*image.LAST, *image.gateway()}
    for name, data in image.build(model, None, own, language).items():
        if name.endswith(".py") and name not in apart:
            found[name.removeprefix("lib/")] = data.replace(
                b"/" + LAID.encode(), b"/" + FROZEN.encode()
            )
    return found


def drive(model: str, settings: bytes | None = None) -> dict[str, bytes]:
    """Return ``{path: bytes}`` of what such a board's drive holds besides its journals, in the
    order of writing. UserError: it is to be a gateway, whose program is run from the drive.
    """
    if settings is not None and _GATEWAY in settings:
        raise UserError("a gateway has its program on the drive: deploy without --built")
    laid = image.build(model, settings)
    kept = {FROZEN if name == LAID else name: data for name, data in laid.items()}
    return {name: data for name, data in kept.items() if "/" not in name}


def write(folder: str | pathlib.Path, files: Mapping[str, bytes]) -> None:
    """Write the tree into an empty ``folder`` or over an earlier one; UserError: something else is
    in it.
    """
    folder = pathlib.Path(folder)
    if folder.is_dir() and any(folder.iterdir()) and not (folder / _MARK).is_file():
        raise UserError(f"{folder} holds something else: name an empty folder")
    for path in sorted(folder.rglob("*.py")) if folder.is_dir() else ():
        path.unlink()
    for name, data in files.items():
        write_whole(folder / name, data, new_folder=True)
    said = "Made by plusthree deploy --frozen; to be named in FROZEN_MPY_DIRS.\n"
    write_whole(folder / _MARK, said, new_folder=True)
