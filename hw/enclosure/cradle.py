"""The T-Display-S3's stand: its long edge in a slot, a wall behind its back, a bay for its cell.

The end with the USB socket, the two buttons and the cell's plug stands free, on the left as one looks
at the panel: nothing is in the way of a finger or a cable.
"""

from math import cos, radians, sin, tan

from build123d import (
    Align, Box, Cylinder, Plane, Polyline, Pos, RectangleRounded, extrude, make_face,
)  # fmt: skip

from hw.enclosure.shell import LOW


def board_plane(size):
    """Return the plane of the panel's glass: x across, y up the board, z out of its face."""
    angle = radians(size.lean_deg)
    normal = (0, -sin(angle), cos(angle))
    return Plane(origin=(0, size.front, size.floor + size.lift), x_dir=(1, 0, 0), z_dir=normal)


def cradle(size):
    """Return the stand as one solid, standing on the table as it prints."""
    body = extrude(Pos(0, size.depth / 2) * RectangleRounded(size.width, size.depth, 6), size.floor)
    profile = make_face(Polyline(*_profile(size), close=True))
    upright = Plane(origin=(size.grip_x, 0, 0), x_dir=(0, 1, 0), z_dir=(1, 0, 0))
    body += upright * extrude(profile, size.grip / 2, both=True)
    body += _bay(size)
    plane = board_plane(size)
    pocket = Pos(0, 0, -size.thick) * Box(90, 60, size.thick, align=(Align.CENTER, Align.MIN, Align.MIN))
    before = Pos(0, size.lip, 0) * Box(90, 60, 40, align=(Align.CENTER, Align.MIN, Align.MIN))
    return body - plane * pocket - plane * before


def _profile(size):
    """Return the block that the slot is cut into, in (Y, Z): lip, foot, and the wall behind the board."""
    angle = radians(size.lean_deg)
    low, high = size.floor - 0.2, size.floor + size.lift + size.rest * sin(angle)
    back = size.front + (size.thick + size.rest_wall) / sin(angle) + size.lift / tan(angle)
    behind = back + size.rest * cos(angle)
    return [(size.front - 6, low), (back - size.lift / tan(angle), low), (behind, high),
            (behind - size.rest_wall / sin(angle) - size.thick - 8, high), (size.front - 6, low + 5)]  # fmt: skip


def _bay(size):
    """Return the walls around the cell, open towards its plug."""
    outer = Box(size.cell_length + 2 * size.wall, size.cell_width + 2 * size.wall, size.bay_height, align=LOW)
    walls = outer - Box(size.cell_length, size.cell_width, 99, align=LOW)
    walls -= Pos(-size.cell_length / 2, 0, 0) * Box(10, 16, 99, align=LOW)
    return Pos(0, bay_y(size), size.floor - 0.2) * walls


def bay_y(size):
    """Return the table depth of the cell's middle."""
    return size.depth - 3 - size.wall - size.cell_width / 2


def lilygo(size):
    """Return the board in the slot: glass and frame, board, buttons, the plugs behind."""
    glass = Box(size.glass_length, size.board_height, 4.8, align=(Align.CENTER, Align.MIN, Align.MAX))
    glass = Pos(size.glass_offset, 0, 0) * glass
    board = Pos(0, 0.2, -4.8) * Box(size.board_length, size.board_height - 0.4, 1.6,
                                    align=(Align.CENTER, Align.MIN, Align.MAX))  # fmt: skip
    left = -size.board_length / 2
    parts = Pos(left + 4, 6, -6.4) * Box(7, 13, 3.5, align=(Align.CENTER, Align.MIN, Align.MAX))
    parts += Pos(8, 4, -6.4) * Box(34, 18, 2, align=(Align.CENTER, Align.MIN, Align.MAX))
    usb = Pos(left + 2, 8.3, -1.6) * Box(7.4, 9, 3.2, align=(Align.CENTER, Align.MIN, Align.MAX))
    for y in (3.4, size.board_height - 3.4):
        parts += Pos(left + 3.2, y, -2.3) * Cylinder(1.6, 2.5)
    return board_plane(size) * (glass + board + parts + usb)


def middle(size):
    """Return where the middle of the lit part of the panel is, in the plane of the glass."""
    return size.glass_offset + size.lit_offset, size.board_height / 2, 0.05


def picture(size):
    """Return the lit part of the panel."""
    return board_plane(size) * Pos(*middle(size)) * Box(size.lit_length, size.lit_height, 0.1)


def cell(size):
    """Return the LiPo in its bay."""
    return Pos(0, bay_y(size), size.floor) * Box(
        size.cell_length - 1, size.cell_width - 1, size.cell_height, align=LOW
    )
