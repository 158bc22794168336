"""The CLUE's stand: its edge connector in a slot, two rests behind it, three AAA cells at the back.

Between the rests the CLUE's back stays free: its light and its speaker are there.
"""

from math import cos, radians, sin, tan

from build123d import Align, Box, Plane, Polyline, Pos, RectangleRounded, extrude, make_face

from hw.enclosure.shell import HIGH, LOW

FRONT = 22.0  # table depth of the slot's foot
LIP = 16.0  # height of the block that holds the slot
UP = (Align.CENTER, Align.MIN, Align.CENTER)


def board_plane(size):
    """Return the plane in the middle of the board: x across, y up the board, z out of its face."""
    angle = radians(size.lean_deg)
    normal = (0, -sin(angle), cos(angle))
    return Plane(origin=(0, FRONT, size.floor + 5), x_dir=(1, 0, 0), z_dir=normal)


def slab(corners, width):
    """Return a profile given in (Y, Z), ``width`` thick across X, in the middle."""
    face = make_face(Polyline(*corners, close=True))
    return Plane(origin=(0, 0, 0), x_dir=(0, 1, 0), z_dir=(1, 0, 0)) * extrude(face, width / 2, both=True)


def stand(size):
    """Return the stand as one solid, standing on the table as it prints."""
    body = extrude(Pos(0, size.depth / 2) * RectangleRounded(size.width, size.depth, 6), size.floor)
    run = 1 / tan(radians(size.lean_deg))
    low = size.floor - 0.2
    lip = [(FRONT - 10, low), (FRONT + 9 + LIP * run, low), (FRONT + 9 + LIP * run, LIP), (FRONT - 4, LIP)]
    body += slab(lip, size.board_width + 8)
    back = FRONT + size.rest_gap
    rest = [(back, low), (back + size.rest_height * run, low + size.rest_height),
            (back + size.rest_height * run + 4, low + size.rest_height),
            (back + size.rest_height * run + 4, low)]  # fmt: skip
    for x in (-19, 19):
        body += Pos(x, 0, 0) * slab(rest, 10)
    body += bay(size)
    body -= board_plane(size) * Box(size.board_width, 60, size.slot, align=UP)
    return body - Pos(0, size.depth, size.floor + 5) * Box(9, 20, 7)


def bay(size):
    """Return the walls around the battery holder."""
    outer = Box(size.bay_length + 2 * size.wall, size.bay_width + 2 * size.wall, size.bay_height, align=LOW)
    walls = outer - Box(size.bay_length, size.bay_width, 99, align=LOW)
    return Pos(0, bay_y(size), size.floor - 0.2) * walls


def bay_y(size):
    """Return the table depth of the battery holder's middle."""
    return size.depth - 3 - size.wall - size.bay_width / 2


def clue(size):
    """Return the CLUE in the slot: board, panel, keys, parts behind."""
    board = Box(51.6, size.board_height, 1.6, align=UP)
    glass = Pos(0, 13, 0.8) * Box(31, 31, 1.8, align=(LOW[0], Align.MIN, LOW[2]))
    keys = Pos(-20.8, 24, 0.8) * Box(6, 6, 3.5, align=LOW) + Pos(20.8, 24, 0.8) * Box(6, 6, 3.5, align=LOW)
    back = Pos(0, 38, -0.8) * Box(26, 10, 3, align=HIGH)
    return board_plane(size) * (board + glass + keys + back)


def picture(size):
    """Return the lit part of the CLUE's panel."""
    return board_plane(size) * Pos(0, 28.5, 2.6) * Box(27.7, 27.7, 0.1, align=LOW)


def cells(size):
    """Return the 3 x AAA holder in its bay."""
    return Pos(0, bay_y(size), size.floor) * Box(size.bay_length - 1, size.bay_width - 1, 19, align=LOW)
