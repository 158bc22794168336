"""One virtual board in a Tk window, in real time: its panel, its lights, and your keyboard as its
keys.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PIL import Image, ImageTk

from firmware.core import intents
from firmware.core.systems import p18
from host.sim.faces import drawn_faces, uncover
from host.sim.single_board import SingleBoard

if TYPE_CHECKING:
    import tkinter

STEP_MS = 20
KEYS = {"a": 0, "Left": 0, "b": 1, "Right": 1, "j": 2, "Down": 2}
HELP = "A or ← is ▲    B or → is ●    J or ↓ calls the judge"
NAMES = ("Giulia B.", "Kenji T.")
REPEAT_MS = 40  # a held key repeats as up and down again within this
_DOT_PX, _GAP_PX, _BRIGHT = 22, 10, 2


class Window:
    """A SingleBoard ``board`` on a Tk ``root``, ``scale`` times as large; ``clock()`` is real time
    in seconds.
    """

    def __init__(
        self, root: tkinter.Tk, board: SingleBoard, clock: Callable[[], float], scale: int = 2
    ):
        import tkinter

        self._root, self.board, self._clock, self._scale = root, board, clock, scale
        self._began_s, self._shown = clock() - board.loop.time(), None
        uncover(board.app)
        width_px, height_px = (int(x) * scale for x in board.board.panel.split("x"))
        self.canvas = tkinter.Canvas(root, width=width_px + 2 * _GAP_PX + _DOT_PX,
                                     height=height_px, background="#1b1e24",
                                     highlightthickness=0)  # fmt: skip
        self.canvas.pack()
        tkinter.Label(root, text=HELP).pack()
        self._picture = self.canvas.create_image(0, 0, anchor="nw")
        self.lights = [
            self._dot(width_px + _GAP_PX, height_px, i) for i in range(board.board.leds.size)
        ]
        self._releases = {}  # by key: the timer after which it counts as released
        root.title(f"PlusThree: a {board.board.model}")
        root.bind("<KeyPress>", lambda event: self.press(event.keysym))
        root.bind("<KeyRelease>", lambda event: self.let_go(event.keysym))

    def _dot(self, left, height_px, number):
        top = (number + 1) * height_px // (self.board.board.leds.size + 1) - _DOT_PX // 2
        return self.canvas.create_oval(left, top, left + _DOT_PX, top + _DOT_PX, outline="#444b57")

    def press(self, name: str) -> None:
        """A key of the keyboard went down."""
        key = KEYS.get(name, KEYS.get(name.lower()))
        if key in self._releases:
            self._root.after_cancel(self._releases.pop(key))
        elif key is not None and key < self.board.board.keys_count:
            self.board.board.keys.turn(key, True)

    def let_go(self, name: str) -> None:
        """A key came up, unless it goes down again at once: then the keyboard repeats."""
        key = KEYS.get(name, KEYS.get(name.lower()))
        if key is not None:
            self._releases[key] = self._root.after(REPEAT_MS, self._up, key)

    def _up(self, key):
        self._releases.pop(key, None)
        self.board.board.keys.turn(key, False)

    def step(self) -> None:
        """Run the board until now and show it."""
        late_s = self._clock() - self._began_s - self.board.loop.time()
        if late_s > 0:
            self.board.run(late_s)
        self._redraw()

    def _redraw(self):
        assert self.board.board.glass is not None  # a SingleBoard always has a panel
        image = self.board.board.glass.image()
        data = image.tobytes()
        if data != self._shown:
            self._shown = data
            size = image.width * self._scale, image.height * self._scale
            self.image = ImageTk.PhotoImage(
                image.resize(size, Image.Resampling.NEAREST), master=self._root
            )
            self.canvas.itemconfigure(self._picture, image=self.image)
        shown = self.board.board.leds.shown
        for number, light in enumerate(self.lights):
            rgb = shown[3 * number : 3 * number + 3] or bytes(3)
            fill = "#" + bytes(min(255, _BRIGHT * part) for part in rgb).hex()
            self.canvas.itemconfigure(light, fill=fill)

    def run(self) -> None:
        """Step until the window is closed."""
        self.step()
        self._root.after(STEP_MS, self.run)


def table(model: str, language: str, minutes: int, wait_s: int) -> SingleBoard:
    """Return a SingleBoard at table 12 whose round starts after ``wait_s`` seconds."""
    board = SingleBoard(model, p18, drawn_faces(), language=language)
    board.ask(intents.SetRound(0, 3, 12, 1))
    board.ask(intents.SetFormat(0, 0, 3 << 1, minutes))
    board.ask(intents.SetStart(board.now_ms + 1000 * wait_s))
    board.show_names(NAMES)
    return board
