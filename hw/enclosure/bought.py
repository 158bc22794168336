"""What is bought, as solids in the table frame: for the checks that parts fit, and for the pictures."""

from build123d import Box, Cylinder, Plane, Polyline, Pos, Rot, extrude, make_face

from hw.enclosure.shell import HIGH, LOW, hole_places, panel


def wing(wedge):
    """Return the display wing's board."""
    size = wedge.wing
    place = panel(wedge) * Pos(0, wedge.wing_y, -wedge.wall - size.glass_height)
    board = Box(size.length, size.width, size.board, align=HIGH)
    for x, y in hole_places(size):
        board -= Pos(x, y) * Cylinder(1.25, 40)
    return place * board


def glass(wedge):
    """Return the wing's display module."""
    size = wedge.wing
    module = Box(size.glass_length, size.glass_width, size.glass_height, align=HIGH)
    return panel(wedge) * Pos(size.glass_offset, wedge.wing_y, -wedge.wall) * module


def picture(wedge):
    """Return the lit part of the panel: a thin sheet on the glass, for the pictures alone."""
    size = wedge.wing
    sheet = Box(size.active_length, size.active_width, 0.1, align=LOW)
    return panel(wedge) * Pos(0.4, wedge.wing_y, -wedge.wall + 0.01) * sheet


def feather(wedge):
    """Return the Feather behind the wing: headers, board, parts; USB towards the aisle."""
    size = wedge.wing
    down = wedge.wall + size.glass_height + size.board
    place = panel(wedge) * Pos(size.feather_offset, wedge.wing_y, -down)
    rows = None
    for x, length in ((-10.16, 40.6), (10.16, 30.5)):
        row = Pos(x, 0, 0) * Box(2.5, length, size.stack, align=HIGH)
        rows = row if rows is None else rows + row
    board = Pos(0, 0, -size.stack) * Box(size.feather_width, size.feather_length, 1.6, align=HIGH)
    low = -size.stack - 1.6
    parts = Pos(0, -size.feather_length / 2 + 3, low) * Box(8, 6.6, 2.8, align=HIGH)
    parts += Pos(-7.4, -size.feather_length / 2 + 12, low) * Box(7, 8, size.feather_parts, align=HIGH)
    parts += Pos(0, 12, low) * Box(16, 22, 3, align=HIGH)
    return place * (rows + board + parts)


def button(size):
    """Return one arcade button standing on the plane it is fitted into."""
    body = Cylinder(size.body / 2, size.depth, align=HIGH)
    bezel = Cylinder(size.bezel / 2, size.bezel_height, align=LOW)
    return body + bezel + Cylinder(size.cap / 2, size.cap_height, align=LOW)


def keys(wedge):
    """Return the buttons by name: triangle (left, seen from the aisle), circle, judge."""
    side = Pos(wedge.width / 2, wedge.key_y, wedge.key_z) * Rot(0, 90, 0) * button(wedge.key)
    other = Pos(-wedge.width / 2, wedge.key_y, wedge.key_z) * Rot(0, -90, 0) * button(wedge.key)
    judge = panel(wedge) * Pos(0, wedge.judge_y) * button(wedge.key)
    return {"key_triangle": other, "key_circle": side, "key_judge": judge}


def legends(wedge):
    """Return the shapes on the two seats' caps, thin as stickers, by key."""
    size, high = 6.0, wedge.key.cap_height
    corners = [(-size, -0.58 * size), (size, -0.58 * size), (0, 1.16 * size)]
    triangle = extrude(make_face(Polyline(*corners, close=True)), 0.2)
    place = Plane(
        origin=(-wedge.width / 2 - high, wedge.key_y, wedge.key_z), x_dir=(0, -1, 0), z_dir=(-1, 0, 0)
    )
    circle = Pos(wedge.width / 2 + high, wedge.key_y, wedge.key_z) * Rot(0, 90, 0) * Cylinder(5.5, 0.4)
    return {"key_triangle": place * triangle, "key_circle": circle}


def pixels(wedge):
    """Return the NeoPixel stick in its tray."""
    bar = wedge.bar
    down = wedge.wall + bar.flange + bar.lip
    stick = Pos(0, 0, -down) * Box(bar.length, bar.width, bar.board, align=HIGH)
    for at in range(8):
        stick += Pos((at - 3.5) * 6.4, 0, -down) * Box(5, 5, bar.pixel, align=LOW)
    return panel(wedge) * Pos(0, wedge.bar_y) * stick


def cell(wedge):
    """Return the LiPo, 2500 mAh."""
    return Pos(0, wedge.cell_y, wedge.wall) * Box(
        wedge.cell_length, wedge.cell_width, wedge.cell_height, align=LOW
    )


def switch(wedge):
    """Return the rocker switch in the rear wall."""
    body = Pos(0, -wedge.switch_depth / 2, 0) * Box(8.4, wedge.switch_depth, 13.4)
    face = Pos(0, 1, 0) * Box(10.5, 2, 15)
    return Pos(wedge.switch_x, wedge.depth, wedge.switch_z) * (body + face)


def piezo(wedge):
    """Return the piezo under the lid."""
    return panel(wedge) * Pos(wedge.piezo_x, wedge.piezo_y, -wedge.wall) * Cylinder(6.1, 6.5, align=HIGH)


def all_of(wedge):
    """Return every bought part by name."""
    return {
        "wing": wing(wedge), "glass": glass(wedge), "feather": feather(wedge), "pixels": pixels(wedge),
        "cell": cell(wedge), "switch": switch(wedge), "piezo": piezo(wedge), **keys(wedge),
    }  # fmt: skip
