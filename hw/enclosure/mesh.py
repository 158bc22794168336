"""Triangle meshes with the standard library alone: read binary STL, tell whether it is a closed solid."""

import pathlib
import struct

_HEAD = 84
_FACET = struct.Struct("<12fH")


def read(path):
    """Return the triangles of a binary STL as ((x, y, z), (x, y, z), (x, y, z)) in mm."""
    data = pathlib.Path(path).read_bytes()
    count = int.from_bytes(data[80:84], "little")
    if len(data) != _HEAD + count * _FACET.size:
        raise ValueError(f"{path}: {len(data)} bytes are no binary STL of {count} triangles")
    rows = _FACET.iter_unpack(data[_HEAD:])
    return [(row[3:6], row[6:9], row[9:12]) for row in rows]


def write(path, triangles, title):
    """Write ``triangles`` as binary STL; equal input gives equal bytes."""
    data = bytearray(title.encode("ascii").ljust(80)[:80])
    data += len(triangles).to_bytes(4, "little")
    for triangle in triangles:
        flat = [round(value, 4) + 0.0 for point in triangle for value in point]
        data += _FACET.pack(*_normal(triangle), *flat, 0)
    pathlib.Path(path).write_bytes(data)


def _normal(triangle):
    a, b, c = triangle
    u = [b[i] - a[i] for i in range(3)]
    v = [c[i] - a[i] for i in range(3)]
    n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    length = sum(x * x for x in n) ** 0.5 or 1.0
    return [round(x / length, 4) + 0.0 for x in n]


def open_edges(triangles):
    """Return how many edges are not shared by exactly two triangles running opposite ways."""
    seen = {}
    for a, b, c in triangles:
        for edge in ((a, b), (b, c), (c, a)):
            seen[edge] = seen.get(edge, 0) + 1
    return sum(1 for (a, b), count in seen.items() if count != 1 or seen.get((b, a)) != 1)


def volume(triangles):
    """Return the volume in mm3; negative for a mesh turned inside out."""
    total = 0.0
    for (ax, ay, az), (bx, by, bz), (cx, cy, cz) in triangles:
        total += ax * (by * cz - bz * cy) - ay * (bx * cz - bz * cx) + az * (bx * cy - by * cx)
    return total / 6


def size(triangles):
    """Return the lengths of the box around a mesh, mm."""
    points = [point for triangle in triangles for point in triangle]
    return tuple(max(p[i] for p in points) - min(p[i] for p in points) for i in range(3))
