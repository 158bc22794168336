"""``plusthree shots DIR``: draw every screen in every interesting case."""

import pathlib

BOARDS = ("feather", "clue")


def arguments(parser):
    """Declare what the command takes."""
    parser.add_argument("directory", metavar="DIR", type=pathlib.Path, help="where the pictures go")
    parser.add_argument("--board", choices=BOARDS, help="only this board (default: both)")


def run(args):
    """Write ``DIR/BOARD/SCREEN.CASE.png`` and ``DIR/BOARD.png``, the contact sheet; return 0."""
    from host.sim.shots import Studio, name_of, sheet

    for model in [args.board] if args.board else BOARDS:
        shots = list(Studio(model).shots())
        target = args.directory / model
        target.mkdir(parents=True, exist_ok=True)
        for shot in shots:
            shot.image.save(target / f"{name_of(shot)}.png")
        sheet(shots).save(args.directory / f"{model}.png")
        print(f"{model}: {len(shots)} screens in {target}, all on {args.directory / model}.png")
    return 0
