"""``plusthree dev bench air``: hold the modelled air against published curves, and draw both."""

import contextlib
import json
import pathlib
from argparse import ArgumentParser, Namespace

from host.base.errors import UserError
from host.base.private_files import write_whole
from host.sim.ether.curves import Trial, collisions, crowded, discoveries, drawn, held

FIGURES = {  # name: (title, across, up, {name of a curve: its trials}, least)
    "collisions": (
        "Adverts at 0.75 s", "boards in the hall", "share that one gateway receives",
        {"the hall alone": collisions, "others take 25 %": crowded}, None,
    ),
    "discovery": (
        "Scan of 30 ms in 100", "advertising interval, s", "mean time to the first advert, s",
        {"line: formula, dots: simulated": discoveries}, 0.05,
    ),
}  # fmt: skip
OFF = 0.02, 0.1  # how far a simulated figure may be from its formula: absolute, and of its value


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.add_argument("--only", choices=tuple(FIGURES), help="one of the figures")
    parser.add_argument(
        "--svg", type=pathlib.Path, metavar="DIR", help="write the drawings into this folder"
    )
    parser.add_argument("--json", action="store_true", help="print one object instead of lines")


def run(args: Namespace) -> int:
    """Print, and draw if asked to; return 1 if a figure is far from its formula, else 0."""
    if args.svg:
        with _writing():
            args.svg.mkdir(parents=True, exist_ok=True)
    figures = {
        name: {curve: list(trials()) for curve, trials in FIGURES[name][3].items()}
        for name in FIGURES
        if args.only in (None, name)
    }
    if args.svg:
        _draw(args.svg, figures)
    every = [(curve, trials) for curves in figures.values() for curve, trials in curves.items()]
    if args.json:
        print(json.dumps({curve: [trial._asdict() for trial in trials] for curve, trials in every}))
    else:
        for curve, trials in every:
            print(f"{curve:32}{'simulated':>10}{'formula':>10}{'samples':>9}")
            for trial in trials:
                print(
                    f"{trial.x:32g}{trial.simulated:10.3f}{trial.by_formula:10.3f}{trial.samples:9}"
                )
    return 1 if any(_far(trial) for _, trials in every for trial in trials) else 0


def _far(trial: Trial) -> bool:
    least, share = OFF
    return abs(trial.simulated - trial.by_formula) > max(least, share * trial.by_formula)


@contextlib.contextmanager
def _writing():
    try:
        yield
    except OSError as failure:
        raise UserError(f"{failure.filename} cannot be written: {failure.strerror}") from None


def _draw(folder: pathlib.Path, figures: dict[str, dict[str, list[Trial]]]):
    with _writing():
        for name, curves in figures.items():
            title, across, up, _, least = FIGURES[name]
            text = drawn(title, across, up, [held(*trial) for trial in curves.items()], least)
            write_whole(folder / f"air-{name}.svg", text)
