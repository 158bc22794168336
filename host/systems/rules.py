"""A system's table of rules, as this project's literals and organisers' files both have it (docs/systems.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

PolicyRow: TypeAlias = tuple[int, int, int, str, str, str, str]
"""Randomizers, purposes, needs (bits); sections: allowed, switched off, no consent, official event."""
Policy: TypeAlias = tuple[tuple[PolicyRow, ...], str]
"""Rows, and the section that refuses anything else (``firmware.core.policy``)."""


class Rules(Protocol):
    """What every system has: a module of ``firmware.core.systems``, or OwnRules."""

    @property
    def NUMBER(self) -> int: ...
    @property
    def SECTIONS(self) -> Sequence[str]: ...
    @property
    def PREGAME_S(self) -> int: ...
    @property
    def MINUTES(self) -> Sequence[int]: ...
    @property
    def SLACK(self) -> tuple[int, int, str, bool]: ...
    @property
    def OVERTIME(self) -> Sequence[tuple[int, int]]: ...
    @property
    def AFTER(self) -> int: ...
    @property
    def SEATS(self) -> bytes: ...
    @property
    def CARDS(self) -> Sequence[int]: ...
    @property
    def FIRST_PRIZE(self) -> int: ...
    @property
    def FIRST(self) -> str: ...
    @property
    def CAPS(self) -> Sequence[int]: ...
    @property
    def ASKED(self) -> int: ...
    @property
    def LATE(self) -> bool: ...
    @property
    def POINTS(self) -> Sequence[bytes]: ...
    @property
    def LEAD(self) -> int: ...
    @property
    def POLICY(self) -> Policy: ...
    @property
    def PLAYS(self) -> bytes: ...
    @property
    def TREES(self) -> Sequence[bytes]: ...


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
