"""What staff can do at a table now: the acts that its board would take in this phase.

``firmware.core.legal`` says what is legal; pages offer nothing else.
"""

from firmware.core import intents, legal, outcome, phases
from firmware.core.match import Match
from host.desk.acts.table import ON_PAGES

_ACTS = {act.name: act.intent for act in ON_PAGES if act.intent is not None}
_UNHEARD = ["freeze", "extend", "late", "rule"]  # they wait for the board
_CORRECTING = ("rule", "reopen", "take_back")
_STILL = (phases.TIME, phases.OVERTIME, phases.FINISHING)  # no clock of the round runs


def offers(match: Match | None, board: bool, done: bool) -> list[str]:
    """Return the acts' names; ``board``: the table has one, ``done``: it has its result."""
    if not board:
        return []
    if match is None or match.phase == phases.IDLE:
        return [] if done else _UNHEARD
    return [
        act
        for act, kind in _ACTS.items()
        if legal.placed(match, kind)
        and (not done or act in _CORRECTING)
        and _HOLDS.get(act, _always)(match)
    ]


def _always(match: Match) -> bool:
    return True


def _runs(match: Match) -> bool:
    """Return whether a clock runs: after time only one of the overtime's own."""
    timed = match.phase == phases.OVERTIME and bool(match.overtime[1])
    return match.phase not in _STILL or timed


def _losable(match: Match) -> bool:
    """Return whether there is a game to lose: one in progress or to come, or the match."""
    plain = intents.WIN_GAME not in match.rules.PLAYS
    return plain or match.progress == 2 or outcome.in_play(match)


_HOLDS = {"freeze": _runs, "loss": _losable}
