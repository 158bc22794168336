"""Draws the board's letters and digits from openly licensed outlines, once, on a PC.

``python -m host.cli.dev.glyphs`` needs Debian's ``fonts-dejavu-extra`` and
``fonts-bebas-neue``; what it writes lies in ``firmware/ui/fonts`` with the licences, so that nobody
else needs them.

A font: height, ascent (u8 each), first code, count (u8), bytes a row (u8), one advance (u8) a
code, then for each code ``height`` rows of bits, the leftmost highest. Codes are Latin-1, with
the key shapes and the ellipsis in the control codes (``SPECIAL``).

The large digits are fonts with the codes of 0-9 alone; each lies in the middle of its cell.
"""

import math
import pathlib
import unicodedata

from PIL import Image, ImageDraw, ImageFont

from host.base.private_files import write_whole

HERE = pathlib.Path(__file__).parents[3] / "firmware" / "ui" / "fonts"
TEXT = "/usr/share/fonts/truetype/dejavu/DejaVuSansCondensed-Bold.ttf"
DIGITS = "/usr/share/fonts/opentype/bebas-neue/BebasNeue-Bold.otf"
SPECIAL = {1: "▲", 2: "●", 3: "…", 4: "✔", 5: "–", 6: "►", 7: "◄"}
FIRST = 1
COUNT = 255
FONTS = {  # px of the outline's em
    "small": 14, "medium": 19, "large": 42,
    "480x320-medium": 26, "480x320-large": 58,
}  # fmt: skip
LARGE_DIGITS = {  # px of a zero's width and height, and from one digit to the next
    "320x240-digits": (64, 116, 72), "320x240-turned": (9, 16, 12),
    "480x320-digits": (108, 172, 110), "480x320-turned": (18, 29, 20),
    "320x170-digits": (64, 104, 72),
}  # fmt: skip
_ACCENT_PX = 1  # capitals with an accent reach so far above the font's own height
_TRACED = 90  # of 255
_SCALE = 8  # outlines are drawn this much larger and then thresholded


def _letter(code: int) -> str | None:
    """Return what a font shows for a code, None for nothing."""
    printable = 32 <= code < 127 or code >= 160
    return SPECIAL.get(code) or (chr(code) if printable else None)


def font(size_px: int) -> bytes:
    """Return the font of ``size_px`` as bytes (the module's docstring has the layout)."""
    face = ImageFont.truetype(TEXT, size_px)
    ascent, descent = face.getmetrics()
    ascent += _ACCENT_PX
    height = ascent + descent
    advances, cells = [], []
    for letter in map(_letter, range(FIRST, FIRST + COUNT)):
        origin_px, width_px = _cell_of(face, letter) if letter else (0, 0)
        cell = Image.new("1", (width_px or 1, height), 0)
        if letter:
            _draw(cell, face, letter, (origin_px, _ACCENT_PX))
        advances.append(width_px)
        cells.append(cell)
    row_bytes = (max(advances) + 7) // 8
    rows = b"".join(_rows(cell, row_bytes) for cell in cells)
    return bytes((height, ascent, FIRST, COUNT, row_bytes)) + bytes(advances) + rows


def _cell_of(face, letter):
    """Return where in its cell a letter's origin lies, and how wide the cell is, so that no ink
    left of the origin or beyond the advance is cut.
    """
    advance = round(face.getlength(letter))
    origin = advance  # on an image with room on all sides
    image = Image.new("1", (3 * advance, 3 * advance + 3 * face.size), 0)
    pen = ImageDraw.Draw(image)
    pen.fontmode = "1"
    pen.text((origin, face.size), letter, font=face, fill=1)
    left, _, right, _ = image.getbbox() or (origin, 0, origin, 0)
    before = max(0, origin - left)
    return before, before + max(advance, right - origin)


def _draw(cell, face, letter, at):
    """Draw a letter in two colours. An accent that this loses, as a small capital's, is traced from
    a drawing in grey.
    """
    pen = ImageDraw.Draw(cell)
    pen.fontmode = "1"
    plain = unicodedata.normalize("NFD", letter)[0]
    pen.text(at, plain, font=face, fill=1)
    if plain == letter:
        return
    plain_top = cell.getbbox()[1]
    cell.paste(0, (0, 0, *cell.size))
    pen.text(at, letter, font=face, fill=1)
    accent_is_lost = cell.getbbox()[1] >= plain_top
    if accent_is_lost:
        grey = Image.new("L", cell.size)
        ImageDraw.Draw(grey).text(at, letter, font=face, fill=255)
        cell.paste(grey.point(_above(_TRACED)).convert("1").crop((0, 0, cell.width, plain_top - 1)))


def _above(least: int) -> list[int]:
    """Return the table that makes each of 256 greys black or white."""
    return [255 * (grey > least) for grey in range(256)]


def _rows(cell, row_bytes):
    padded = Image.new("1", (8 * row_bytes, cell.height), 0)
    padded.paste(cell, (0, 0))
    return padded.tobytes()


def digits(zero_w: int, ink_h: int, advance: int) -> bytes:
    """Return the ten digits as a font: outlines, stretched until a zero has the given size in px,
    each in the middle of its cell. ``advance``: px from one digit to the next.
    """
    face = ImageFont.truetype(DIGITS, 1000)
    zero_left, top, zero_right, bottom = face.getbbox("0")
    stretch = zero_w / (zero_right - zero_left)
    outlines = []
    for digit in "0123456789":
        left, _, right, _ = face.getbbox(digit)
        outline = Image.new("L", (round(right - left), round(bottom - top)), 0)
        ImageDraw.Draw(outline).text((-left, -top), digit, font=face, fill=255)
        outlines.append(outline)
    row_bytes = math.ceil(max(outline.width for outline in outlines) * stretch / 8)
    rows = b""
    for outline in outlines:
        # stretched at a larger scale, then reduced: so the edges stay smooth
        width_px = round(outline.width * stretch * _SCALE)
        large = outline.resize((width_px, ink_h * _SCALE), Image.Resampling.LANCZOS)
        cell = Image.new("L", (8 * row_bytes * _SCALE, ink_h * _SCALE), 0)
        cell.paste(large, ((cell.width - width_px) // 2, 0))
        small = cell.resize((8 * row_bytes, ink_h), Image.Resampling.BOX)
        rows += small.point(_above(127)).convert("1").tobytes()
    return bytes((ink_h, ink_h, ord("0"), 10, row_bytes, *10 * [advance])) + rows


def main() -> None:
    """Write every font and set of digits and say how large each is."""
    for name, size_px in FONTS.items():
        _write(f"{name}.font", font(size_px))
    for name, measures in LARGE_DIGITS.items():
        _write(f"{name}.font", digits(*measures))


def _write(name, data):
    write_whole(HERE / name, data)
    print(f"{name}: {len(data)} bytes")


if __name__ == "__main__":
    main()
