"""How our one program uses its libraries: what some of their expressions always come to here.

``{module: {expression or statement: what it is}}``; None: a statement that does nothing here. Every
line is met in the pinned library, and what is drawn and carried with the lean form is compared with
the library's own (``tests/host/test_lean.py``).
"""

_LABEL = "adafruit_display_text"

KNOWN = {
    _LABEL: {
        # slots.py has letters placed into bitmaps of its own; the label itself lies on no display
        "self.append(self._local_group)": None,
        "self._ascent, self._descent = self._get_ascent_descent()": None,
        "self._text = text": None,
        "self.color = color": None,
        "self.background_color = background_color": None,
        **{
            f"def {name}": None
            for name in ("scale", "width", "height", "anchored_position", "font")
        },
        # the label that stands on this base has its own
        **{f"def {name}": None for name in ("_set_font", "_set_text", "text")},
    },
    _LABEL + ".bitmap_label": {
        "self._palette[0] = _background_color": None,
        "self._palette[1] = _foreground_color": None,
        "self._palette[2] = outline_color if outline_color is not None else 10066329": None,
        "_background_is_transparent": "False",
        # a font is all that it is given, and nothing of its own is ever set
        "outline_color": "None",
        "self._outline_color": "None",
        "color_palette": "None",
        "max_characters": "None",
        "self._max_characters": "None",
        "'text' in kwargs": "False",
        "self._full_text = text": None,
        "self._verbose": "False",
        "self.update(True)": None,
        **{
            f"def {name}": None
            for name in (
                "update",
                "text",
                "full_text",
                "bitmap",
                "_set_font",
                "_set_text",
                "_reset_text",
            )
        },
        # so there are no accents and no outlines
        "self.accent_ranges": "()",
        "len(self._accent_ranges)": "0",
        "self._has_outline_accent()": "False",
        "accented": "False",
        "self._tmp_glyph_bitmap is None": "False",
        "self._outline_size = outline_size": None,
        "self.animate_time = animate_time": None,
        "self._add_outline(self.bitmap)": None,
        "self._init_outline_stamp(outline_size)": None,
        "len(self._palette)": "2",
        # font.py again: glyphs of one height, each from its left edge, none missing; no tabs, no
        # lines
        "char == '\\n'": "False",
        "my_glyph is None": "False",
        "my_glyph.dx": "0",
        "my_glyph.tile_index": "0",
        "glyph_offset_x": "0",
        "left": "0",
        "self._text = self._replace_tabs(self._text)": None,
        "y_blit_target < 0": "False",
        # what the setting of a text gives back nobody asks for
        "return (left, top, right - left, bottom - top)": None,
        # CircuitPython since 9 (docs/board.md: 10.1 at the least)
        "hasattr(bitmap, 'blit')": "False",
        "hasattr(bitmaptools, 'blit')": "True",
    },
    "adafruit_ble.services": {
        # the service is ours, and its characteristics are bound without first values
        "service is None": "True",
        "self.remote": "False",
        "class_attr in initial_values": "False",
        "isinstance(value, Characteristic)": "False",
    },
    "adafruit_ble.characteristics": {
        "service.remote": "False",
        "self.read_perm": "Attribute.OPEN",
        "self.write_perm": "Attribute.OPEN",
        "self.fixed_length": "False",
        "self.initial_value": "None",
        "self.read_perm = read_perm": None,
        "self.write_perm = write_perm": None,
        "self.fixed_length = fixed_length": None,
        "self.initial_value = initial_value": None,
    },
    # nobody compares, prints or packs a UUID
    "adafruit_ble.uuid": {
        f"def {name}": None for name in ("__hash__", "__eq__", "__str__", "__bytes__")
    },
}
# calls that leave no trace: their result can go where nobody reads it
HARMLESS = {
    "Group",
    "Palette",
    "adafruit_ticks.ticks_ms",
    "displayio.Bitmap",
    "displayio.Palette",
    "self._palette.is_transparent",
    "font.get_bounding_box",
    "int",
    "max",
    "min",
}
