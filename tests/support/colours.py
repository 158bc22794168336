"""Colours as eyes see them: contrast (WCAG 2), colour-blind sight (Machado 2009), distance (CIE
1976).
"""

from said import Said

from firmware.ui import canvas

_PLACES = ("word", "big")
# severity 1.0, on linear RGB
SIGHTS = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
                   (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
                     (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
                   (0.004733, 0.691367, 0.303900)),
}  # fmt: skip
_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
_WHITE = (0.9505, 1.0, 1.089)


def linear(rgb):
    """Return 0-255 sRGB as linear light."""
    return [x / 3294.6 if x <= 10 else ((x / 255 + 0.055) / 1.055) ** 2.4 for x in rgb]


def _times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def simulated(rgb, sight):
    """Return the linear light that an eye of that ``sight`` takes ``rgb`` for."""
    return [min(1, max(0, x)) for x in _times(SIGHTS[sight], linear(rgb))]


def _lab(light):
    scaled = [x / white for x, white in zip(_times(_XYZ, light), _WHITE)]
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in scaled)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(light, other):
    """Return the distance of two colours of linear light (CIE 1976)."""
    return sum((x - y) ** 2 for x, y in zip(_lab(light), _lab(other))) ** 0.5


def _luminance(rgb):
    return _times(_XYZ, linear(rgb))[1]


def contrast(rgb, other):
    """Return the contrast of two colours, 1 to 21."""
    low, high = sorted((_luminance(rgb), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _shown(colour):
    """Return a colour (RGB number) as the panel's RGB565 shows it."""
    r, g, b = colour >> 16, colour >> 8 & 255, colour & 255
    return r & 0xF8 | r >> 5, g & 0xFC | g >> 6, b & 0xF8 | b >> 5


def contrast_on(image, box, colour):
    """Return the contrast of a text's ``colour`` with what it stands on, by the pixels of a box."""
    part = image.crop(box)
    found = part.getcolors(part.width * part.height)
    inks = min((rgb for _, rgb in found), key=lambda rgb: _distance(rgb, _shown(colour)))
    papers = [one for one in found if one[1] != inks]
    return contrast(inks, max(papers)[1]) if papers else 1


def _distance(rgb, other):
    return sum(abs(x - y) for x, y in zip(rgb, other))


def word(studio, name, scenes):
    """Return the word of a scene's strip, or its largest line."""
    scene = next(s for s in scenes if f"{s[0]}.{s[1]}".rstrip(".") == name)
    said = Said(studio)
    studio.pose(*scene)
    lines = [one for one in said.texts if one.place not in canvas.KEYS]
    return min(lines, key=lambda one: one.place not in _PLACES).line
