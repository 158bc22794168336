"""``plusthree dev bench``: one table of figures, each beside its naive baseline and its limit."""

import json
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from host.cli import options
from host.sim import bench_figures
from host.sim.bench_figures import Row

PARTS: dict[str, Callable[[int, Path], list[Row]]] = {
    "quiet": bench_figures.quiet,
    "hall": bench_figures.hall,
    "faults": bench_figures.faults,
    "edges": lambda seed, folder: bench_figures.edges(seed),
    "discovery": lambda seed, folder: bench_figures.discovery(),
    "collisions": lambda seed, folder: bench_figures.collisions(seed),
    "ingest": bench_figures.ingest,
    "work": bench_figures.work,
}


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.add_argument("--only", choices=tuple(PARTS), help="one part of the table")
    parser.add_argument("--seed", type=int, default=7, metavar="S", help="the seed of all (7)")
    options.add_path(
        parser,
        "--out",
        "DIR",
        "where the parts work: on the disk that the archive's rows are about (out/bench)",
        "out/bench",
    )
    options.add_json(parser)


def run(args: Namespace) -> int:
    """Print the table; return 0."""
    args.out.mkdir(parents=True, exist_ok=True)
    rows: list[Row] = []
    for part, measure in PARTS.items():
        if args.only in (None, part):
            with tempfile.TemporaryDirectory(dir=args.out) as folder:
                rows += measure(args.seed, Path(folder))
    if args.json:
        print(json.dumps({"seed": args.seed, "rows": [row.as_object() for row in rows]}))
        return 0
    print(f"seed {args.seed}; nothing here was measured on a radio or a board (docs/air.md)")
    print("\n".join(bench_figures.table(rows)))
    return 0
