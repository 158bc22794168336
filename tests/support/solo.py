"""One board alone, run by hand as tests want it: nobody tells it the time until a test does."""

from firmware.core import intents
from firmware.core.systems import p18
from host.sim.board import BoardReset
from host.sim.faces import blank_face
from host.sim.single_board import SingleBoard

A, B, J = 0, 1, 2


class Solo(SingleBoard):
    """A ``SingleBoard`` with its screen's name and the desk's acts."""

    def __init__(self, model="feathers3", faces=blank_face, rules=p18):
        super().__init__(model, rules, faces, origin_ms=None)

    @property
    def screen(self):
        return self.reading.screen

    def desk(self, kind, a=0, b=0, c=0, at_ms=0):
        return self.ask(intents.of_numbers(kind, at_ms, a, b, c))

    def pair(self, form=3 << 1, minutes=50, wait_s=150):
        """Set a round that starts after ``wait_s``."""
        assert self.desk(intents.SET_ROUND, 2, 12, 1)
        assert self.desk(intents.SET_FORMAT, self.rules.NUMBER, form, minutes)
        assert self.desk(intents.SET_START, at_ms=self.now_ms + 1000 * wait_s)


__all__ = ("A", "B", "J", "BoardReset", "Solo")
