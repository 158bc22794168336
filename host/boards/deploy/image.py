"""The image of a board's drive: paths and bytes, from this tree and the installed libraries,
with an organiser's system and the portable tests where they are asked for.
"""

import importlib.util
import pathlib
from collections.abc import Mapping

from host.base import catalogues, installation
from host.base.errors import UserError
from host.boards import board_settings, texts
from host.boards.deploy import imports
from host.boards.models import BOARDS
from host.systems import board_form, catalogue
from host.systems.rules import OwnRules

LIBRARIES = (
    "adafruit_ble", "adafruit_display_text", "adafruit_hx8357", "adafruit_ili9341",
    "adafruit_ticks",
)  # fmt: skip
DRIVERS = {name for model in BOARDS.values() for name in model.drivers}  # of some panel alone
# boot.py last: until it lies there the drive stays open
LAST = ("safemode.py", "code.py", "boot.py")
_SAFE_MODE = "board/safemode.py"  # laid at the drive's root
_CARRIED = (".py", ".font")
_SYSTEM = "PLUSTHREE_SYSTEM"  # the setting that names a board's system
TESTS = "tests"  # the portable tests' folder
RUN_TESTS = f"{TESTS}/run.py"
TEST_COMMAND = "from tests.run import run; run()"
_RUNNER = "tests/support/board_runner.py"


def firmware_files() -> dict[str, pathlib.Path]:
    """Return ``{path under firmware/: file}`` of our files that a board carries."""
    base = installation.ROOT / "firmware"
    files = {}
    for path in sorted(base.rglob("*")):
        name = path.relative_to(base).as_posix()
        if path.is_file() and path.suffix in _CARRIED and name != _SAFE_MODE:
            files[name] = path
    return files


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
    return (str(installation.ROOT), *library_roots())


def libraries(model: str) -> dict[str, tuple[str, pathlib.Path]]:
    """Return ``{module: (path under lib/, file)}`` that the firmware imports, deepest first."""
    roots = library_roots()
    allowed = [name for name in LIBRARIES if name not in DRIVERS or name in BOARDS[model].drivers]
    wanted = []
    for path in firmware_files().values():
        if path.suffix == ".py":
            wanted += imports.needs(imports.imports_of(path.read_text("utf-8")), "firmware", roots)
    modules = {}
    for module, path in imports.closure(wanted, roots, allowed).items():
        root = next(root for root in roots if path.is_relative_to(root))
        modules[module] = path.relative_to(root).as_posix(), path
    return modules


def build(
    model: str, settings: bytes | None = None, own: Mapping[str, bytes] | None = None
) -> dict[str, bytes]:
    """Return ``{path on the drive: bytes}`` in the order of writing for a board's ``model``.

    ``settings`` are the bytes of settings.toml, or None to leave what is there; ``own`` are further
    files (an organiser's system).
    """
    image = {f"lib/{name}": path.read_bytes() for name, path in libraries(model).values()}
    image |= {f"firmware/{name}": path.read_bytes() for name, path in firmware_files().items()}
    image |= {
        f"firmware/ui/texts/{language}.json": texts.pack(language)  # a board loads its own
        for language in catalogues.languages()
    }
    image.update(own or {})
    if settings is not None:
        image["settings.toml"] = settings
    for name in LAST:
        place = "firmware/" + _SAFE_MODE if name == "safemode.py" else name
        image[name] = installation.file(place).read_bytes()
    return image


def with_system(settings: bytes | None, word: str | None) -> tuple[bytes | None, dict[str, bytes]]:
    """Return ``(settings.toml or None, further files)`` for ``--system WORD``.

    Raises UserError where the board would be told of a system that it does not have.
    """
    if word is None:
        reading = board_settings.read(settings or b"", _SYSTEM)
        name = reading.value if reading else None
        if name is not None and name not in catalogue.built_in():
            raise UserError(f"{_SYSTEM} is {name}: give its file too (--system FILE.toml)")
        return settings, {}
    name, rules = catalogue.choose(word)
    settings = board_settings.with_value(settings, _SYSTEM, name, "--system")
    if not isinstance(rules, OwnRules):
        return settings, {}
    data = board_form.board_form(
        rules, f"# written by plusthree board deploy from {word}; edit that instead"
    ).encode()
    if len(data) > board_form.MOST_BYTES:
        raise UserError(
            f"{word}: the table comes to {len(data)} bytes; a board takes {board_form.MOST_BYTES}"
        )
    return settings, {f"firmware/core/systems/{name}.py": data}


def portable_files() -> dict[str, pathlib.Path]:
    """Return ``{name: file}`` of the portable tests; UserError where they are not here."""
    files = {
        path.stem: path for path in sorted((installation.ROOT / "tests").glob("*/portable/*.py"))
    }
    if not files:
        raise UserError("the tests are missing: deploy them from a checkout of the project")
    return files


def portable_tests() -> dict[str, bytes]:
    """Return ``{path on the drive: bytes}`` of the portable tests and their runner."""
    tests = {f"{TESTS}/{name}.py": path.read_bytes() for name, path in portable_files().items()}
    return {RUN_TESTS: (installation.ROOT / _RUNNER).read_bytes(), **tests}
