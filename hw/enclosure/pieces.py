"""Which parts are printed and how they lie on the printer, and their STEP and STL files."""

import re

from build123d import Rot, export_step

from hw.enclosure import cradle, mesh, shell, small
from hw.enclosure.dimensions import Cradle, Wedge

TOLERANCE = 0.05  # mm from the true surface
ANGLE = 0.25
SAMPLE_NUMBER = 12
_STAMP = re.compile(rb"FILE_NAME\((.*?)'\d{4}-\d\d-\d\dT[^']*'", re.S)


def printed(wedge, slot):
    """Return ``{name: (solid in the frame of use, solid as it lies on the printer)}``."""
    lying = shell.panel(wedge).location.inverse()
    whole = shell.shell(wedge)
    hat, tray = small.hat(wedge), small.tray(wedge)
    base, plate = small.base(wedge), small.plate(wedge, SAMPLE_NUMBER)
    held = cradle.cradle(slot)
    return {
        "shell": (whole, on_bed(Rot(180, 0, 0) * lying * whole)),
        "base": (base, on_bed(base)),
        "diffuser": (hat, on_bed(Rot(180, 0, 0) * lying * hat)),
        "bar_tray": (tray, on_bed(lying * tray)),
        "number_plate": (plate, on_bed(plate)),
        "lilygo_stand": (held, on_bed(held)),
    }


def on_bed(solid):
    """Return a solid moved so that its box begins at the origin."""
    low = solid.bounding_box().min
    return solid.translate((-low.X, -low.Y, -low.Z))


def triangles(solid, tolerance=TOLERANCE, angle=ANGLE):
    """Return a solid's triangles, corners rounded to 0.1 um so that neighbours share them."""
    points, faces = solid.tessellate(tolerance, angle)
    points = [tuple(round(value, 4) + 0.0 for value in tuple(point)) for point in points]
    found = [tuple(points[at] for at in face) for face in faces]
    return [face for face in found if len(set(face)) == 3]


def write(folder, parts):
    """Write STL and STEP of every part below ``folder``; yield the paths."""
    for kind in ("stl", "step"):
        (folder / kind).mkdir(exist_ok=True)
    for name, (_, lying) in parts.items():
        path = folder / "stl" / f"{name}.stl"
        mesh.write(path, triangles(lying), f"PlusThree {name}, mm")
        yield path
        path = folder / "step" / f"{name}.step"
        export_step(lying, path)
        # the kernel writes when it ran; the shape does not depend on it
        path.write_bytes(_STAMP.sub(rb"FILE_NAME(\1'2026-01-01T00:00:00'", path.read_bytes()))
        yield path


def default():
    """Return the wedge and the stand as they are committed."""
    return Wedge(), Cradle()
