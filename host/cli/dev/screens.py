"""``plusthree dev screens``: write the boards' texts on the desk's acts into their file."""

from argparse import ArgumentParser, Namespace

from host.base.private_files import write_whole
from host.boards import texts
from host.cli import options


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    options.add_flag(parser, "--check", "write nothing: end with 1 where something would change")


def run(args: Namespace) -> int:
    """Write ``firmware/ui/texts/en.json``; return 0, or 1 if --check fails."""
    path, data = texts.FOLDER / texts.ENGLISH.name, texts.pack("en")
    if path.exists() and path.read_bytes() == data:
        print(f"{path}: up to date, {len(data)} bytes")
        return 0
    if not args.check:
        write_whole(path, data)
    print(f"{path}: {'not up to date' if args.check else f'{len(data)} bytes written'}")
    return int(args.check)
