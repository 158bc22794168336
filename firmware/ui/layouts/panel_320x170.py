"""The T-Display-S3 (320×170): its two keys lie beside the panel."""

from firmware.ui.layouts import LARGE, LEFT, MEDIUM, MIDDLE, RIGHT, SMALL, Layout

FONTS = ("small", "medium", "large")
DIGITS = "320x170-digits"
TURNED_DIGITS = None

LAYOUT = Layout(
    places={
        "key_1": (SMALL, MIDDLE, 79, 159, 154),
        "key_2": (SMALL, MIDDLE, 241, 159, 154),
        "key_3": (SMALL, MIDDLE, 241, 159, 154),
        "row_1": (MEDIUM, MIDDLE, 160, 35, 296),
        "row_2": (MEDIUM, MIDDLE, 160, 61, 296),
        "row_3": (MEDIUM, MIDDLE, 160, 87, 296),
        "row_4": (MEDIUM, MIDDLE, 160, 113, 296),
        "tag_left": (SMALL, LEFT, 4, 10, 84),
        "tag_right": (SMALL, RIGHT, 316, 10, 84),
        "word": (SMALL, MIDDLE, 160, 10, 140),
        "big": (LARGE, MIDDLE, 160, 46, 312),
        "over": (MEDIUM, MIDDLE, 160, 36, 312),
        "one": (MEDIUM, MIDDLE, 160, 76, 312),
        "two": (MEDIUM, MIDDLE, 160, 99, 312),
        "three": (SMALL, MIDDLE, 160, 117, 312),
        "four": (SMALL, MIDDLE, 160, 135, 312),
        "left": (SMALL, LEFT, 8, 135, 152),
        "right": (SMALL, RIGHT, 312, 135, 152),
        "under": (SMALL, MIDDLE, 160, 135, 312),
        "side": (LARGE, LEFT, 186, 60, 130),
        "note": (SMALL, MIDDLE, 160, 135, 312),
        "score": (LARGE, MIDDLE, 160, 66, 312),
        "count_a": (LARGE, MIDDLE, 84, 84, 140),
        "count_b": (LARGE, MIDDLE, 236, 84, 140),
        "name_1": (MEDIUM, MIDDLE, 84, 44, 148),
        "name_2": (MEDIUM, MIDDLE, 236, 44, 148),
        "shape_a": (MEDIUM, MIDDLE, 20, 76, 36),
        "shape_b": (MEDIUM, MIDDLE, 300, 76, 36),
    },  # fmt: skip
    boxes={
        "fill": (0, 0, 320, 170),
        "panel": (3, 23, 314, 122),
        "strip": (0, 0, 320, 20),
        "foot": (0, 145, 320, 3),
        "key_1": (0, 149, 159, 21),
        "key_2": (161, 149, 159, 21),
        "key_3": (161, 149, 159, 21),
        "row": (12, 1, 296, 26),
        "mark_1": (186, 90, 28, 22),
        "mark_2": (220, 90, 28, 22),
        "mark_3": (254, 90, 28, 22),
    },  # fmt: skip
    digits=(160, 23, 22),
    turned=None,
    opposite={},
)
FACED = LAYOUT
