"""What a printed part must be: closed, thick enough, free of supports, and clear of what goes inside."""

import numpy as np

from hw.enclosure import bought, cradle, mesh, render
from hw.enclosure.dimensions import WALL_LEAST

STEEP = -0.72  # a face whose normal points further down hangs over: beyond 45 degrees, and a little
BRIDGE_MOST = 10.0  # mm that a printer spans in the air
FLOW_MM3_S = 5.0  # an ordinary 0.4 mm printer, 0.2 mm layers, all in all: estimate
PLA_G_CM3 = 1.24
SIGHT_LEAST_MM2 = 60  # of the diffuser, seen from anywhere around
HEAD = ("part", "check", "value", "limit", "passed")


def rows(wedge, slot, parts):
    """Yield the rows of checks.csv."""
    from hw.enclosure.pieces import triangles

    for name, (_, lying) in parts.items():
        flat = triangles(lying)
        shape = np.array(flat)
        yield name, "open edges", mesh.open_edges(flat), "= 0", mesh.open_edges(flat) == 0
        thin = thinnest(shape)
        yield name, "thinnest wall mm", f"{thin:.2f}", f">= {WALL_LEAST}", thin >= WALL_LEAST - 0.005
        span = widest_bridge(shape)
        yield name, "widest bridge mm", f"{span:.1f}", f"<= {BRIDGE_MOST:.0f}", span <= BRIDGE_MOST
        volume = mesh.volume(flat)
        yield name, "volume cm3", f"{volume / 1000:.2f}", "", True
        yield name, "PLA g (estimate)", f"{volume / 1000 * PLA_G_CM3:.0f}", "", True
        yield name, "print time h (estimate)", f"{volume / FLOW_MM3_S / 3600:.1f}", "", True
        box = mesh.size(flat)
        yield name, "box mm", " x ".join(f"{x:.1f}" for x in box), "<= 180", max(box) <= 180
    yield from collisions(wedge, slot, parts)
    least, where = darkest(wedge, parts)
    yield ("diffuser", f"least seen mm2 (at {where} deg)", f"{least:.0f}", f">= {SIGHT_LEAST_MM2}",
           least >= SIGHT_LEAST_MM2)  # fmt: skip


def thinnest(shape):
    """Return the least distance between two facing surfaces, measured from every triangle's middle."""
    edges = shape[:, 1:] - shape[:, :1]
    normals = np.cross(edges[:, 0], edges[:, 1])
    areas = np.linalg.norm(normals, axis=1) / 2
    normals /= 2 * areas[:, None]
    least = np.inf
    for at in np.nonzero(areas > 0.05)[0]:
        start, into = shape[at].mean(axis=0), -normals[at]
        facing = normals @ into > 0.95
        least = min(least, hit(start, into, shape[facing, 0], edges[facing]))
    return least


def hit(start, into, corners, edges):
    """Return how far along ``into`` the nearest of some triangles lies (Moeller and Trumbore)."""
    across = np.cross(into, edges[:, 1])
    scale = (edges[:, 0] * across).sum(axis=1)
    away = start - corners
    u = (away * across).sum(axis=1) / scale
    turned = np.cross(away, edges[:, 0])
    v = turned @ into / scale
    far = (edges[:, 1] * turned).sum(axis=1) / scale
    met = (u >= 0) & (v >= 0) & (u + v <= 1) & (far > 1e-3)
    return far[met].min() if met.any() else np.inf


def widest_bridge(shape):
    """Return the greatest span that is printed over air: of each overhanging patch its lesser width."""
    edges = shape[:, 1:] - shape[:, :1]
    normals = np.cross(edges[:, 0], edges[:, 1])
    down = normals[:, 2] / np.maximum(np.linalg.norm(normals, axis=1), 1e-12)
    hanging = shape[(down < STEEP) & (shape[:, :, 2].max(axis=1) > 0.05)]
    turns = np.radians(np.arange(0, 180, 3))
    ways = np.stack((np.cos(turns), np.sin(turns)))
    spans = [0.0]
    for patch in patches(hanging):
        along = patch[:, :, :2].reshape(-1, 2) @ ways
        spans.append((along.max(axis=0) - along.min(axis=0)).min())
    return max(spans)


def patches(shape):
    """Return the groups of triangles that share corners."""
    owner, groups = {}, {}
    for number, triangle in enumerate(shape):
        corners = [tuple(point) for point in triangle]
        joined = {owner[c] for c in corners if c in owner}
        members = [number] + [m for g in joined for m in groups.pop(g)]
        groups[number] = members
        for member in members:
            owner.update((tuple(point), number) for point in shape[member])
    return [shape[members] for members in groups.values()]


def collisions(wedge, slot, parts):
    """Yield one row for every two solids of an assembly that share room, and one that says none do."""
    names = ("shell", "base", "diffuser", "bar_tray")
    assemblies = {
        "wedge": {**{n: parts[n][0] for n in names}, **bought.all_of(wedge)},
        "cradle": {"lilygo_stand": parts["lilygo_stand"][0], "lilygo": cradle.lilygo(slot),
                   "lilygo_cell": cradle.cell(slot)},
    }
    for assembly, solids in assemblies.items():
        found = [(a, b, shared(solids[a], solids[b])) for a in solids for b in solids if a < b]
        for a, b, common in found:
            if common > 0.5:
                yield assembly, f"{a} cuts {b} mm3", f"{common:.1f}", "<= 0.5", False
        clear = all(common <= 0.5 for _, _, common in found)
        yield assembly, f"parts clear of each other ({len(found)} pairs)", clear, "True", clear


def shared(first, second):
    """Return the volume in mm3 that two solids share."""
    common = first & second
    if common is None:
        return 0.0
    return sum(piece.volume for piece in common) if isinstance(common, list) else common.volume


def darkest(wedge, parts):
    """Return the least area of the diffuser that is seen from around, at 0 and 20 degrees, and where."""
    from hw.enclosure.pieces import triangles

    solids = [parts["diffuser"][0], parts["shell"][0], *bought.keys(wedge).values()]
    items = [render.Item(np.array(triangles(solid, 0.3, 0.6)), (0, 0, 0)) for solid in solids]
    seen = []
    for elevation in (0, 20):
        for azimuth in range(0, 360, 15):
            view = render.View(150, 110, azimuth, elevation, (0, wedge.depth / 2, 40), 150)
            owner, _, _ = render.buffers(view, items)
            seen.append(((owner == 0).sum() / view.scale**2, azimuth))
    return min(seen)
