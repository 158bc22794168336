"""The manifest: what was made, from what, with which hash; and how two makings may differ.

Tables and meshes are the same bytes wherever the same versions run. What depends on the machine has
a tolerance: STEP (the kernel numbers its entities; shape and size of the file are compared),
pictures (rounding of the last bit may turn an edge sample), drawings (graphviz lays out by the
fonts it finds).
"""

import csv
import hashlib
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
PATH = HERE / "manifest.csv"
HEAD = ("kind", "path", "bytes", "sha256")
SOURCES = (
    "enclosure/*.py",
    "wiring/*.yml",
    "wiring/*.gv",
    "bom/*.csv",
    "power.csv",
    "pictures/screens/*.png",
)
MADE = ("wiring/*.svg", "wiring/pinout.csv", "bom/totals.csv", "power_life.csv", "charging.csv",
        "enclosure/checks.csv",
        "enclosure/stl/*.stl", "enclosure/step/*.step", "pictures/*.png")  # fmt: skip
VOLUME_PART = 0.001
BOX_MM = 0.02
STEP_PART = 0.01
PICTURE_MEAN = 1.0  # of 255


def rows(folder=HERE):
    """Return the manifest's rows for the files below ``folder``."""
    found = [HEAD]
    for kind, patterns in (("source", SOURCES), ("made", MADE)):
        paths = {path for pattern in patterns for path in folder.glob(pattern)}
        for path in sorted(paths):
            name = path.relative_to(folder).as_posix()
            if kind == "source" and name == "bom/totals.csv":
                continue
            data = path.read_bytes()
            found.append((kind, name, str(len(data)), hashlib.sha256(data).hexdigest()))
    return found


def read():
    """Return the committed manifest's rows."""
    with open(PATH, encoding="utf-8", newline="") as file:
        return [tuple(row) for row in csv.reader(file)]


def differs(old, new):
    """Return None for the same bytes, "" for within tolerance, or one sentence for what differs."""
    if not old.is_file():
        return "it was not there"
    if old.read_bytes() == new.read_bytes():
        return None
    compare = {".stl": _mesh, ".step": _step, ".png": _picture, ".svg": _drawing}.get(new.suffix)
    return compare(old, new) if compare else "a table may not differ"


def _mesh(old, new):
    from hw.enclosure import mesh

    before, after = mesh.read(old), mesh.read(new)
    part = abs(mesh.volume(after) / mesh.volume(before) - 1)
    apart = max(abs(a - b) for a, b in zip(mesh.size(before), mesh.size(after)))
    good = part <= VOLUME_PART and apart <= BOX_MM
    return "" if good else f"volume by {part:.2%}, box by {apart:.3f} mm"


def _step(old, new):
    kinds = [sorted(re.findall(rb"=\s*([A-Z_]+)", path.read_bytes())) for path in (old, new)]
    part = abs(len(kinds[1]) / len(kinds[0]) - 1)
    return "" if part <= STEP_PART else f"entities by {part:.1%}"


def _picture(old, new):
    import numpy as np
    from PIL import Image

    before, after = (np.asarray(Image.open(path).convert("RGB"), float) for path in (old, new))
    if before.shape != after.shape:
        return f"size {before.shape} and {after.shape}"
    mean = np.abs(before - after).mean()
    return "" if mean <= PICTURE_MEAN else f"mean difference {mean:.2f} of 255"


def _drawing(old, new):
    words = [
        sorted(re.findall(r"<text[^>]*>([^<]*)", path.read_text("utf-8"))) for path in (old, new)
    ]
    return "" if words[0] == words[1] else "its words"
