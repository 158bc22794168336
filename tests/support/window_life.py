"""One board's life in a window, run in a process of its own: Tk never lets go of a screen."""

import os
import sys
import tkinter

from host.sim.window import Window, table


class Hand:
    now_s = 100.0

    def __call__(self):
        return self.now_s


def live(model):
    """Sit down, wait for the round, and look at panel and lights."""
    root, clock = tkinter.Tk(), Hand()
    window = Window(root, table(model, "it", 50, 200), clock)
    window.step()
    root.update()
    assert window.board.reading.screen == "seated"
    assert window.image.width() == 2 * int(window.board.board.panel.split("x")[0])
    blue = window.canvas.itemcget(window.lights[0], "fill")
    assert len(window.lights) == window.board.board.leds.size and blue not in ("", "#000000")
    window.press("a")
    clock.now_s += 1.2
    window.step()
    assert window.board.app.match.present == 1
    clock.now_s += 200
    window.step()
    assert window.board.reading.screen == "clock"
    assert window.canvas.itemcget(window.lights[0], "fill") != blue


live(sys.argv[1])
print("lived", flush=True)
os._exit(0)
