"""The demo's programme: eight tables of one round, each showing something different."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

from host.formats import event_file
from host.sim.programme import extended, frozen
from host.sim.story import Story

if TYPE_CHECKING:
    from host.archive.roster import Pairing
    from host.sim.types import TimedAct


QUICK, SLOW, ENDLESS = (260, 520), (1250, 1420), (2100, 2300)
STORIES = {
    1: {"game_s": QUICK},
    2: {"game_s": (500, 800), "refuses": True},  # the desk rules, then both confirm
    3: {"game_s": SLOW, "late_win": 0},
    4: {"game_s": (1000, 1150), "late_win": 0},  # frozen
    5: {"game_s": ENDLESS, "late_win": 0},  # extended
    6: {"game_s": ENDLESS, "late_win": 0, "diligent": False},  # asked everything at time
    7: {"game_s": (400, 900), "diligent": False},
    8: {"game_s": (1300, 1500), "late_win": 0.4},
}
SMALL = (7, 8)  # boards with a panel of their own
FROZEN, EXTENDED = 4, 5


class Showcase:
    """The round of an event file (``path``), played as ``STORIES`` says.

    Raises what ``event_file.read`` raises, and ValueError unless the tables are 1 to 8.
    """

    def __init__(self, path: Path, seed: int):
        self.file, self._seed = event_file.read(path), seed
        self.event = self.file.event or "Demo"
        self.format = self.file.format
        self.tables = len(STORIES)
        if sorted(one.table or 0 for one in self.file.pairings) != sorted(STORIES):
            raise ValueError(f"{path} does not have tables 1 to {self.tables}")

    def model(self, table: int) -> str:
        """Return the model of the board at a table."""
        return "lilygo" if table in SMALL else "feathers3"

    def pairings(self, number: int) -> list[Pairing]:
        """Return the file's Pairings."""
        return self.file.pairings

    def story(self, number: int, table: int) -> Story:
        """Return the Story of a table."""
        luck = random.Random(f"showcase {self._seed} {table}")
        return Story(luck, fumbles=0, **STORIES[table])

    def acts(self, number: int) -> list[TimedAct]:
        """Return what judges do: one freeze of five minutes, and an extension of four."""
        return [*frozen(FROZEN, 1200, 300), extended(EXTENDED, 1800, 4)]
