"""``plusthree dev bench``: one table of figures, each beside its naive baseline and its limit."""

import json
import pathlib
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from pathlib import Path

from host.base.private_files import write_whole
from host.sim import bench_figures
from host.sim.bench_figures import Found

PARTS: dict[str, Callable[[int, Path], Found]] = {
    "quiet": bench_figures.quiet,
    "hall": bench_figures.hall,
    "faults": bench_figures.faults,
    "edges": lambda seed, folder: bench_figures.edges(seed),
    "discovery": lambda seed, folder: bench_figures.discovery(seed),
    "collisions": lambda seed, folder: bench_figures.collisions(seed),
    "ingest": bench_figures.ingest,
    "work": bench_figures.work,
}


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.add_argument("--only", choices=tuple(PARTS), help="one part of the table")
    parser.add_argument("--seed", type=int, default=7, metavar="S", help="the seed of all (7)")
    parser.add_argument(
        "--out", type=pathlib.Path, default=pathlib.Path("out/bench"), metavar="DIR",
        help="where drawings are left, and the disk that the archive's rows are about (out/bench)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print one object instead of lines")


def run(args: Namespace) -> int:
    """Print the table and leave the drawings; return 0."""
    args.out.mkdir(parents=True, exist_ok=True)
    measured = [*_measured(args)]
    every = [row for part in measured for row in part.rows]
    if args.json:
        print(json.dumps({"seed": args.seed, "rows": [row.as_object() for row in every]}))
        return 0
    print(f"seed {args.seed}; nothing here was measured on a radio or a board (docs/air.md)")
    print("\n".join(bench_figures.table(every)))
    for name in sorted(name for part in measured for name in part.drawings):
        print(args.out / name)
    return 0


def _measured(args: Namespace) -> Iterator[Found]:
    """Yield each part's figures, once its drawings are on the disk."""
    for part, measure in PARTS.items():
        if args.only in (None, part):
            with tempfile.TemporaryDirectory(dir=args.out) as folder:
                part_result = measure(args.seed, Path(folder))
            for name, drawing in part_result.drawings.items():
                write_whole(args.out / name, drawing)
            yield part_result
