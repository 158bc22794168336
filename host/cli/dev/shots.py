"""``plusthree dev screens shots DIR``: draw every screen of every board in each of its states."""

import pathlib
from argparse import ArgumentParser, Namespace

from host.base import catalogues
from host.base.private_files import write_whole
from host.boards.models import NAMES


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.add_argument("directory", metavar="DIR", type=pathlib.Path, help="where the pictures go")
    add_choices(parser)


def add_choices(parser: ArgumentParser) -> None:
    """Add which boards, which screen and which language."""
    parser.add_argument("--board", choices=NAMES, help="only this board (default: all)")
    parser.add_argument("--screen", metavar="NAME", help="only this screen (default: all)")
    parser.add_argument(
        "--language",
        choices=catalogues.languages(),
        default=catalogues.ENGLISH,
        help="the language (default: %(default)s)",
    )


def run(args: Namespace) -> int:
    """Write ``DIR/BOARD/SCREEN.CASE.png``, one contact sheet per board, and an index; return 0."""
    from host.sim.faces import save_png
    from host.sim.shots import Studio, gallery, name_of, scenes_of, sheet_of

    drawn, scenes = {}, scenes_of(args.screen)
    for model in [args.board] if args.board else NAMES:
        studio = Studio(model, args.language)
        shots = [studio.shot(*scene) for scene in scenes]
        target = args.directory / model
        target.mkdir(parents=True, exist_ok=True)
        for shot in shots:
            save_png(shot.image, target / f"{name_of(shot.screen, shot.case)}.png")
        save_png(sheet_of(shots), args.directory / f"{model}.png")
        drawn[model] = [(name_of(shot.screen, shot.case), *shot.image.size) for shot in shots]
        print(f"{model}: {len(shots)} screens in {target}, all on {args.directory / model}.png")
    write_whole(args.directory / "index.html", gallery(drawn, args.language))
    print(f"gallery: {args.directory / 'index.html'}")
    return 0
