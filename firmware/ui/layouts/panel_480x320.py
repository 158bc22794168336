"""The 3.5" wing (480×320): one clock as wide as the panel, between what each player reads: the
player opposite has a small clock, too.
"""

from firmware.ui.layouts import LARGE, LEFT, MEDIUM, MIDDLE, RIGHT, SMALL, Layout

FONTS = ("medium", "480x320-medium", "480x320-large")
DIGITS = "480x320-digits"
TURNED_DIGITS = "480x320-turned"

LAYOUT = Layout(
    places={
        "key_1": (SMALL, MIDDLE, 79, 302, 150),
        "key_2": (SMALL, MIDDLE, 401, 302, 150),
        "key_3": (SMALL, MIDDLE, 240, 302, 150),
        "row_1": (MEDIUM, MIDDLE, 240, 70, 440),
        "row_2": (MEDIUM, MIDDLE, 240, 120, 440),
        "row_3": (MEDIUM, MIDDLE, 240, 170, 440),
        "row_4": (MEDIUM, MIDDLE, 240, 220, 440),
        "tag_left": (SMALL, LEFT, 8, 17, 130),
        "tag_right": (SMALL, RIGHT, 472, 17, 130),
        "word": (MEDIUM, MIDDLE, 240, 15, 210),
        "big": (LARGE, MIDDLE, 240, 98, 464),
        "over": (MEDIUM, MIDDLE, 240, 70, 464),
        "one": (MEDIUM, MIDDLE, 240, 148, 464),
        "two": (MEDIUM, MIDDLE, 240, 183, 464),
        "three": (MEDIUM, MIDDLE, 240, 218, 464),
        "four": (MEDIUM, MIDDLE, 240, 253, 464),
        "left": (MEDIUM, LEFT, 16, 260, 222),
        "right": (MEDIUM, RIGHT, 464, 260, 222),
        "under": (MEDIUM, MIDDLE, 240, 260, 464),
        "side": (LARGE, LEFT, 282, 110, 180),
        "note": (SMALL, MIDDLE, 240, 258, 464),
        "score": (LARGE, MIDDLE, 240, 126, 464),
        "name_1": (MEDIUM, MIDDLE, 120, 70, 226),
        "name_2": (MEDIUM, MIDDLE, 360, 70, 226),
        "shape_a": (MEDIUM, MIDDLE, 24, 160, 40),
        "shape_b": (MEDIUM, MIDDLE, 456, 160, 40),
        "count_a": (LARGE, MIDDLE, 120, 150, 226),
        "count_b": (LARGE, MIDDLE, 360, 150, 226),
    },  # fmt: skip
    boxes={
        "fill": (0, 0, 480, 320),
        "panel": (10, 42, 460, 238),
        "strip": (0, 0, 480, 34),
        "foot": (0, 283, 480, 5),
        "key_1": (0, 290, 158, 30),
        "key_2": (322, 290, 158, 30),
        "key_3": (161, 290, 158, 30),
        "row": (20, 0, 440, 46),
        "mark_1": (286, 156, 48, 34),
        "mark_2": (342, 156, 48, 34),
        "mark_3": (398, 156, 48, 34),
    },  # fmt: skip
    digits=(240, 58, 32),
    turned=None,
    opposite={},
)
FACED = Layout(
    places=LAYOUT.places
    | {
        "tag_left": (SMALL, LEFT, 4, 247, 130),
        "word": (SMALL, MIDDLE, 240, 247, 210),
        "tag_right": (SMALL, RIGHT, 476, 247, 130),
        "left": (SMALL, LEFT, 6, 273, 230),
        "right": (SMALL, RIGHT, 474, 273, 230),
        "under": (SMALL, MIDDLE, 240, 273, 464),
        "note": (SMALL, MIDDLE, 240, 273, 464),
    },  # fmt: skip
    boxes=LAYOUT.boxes | {"strip": (0, 233, 480, 29), "foot": (100, 24, 380, 29)},
    digits=(240, 57, 32),
    turned=(48, 24, 8),
    opposite={
        "tag_left": (SMALL, LEFT, 4, 281, 90),
        "word": (SMALL, MIDDLE, 183, 281, 166),
        "tag_right": (SMALL, RIGHT, 376, 281, 106),
        "left": (SMALL, LEFT, 6, 305, 230),
        "right": (SMALL, RIGHT, 474, 305, 230),
        "under": (SMALL, MIDDLE, 240, 305, 464),
        "note": (SMALL, MIDDLE, 240, 305, 464),
    },  # fmt: skip
)
