"""What belongs on a board's drive: paths and bytes, from this tree and the installed libraries."""

import importlib.util
import pathlib
from collections.abc import Mapping

from host.base import installation
from host.boards import languages
from host.boards.deploy import imports
from host.boards.models import BOARDS

LIBRARIES = (
    "adafruit_ble", "adafruit_display_text", "adafruit_hx8357", "adafruit_ili9341",
    "adafruit_ticks",
)  # fmt: skip
DRIVERS = {name for model in BOARDS.values() for name in model.drivers}  # of some panel alone
# boot.py last: until it lies there the drive stays open
LAST = ("safemode.py", "code.py", "boot.py")
_SAFE_MODE = "board/safemode.py"  # laid at the drive's root
_ELSEWHERE = (_SAFE_MODE, "ui/display_list.py")  # the latter is a page's
_CARRIED = (".py", ".font")


def tree() -> pathlib.Path:
    """Return the folder that holds ``firmware/``."""
    return installation.ROOT


def firmware_files() -> dict[str, pathlib.Path]:
    """Return ``{path under firmware/: file}`` of all that a board carries of ours."""
    base = tree() / "firmware"
    found = {}
    for path in sorted(base.rglob("*")):
        name = path.relative_to(base).as_posix()
        if path.is_file() and path.suffix in _CARRIED and name not in _ELSEWHERE:
            found[name] = path
    return found


def library_roots() -> tuple[str, ...]:
    """Return the folders that the needed libraries are installed in."""
    roots = []
    for name in LIBRARIES:
        spec = importlib.util.find_spec(name)
        assert spec is not None and spec.origin is not None  # every install has them
        folder = pathlib.Path(spec.origin).parent
        roots.append(str(folder.parent if spec.submodule_search_locations else folder))
    return tuple(dict.fromkeys(roots))


def roots() -> tuple[str, ...]:
    """Return the folders that all of a board's modules come from."""
    return (str(tree()), *library_roots())


def libraries(model: str) -> dict[str, tuple[str, pathlib.Path]]:
    """Return ``{module: (path under lib/, file)}`` that the firmware imports, deepest first."""
    roots = library_roots()
    allowed = [name for name in LIBRARIES if name not in DRIVERS or name in BOARDS[model].drivers]
    wanted = []
    for path in firmware_files().values():
        if path.suffix == ".py":
            wanted += imports.needs(path.read_text(encoding="utf-8"), "firmware", roots)
    found = {}
    for module, path in imports.closure(wanted, roots, allowed).items():
        root = next(root for root in roots if path.is_relative_to(root))
        found[module] = path.relative_to(root).as_posix(), path
    return found


def build(
    model: str, settings: bytes | None = None, own: Mapping[str, bytes] | None = None
) -> dict[str, bytes]:
    """Return ``{path on the drive: bytes}`` in the order of writing for a board's ``model``.

    ``settings`` are the bytes of settings.toml, or None to leave what is there; ``own`` are further
    files (an organiser's system).
    """
    image = {f"lib/{name}": path.read_bytes() for name, path in libraries(model).values()}
    image |= {f"firmware/{name}": path.read_bytes() for name, path in firmware_files().items()}
    image |= languages.files()
    image.update(own or {})
    if settings is not None:
        image["settings.toml"] = settings
    for name in LAST:
        place = "firmware/" + _SAFE_MODE if name == "safemode.py" else name
        image[name] = installation.file(place).read_bytes()
    return image
