"""Makes everything in hw/ that is made: ``make hw``; with ``--check`` it only compares with what is
there.

``--tables`` makes only the tables, which needs neither graphviz nor the CAD kernel.

Run as a file, not with -m, so that the root's code.py does not stand before the standard library's.
"""

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


def solids(folder):
    """Make the printed parts, check them, and draw the pictures; return the checks that failed."""
    from hw.enclosure import (  # the CAD kernel: a gigabyte, and seconds to load
        checks,
        pieces,
        scenes,
    )

    wedge, cradle = pieces.default()
    parts = pieces.printed(wedge, cradle)
    for path in pieces.write(folder / "enclosure", parts):
        print("made", path.relative_to(folder))
    rows = [tuple(str(cell) for cell in row) for row in checks.rows(wedge, cradle, parts)]
    table(folder / "enclosure/checks.csv", [checks.HEAD, *rows])
    screens = {model: HERE / f"pictures/screens/{model}.png" for model in nets.BUILDS}
    for path in scenes.write(folder / "pictures", (wedge, cradle), parts, screens):
        print("drew", path.relative_to(folder))
    return [row for row in rows if row[-1] != "True"]


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
    """Make all; return 0 when every check passed (and with --check, when nothing is beyond
    tolerance).
    """
    keep, failed = "--check" not in arguments, []
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        for name in ("wiring", "bom", "enclosure", "pictures"):
            (folder / name).mkdir()
        tables(folder)
        if "--tables" not in arguments:
            drawings(folder)
            failed = solids(folder)
        beyond = compare(folder, keep)
    if keep:
        table(manifest.PATH, manifest.rows())
    for row in failed:
        print("FAILED:", *row)
    return 1 if failed or (beyond and not keep) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
