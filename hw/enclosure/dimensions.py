"""Every length of the enclosure, in mm, with where it comes from. Change one here, then ``make hw``.

Frames. *Table*: X across the players, Y from the aisle to the middle, Z up from the table.
*Panel*: x as X, y up the slope, z out of the top face; its origin is the top face's front edge.
"From the board file" is Adafruit-2.4-TFT-FeatherWing-PCB (V2), which its maker publishes; "estimate"
says that nobody here held the part: measure yours before you print fifty.
"""

from dataclasses import dataclass

WALL_LEAST = 1.6
TILT_LEAST, TILT_MOST = 15, 20


@dataclass(frozen=True)
class Wing:
    """2.4" TFT FeatherWing V2 with a Feather plugged into its back."""

    length: float = 64.77  # from the board file
    width: float = 52.578  # from the board file
    hole_length: float = 59.69  # hole to hole, from the board file
    hole_width: float = 47.498  # hole to hole, from the board file (47.50)
    board: float = 1.6
    glass_length: float = 60.15  # display module's outline, from the board file
    glass_width: float = 42.6  # from the board file
    glass_offset: float = -2.7  # of its centre towards the tail; from the board file
    glass_height: float = 3.8  # panel, touch layer and tape above the board: estimate
    active_length: float = 48.5  # from the board file
    active_width: float = 36.6  # from the board file
    stack: float = 11.0  # between wing and Feather: 8.5 socket + 2.5 header
    feather_length: float = 50.8
    feather_width: float = 22.86
    feather_offset: float = 13.0  # of its axis from the wing's middle; board file, +-1.5
    feather_parts: float = 6.0  # tallest part: the battery's JST connector


@dataclass(frozen=True)
class Key:
    """A 24 mm snap-in arcade button (Sanwa OBSF-24 and the many like it)."""

    hole: float = 24.2
    body: float = 23.8
    bezel: float = 28.0
    bezel_height: float = 4.0
    cap: float = 20.0
    cap_height: float = 8.0
    depth: float = 29.0  # behind the panel, terminals included: estimate


@dataclass(frozen=True)
class Bar:
    """NeoPixel Stick, 8 pixels, and the diffuser over it."""

    length: float = 51.1
    width: float = 10.2
    board: float = 1.6
    pixel: float = 1.6
    hat_length: float = 55.0
    hat_width: float = 14.2
    hat_height: float = 9.0  # above the top face
    hat_wall: float = 1.6
    flange: float = 2.0
    lip: float = 1.6


@dataclass(frozen=True)
class Wedge:
    """The Feather's enclosure: shell, base, diffuser, bar tray, number plate."""

    tilt_deg: float = 18
    width: float = 92
    depth: float = 106
    front: float = 29  # height of the front edge
    wall: float = 2.4
    corner: float = 8
    wing: Wing = Wing()
    key: Key = Key()
    bar: Bar = Bar()
    wing_y: float = 29.1  # panel frame: the wing's middle
    judge_y: float = 70.5  # panel frame: key J
    bar_y: float = 94.0  # panel frame: the light bar
    key_y: float = 72.0  # table frame: keys on the two sides
    key_z: float = 24.0
    window_length: float = 51.0
    window_width: float = 39.0
    bevel: float = 1.8  # of the window's edge, of the lid's 2.4
    post_half: float = 2.6  # half a wing post, away from the glass
    post_glass: float = 2.35  # and towards it: 0.1 from the module's outline
    pilot: float = 1.5  # M2 cuts its own thread
    pilot_depth: float = 4.6
    foot_post: float = 4.0  # radius of the posts that take the base's M3 screws
    foot_pilot: float = 2.5
    foot_x: float = 40.0
    foot_y: float = 6.0  # from the outer faces
    cable: float = 18.0  # width of the cable exits
    cable_z: float = 14.5
    piezo_x: float = -29.0
    piezo_y: float = 74.0
    piezo: float = 12.6  # PS1240: 12.2
    switch_x: float = 27.0
    switch_z: float = 21.0
    switch_width: float = 8.7  # KCD11 rocker: 8.5 x 13.5, body 15 deep
    switch_height: float = 13.7
    switch_depth: float = 15.0
    plate_length: float = 38.0
    plate_height: float = 18.0
    plate: float = 1.6
    recess: float = 0.8
    front_plate_x: float = -18.5
    front_plate_z: float = 14.5
    rear_plate_x: float = -12.0
    rear_plate_z: float = 41.0
    cell_length: float = 65.0  # LiPo 2500 mAh: 65 x 51 x 8
    cell_width: float = 51.0
    cell_height: float = 8.0
    cell_y: float = 58.0
    clearance: float = 0.3


@dataclass(frozen=True)
class Cradle:
    """The T-Display-S3's stand: a slot for its long edge, a wall for its back, a bay for its cell."""

    lean_deg: float = 65  # of the board from the table
    board_length: float = 62.0  # its maker's STEP file: 60.8 of board and 1.2 of USB socket
    board_height: float = 26.0  # 25.95 over the display's frame, its maker's STEP file
    glass_length: float = 49.9  # the display's module, its maker's STEP file
    glass_offset: float = 1.8  # of its middle, away from the USB socket; its maker's STEP file
    lit_length: float = 42.72  # 320 px of 0.1335 mm: panels of 1.9 inch and 170 x 320
    lit_height: float = 22.7  # 170 px
    lit_offset: float = 1.5  # the lit part lies towards the antenna's end: estimate
    thick: float = 8.8  # slot; glass to board 6.4 (its maker's STEP file), flash chip 2: estimate
    lip: float = 1.4  # in front of the glass; its dark edge is 1.6
    front: float = 15.0  # table depth of the slot's foot
    lift: float = 5.0  # of the board over the floor
    grip: float = 38.0  # of the board's length that the slot holds
    grip_x: float = 9.0  # its middle: the end with the buttons stands free
    rest: float = 21.0  # height of the wall behind, along the board
    rest_wall: float = 3.0
    width: float = 74
    depth: float = 88
    floor: float = 2.4
    wall: float = 2.0
    cell_length: float = 53.0  # LiPo 2000 mAh: 50 x 34 x 10, and its tape
    cell_width: float = 36.0
    cell_height: float = 10.0
    bay_height: float = 9.0
