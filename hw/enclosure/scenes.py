"""The pictures of the README and of assembly.md, from the same solids that are printed and checked."""

from math import cos, radians, sin

import numpy as np
from build123d import Box, Plane, Pos, Rot
from PIL import Image

from hw.enclosure import bought, cradle, render, shell, small
from hw.enclosure.pieces import triangles

SIZE = (1000, 740)
COLOURS = {
    "shell": (104, 116, 136), "base": (78, 86, 102), "diffuser": (150, 208, 240), "bar_tray": (120, 120, 124),
    "number_plate": (236, 238, 240), "lilygo_stand": (104, 116, 136),
    "wing": (36, 84, 60), "glass": (22, 24, 28),
    "feather": (44, 70, 124), "key_triangle": (230, 96, 44), "key_circle": (48, 128, 208),
    "key_judge": (246, 246, 246), "pixels": (250, 250, 246), "cell": (196, 198, 208), "switch": (40, 40, 42),
    "piezo": (214, 176, 70), "lilygo_cell": (196, 198, 208), "lilygo": (52, 52, 60), "legend": (255, 255, 255),
    "ink": (244, 244, 244), "dark": (30, 34, 40),
    "table": (196, 170, 136), "mat": (64, 108, 92), "card": (246, 236, 214), "person": (150, 150, 156),
}  # fmt: skip


class Studio:
    """Turns named solids into items to draw; meshes are made once."""

    def __init__(self, sizes, parts, screens):
        wedge, self.slot = sizes
        self.wedge, self._screens, self._meshes = wedge, screens, {}
        self.solids = {name: solid for name, (solid, _) in parts.items()}
        self.solids.update(bought.all_of(wedge))
        self.solids.update(lilygo=cradle.lilygo(self.slot), lilygo_cell=cradle.cell(self.slot))
        for name, solid in bought.legends(wedge).items():
            self.solids["legend_" + name] = solid
        for name, solid in plates(wedge).items():
            self.solids[name] = solid

    def item(self, name, shift=(0, 0, 0), turn=None, glow=0.0):
        """Return a solid as an item, shifted in mm, then turned by a function of points."""
        if name not in self._meshes:
            self._meshes[name] = np.array(triangles(self.solids[name], 0.1, 0.3))
        points = self._meshes[name] + np.array(shift, float)
        known = next(key for key in COLOURS if name.startswith(key))
        return render.Item(turn(points) if turn else points, COLOURS[known], glow=glow)

    def screen(self, model, shift=(0, 0, 0)):
        """Return the lit panel of a model with a golden picture on it."""
        picture = np.asarray(Image.open(self._screens[model]).convert("RGB"))
        if model == "feathers3":
            solid, plane = bought.picture(self.wedge), shell.panel(self.wedge)
            middle, length, width = (0.4, self.wedge.wing_y, -self.wedge.wall), 48.5, 36.6
        else:
            solid, plane = cradle.picture(self.slot), cradle.board_plane(self.slot)
            middle, length, width = cradle.middle(self.slot), self.slot.lit_length, self.slot.lit_height
        points = np.array(triangles(solid)) + np.array(shift, float)
        origin = np.array(tuple((plane * Pos(*middle)).position)) + np.array(shift, float)
        sheet = (picture, origin, tuple(plane.x_dir), tuple(plane.y_dir), length, width)
        return render.Item(points, (0, 0, 0), sheet)


def plates(wedge):
    """Return the two number plates in their places."""
    lying = small.plate(wedge, 12)
    front = Plane(
        origin=(wedge.front_plate_x, wedge.recess, wedge.front_plate_z), x_dir=(1, 0, 0), z_dir=(0, -1, 0)
    )
    rear = Plane(
        origin=(wedge.rear_plate_x, wedge.depth - wedge.recess, wedge.rear_plate_z),
        x_dir=(-1, 0, 0), z_dir=(0, 1, 0),
    )  # fmt: skip
    digits = Pos(0, 0, 0.05) * small.digits(wedge, 12)
    painted = {f"ink_{at}": mark for at, mark in enumerate(shell.marks(wedge, 0.5))}
    return {
        "number_plate_front": front * lying, "number_plate_rear": rear * lying,
        "dark_front": front * digits, "dark_rear": rear * digits, **painted,
    }  # fmt: skip


WHOLE = ("shell", "base", "wing", "glass", "switch", "key_triangle", "key_circle", "key_judge",
         "legend_key_triangle", "legend_key_circle", "number_plate_front", "number_plate_rear",
         "dark_front", "dark_rear", "ink_0", "ink_1")  # fmt: skip


def whole(studio, shift=(0, 0, 0)):
    """Return the closed wedge, running."""
    items = [studio.item(name, shift) for name in WHOLE]
    return [*items, studio.item("diffuser", shift, glow=0.35), studio.screen("feathers3", shift)]


def exploded(studio):
    """Return the wedge with its layers apart."""
    apart = {
        "base": -46, "cell": -30, "feather": -4, "wing": 6, "glass": 6, "pixels": 6, "bar_tray": -12, "piezo": 6,
        "shell": 40, "ink_0": 40, "ink_1": 40, "diffuser": 74, "key_judge": 74, "switch": 40,
    }  # fmt: skip
    items = [studio.item(name, (0, 0, up), glow=0.2 if name == "diffuser" else 0) for name, up in apart.items()]
    sides = {"key_triangle": -34, "legend_key_triangle": -34, "key_circle": 34, "legend_key_circle": 34}
    items += [studio.item(name, (out, 0, 40)) for name, out in sides.items()]
    return [*items, studio.screen("feathers3", (0, 0, 6))]


def turned(wedge):
    """Return the function that lays the wedge on its top face, as it lies while it is assembled."""
    angle = radians(wedge.tilt_deg)
    across, up = np.array((0, cos(angle), sin(angle))), np.array((0, -sin(angle), cos(angle)))

    def lay(points):
        away = points - np.array((0, 0, wedge.front))
        return np.stack((points[..., 0], -away @ across + 100, -away @ up), axis=-1)

    return lay


def opened(names):
    """Return the scene of a shell on its face with the named parts in it."""

    def scene(studio):
        lay = turned(studio.wedge)
        return [studio.item(name, turn=lay) for name in ("shell", *names)]

    return scene


def floor(studio):
    """Return the base with the cell in its frame."""
    return [studio.item("base"), studio.item("cell")]


def lilygo(studio):
    """Return the T-Display-S3 in its stand."""
    return [studio.item(name) for name in ("lilygo_stand", "lilygo", "lilygo_cell")] + [studio.screen("lilygo")]


def printing(studio):
    """Return all printed parts as they lie on the printer."""
    places = {"shell": (0, 0), "base": (104, 8), "diffuser": (104, 126),
              "bar_tray": (104, 152), "number_plate": (104, 178), "lilygo_stand": (8, 134)}  # fmt: skip
    items = []
    for name, (x, y) in places.items():
        points = np.array(triangles(studio.lying[name], 0.1, 0.3)) + np.array((x, y, 0.0))
        items.append(render.Item(points, COLOURS[name]))
    return items


def table(studio):
    """Return a table's aisle end: two mats, the Stadium card between the players, the board at the end."""
    things = {
        "table": Pos(0, 330, -12) * Box(760, 760, 24), "mat_left": Pos(-185, 390, 1) * Box(330, 600, 2),
        "mat_right": Pos(185, 390, 1) * Box(330, 600, 2), "card": Rot(0, 0, 90) * Pos(400, 0, 3) * Box(88, 63, 1),
    }  # fmt: skip
    items = []
    for name, solid in things.items():
        studio.solids[name] = solid
        items.append(studio.item(name))
    return items + whole(studio, (0, -40, 0))


INSIDE = (154, 56, (0, 48, 22), 176, 0)  # how the open shell is looked at
KEYS = ("key_triangle", "key_circle", "key_judge")
# name: scene, azimuth, elevation, centre, span in mm, height of the ground
SCENES = {
    "wedge": (whole, -33, 34, (0, 52, 33), 192, 0),
    "wedge_rear": (whole, 148, 26, (0, 54, 26), 178, 0),
    "wedge_aisle": (whole, 0, 19, (0, 50, 30), 178, 0),
    "table": (table, -30, 34, (0, 200, 0), 620, None),
    "exploded": (exploded, -36, 18, (0, 54, 44), 330, None),
    "step_keys": (opened((*KEYS, "switch", "piezo")), *INSIDE),
    "step_bar": (opened((*KEYS, "switch", "piezo", "diffuser", "pixels", "bar_tray")), *INSIDE),
    "step_wing": (opened((*KEYS, "switch", "piezo", "diffuser", "bar_tray", "wing", "glass")), *INSIDE),
    "step_feather": (
        opened((*KEYS, "switch", "piezo", "diffuser", "bar_tray", "wing", "glass", "feather")), *INSIDE,
    ),
    "step_base": (floor, -33, 40, (0, 53, 0), 160, 0),
    "lilygo": (lilygo, -33, 26, (0, 42, 12), 120, 0),
    "printing": (printing, -20, 42, (98, 110, 10), 300, 0),
}  # fmt: skip


def write(folder, sizes, parts, screens):
    """Draw every scene into ``folder``; yield the paths."""
    studio = Studio(sizes, parts, screens)
    studio.lying = {name: lying for name, (_, lying) in parts.items()}
    for name, (scene, azimuth, elevation, centre, span, ground) in SCENES.items():
        view = render.View(*SIZE, azimuth, elevation, centre, span)
        image = render.draw(view, scene(studio), ground)
        path = folder / f"{name}.png"
        image.quantize(160, dither=Image.Dither.NONE).save(path, optimize=True)
        yield path
