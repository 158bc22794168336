"""A system's table of rules, as this project's literals and organisers' files both have it
(docs/systems.md).
"""

from dataclasses import dataclass
from typing import Protocol, TypeAlias

PolicyRow: TypeAlias = tuple[int, int, int, str, str, str, str]
"""Randomizers, purposes, needs (bits); sections: allowed, switched off, no consent, official."""
Policy: TypeAlias = tuple[tuple[PolicyRow, ...], str]
"""Rows, and the section that refuses anything else (``firmware.core.policy``)."""


class Rules(Protocol):
    """What every system has: a module of ``firmware.core.systems``, or OwnRules."""

    NUMBER: int
    SECTIONS: tuple[str, ...]
    PREGAME_S: int
    MINUTES: tuple[int, ...]
    SLACK: tuple[int, int, str, bool]
    OVERTIME: tuple[tuple[int, int], ...]
    AFTER: int
    SEATS: bytes
    CARDS: tuple[int, ...]
    FIRST_PRIZE: int
    FIRST: str
    CAPS: tuple[int, ...]
    ASKED: int
    LATE: bool
    POINTS: tuple[bytes, ...]
    LEAD: int
    POLICY: Policy
    PLAYS: bytes
    TREES: tuple[bytes, ...]


Catalogue: TypeAlias = dict[str, Rules]
"""Systems by name."""


@dataclass
class OwnRules:
    """An organiser's system: its name, its title, and the TOML text that it was read from."""

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
    LATE: bool = False
    POINTS: tuple[bytes, ...] = ()
    LEAD: int = 0
    POLICY: Policy = ((), "")
    PLAYS: bytes = b""
    TREES: tuple[bytes, ...] = ()
