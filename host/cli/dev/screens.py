"""``plusthree dev screens``: write the boards' texts in every language, from the catalogues."""

from argparse import ArgumentParser, Namespace

from host.base import catalogues
from host.base.private_files import write_whole
from host.boards import texts


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing: end with 1 where something would change",
    )


def run(args: Namespace) -> int:
    """Write ``firmware/ui/texts/*.json`` but the English; return 0, or 1 if --check fails."""
    stale = False
    for language in catalogues.languages():
        path, data = texts.FOLDER / f"{language}.json", texts.packed(language)
        if path.exists() and path.read_bytes() == data:
            print(f"{path}: up to date, {len(data)} bytes")
            continue
        stale = True
        if not args.check:
            write_whole(path, data)
        print(f"{path}: {'not up to date' if args.check else f'{len(data)} bytes written'}")
    return int(stale and args.check)
