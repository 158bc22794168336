"""The portable tests as they are laid on a board, beside the program that they test."""

import pathlib

from host.base.errors import UserError
from host.boards.deploy import image

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
    """Return ``{path on the drive: bytes}`` of the runner and the tests."""
    tests = {f"{FOLDER}/{name}.py": path.read_bytes() for name, path in files().items()}
    return {RUN: (image.tree() / _RUNNER).read_bytes(), **tests}
