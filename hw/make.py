"""Makes everything in hw/ that is made: ``make hw``, about a minute and a half.

``make hw ARGS=--check`` only compares with what is there. ``--tables``, ``--drawings``, ``--parts``
and ``--pictures`` make these alone: tables need neither graphviz nor the CAD kernel.

Run as a file, not with -m, so that the root's code.py does not stand before the standard library's.
"""

import argparse
import csv
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from firmware.board import pins  # noqa: E402
from hw import manifest, power  # noqa: E402
from hw.bom import sums  # noqa: E402
from hw.wiring import nets  # noqa: E402

BOARDS = tuple(nets.BUILDS.values())


def table(path, rows):
    """Write rows as CSV with plain line ends."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def tables(folder):
    """Write the tables that follow from pins, bills and currents."""
    table(folder / "wiring/pinout.csv", nets.pinout({name: pins.row(name) for name in BOARDS}))
    table(folder / "bom/totals.csv", sums.totals())
    table(folder / "power_life.csv", power.life())
    table(folder / "charging.csv", power.charging())


def drawings(folder):
    """Draw the wiring with WireViz and the block diagram with graphviz."""
    wireviz = pathlib.Path(sys.executable).with_name("wireviz")
    for build in nets.BUILDS:
        source = HERE / f"wiring/{build}.yml"
        done = subprocess.run(
            [wireviz, "-f", "s", "-o", folder / "wiring", source],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"wireviz: {done.stdout}{done.stderr}")
    drawn = ["dot", "-Tsvg", HERE / "wiring/blocks.gv", "-o", folder / "wiring/blocks.svg"]
    subprocess.run(drawn, check=True)


def parts(folder):
    """Make the printed parts and check them; return the checks that failed."""
    from hw.enclosure import checks, pieces  # the CAD kernel: a gigabyte, and seconds to load

    wedge, cradle = pieces.default()
    printed = pieces.printed(wedge, cradle)
    for path in pieces.write(folder / "enclosure", printed):
        print("made", path.relative_to(folder), flush=True)
    rows = [tuple(str(cell) for cell in row) for row in checks.rows(wedge, cradle, printed)]
    table(folder / "enclosure/checks.csv", [checks.HEAD, *rows])
    return [row for row in rows if row[-1] != "True"]


def pictures(folder):
    """Draw the pictures of the parts."""
    from hw.enclosure import pieces, scenes

    sizes = pieces.default()
    screens = {model: HERE / f"pictures/screens/{model}.png" for model in nets.BUILDS}
    for path in scenes.write(folder / "pictures", sizes, pieces.printed(*sizes), screens):
        print("drew", path.relative_to(folder), flush=True)


MAKERS = {"tables": tables, "drawings": drawings, "parts": parts, "pictures": pictures}


def compare(folder, keep):
    """Say how each made file differs from the one in the tree; put it there if ``keep``; return how
    many do.
    """
    beyond = same = near = 0
    for pattern in manifest.MADE:
        for new in sorted(folder.glob(pattern)):
            old = HERE / new.relative_to(folder)
            difference = manifest.differs(old, new)
            same += difference is None
            near += difference == ""
            beyond += bool(difference)
            if difference is not None:
                print(f"differs: {new.relative_to(folder)}: {difference or 'within tolerance'}")
            if keep and difference is not None:
                old.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(new, old)
    print(f"{same} files with the same bytes, {near} within tolerance, {beyond} beyond it")
    return beyond


def main(arguments):
    """Make all, or what is asked for; return 0 when every check passed (and with --check, when
    nothing is beyond tolerance).
    """
    parser = argparse.ArgumentParser(prog="make hw ARGS=", allow_abbrev=False)
    parser.add_argument("--check", action="store_true", help="only compare with what is there")
    for name in MAKERS:
        parser.add_argument(f"--{name}", action="append_const", const=name, dest="asked")
    args, failed = parser.parse_args(arguments), []
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        for name in ("wiring", "bom", "enclosure", "pictures"):
            (folder / name).mkdir()
        for name in args.asked or MAKERS:
            failed += MAKERS[name](folder) or []
        beyond = compare(folder, keep=not args.check)
    if not args.check:
        table(manifest.PATH, manifest.rows())
    for row in failed:
        print("FAILED:", *row)
    return 1 if failed or (beyond and args.check) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
