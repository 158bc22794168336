"""The portable tests as they are laid on a board, with the modules that they test.

The program's own modules are linked (``linking``), and a test asks for a module by its name. So
``/tests`` holds copies that nothing else uses, each a file of its own, made as the program's are:
numbers for names, without what no test reaches, in short words, every statement on its line.
"""

import pathlib

from host.base.errors import UserError
from host.boards.deploy import edits, folding, image, pruning

FOLDER = "tests"
RUN = f"{FOLDER}/run.py"
COMMAND = "from tests.run import run; run()"
_RUNNER = "tests/support/board_runner.py"


def files() -> dict[str, pathlib.Path]:
    """Return ``{name: file}`` of the portable tests; UserError where they are not here."""
    found = {path.stem: path for path in sorted((image.tree() / "tests").glob("*/portable/*.py"))}
    if not found:
        raise UserError("the tests are missing: deploy them from a checkout of the project")
    return found


def build() -> dict[str, bytes]:
    """Return ``{path on the drive: bytes}`` of the runner, the tests and what they test."""
    tests = {name: path.read_text("utf-8") for name, path in files().items()}
    ours = image.firmware_sources()
    places = image.firmware_places() | {name: f"{name}.py" for name in tests}
    folded = folding.fold({**ours, **tests})
    needed = {name: folded[name] for name in image.imported(folded, tests)}
    pruned = pruning.prune(needed, kept=(image.SYSTEMS, *tests))
    short = image.shortened({name: edits.untexted(text) for name, text in pruned.items()})
    laid = {RUN: (image.tree() / _RUNNER).read_bytes()}
    return laid | {f"{FOLDER}/{places[name]}": text.encode() for name, text in short.items()}
