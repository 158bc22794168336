"""The types of the whole program's parts: for type checkers, laid on no board."""

from collections.abc import Callable
from typing import TypeAlias

from firmware.app import App as App
from firmware.board.hardware import Hardware as Hardware
from firmware.board.types import Validate as Validate
from firmware.core.types import LinkPort as LinkPort
from firmware.core.types import Match as Match
from firmware.core.types import Rules as Rules
from firmware.core.types import Settings as Settings
from firmware.ui.types import Board as Board
from firmware.ui.types import Face as Face

Make: TypeAlias = Callable[[Board, LinkPort, Face, Rules], App]
"""Builds the program over its ports (``app.App``)."""
Raw: TypeAlias = dict[str, str | None]
"""What ``settings.toml`` says, by names; None where one is missing."""
