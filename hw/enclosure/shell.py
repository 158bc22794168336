"""The wedge's shell: prints on its top face, so that nothing hangs over empty air."""

from build123d import (
    Align, Axis, Box, Circle, Cylinder, Plane, Polyline, Pos, RectangleRounded, chamfer, extrude,
    make_face,
)  # fmt: skip

from math import cos, radians, sin, sqrt, tan

LOW = (Align.CENTER, Align.CENTER, Align.MIN)
HIGH = (Align.CENTER, Align.CENTER, Align.MAX)


def panel(wedge):
    """Return the panel frame's plane."""
    angle = radians(wedge.tilt_deg)
    return Plane(origin=(0, 0, wedge.front), x_dir=(1, 0, 0), z_dir=(0, -sin(angle), cos(angle)))


def height_at(wedge, y):
    """Return the top face's height over the table at table depth ``y``."""
    return wedge.front + y * tan(radians(wedge.tilt_deg))


def block(wedge, inset, sunk, floor=0.0):
    """Return the wedge's solid, ``inset`` from its walls and ``sunk`` below its top face."""
    sketch = RectangleRounded(
        wedge.width - 2 * inset, wedge.depth - 2 * inset, max(wedge.corner - inset, 0.5)
    )
    tall = extrude(Pos(0, wedge.depth / 2, floor) * sketch, height_at(wedge, wedge.depth) + 20)
    return tall - panel(wedge) * Pos(0, 0, -sunk) * Box(400, 600, 200, align=LOW)


def shell(wedge):
    """Return the shell as one solid in the table frame."""
    outer = block(wedge, 0, 0, wedge.wall)
    top = outer.faces().sort_by(Axis.Z)[-1]
    outer = chamfer(top.edges(), 1.2)
    body = outer - block(wedge, wedge.wall, wedge.wall)
    body += inside(wedge) & outer
    for cut in (*top_cuts(wedge), *wall_cuts(wedge)):
        body -= cut
    return body


def hole_places(wing):
    """Yield the wing's four holes, relative to its middle."""
    for x in (-wing.hole_length / 2, wing.hole_length / 2):
        for y in (-wing.hole_width / 2, wing.hole_width / 2):
            yield x, y


def foot_places(wedge):
    """Yield the four base screws in the table frame."""
    for x in (-wedge.foot_x, wedge.foot_x):
        for y in (wedge.foot_y, wedge.depth - wedge.foot_y):
            yield x, y


def inside(wedge):
    """Return everything that stands on the lid's underside or in the corners."""
    top, under = panel(wedge), -wedge.wall + 0.2
    posts = None
    for x, y in hole_places(wedge.wing):
        towards, away = wedge.post_glass, wedge.post_half
        shift = (away - towards) / 2 * (1 if y > 0 else -1)
        post = top * Pos(x, wedge.wing_y + y + shift, under) * Box(
            2 * wedge.post_half, towards + away, wedge.wing.glass_height + 0.2, align=HIGH
        )
        posts = post if posts is None else posts + post
    for x in (-33.2, 33.2):
        posts += top * Pos(x, wedge.bar_y, under) * Cylinder(2.6, 3.8, align=HIGH)
    ring = Cylinder(wedge.piezo / 2 + 1.6, 5.2, align=HIGH) - Cylinder(wedge.piezo / 2, 9, align=HIGH)
    posts += top * Pos(wedge.piezo_x, wedge.piezo_y, under) * ring
    for x, y in foot_places(wedge):
        posts += Pos(x, y, wedge.wall) * Cylinder(wedge.foot_post, 120, align=LOW)
    return posts


def top_cuts(wedge):
    """Yield what is cut through or into the top face."""
    top, wing, bar = panel(wedge), wedge.wing, wedge.bar
    window = top * Pos(0, wedge.wing_y, -10) * Box(wedge.window_length, wedge.window_width, 20)
    # so that the lowest line is seen from a chair and from the aisle
    bevel = top * Pos(0, wedge.wing_y, -wedge.bevel) * extrude(
        RectangleRounded(wedge.window_length, wedge.window_width, 0.5), 2 * wedge.bevel, taper=-45
    )
    yield from (window, bevel)
    for x, y in hole_places(wing):
        depth = wedge.wall + wing.glass_height - wedge.pilot_depth
        yield top * Pos(x, wedge.wing_y + y, -depth) * Cylinder(wedge.pilot / 2, 30, align=HIGH)
    for x in (-33.2, 33.2):
        yield top * Pos(x, wedge.bar_y, -1.7) * Cylinder(wedge.pilot / 2, 30, align=HIGH)
    yield top * Pos(0, wedge.judge_y, 0) * Cylinder(wedge.key.hole / 2, 12)
    gap = 2 * wedge.clearance
    yield top * Pos(0, wedge.bar_y, 0) * Box(bar.hat_length + gap, bar.hat_width + gap, 12)
    for x, y in ((0, 0), (3.4, 0), (-3.4, 0), (0, 3.4), (0, -3.4)):
        yield top * Pos(wedge.piezo_x + x, wedge.piezo_y + y, 0) * Cylinder(0.9, 12)
    yield from marks(wedge)


def marks(wedge, thick=2):
    """Yield the two key shapes, sunk 0.6 into the top face beside their keys."""
    top, y = panel(wedge), wedge.judge_y + 17
    size = 5
    corners = [(-size, -0.58 * size), (size, -0.58 * size), (0, 1.16 * size)]
    triangle = make_face(Polyline(*corners, close=True))
    yield top * Pos(-38, y, -0.6) * extrude(triangle, thick)
    yield top * Pos(38, y, -0.6) * extrude(Circle(4.6), thick)


def teardrop(radius, length):
    """Return a round hole along X whose lower side ends in 45 degrees, cut flat under the bezel."""
    reach, flat = radius / sqrt(2), radius * 1.1  # lower edge, under the bezel
    run = reach * 2 - flat
    corners = [(-reach, -reach), (reach, -reach), (run, -flat), (-run, -flat)]
    below = extrude(make_face(Polyline(*corners, close=True)), length / 2, both=True)
    return Plane(origin=(0, 0, 0), x_dir=(0, 1, 0), z_dir=(1, 0, 0)) * (below + Cylinder(radius, length))


def wall_cuts(wedge):
    """Yield what is cut through or into the walls, and the base screws' pilots."""
    for x in (-wedge.width / 2, wedge.width / 2):
        yield Pos(x, wedge.key_y, wedge.key_z) * teardrop(wedge.key.hole / 2, 14)
    front_x, rear_x = wedge.wing.feather_offset, -wedge.wing.feather_offset
    for x, y in ((front_x, 0), (rear_x, wedge.depth)):
        yield Pos(x, y, 0) * Box(wedge.cable, 12, wedge.cable_z, align=LOW)
    yield Pos(wedge.switch_x, wedge.depth, wedge.switch_z) * Box(
        wedge.switch_width, 12, wedge.switch_height
    )
    gap = 2 * wedge.clearance
    for x, y, z in (
        (wedge.front_plate_x, 0, wedge.front_plate_z),
        (wedge.rear_plate_x, wedge.depth, wedge.rear_plate_z),
    ):
        yield Pos(x, y, z) * Box(wedge.plate_length + gap, 2 * wedge.recess, wedge.plate_height + gap)
    for x, y in foot_places(wedge):
        yield Pos(x, y, 0) * Cylinder(wedge.foot_pilot / 2, wedge.wall + 12, align=LOW)
