"""A page that draws screens in a browser, from their display lists: boxes, texts and digits."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from host.base import installation
from host.boards.models import MODELS
from host.sim.display_list import DisplayList
from host.sim.shots import PosedFace, name_of

if TYPE_CHECKING:
    from host.sim.types import ListedScene, Scene

_PAGE = installation.file("host/sim/list_page.html")
_NONE = "[]</script>"  # the page's lists


def listed(models: Iterable[str], language: str, scenes: Iterable[Scene]) -> Iterator[ListedScene]:
    """Yield each scene on each model's panel: its name, the panel's size, its parts."""
    scenes = list(scenes)
    for model in models:
        surface = DisplayList()
        posed = PosedFace(model, language, surface)
        width, height = map(int, MODELS[model].panel.split("x"))
        for screen, case, happened, now_ms, gestures, extra in scenes:
            posed.pose(screen, case, happened, now_ms, gestures, extra)
            name = f"{model} {name_of(screen, case)}"
            yield {"name": name, "width": width, "height": height, "turned": surface.turned,
                   "parts": surface.parts()}  # fmt: skip


def page(lists: Iterable[ListedScene]) -> str:
    """Return the page of scenes."""
    said = json.dumps(list(lists), ensure_ascii=False).replace("<", "\\u003c")
    return _PAGE.read_text(encoding="utf-8").replace(_NONE, said + _NONE[2:], 1)
