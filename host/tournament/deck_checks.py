"""Deck checks: how many decks must still be checked, and which may be drawn (P18 6).

Mandatory at Premier events; elsewhere at least 10 % of the decks over the tournament are
recommended. Ours: distinct decks count, rounded up; a second check of a deck adds nothing.
Deck lists: who may see one, and when a deck may still be changed (P18 5, 11.2; rules P34, P35).
The program stores no list: no frame, archive row or page has a field for one.
"""

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass

PERCENT = 10
STAFF = ("organiser", "judge")
VIEWERS = (*STAFF, "owner", "opponent", "spectator", "board")


@dataclass(frozen=True)
class Plan:
    """``needed`` distinct decks in all, ``checked`` of them so far; ``mandatory`` at Premier."""

    needed: int
    checked: int
    mandatory: bool

    @property
    def left(self) -> int:
        """How many distinct decks must still be checked."""
        return max(0, self.needed - self.checked)


def plan(decks: Iterable[str], checks: Iterable[str], premier: bool = False) -> Plan:
    """Return the Plan for ``decks`` (ids) after ``checks`` (an id for each check made)."""
    distinct = set(decks)
    needed = math.ceil(len(distinct) * PERCENT / 100)
    return Plan(needed, len(distinct & set(checks)), premier)


def draw(decks: Iterable[str], checks: Iterable[str], count: int, seed: int | str) -> list[str]:
    """Return the first ``count`` decks not checked yet, in an order drawn from ``seed`` alone: a
    check does not change who is next.
    """
    distinct, checked = sorted(set(decks)), set(checks)
    order = random.Random(seed).sample(distinct, len(distinct))
    return [deck for deck in order if deck not in checked][:count]


def may_see(viewer: str) -> bool:
    """Return whether a viewer may see a player's list: only staff and the player, never a board."""
    return viewer in (*STAFF, "owner")


def may_change(limited: bool, moment: str) -> bool:
    """Return whether a deck may change at a moment: "before", "building" (Limited), "rounds"."""
    return moment == "before" or (limited and moment == "building")
