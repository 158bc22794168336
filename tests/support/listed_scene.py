"""Draws a clock as a display list where there is no displayio: on any Python, MicroPython too.

``python -S listed_scene.py FOLDER`` (``firmware/ui``) prints, one a line as JSON, the parts of a
running clock, of the next second, and with a key held.
"""

import json
import sys

from firmware.core import events as e
from firmware.core.match import Match
from firmware.core.systems import p18
from firmware.ui.canvas import Canvas
from firmware.ui.face import Face
from firmware.ui.table import Table
from host.sim.display_list import DisplayList

_LEFT_MS = 2954000  # 49:14


def draw(folder):
    """Print the three lists, with the fonts and texts of a folder."""
    with open(folder + "/texts/en.json") as file:
        table = Table(json.load(file))
    surface = DisplayList()
    face = Face(table, Canvas(surface, "320x240", folder))
    table.match, table.names = Match(p18), ["Giulia B.", "Kenji T."]
    for event in (
        e.RoundSet(0, 3, 12, 1), e.FormatSet(0, 0, 3 << 1, 50), e.StartSet(1000),
        e.PregameBegun(0, 0), e.SeatConfirmed(0, 0, 0), e.SeatConfirmed(0, 1, 0),
        e.RoundBegun(1000), e.StarterSet(1000, 0, 1),
    ):  # fmt: skip
        table.match.apply(event)
    table.now_ms = 3001000 - _LEFT_MS
    face.follow()
    for passed_ms, held in ((0, -1), (1000, -1), (0, 0)):
        table.now_ms += passed_ms
        face.show(held)
        print(json.dumps(surface.parts()))


if __name__ == "__main__":
    draw(sys.argv[1])
