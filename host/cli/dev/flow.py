"""``plusthree dev rules flow FILE.flow``: play a script of key presses on one virtual board."""

import pathlib
import sys
from argparse import ArgumentParser, Namespace

from host.cli import options


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.add_argument(
        "files", metavar="FILE", nargs="+", type=pathlib.Path, help="a .flow file (docs/flows.md)"
    )
    options.add_path(parser, "--shots", "DIR", "where the pictures of `shot` lines go")
    options.add_flag(parser, "--journal", "print the journal as lines of a flow")


def run(args: Namespace) -> int:
    """Play each file in virtual time; return 0, or 1 if an expectation failed."""
    from host.sim import flow

    failed = 0
    for path in args.files:
        faces, shoot = _eyes(args.shots, path.stem)
        player = flow.Player(faces, shoot)
        try:
            player.play(flow.read(path))
            print(f"ok    {path.name}: {player.presses} presses, {len(player.journal)} events")
        except flow.FlowMismatch as mismatch:
            failed = 1
            print(f"wrong {mismatch}", file=sys.stderr)
        if args.journal:
            print("\n".join(f"journal {line}" for line in player.journal))
    return failed


def _eyes(folder, stem):
    """Return functions that make faces and save pictures; without a folder they draw nothing."""
    from host.sim.faces import blank_face, drawn_faces, picture, save_png

    if folder is None:
        return blank_face, lambda name, app: None
    folder.mkdir(parents=True, exist_ok=True)
    return drawn_faces(), lambda name, app: save_png(picture(app), folder / f"{stem}.{name}.png")
