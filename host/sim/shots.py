"""Draws every scene on a board's panel with the firmware's own view and face, and displayio.

The gallery is one HTML page of all pictures, which needs only the pictures beside it. ``list_page``
has a browser draw screens from their display lists: boxes, texts and digits.
"""

from __future__ import annotations

import difflib
import html
import json
import random
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image

from firmware.core.draft import Draft
from firmware.core.journal import Journal
from firmware.core.match import Match
from firmware.core.seeds import ILL, Seeds, seed_event
from firmware.core.systems import p18
from firmware.ui import face, gestures, view
from firmware.ui.canvas import Canvas
from firmware.ui.displayio_surface import DisplayioSurface
from firmware.ui.face import Face
from firmware.ui.table import Table
from host.base import installation
from host.base.errors import UserError
from host.boards import texts
from host.boards.models import MODELS
from host.sim.board import VirtualBoard, board_settings
from host.sim.clock import VirtualLoop
from host.sim.display_list import DisplayList
from host.sim.faces import FOLDER, sheet
from host.sim.panel import Panel
from host.sim.scenes import ALL, NAMES, Scene

if TYPE_CHECKING:
    from firmware.core.types import Events
    from firmware.ui.types import Surface
    from host.sim.types import Extra, ListedScene, Moment, ShotSize

_COLUMNS = 5
# by the number of keys: the gesture that calls a judge, J held or both seats' keys
_JUDGE = {3: gestures.HOLD_J, 2: 12}

DEVICE, EVENT = 17, 5
_BATTERY_PERCENT = 9
_GALLERY = installation.file("host/sim/gallery.html")
_BOARD = '<h2 id="{model}">{model}: {count} screens</h2>\n<section>\n{shots}\n</section>'
_SHOT = (
    '<figure><img loading="lazy" src="{model}/{name}.png" width="{width}" height="{height}"'
    ' alt="{name}"><figcaption>{name}</figcaption></figure>'
)
_LIST_PAGE = installation.file("host/sim/list_page.html")
_NONE = "[]</script>"  # the page's lists


class Shot(NamedTuple):
    """The picture of a screen in a case."""

    screen: str
    case: str
    image: Image.Image


def _unlit(
    *, target_frames_per_second: int | None = None, minimum_frames_per_second: int = 0
) -> bool:
    """Replace a display's refresh without drawing anything."""
    return True


class PosedFace:
    """One board model's face on a surface, used for one scene after another."""

    def __init__(self, model: str, language: str, surface: Surface):
        self.language, self._texts = language, texts.texts(language)
        self.canvas = Canvas(surface, MODELS[model].panel, FOLDER)
        settings = board_settings(DEVICE, "ab" * 32, model)
        self._board = VirtualBoard(VirtualLoop(), settings, 1, model=model)
        self._board.battery.percent = _BATTERY_PERCENT
        self._journal = Journal(self._board.store, DEVICE, bytes(32))  # its key signs a result
        self._journal.event = EVENT

    def pose(
        self,
        screen: str,
        case: str,
        happened: Events,
        now_ms: int,
        played_gestures: Iterable[int],
        extra: Extra,
    ) -> None:
        """Lay one scene out; ValueError: it shows another screen."""
        self.canvas.turn(0)
        screens, match = Face(Table(self._texts), self.canvas), Match(extra.get("system", p18))
        self.face = screens
        for event in happened:
            match.apply(event)
        if "keyless" in extra or "failed" in extra:
            error = type(extra["failed"], (Exception,), {})() if "failed" in extra else None
            face.tell(screens, error)
        else:
            self._play(screens, match, now_ms, played_gestures, extra)
        if screens.screen.name != screen:
            raise ValueError(f"{screen}.{case} shows {screens.screen.name}")

    def _play(self, screens, match, now_ms, played_gestures, extra):
        table_view = view.View(self._board, screens, self._journal)
        screens.verify = lambda digits: True
        if "waited_s" in extra:
            screens.table.called_ms = now_ms - 1000 * extra["waited_s"]
        screens.table.names = extra.get("names", NAMES)
        screens.table.pending, screens.table.draft = extra.get("pending", 0), _draft_of(extra)
        table_view.seeds = _seeds_of(match, extra)
        for row, line in enumerate(extra.get("recalled", ())):
            screens.table.lines[row] = _recalled(screens, *line)
        standing = extra.get("standing", 0)
        table_view.read(match, standing, now_ms)
        for gesture in played_gestures:
            screens.update(
                _JUDGE[self._board.keys_count] if gesture == gestures.HOLD_J else gesture
            )
            table_view.changed = True
            table_view.read(match, standing, now_ms)
        table_view.make_result_code(match)
        table_view.show(match, -1, now_ms)


class Studio(PosedFace):
    """A posed face on the emulated panel, of which pictures are taken.

    Unless ``lit``, scenes are only laid out, which is fast, and the panel stays black.
    """

    def __init__(self, model: str, language: str = "en", lit: bool = True):
        self.panel = Panel(MODELS[model].panel)
        if not lit:
            self.panel.display.refresh = _unlit
        super().__init__(model, language, DisplayioSurface(self.panel.display))

    def shot(self, screen: str, case: str, *moment: *Moment) -> Shot:
        """Return one scene's Shot; ValueError: the scene shows another screen."""
        self.pose(screen, case, *moment)
        return Shot(screen, case, self.panel.image())


def _recalled(screens, before, name, value, after):
    """Return a line about the past in the face's language."""
    return before + screens.table.say_of(name, value) + after


def _seeds_of(match, extra):
    """Return the seeds of a table with a roll or a failed generator."""
    fresh = Seeds()
    fresh.test(random.Random(7).randbytes)
    for event in fresh.draw((17, 5, 3, 12, 1)):
        fresh.take(event)
    if match.roll:
        fresh.take(match.roll)
    if "ill" in extra:
        fresh.take(seed_event(ILL, bytes(8)))
    return fresh


def _draft_of(extra):
    """Return the Draft from an extra's events, None without any."""
    if "draft" not in extra:
        return None
    conducted = Draft()
    for event in extra["draft"]:
        conducted.apply(event)
    return conducted


def scenes_of(screen: str | None = None) -> list[Scene]:
    """Return the scenes of a screen, or all for None; UserError: no such screen or no scene."""
    chosen = [scene for scene in ALL if screen in (None, scene.screen)]
    if screen is not None and not chosen:
        known = list(dict.fromkeys(scene.screen for scene in ALL))
        like = difflib.get_close_matches(screen, known, 3) or known
        raise UserError(f"no scene shows a screen called {screen!r}; try {', '.join(like)}")
    return chosen


def sheet_of(shots: Sequence[Shot]) -> Image.Image:
    """Return one picture of all shots with their names."""
    titled = [(name_of(shot.screen, shot.case), shot.image) for shot in shots]
    return sheet([titled[at : at + _COLUMNS] for at in range(0, len(titled), _COLUMNS)])


def name_of(screen: str, case: str) -> str:
    """Return ``screen.case``, the stem of a shot's file."""
    return f"{screen}.{case}" if case else screen


def gallery(boards: Mapping[str, list[ShotSize]], language: str) -> str:
    """Return the page of ``boards``: {model: [(name, width, height in px)]}."""
    links = "".join(f'<a href="#{html.escape(model)}">{html.escape(model)}</a>' for model in boards)
    parts = [_gallery_of(html.escape(model), shots) for model, shots in boards.items()]
    template = string.Template(_GALLERY.read_text(encoding="utf-8"))
    return template.substitute(language=language, links=links, boards="\n".join(parts))


def _gallery_of(model, shots):
    rows = [
        _SHOT.format(model=model, name=html.escape(name), width=width, height=height)
        for name, width, height in shots
    ]
    return _BOARD.format(model=model, count=len(rows), shots="\n".join(rows))


def listed(models: Iterable[str], language: str, scenes: Iterable[Scene]) -> Iterator[ListedScene]:
    """Yield each scene on each model's panel: its name, the panel's size, its parts."""
    scenes = list(scenes)
    for model in models:
        surface = DisplayList()
        posed = PosedFace(model, language, surface)
        width, height = map(int, MODELS[model].panel.split("x"))
        for scene in scenes:
            posed.pose(*scene)
            name = f"{model} {name_of(scene.screen, scene.case)}"
            yield {"name": name, "width": width, "height": height, "turned": surface.turned,
                   "parts": surface.parts()}  # fmt: skip


def list_page(lists: Iterable[ListedScene]) -> str:
    """Return the page of scenes."""
    data = json.dumps(list(lists), ensure_ascii=False).replace("<", "\\u003c")
    return _LIST_PAGE.read_text(encoding="utf-8").replace(_NONE, data + _NONE[2:], 1)
