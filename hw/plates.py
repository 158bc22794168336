"""Number plates for a range of tables: ``.venv-hw/bin/python hw/plates.py FIRST LAST FOLDER``."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))

from hw.enclosure import mesh, small  # noqa: E402
from hw.enclosure.pieces import default, on_bed, triangles  # noqa: E402

WIDEST = 999


def main(first, last, folder):
    """Write one STL a number, 0 to 999, into ``folder``."""
    wedge, _ = default()
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(int(first), min(int(last), WIDEST) + 1):
        flat = triangles(on_bed(small.plate(wedge, number)))
        mesh.write(folder / f"plate_{number}.stl", flat, f"PlusThree plate {number}, mm")


if __name__ == "__main__":
    main(*sys.argv[1:4])
