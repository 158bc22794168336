"""What belongs on a board's drive: paths and bytes, from this tree and the installed libraries."""

import importlib.util
import pathlib

import firmware
from host.deploy import folding, imports, lean
from host.errors import Mistake

# the boards that the program runs on, by the id they write into boot_out.txt
BOARDS = {"feather": "feather_nrf52840_express", "clue": "clue_nrf52840_express"}
LIBRARIES = ("adafruit_ble", "adafruit_display_text", "adafruit_ili9341", "adafruit_ticks")
NOT_FOR = {"feather": (), "clue": ("adafruit_ili9341",)}
LAST = ("safemode.py", "boot.py", "code.py")  # a board starts over when these change
_SAFE_MODE = "board/safemode.py"
_CARRIED = (".py", ".bin")  # the .txt beside them are what face.bin is made from


def tree():
    """Return the folder that holds ``firmware/`` and, in a checkout, ``boot.py`` and ``code.py``."""
    return pathlib.Path(firmware.__file__).resolve().parent.parent


def firmware_files():
    """Return ``{path under firmware/: file}`` of all that a board carries of ours."""
    base = tree() / "firmware"
    found = {}
    for path in sorted(base.rglob("*")):
        name = path.relative_to(base).as_posix()
        if path.is_file() and path.suffix in _CARRIED and name != _SAFE_MODE:
            found[name] = path
    return found


def library_roots():
    """Return the folders that the needed libraries are installed in; Mistake: one is missing."""
    roots = []
    for name in LIBRARIES:
        spec = importlib.util.find_spec(name)
        if spec is None:
            raise Mistake(f"the library {name} is not installed; run: pip install 'plusthree[board]'")
        folder = pathlib.Path(spec.origin).parent
        roots.append(str(folder.parent if spec.submodule_search_locations else folder))
    return tuple(dict.fromkeys(roots))


def libraries(model):
    """Return ``{module: (path under lib/, file)}`` that the firmware imports, deepest first."""
    roots = library_roots()
    allowed = [name for name in LIBRARIES if name not in NOT_FOR[model]]
    wanted = []
    for path in firmware_files().values():
        if path.suffix == ".py":
            wanted += imports.needs(path.read_text(encoding="utf-8"), "firmware", roots)
    found = {}
    for module, path in imports.closure(wanted, roots, allowed).items():
        root = next(root for root in roots if path.is_relative_to(root))
        found[module] = path.relative_to(root).as_posix(), path
    return found


def lean_libraries(model):
    """Return ``{path under lib/: bytes}`` of the libraries' lean sources, deepest first."""
    sources = {name: path.read_text(encoding="utf-8") for name, path in libraries(model).values()}
    ours = [p.read_text(encoding="utf-8") for p in firmware_files().values() if p.suffix == ".py"]
    return {name: text.encode() for name, text in lean.lean(sources, ours).items()}


def folded_firmware():
    """Return ``{path under firmware/: bytes}`` as a board gets it: numbers for their names."""
    files = firmware_files()
    sources = {name: path.read_text(encoding="utf-8") for name, path in files.items() if path.suffix == ".py"}
    dotted = {name: imports.module_of(f"firmware/{name}") for name in sources}
    folded = folding.fold({dotted[name]: source for name, source in sources.items()})
    laid = {name: folded[dotted[name]].encode() for name in sources if dotted[name] in folded}
    data = {name: path.read_bytes() for name, path in files.items() if path.suffix != ".py"}
    return {**laid, **data}


def build(model, settings=None):
    """Return ``{path on the drive: bytes}`` in the order of writing for a board's ``model``.

    ``settings`` are the bytes of settings.toml, or None to leave what is there. Mistake: a piece
    is missing here.
    """
    image = {f"lib/{name}": data for name, data in lean_libraries(model).items()}
    image.update((f"firmware/{name}", data) for name, data in folded_firmware().items())
    if settings is not None:
        image["settings.toml"] = settings
    for name in LAST:
        path = tree() / ("firmware/" + _SAFE_MODE if name == "safemode.py" else name)
        if not path.is_file():
            raise Mistake(f"{path} is missing: deploy from a checkout of the project")
        image[name] = path.read_bytes()
    return image
