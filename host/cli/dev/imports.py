"""``plusthree dev rules imports``: print or draw the imports between the host's packages."""

import json
import pathlib
from argparse import ArgumentParser, Namespace

from host.base.private_files import write_whole
from host.cli import options
from host.cli.dev import import_graph

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "architecture.md"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    options.add_path(parser, "--svg", "FILE", "write the drawing")
    options.add_flag(parser, "--page", "write the table of packages into docs/architecture.md")
    options.add_flag(parser, "--json", "print one object {package: [what it imports]}")


def run(args: Namespace) -> int:
    """Print or write the graph; whether it keeps to the floors, ``make lint`` says."""
    packages = import_graph.packages()
    if args.svg:
        write_whole(args.svg, import_graph.draw(packages))
    if args.page:
        write_whole(PAGE, import_graph.place(PAGE.read_text(encoding="utf-8"), packages))
    if args.json:
        print(json.dumps({name: sorted(found) for name, found in packages.items()}))
    elif not args.svg and not args.page:
        print(import_graph.table(packages))
    return 0
