"""What belongs on a board's drive: paths and bytes, from this tree and the installed libraries."""

import ast
import functools
import importlib.util
import pathlib
from collections.abc import Iterable, Mapping

from firmware.board import pins
from host.base import installation
from host.boards import languages
from host.boards.deploy import (
    annotations,
    bytecode,
    crossing,
    edits,
    families,
    folding,
    imports,
    inlining,
    interned,
    lean,
    linking,
    literals,
    privates,
    pruning,
    publics,
    resident,
    shortening,
    tables,
)
from host.boards.deploy.syntax import walk
from host.boards.models import MODELS
from host.boards.screens import pack

LIBRARIES = (
    "adafruit_ble", "adafruit_display_text", "adafruit_hx8357", "adafruit_ili9341",
    "adafruit_ticks",
)  # fmt: skip
DRIVERS = {
    name for model in MODELS.values() for name in model.drivers
}  # a panel's own: not every board's
ROOTS = ("firmware.app", "firmware.board.service")  # what code.py and boot.py run
GATEWAY = "firmware.gateway.program"  # what boot.py has run on a gateway
ENTRIES = ("main", "wait", "tell")
FOR_SOME = ("firmware.core.team", "firmware.board.checked")  # matches of some formats; some boards
BEACON = (  # what a board loads that listens to a beacon, in parts of its own
    "firmware.core.beacon", "firmware.core.beacon_receiver", "firmware.core.clock_filter",
    "firmware.core.listener", "firmware.radio.ear",
)  # fmt: skip
SYSTEMS = "firmware.core.systems"  # which of them is a setting's choice
LAST = (
    "safemode.py",
    "code.py",
    "boot.py",
)  # boot.py last: until it lies there the drive stays open
RESIDENT = "code.py"  # of these what stays in memory while the board runs
_SAFE_MODE = "board/safemode.py"
OUTSIDE = ("boot.py", "code.py", "firmware/board/selftest.py")  # run on a board as they are
_GAUGE = "firmware/board/gauge.py"  # sent to a board, and laid on none
_CHECKED = "firmware.board.checked"  # the store of a chip with a silent flash alone
_CARRIED = (".py", ".bin")  # the .txt beside them are what face.bin is made from


def tree() -> pathlib.Path:
    """Return the folder that holds ``firmware/``."""
    return installation.ROOT


def firmware_files() -> dict[str, pathlib.Path]:
    """Return ``{path under firmware/: file}`` of all that a board carries of ours."""
    base = tree() / "firmware"
    found = {}
    for path in sorted(base.rglob("*")):
        name = path.relative_to(base).as_posix()
        if path.is_file() and path.suffix in _CARRIED and name != _SAFE_MODE:
            found[name] = path
    return found


def firmware_places() -> dict[str, str]:
    """Return ``{dotted name: path on the drive}`` of the modules that a board carries of ours."""
    paths = [f"firmware/{name}" for name in firmware_files() if name.endswith(".py")]
    return {imports.module_of(path): path for path in paths}


def firmware_sources() -> dict[str, str]:
    """Return ``{dotted name: source}`` of the same modules, without their types."""
    return {name: _untyped(tree() / path) for name, path in firmware_places().items()}


def _untyped(path: pathlib.Path) -> str:
    return annotations.stripped(path.read_text(encoding="utf-8"))


def library_roots() -> tuple[str, ...]:
    """Return the folders that the needed libraries are installed in."""
    roots = []
    for name in LIBRARIES:
        spec = importlib.util.find_spec(name)
        assert spec is not None and spec.origin is not None  # every install has them
        folder = pathlib.Path(spec.origin).parent
        roots.append(str(folder.parent if spec.submodule_search_locations else folder))
    return tuple(dict.fromkeys(roots))


def libraries(model: str) -> dict[str, tuple[str, pathlib.Path]]:
    """Return ``{module: (path under lib/, file)}`` that the firmware imports, deepest first."""
    roots = library_roots()
    allowed = [name for name in LIBRARIES if name not in DRIVERS or name in MODELS[model].drivers]
    wanted = []
    for path in firmware_files().values():
        if path.suffix == ".py":
            wanted += imports.needs(path.read_text(encoding="utf-8"), "firmware", roots)
    found = {}
    for module, path in imports.closure(wanted, roots, allowed).items():
        root = next(root for root in roots if path.is_relative_to(root))
        found[module] = path.relative_to(root).as_posix(), path
    return found


@functools.cache
def programs(model: str) -> dict[str, str]:
    """Return ``{path on the drive: source}`` of firmware and libraries as a board gets them.

    Those of our modules that stay loaded are linked (``linking``); ``modules`` has them one by one.
    """
    words, files = interned_words(model), _linked(model)
    return {path: interned.applied(text, words) for path, text in files.items()}


@functools.cache
def interned_words(model: str) -> dict[str, str]:
    """Return the words of the interpreter's own that stand for those made here (``interned``)."""
    return interned.plan(_linked(model).values())


@functools.cache
def _linked(model):
    """Return ``{path on the drive: source}`` with the resident modules linked."""
    places, spoken = _planned(model)[0], modules(model)
    ours = {name: text for name, text in spoken.items() if not _is_library(name)}
    linked = {
        name: linking.printed(ast.parse(text)) for name, text in spoken.items() if _is_library(name)
    }
    linked |= linking.link(ours, _resident(ours), _asking(model), _most(), BEACON)
    return {places.get(name, _place(name)): text for name, text in linked.items()} | tables.laid()


def _most():
    """Return how many bytes of source a part may have."""
    return linking.MOST_COMPILED if bytecode.lacking() else linking.MOST_BYTES


def _asking(model):
    """Return ``{dotted name: source}`` of what a PC sends to a board, in the words laid there."""
    return {name: plan(model).applied(text, name) for name, text in _gauge().items()}


def _gauge():
    """Return ``{dotted name: source}`` of what a PC sends to a board."""
    return {imports.module_of(_GAUGE): _untyped(installation.file(_GAUGE))}


def _place(name):
    return name.replace(".", "/") + ".py"


def modules(model: str) -> dict[str, str]:
    """Return ``{dotted name: source}`` of firmware and libraries as a board gets them, not yet
    linked.
    """
    _, words, sources = _planned(model)
    return _spoken(words, sources)


def unlinked(model: str) -> dict[str, str]:
    """Return ``{path on the drive: source}`` as ``programs`` does, each module in a file of its
    own.
    """
    places = _planned(model)[0]
    return {places[name]: text for name, text in modules(model).items()} | tables.laid()


def _resident(sources):
    """Return the modules of ours that a board loads at its start and keeps.

    Not those that are loaded for an act or for some matches alone, that are looked up by name or
    held as things, or that the PC asks for.
    """
    trees = {name: ast.parse(text) for name, text in sources.items()}
    packages = {name for name in sources if any(other.startswith(name + ".") for other in sources)}
    apart = {*ROOTS, *FOR_SOME, *packages, *publics.held(trees), *_spelled(sources)}
    roots = (tree(),)
    for source in _outside():
        apart.update(imports.needs(source, "", roots))
    return sources.keys() - apart


def _spelled(sources):
    """Return the modules that a text names, as it does those that are loaded for a moment."""
    trees = map(ast.parse, sources.values())
    nodes = (node for tree in trees for node in walk(tree))
    told = {node.value for node in nodes if isinstance(node, ast.Constant)}
    return {name for name in sources if name in told}


def sent(model: str, source: str, name: str) -> str:
    """Return a ``source`` that a PC sends to a board, as if it were module ``name``, in the words
    of what is laid there.
    """
    spoken = modules(model)
    ours = {module: text for module, text in spoken.items() if not _is_library(module)}
    every = {**ours, name: plan(model).applied(source, name)}
    linked = linking.link(every, _resident(ours), most=_most(), late=BEACON)
    return interned.applied(linked[name], interned_words(model))


def plan(model: str) -> publics.Plan:
    """Return the ``publics.Plan`` of a ``model``'s image: which public name has which
    short word.
    """
    return _planned(model)[1]


@functools.cache
def _planned(model):
    """Return (places on the drive by module, the plan of public names, the sources before it).

    Annotations are taken out (``annotations``), numbers stand for their names (``folding``),
    libraries are lean (``lean``), what a board cannot reach is left out (``pruning``), what only
    people read too (``edits.untexted``), tables of bytes are literals (``literals``), and what
    nobody else knows has short words (``_short_inside``).
    """
    folded = folding.fold(firmware_sources())
    places = firmware_places()
    sources = {
        name: folded[name] for name in imported(folded, ROOTS) if not name.startswith(SYSTEMS + ".")
    }
    if not pins.row(MODELS[model].board_id)[11]:
        del sources[_CHECKED]
    laid = {}
    for module, (name, path) in libraries(model).items():
        places[module] = f"lib/{name}"
        laid[module] = path.read_text("utf-8")
    pruned = lean.fitted(sources, laid, lambda every: pruning.prune(every, ENTRIES, (SYSTEMS,)))
    plain = {name: literals.written(edits.untexted(text)) for name, text in pruned.items()}
    ours = {name: text for name, text in plain.items() if not _is_library(name)}
    others = [text for name, text in plain.items() if name not in ours] + _outside()
    others += _gauge().values()
    late = _spelled(ours)
    inlined = crossing.crossed(inlining.inline(ours, late), others, late)
    short = _short_inside(plain | inlining.inline(inlined, late))
    return places, _plan(short), short


def shortened(sources: Mapping[str, str]) -> dict[str, str]:
    """Return ``{dotted name: source}`` in short words, where no library nor the PC knows
    the name.
    """
    short = _short_inside(sources)
    return _spoken(_plan(short), short)


def _short_inside(sources):
    """Return ``{dotted name: source}`` with short words for what only its own module knows."""
    passed = shortening.keywords(sources.values())
    ours = {name: ast.parse(text) for name, text in sources.items() if not _is_library(name)}
    groups, shared = {}, families.groups(ours)
    for module, text in sources.items():
        group = module.partition(".")[0] if _is_library(module) else shared.get(module, module)
        groups.setdefault(group, {})[module] = shortening.shorten(text, passed)
    laid = privates.shorten(groups)
    return {module: laid[module] for module in sources}


def _is_library(module):
    return module.partition(".")[0] in LIBRARIES


def _plan(sources):
    """Return the plan of public names; what the PC runs on a board keeps those that it asks for."""
    ours = {module: text for module, text in sources.items() if not _is_library(module)}
    libraries = [text for module, text in sources.items() if _is_library(module)]
    return publics.plan(ours, libraries, _outside())


def _outside():
    """Return the sources that ask our modules for names and run as they are."""
    return [_untyped(installation.file(name)) for name in OUTSIDE]


def _spoken(words, sources):
    """Return ``{dotted name: source}`` with the plan's words in our modules."""
    return {m: text if _is_library(m) else words.applied(text, m) for m, text in sources.items()}


def imported(folded: Mapping[str, str], roots: Iterable[str]) -> list[str]:
    """Return the modules of ``folded`` that can come to be imported from ``roots``, the systems
    among them.
    """
    done, waiting = (
        set(),
        ["firmware", *roots, *(name for name in folded if name.startswith(SYSTEMS))],
    )
    while waiting:
        name = waiting.pop()
        if name in folded and name not in done:
            done.add(name)
            waiting += [name.rpartition(".")[0], *imports.needs(folded[name], name, (tree(),))]
    return [name for name in folded if name in done]


@functools.cache
def gateway() -> dict[str, str]:
    """Return ``{path on the drive: source}`` of what a gateway alone loads.

    It lies on every board, so that its settings alone choose its role. The words of the table's
    program are not its own: it asks only modules of it that keep their names (``OUTSIDE``).
    """
    sources, places = firmware_sources(), firmware_places()
    tables = set(imported(sources, ROOTS))
    return {
        places[name]: sources[name] for name in imported(sources, (GATEWAY,)) if name not in tables
    }


def build(
    model: str,
    settings: bytes | None = None,
    own: Mapping[str, bytes] | None = None,
    language: str | None = None,
) -> dict[str, bytes]:
    """Return ``{path on the drive: bytes}`` in the order of writing for a board's ``model``.

    ``settings`` are the bytes of settings.toml, or None to leave what is there; ``own`` are further
    files (an organiser's system). ``language`` is what the board speaks, where no settings say it.
    """
    image = {name: text.encode() for name, text in {**programs(model), **gateway()}.items()}
    for name, path in firmware_files().items():
        if path.suffix != ".py":
            image[f"firmware/{name}"] = path.read_bytes()
    image = languages.speaking(image, languages.named(settings) or language)
    panels = [one.panel for one in MODELS.values() if one.image == model]
    image[languages.FACE] = pack.fitted(image[languages.FACE], panels)
    image.update(own or {})
    if settings is not None:
        image["settings.toml"] = settings
    for name in LAST:
        place = "firmware/" + _SAFE_MODE if name == "safemode.py" else name
        text = _untyped(installation.file(place))
        image[name] = (resident.laid(text) if name == RESIDENT else text).encode()
    return image
