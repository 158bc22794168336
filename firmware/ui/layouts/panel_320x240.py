"""The 2.4" wing (320×240): one clock, and a small one upside down for the player opposite."""

from firmware.ui.layouts import LARGE, LEFT, MEDIUM, MIDDLE, RIGHT, SMALL, Layout

FONTS = ("small", "medium", "large")
DIGITS = "320x240-digits"
TURNED_DIGITS = "320x240-turned"

LAYOUT = Layout(
    places={
        "key_1": (SMALL, MIDDLE, 53, 225, 98),
        "key_2": (SMALL, MIDDLE, 266, 225, 98),
        "key_3": (SMALL, MIDDLE, 160, 225, 98),
        "row_1": (MEDIUM, MIDDLE, 160, 50, 296),
        "row_2": (MEDIUM, MIDDLE, 160, 88, 296),
        "row_3": (MEDIUM, MIDDLE, 160, 126, 296),
        "row_4": (MEDIUM, MIDDLE, 160, 164, 296),
        "tag_left": (SMALL, LEFT, 6, 13, 92),
        "tag_right": (SMALL, RIGHT, 314, 13, 92),
        "word": (MEDIUM, MIDDLE, 160, 13, 150),
        "big": (LARGE, MIDDLE, 160, 74, 308),
        "over": (MEDIUM, MIDDLE, 160, 52, 308),
        "one": (MEDIUM, MIDDLE, 160, 112, 308),
        "two": (MEDIUM, MIDDLE, 160, 138, 308),
        "three": (MEDIUM, MIDDLE, 160, 164, 308),
        "four": (MEDIUM, MIDDLE, 160, 190, 308),
        "left": (MEDIUM, LEFT, 9, 189, 150),
        "right": (MEDIUM, RIGHT, 311, 189, 150),
        "under": (MEDIUM, MIDDLE, 160, 189, 308),
        "side": (LARGE, LEFT, 196, 86, 118),
        "note": (SMALL, MIDDLE, 160, 193, 308),
        "score": (LARGE, MIDDLE, 160, 96, 308),
        "count_a": (LARGE, MIDDLE, 84, 110, 140),
        "count_b": (LARGE, MIDDLE, 236, 110, 140),
        "name_1": (MEDIUM, MIDDLE, 84, 64, 148),
        "name_2": (MEDIUM, MIDDLE, 236, 64, 148),
        "shape_a": (MEDIUM, MIDDLE, 44, 103, 60),
        "shape_b": (MEDIUM, MIDDLE, 276, 103, 60),
    },  # fmt: skip
    boxes={
        "fill": (0, 0, 320, 240),
        "panel": (5, 33, 310, 171),
        "strip": (0, 0, 320, 27),
        "foot": (0, 204, 320, 4),
        "key_1": (0, 210, 106, 30),
        "key_2": (214, 210, 106, 30),
        "key_3": (108, 210, 104, 30),
        "row": (12, 0, 296, 34),
        "mark_1": (196, 122, 34, 24),
        "mark_2": (236, 122, 34, 24),
        "mark_3": (276, 122, 34, 24),
    },  # fmt: skip
    digits=(160, 53, 22),
    turned=(160, 31, 5),
    opposite={},
)
FACED = LAYOUT
