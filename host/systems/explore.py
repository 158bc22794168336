"""Finds all transitions between phases by trying every intent in every state of the machine.

This module knows no rule. For each state it tries every intent with a few small values, then lets
time pass, and collects the events that change the phase. States that differ only in clocks and
counters count once.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from firmware.core import intents, legal, payload, phases
from firmware.core.match import Match
from host.systems.rules import Rules

Move: TypeAlias = tuple[int, int, int]
"""A transition: phase, event, phase after it."""

_START_MS = 600_000
_MOST = 4000  # states visited; no built-in system has more
_TICKS = 6  # enough steps of time for a round of two minutes
_PLAY = ("progress", "pressed", "known", "turning", "turn", "missing", "score", "called")
# the fields in which two states of a phase may differ
_COMPARED = {
    phases.SEATED: (),
    phases.PREGAME: (),
    phases.FROZEN: ("held", "called"),
    phases.RESOLVING: ("outcome", "missing", "situation", "claimed", "called"),
    phases.PROPOSED: ("outcome", "confirmed", "claimed", "situation", "called"),
    phases.AGREED: ("claimed",),
}
# the fields to try for each intent, by default zeros; ``need`` games win the match
_TRIED = {
    intents.SET_ROUND: lambda need: ((1, 1, 1),),
    intents.EXTEND: lambda need: ((0, 60),),
    intents.STAMP_LATE: lambda need: ((1,),),
    intents.RULE_RESULT: lambda need: ((1, 0, 0, need, 0), (1, 0, 1, need, 0), (4, 0, 0, 0, 0)),
    intents.REOPEN_RESULT: lambda need: ((0,), (3,)),
    intents.CONFIRM_SEAT: lambda need: ((0,), (1,)),
    intents.WIN_GAME: lambda need: ((0,), (1,)),
    intents.COUNT_PRIZES: lambda need: ((0, 1, 2), (0, 2, 2), (0, 0, 0), (0, 5, 6)),
    intents.COUNT_DESTROYED: lambda need: ((0, 20, 0), (0, 5, 5)),
    intents.WIPE_OUT: lambda need: ((1,),),
    intents.TELL_STATE: lambda need: (
        (1, 0, 0, 0), (0, 0, 0, 0), (0, 0, 1, 0), (0, 0, 1, 1), (1, 0, need - 1, 0),
    ),
    intents.TELL_TURN: lambda need: ((0, 0, 1), (0, 0, 0)),
    intents.CLAIM_RESULT: lambda need: ((1, need, 0),),
    intents.CONFIRM_RESULT: lambda need: ((0,), (1,)),
}  # fmt: skip
_NO_ACTS = (  # of a match
    "TICK",
    "JOIN_EVENT",
    "CONDUCT",
    "SET_DRAFT",
    "SET_NONCE",
)
_CLASSES: dict[int, Callable[..., intents.Intent]] = {
    intent.kind: intent for intent in intents.CLASSES
}
_NAMES = {intent.kind: payload.layout(intent.LAYOUT).names for intent in intents.CLASSES}
INTENTS = {
    value: name
    for name, value in vars(intents).items()
    if name.isupper() and isinstance(value, int) and name not in (*_NO_ACTS, "SEATED_BASE")
}


@dataclass
class Explored:
    """The result: all ``moves``, and for each phase the ``acts`` that do something."""

    moves: set[Move] = field(default_factory=set)
    acts: dict[int, set[int]] = field(default_factory=dict)
    states: int = 0


def explore(rules: Rules, bits: int, minutes: int) -> Explored:
    """Explore a system in a format (FORMAT_SET's bits and minutes)."""
    match = Match(rules)
    for intent in (intents.SetRound(1, 1, 1, 1), intents.SetFormat(1, rules.NUMBER, bits, minutes)):
        for event in match.decide(intent, 1):
            match.apply(event)
    explored, seen = Explored(), {_state_key(match)}
    waiting = deque([(match, 1), (Match(rules), 1)])
    while waiting and len(seen) < _MOST:
        state, now_ms = waiting.popleft()
        for intent in _tries(state):
            after, later_ms = _after(explored, state, intent, now_ms)
            if _state_key(after) not in seen:
                seen.add(_state_key(after))
                waiting.append((after, later_ms))
    explored.states = len(seen)
    return explored


def _after(explored, match, intent, now_ms):
    """Return the state and the time after an intent."""
    if intent.kind == intents.TICK:
        return _after_time(explored, match, now_ms)
    asked = intent.at(now_ms)
    if intent.kind == intents.SET_START:
        asked = intents.SetStart(_START_MS)
    after = match.copy()
    _record_move(explored, match, intent.kind, match.decide(asked, now_ms), after)
    return after, now_ms


def _after_time(explored, match, now_ms):
    """Return state and time after the next change by time."""
    after = match.copy()
    for _ in range(_TICKS):
        due_ms = after.due_ms(now_ms)
        if _state_key(after) != _state_key(match) or due_ms is None:
            break
        now_ms = max(now_ms + 1, due_ms)
        events_made = after.decide(intents.Tick(now_ms), now_ms)
        _record_move(explored, after.copy(), intents.TICK, events_made, after)
    return after, now_ms


def _state_key(match):
    """Return what is equal for two states that count as one."""
    names = _COMPARED.get(match.phase, _PLAY)
    return (match.phase, match.start_ms is None, *(getattr(match, name) for name in names))


def _tries(match):
    """Yield every intent worth trying, with time 0; TICK comes last."""
    need = match.best_of // 2 + 1
    for kind in INTENTS:
        if legal.possible(match, kind):
            intent_class = _CLASSES[kind]
            zeros = (0,) * (len(_NAMES[kind]) - 1)
            tried = _TRIED[kind](need) if kind in _TRIED else (zeros,)
            yield from (intent_class(0, *fields) for fields in tried)
    if match.due_ms(1) is not None:
        yield intents.Tick(0)


def _record_move(explored, match, kind, events_made, after):
    """Apply the events to the match ``after``, and record a change of phase with its event."""
    if events_made and kind != intents.TICK:
        explored.acts.setdefault(match.phase, set()).add(kind)
    for event in events_made:
        after.apply(event)
    if after.phase != match.phase:
        first, *_ = events_made
        explored.moves.add((match.phase, first.kind, after.phase))
