"""``plusthree dev simulate torture``: simulate venues with faults of every kind, by seed."""

import itertools
import json
import os
import random
import re
import sys
import time
from argparse import ArgumentParser, Namespace
from collections import Counter

from host.base.errors import UserError
from host.cli import options
from host.sim import prices
from host.sim.torture import seed_runs

MOST_TABLES, MOST_JOBS, MOST_RUNS = 200, 64, 100_000
_BELOW = 1_000_000_000  # every seed


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.add_argument(
        "--seeds",
        default="1-10",
        metavar="A-B,C,N@S",
        help="one run for each seed (1-10); N@S: for each of N that are drawn by the number S",
    )
    parser.add_argument(
        "--tables", type=int, default=16, metavar="N", help="boards in the hall (16)"
    )
    parser.add_argument(
        "--hours", type=float, default=1.0, metavar="H", help="hours of trouble a run (1)"
    )
    cores = os.cpu_count() or 1
    parser.add_argument(
        "--jobs",
        type=int,
        default=cores,
        metavar="J",
        help=f"runs at a time, a core each ({cores})",
    )
    options.add_flag(parser, "--json", "print one JSON object and nothing else")
    prices.add_arguments(parser)


def run(args: Namespace) -> int:
    """Run and print; return 1 if anything broke, else 0.

    Progress and the steps that reproduce a failure go to stderr.
    """
    seeds = _seeds(args.seeds)
    if not 1 <= args.tables <= MOST_TABLES or not 0 < args.hours <= 24:
        raise UserError(f"--tables is from 1 to {MOST_TABLES}, --hours up to 24")
    if not 1 <= args.jobs <= MOST_JOBS:
        raise UserError(f"--jobs is from 1 to {MOST_JOBS}")
    book = prices.load(args.prices)
    jobs = min(args.jobs, len(seeds))
    started_s = time.perf_counter()
    totals = {
        "seeds": args.seeds,
        "runs": 0,
        "hours": 0.0,
        "results": 0,
        "lost": 0,
        "duplicated": 0,
        "violations": [],
    }
    faults = Counter()
    outcomes = seed_runs.run_seeds(seeds, args.tables, args.hours, jobs, book)
    for seed, outcome in zip(seeds, outcomes, strict=True):
        totals["runs"] += 1
        totals["hours"] += outcome.virtual_s / 3600
        for name in ("results", "lost", "duplicated"):
            totals[name] += getattr(outcome, name)
        totals["violations"] += [{"seed": seed, "reason": reason} for reason in outcome.violations]
        faults.update(outcome.faults)
        _tell(seed, outcome, args, book)
    totals["hours"] = round(totals["hours"], 2)
    totals["faults"] = dict(sorted(faults.items()))
    totals["wall_s"] = round(time.perf_counter() - started_s, 2)
    _print(totals, args.json)
    return 1 if totals["violations"] or totals["lost"] or totals["duplicated"] else 0


def _seeds(text):
    """Return the seeds of ``1-3,7,200@5``, each once, in that order."""
    seeds = itertools.chain.from_iterable(map(_seeds_of_part, text.split(",")))
    return list(dict.fromkeys(seeds))


def _seeds_of_part(text):
    """Return the seeds of ``7``, of the range ``1-3``, or 200 that are drawn by ``200@5``."""
    match = re.fullmatch(r"([0-9]{1,9})(?:([-@])([0-9]{1,9}))?", text)
    if not match:
        raise UserError(
            "--seeds is a number, a range such as 1-200, some drawn by a number such as 200@7, or"
            " several: 1-200,977"
        )
    first, second = int(match[1]), int(match[3] or match[1])
    is_drawn = match[2] == "@"
    if first > second and not is_drawn:
        raise UserError("--seeds is a range that rises, such as 1-200")
    count = first if is_drawn else second - first + 1
    if count > MOST_RUNS:
        raise UserError(f"--seeds is of {MOST_RUNS} runs at most")
    if is_drawn:
        return random.Random(second).sample(range(_BELOW), count)
    return range(first, second + 1)


def _tell(seed, outcome, args, book):
    total = sum(outcome.faults.values())
    line = (
        f"seed {seed}: {outcome.results} results, {total} faults, {len(outcome.violations)}"
        " violations"
    )
    print(line, file=sys.stderr, flush=True)
    if outcome.violations:
        print(
            f"  {outcome.violations[0]}\n  looking for the steps it needs ...",
            file=sys.stderr,
            flush=True,
        )
        for fault in seed_runs.minimal_faults(
            seed, args.tables, args.hours, outcome.violations[0], prices=book
        ):
            print(f"    {fault}", file=sys.stderr, flush=True)


def _print(totals, as_json):
    if as_json:
        print(json.dumps(totals))
        return
    for name, value in totals.items():
        print(f"{name:12} {value}")
