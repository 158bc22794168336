"""The valid values of a match's fields: no signed record can fold a match into an invalid state.

A tag proves who wrote a record, not that it is valid: whoever has a board's key can sign any
numbers. Ranges belong to the fields of a match (``firmware/core/match.py``), not to events or
systems. Ranges that a system defines are read from its table.
"""

import itertools
from collections.abc import Callable, Container, Iterable, Mapping

from firmware.core import outcome, phases
from firmware.core.match import FIELDS, Match
from host.systems.rules import OwnRules

_PHASES, _SITUATIONS = range(phases.AGREED + 1), range(phases.WIPED + 1)
_GAMES, _TURNS, _SEATS = range(100), range(16), range(4)
_DECIDED = 1, 2, outcome.TIE
_PILES = frozenset((None, *itertools.product(range(6), repeat=4)))  # of a team match

# any value of these is safe: moments, numbers that are looked up, switches, raw events
FREE = frozenset((
    "round", "table", "pairing", "minutes", "policy", "start_ms", "lost_ms", "frozen_ms",
    "clock_ms", "pregame_ms", "extension_s",
    "seen", "present", "adjusted", "confirmed", "ended_ms", "pending_answer", "call", "consent",
    "roll", "agreed", "notice", "squads", "pending_penalty",
))  # fmt: skip
_SWITCH = 0, 1  # the range of a field that no table here names
FIXED: dict[str, Container[int | None]] = {
    "phase": _PHASES, "held": _PHASES, "situation": _SITUATIONS, "outcome": range(outcome.ASK + 1),
    "progress": (0, 1, 2), "award": (0, 1, 2), "game": _GAMES, "turn": _TURNS,
    "seat": (None, *_SEATS),
    "conceded": (None, 0, 1), "won": (None, 0, 1), "late": range(4), "wiped": range(16),
    "missing": range(32),
    "tossed": range(11), "obstacle": range(8),
    "piles": _PILES, "claimed": range(5), "rolled": range(5),
}  # fmt: skip
OF_RULES: dict[str, Callable[[Match], Container[int]]] = {
    "system": lambda match: (0, match.rules.NUMBER),  # 0 until the round's format is set
    "section": lambda match: range(len(match.rules.SECTIONS) + 1),
    "format": lambda match: (match.format,) if _format(match) else (),
}
# of each of two numbers
PAIRS: dict[str, Callable[[Match], Container[int]]] = {
    "score": lambda match: range(match.best_of + 1),
    "games": lambda match: range(match.best_of + 1),
    "prizes": lambda match: range(max(match.rules.CARDS or (0,)) + 1),
    "destroyed": lambda match: range(match.cap + 1),
}


def _format(match: Match) -> bool:
    """Whether the system has a format of so many games (one or three; any number in an
    organiser's system) and with this cap.
    """
    is_organisers = isinstance(match.rules, OwnRules)
    has_length = match.best_of > 0 if is_organisers else match.best_of in (1, 3)
    caps = match.rules.CAPS
    cap_index = match.format >> 8 & 3
    return has_length and (not caps or cap_index < len(caps))


def _fits(match: Match, name: str) -> bool:
    value = getattr(match, name)
    if name in PAIRS:
        within = PAIRS[name](match)
        return value is None or (value[0] in within and value[1] in within)
    if name in OF_RULES:
        return value in OF_RULES[name](match)
    return name in FREE or value in FIXED.get(name, _SWITCH)


def changed_fields(match: Match, before: Mapping[str, object]) -> Iterable[str]:
    """Return the fields that an event may have taken out of range; ``before`` holds the old values.

    All fields if the format changed, because ranges depend on it.
    """
    if match.format != before["format"] or match.rules is not before["rules"]:
        return FIELDS
    return [name for name in FIELDS if getattr(match, name) != before[name]]


def plausible(match: Match, names: Iterable[str] = FIELDS) -> bool:
    """Whether a board can have this match, as far as these fields show.

    A match cannot end without a winner or a tie.
    """
    if match.phase == phases.AGREED and match.outcome not in _DECIDED:
        return False
    return all(_fits(match, name) for name in names)
