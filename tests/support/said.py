"""What texts a studio's canvas shows now: each with its place, and whether it was shortened."""

from collections import namedtuple

# the line as it is drawn, its place's name, its colour, whether it was shortened, its size in px,
# and its labels: the text's own, and perhaps the turned copy's
Text = namedtuple("Text", "line place colour cut width height labels")


class Said:
    """Reads a studio's canvas."""

    def __init__(self, studio):
        self._canvas = studio.canvas

    @property
    def texts(self):
        return [
            _text(name, spot)
            for (_, name), spot in self._canvas._spots.items()
            if spot.shown is not None
        ]


def _text(name, spot):
    line, colour, _ = spot.shown
    drawn = spot.labels[0].text
    return Text(
        drawn, name, colour, drawn != line, spot.font.width_px(drawn), spot.font.height, spot.labels
    )


def measures(canvas, place):
    """Return a place's font, align, x, y and width."""
    return canvas.layout.places[place]


def grid_of(label):
    """Return a label's grid with where it lies on the panel."""
    grid = label[0][0]
    return grid, label.x + grid.x, label.y + grid.y
