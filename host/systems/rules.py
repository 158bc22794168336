"""The types of a system's table of rules, built in or an organiser's own (docs/systems.md)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from firmware.core.types import Rules as Rules
else:
    Rules = object  # annotations only; the fields are those of ``firmware/core/types.pyi``

PolicyRow: TypeAlias = tuple[int, int, int, str, str, str, str]
"""Bits of randomizers, purposes, needs; sections if allowed, switched off, no consent, official."""
Policy: TypeAlias = tuple[tuple[PolicyRow, ...], str]
"""Rows, and the section that forbids everything else (``firmware.core.policy``)."""


Catalogue: TypeAlias = dict[str, Rules]
"""Systems by name."""


@dataclass
class OwnRules:
    """An organiser's system, with its name, its title and its TOML text."""

    name: str
    title: str
    source: str
    NUMBER: int = 0
    SECTIONS: tuple[str, ...] = ()
    PREGAME_S: int = 0
    MINUTES: tuple[int, ...] = ()
    SLACK: tuple[int, int, str, bool] = (0, 0, "", False)
    OVERTIME: tuple[tuple[int, int], ...] = ()
    AFTER: int = 0
    SEATS: bytes = b""
    CARDS: tuple[int, ...] = ()
    FIRST_PRIZE: int = 0
    FIRST: str = ""
    CAPS: tuple[int, ...] = ()
    ASKED: int = 0
    LOSES_IF_LATE: bool = False
    POINTS: tuple[bytes, ...] = ()
    LEAD: int = 0
    POLICY: Policy = ((), "")
    PLAYS: bytes = b""
    TREES: tuple[bytes, ...] = ()
