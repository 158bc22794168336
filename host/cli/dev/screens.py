"""``plusthree dev screens``: compile the boards' screens, theme and texts."""

from argparse import ArgumentParser, Namespace

from host.base.errors import UserError
from host.base.private_files import write_whole
from host.boards.screens import numbers, words
from host.boards.screens.pack import TARGET, build


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing: end with 1 where something would change",
    )


def run(args: Namespace) -> int:
    """Write ``firmware/ui/face.bin`` and the text numbers; return 0, or 1 if --check fails.

    Raises UserError for an invalid line, with its file, its number and similar names.
    """
    try:
        made = numbers.renumbered(words.texts("en")[0])
        data = build()
    except words.SourceError as mistake:
        raise UserError(str(mistake)) from None
    stale = {path: text.encode("utf-8") for path, text in made.items()}
    if not TARGET.exists() or TARGET.read_bytes() != data:
        stale[TARGET] = data
    for path, content in stale.items():
        if not args.check:
            write_whole(path, content)
        print(f"{path}: {'not up to date' if args.check else f'{len(content)} bytes written'}")
    if not stale:
        print(f"{TARGET}: up to date, {len(data)} bytes")
    return int(bool(stale) and args.check)
