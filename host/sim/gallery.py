"""The gallery: one HTML page of all screenshots, which needs only the pictures beside it."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from host.sim.types import ShotSize


_PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>PlusThree: every screen</title>
<style>
body {{ margin: 2rem; background: #1b1e24; color: #f2f2f2; font: 16px/1.5 system-ui, sans-serif }}
h1, h2 {{ font-weight: 600 }}
nav a {{ color: #56b4e9; margin-right: 1rem }}
section {{ display: flex; flex-wrap: wrap; gap: 1.25rem }}
figure {{ margin: 0 }}
img {{ display: block; border-radius: 6px; outline: 1px solid #444b57 }}
figcaption {{ margin-top: .35rem; font-size: .85rem; color: #c6ccd6 }}
</style>
<h1>PlusThree: every screen</h1>
<nav>{links}</nav>
{boards}
</html>
"""
_BOARD = '<h2 id="{model}">{model}: {count} screens</h2>\n<section>\n{shots}\n</section>'
_SHOT = (
    '<figure><img loading="lazy" src="{model}/{name}.png" width="{width}" height="{height}"'
    ' alt="{name}"><figcaption>{name}</figcaption></figure>'
)


def page(boards: Mapping[str, list[ShotSize]], language: str) -> str:
    """Return the page of ``boards``: {model: [(name, width, height in px)]}."""
    links = "".join(f'<a href="#{html.escape(model)}">{html.escape(model)}</a>' for model in boards)
    parts = [_board(html.escape(model), shots) for model, shots in boards.items()]
    return _PAGE.format(language=language, links=links, boards="\n".join(parts))


def _board(model, shots):
    rows = [
        _SHOT.format(model=model, name=html.escape(name), width=width, height=height)
        for name, width, height in shots
    ]
    return _BOARD.format(model=model, count=len(rows), shots="\n".join(rows))
