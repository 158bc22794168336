"""``plusthree doctor report``: pack log, versions and the archive's figures, for a helper."""

from argparse import ArgumentParser, Namespace

from host.base.errors import UserError
from host.base.json_values import Json
from host.cli import options
from host.event.archive_view import view
from host.reports import support_package
from host.server import log_file

_LOOK = "It holds no names and no keys. Look at it, then send it to whoever helps you."


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    options.add_archive(parser)
    options.add_path(
        parser,
        "--out",
        "FILE",
        "the package to write (default: %(default)s)",
        "plusthree-report.zip",
    )


def run(args: Namespace) -> int:
    """Write the package and print its contents; return 0. Raises UserError where it cannot be
    written.
    """
    counts, names, remarks = _figures(args.archive)
    try:
        parts = support_package.write(args.out, log_file.files(args.archive), counts, names)
    except OSError as failure:
        raise UserError(
            f"{args.out} cannot be written ({failure.strerror or failure}): name another place"
            " with --out"
        ) from None
    for line in remarks:
        print(line)
    print(f"{args.out}: {', '.join(parts)}")
    print(_LOOK)
    return 0


def _figures(path) -> tuple[dict[str, Json], list[str], list[str]]:
    """Return an archive's figures, the names that must stay here, and remarks on it."""
    try:
        with view(path) as (archive, hall):
            return (
                support_package.figures(archive, hall),
                support_package.people(archive),
                [],
            )
    except UserError as mistake:  # the log and the versions help all the same
        return {}, [], [f"without the archive's figures: {mistake}"]
