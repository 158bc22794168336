"""A small z-buffer: meshes in, pictures out, with numpy alone, so that no screen or graphics card is needed."""

from dataclasses import dataclass

import numpy as np
from PIL import Image

LIGHTS = (((-0.45, -0.75, 1.0), 0.62), ((0.9, -0.2, 0.55), 0.24), ((0.1, 1.0, 0.35), 0.22))
AMBIENT = 0.30
FINE = 2  # samples a pixel, each way
PAPER = (247, 247, 244)


@dataclass
class Item:
    """One mesh to draw: triangles (n, 3, 3) in mm, colour (0-255), a picture to lay on it or None.

    ``sheet`` is (picture as an array, origin, x axis, y axis, length, width) of a lying picture.
    ``glow`` is light of its own.
    """

    triangles: np.ndarray
    colour: tuple
    sheet: tuple = None
    glow: float = 0.0


class View:
    """An orthographic camera around ``centre``: azimuth 0 looks from the aisle, 90 from the right."""

    def __init__(self, width, height, azimuth_deg, elevation_deg, centre, span):
        self.width, self.height = width * FINE, height * FINE
        azimuth, elevation = np.radians(azimuth_deg), np.radians(elevation_deg)
        self.right = np.array((np.cos(azimuth), np.sin(azimuth), 0))
        forward = np.array((-np.sin(azimuth), np.cos(azimuth), 0)) * np.cos(elevation)
        self.back = -forward + np.array((0, 0, np.sin(elevation)))
        self.up = np.cross(self.back, self.right)
        self.centre, self.scale = np.array(centre, float), self.width / span

    def project(self, points):
        """Return pixels and nearness (n, 3) of world points."""
        away = points - self.centre
        x = away @ self.right * self.scale + self.width / 2
        y = self.height / 2 - away @ self.up * self.scale
        return np.stack((x, y, away @ self.back), axis=-1)


def draw(view, items, ground=None):
    """Return the picture (PIL, RGB) of ``items``; ``ground`` is the height of a table with a shadow."""
    owner, place, normal = buffers(view, items)
    shade = np.full((view.height, view.width, 3), PAPER, float)
    if ground is not None:
        shade *= (1 - 0.28 * shadow(view, items, ground))[..., None]
    for number, item in enumerate(items):
        mask = owner == number
        if mask.any():
            shade[mask] = paint(item, normal[mask], place[mask])
    shade *= (1 - 0.55 * outline(owner, normal, place @ view.back))[..., None]
    image = Image.fromarray(np.clip(shade, 0, 255).astype(np.uint8))
    return image.resize((view.width // FINE, view.height // FINE), Image.Resampling.BOX)


def buffers(view, items):
    """Return per sample: the item's number (-1: none), the world place, the world normal."""
    shape = (view.height, view.width)
    near, owner = np.full(shape, -1e9), np.full(shape, -1)
    place, normal = np.zeros((*shape, 3)), np.zeros((*shape, 3))
    for number, item in enumerate(items):
        flat = view.project(item.triangles.reshape(-1, 3)).reshape(-1, 3, 3)
        edges = item.triangles[:, 1:] - item.triangles[:, :1]
        normals = np.cross(edges[:, 0], edges[:, 1])
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
        for at in np.nonzero(normals @ view.back > 0)[0]:
            found = samples(flat[at], shape)
            if found is None:
                continue
            rows, columns, weights = found
            depth = weights @ flat[at][:, 2]
            closer = depth > near[rows, columns]
            rows, columns, weights = rows[closer], columns[closer], weights[closer]
            near[rows, columns], owner[rows, columns] = depth[closer], number
            place[rows, columns] = weights @ item.triangles[at]
            normal[rows, columns] = normals[at]
    return owner, place, normal


def samples(corners, shape):
    """Return rows, columns and weights of the samples inside a projected triangle, None for none."""
    low = np.maximum(np.floor(corners[:, :2].min(axis=0)), 0).astype(int)
    high = np.minimum(np.ceil(corners[:, :2].max(axis=0)) + 1, (shape[1], shape[0])).astype(int)
    if (high <= low).any():
        return None
    x, y = np.meshgrid(np.arange(low[0], high[0]) + 0.5, np.arange(low[1], high[1]) + 0.5)
    (ax, ay, _), (bx, by, _), (cx, cy, _) = corners
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    if abs(area) < 1e-9:
        return None
    first = ((bx - x) * (cy - y) - (cx - x) * (by - y)) / area
    second = ((cx - x) * (ay - y) - (ax - x) * (cy - y)) / area
    third = 1 - first - second
    inside = (first >= -1e-6) & (second >= -1e-6) & (third >= -1e-6)
    rows, columns = np.nonzero(inside)
    weights = np.stack((first[inside], second[inside], third[inside]), axis=-1)
    return rows + low[1], columns + low[0], weights


def paint(item, normal, place):
    """Return the colours of an item's samples."""
    light = np.full(len(normal), AMBIENT + item.glow)
    for towards, power in LIGHTS:
        towards = np.array(towards) / np.linalg.norm(towards)
        light += power * np.clip(normal @ towards, 0, None)
    if item.sheet is None:
        return light[:, None] * np.array(item.colour, float)
    picture, origin, x_axis, y_axis, length, width = item.sheet
    away = place - np.array(origin)
    x = np.clip((away @ np.array(x_axis) / length + 0.5) * picture.shape[1], 0, picture.shape[1] - 1)
    y = np.clip((0.5 - away @ np.array(y_axis) / width) * picture.shape[0], 0, picture.shape[0] - 1)
    return picture[y.astype(int), x.astype(int)].astype(float)


def outline(owner, normal, depth):
    """Return 0-1 per sample: where the item or the surface's direction changes, or the depth jumps."""
    edge = np.zeros(owner.shape, bool)
    for axis in (0, 1):
        other = np.roll(owner, 1, axis)
        turned = (normal * np.roll(normal, 1, axis)).sum(axis=-1) < 0.86
        jump = np.abs(depth - np.roll(depth, 1, axis)) > 2.5
        edge |= (owner != other) | ((owner >= 0) & (turned | jump))
    return edge.astype(float)


def shadow(view, items, ground):
    """Return 0-1 per sample: the blurred shadow on the table, light from above the aisle's left."""
    dark = np.zeros((view.height, view.width))
    for item in items:
        points = item.triangles.reshape(-1, 3).copy()
        lift = points[:, 2] - ground
        points[:, 0] += 0.35 * lift
        points[:, 1] += 0.30 * lift
        points[:, 2] = ground
        for corners in view.project(points).reshape(-1, 3, 3):
            found = samples(corners, dark.shape)
            if found is not None:
                dark[found[0], found[1]] = 1
    for _ in range(3):
        for axis in (0, 1):
            total = np.cumsum(np.pad(dark, [(13, 12) if a == axis else (0, 0) for a in (0, 1)]), axis=axis)
            dark = (np.take(total, range(25, total.shape[axis]), axis)
                    - np.take(total, range(total.shape[axis] - 25), axis)) / 25
    return dark
