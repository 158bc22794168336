"""The wedge's other printed parts, each in the frame it is used in."""

from build123d import Box, Cylinder, Pos, Rectangle, RectangleRounded, extrude

from hw.enclosure.shell import HIGH, LOW, block, foot_places, panel

# which of the seven strokes each digit has: top, upper left, upper right, middle, lower left, lower right, low
SEGMENTS = ("1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010",
            "1111111", "1111011")  # fmt: skip


def base(wedge):
    """Return the floor: screws, the cell's frame, slots for two cable ties, four feet's places."""
    sketch = RectangleRounded(wedge.width, wedge.depth, wedge.corner)
    plate = extrude(Pos(0, wedge.depth / 2) * sketch, wedge.wall)
    plate += frame(wedge) + rib(wedge)
    for x, y in foot_places(wedge):
        plate -= Pos(x, y, -1) * Cylinder(1.65, 20, align=LOW)
    for x in (-26, 26):
        for y in (22, wedge.depth - 16):
            plate -= Pos(x, y, 0) * Cylinder(4.2, 1.2)  # 0.6 deep: 8 mm silicone feet
    for x, y in ((wedge.wing.feather_offset, 6), (-wedge.wing.feather_offset, wedge.depth - 6)):
        for side in (-5, 5):
            plate -= Pos(x + side, y, 0) * Box(2, 4, 20)
    return plate


def frame(wedge):
    """Return the low walls that keep the cell in its place; its two leads leave by the gaps."""
    length, width = wedge.cell_length + 1, wedge.cell_width + 1
    ring = Box(length + 4, width + 4, 5, align=LOW) - Box(length, width, 20)
    ring -= Box(length - 14, width + 20, 20)
    ring -= Box(length + 20, width - 14, 20)
    return Pos(0, wedge.cell_y, wedge.wall - 0.2) * ring


def rib(wedge):
    """Return the four ribs that find the shell's walls."""
    inner = wedge.wall + wedge.clearance
    out = wedge.width / 2 - inner - 1
    pieces = Pos(-out, wedge.depth / 2, 2.2) * Box(2, 30, 3.2, align=LOW)
    pieces += Pos(out, wedge.depth / 2, 2.2) * Box(2, 30, 3.2, align=LOW)
    pieces += Pos(-18, inner + 1, 2.2) * Box(24, 2, 3.2, align=LOW)
    return pieces + Pos(14, wedge.depth - inner - 1, 2.2) * Box(24, 2, 3.2, align=LOW)


def hat(wedge):
    """Return the diffuser: stands out of the top face, held from inside by a 45-degree flange."""
    bar, wide = wedge.bar, wedge.bar.flange
    down = wedge.wall + wide + bar.lip
    solid = Pos(0, 0, -down) * Box(bar.hat_length, bar.hat_width, down + bar.hat_height, align=LOW)
    cone = extrude(Rectangle(bar.hat_length + 2 * wide, bar.hat_width + 2 * wide), wide, taper=45)
    lip = Box(bar.hat_length + 2 * wide, bar.hat_width + 2 * wide, bar.lip, align=LOW)
    solid += Pos(0, 0, -down) * (lip + Pos(0, 0, bar.lip) * cone)
    room = Box(bar.hat_length - 2 * bar.hat_wall, bar.hat_width - 2 * bar.hat_wall, 40, align=HIGH)
    return panel(wedge) * Pos(0, wedge.bar_y) * (solid - Pos(0, 0, bar.hat_height - bar.hat_wall) * room)


def tray(wedge):
    """Return the plate that presses the pixels' board into the diffuser; two M2 screws."""
    bar = wedge.bar
    top = -(wedge.wall + bar.flange + bar.lip)
    plate = Pos(0, 0, top) * Box(72, 17, 3.4, align=HIGH)
    plate -= Pos(0, 0, top) * Box(bar.length + 0.6, bar.width + 0.6, 2 * bar.board)
    for x in (-33.2, 33.2):
        plate -= Pos(x, 0, 0) * Cylinder(1.1, 40)
    for x in (-22, 22):
        plate -= Pos(x, 0, 0) * Box(8, 6, 40)  # wires
    return panel(wedge) * Pos(0, wedge.bar_y) * plate


def plate(wedge, number):
    """Return a number plate, lying: seven-stroke digits, because no font is the same everywhere."""
    return Box(wedge.plate_length, wedge.plate_height, wedge.plate, align=LOW) + digits(wedge, number)


def digits(wedge, number):
    """Return the raised digits of a number plate."""
    solid, text = None, str(number)
    for at, digit in enumerate(text):
        x = (at - (len(text) - 1) / 2) * 11
        lit = Pos(x, 0, wedge.plate - 0.2) * strokes(SEGMENTS[int(digit)])
        solid = lit if solid is None else solid + lit
    return solid


def strokes(lit, width=7.0, height=13.0, line=2.0, raised=1.0):
    """Return one digit of raised strokes."""
    half_w, half_h = (width - line) / 2, (height - line) / 2
    places = ((0, half_h, 1), (-half_w, half_h / 2, 0), (half_w, half_h / 2, 0), (0, 0, 1),
              (-half_w, -half_h / 2, 0), (half_w, -half_h / 2, 0), (0, -half_h, 1))  # fmt: skip
    solid = None
    for on, (x, y, flat) in zip(lit, places):
        if on == "1":
            size = (width, line) if flat else (line, half_h + line)
            stroke = Pos(x, y) * Box(*size, raised, align=LOW)
            solid = stroke if solid is None else solid + stroke
    return solid


def inner(wedge):
    """Return the room inside the closed wedge, for checks."""
    return block(wedge, wedge.wall, wedge.wall, wedge.wall)
