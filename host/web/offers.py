"""What staff can do at a table now: the acts that its board would take in this phase.

``firmware.core.legal`` says what is legal; pages offer nothing else.
"""

from firmware.core import legal, phases
from firmware.core.match import Match
from host.desk.acts.table import ON_PAGES

_ACTS = [(act, act.intent) for act in ON_PAGES if act.intent is not None]


def offers(match: Match | None, board: bool, done: bool) -> list[str]:
    """Return the acts' names; ``board``: the table has one, ``done``: it has its result."""
    if not board:
        return []
    if match is None or match.phase == phases.IDLE:  # what is ordered now waits for the board
        taken = [] if done else [one for one in _ACTS if legal.in_phase(one[1], phases.SEATED)]
        return [act.name for act, _ in taken if act.offered(None)]
    return [
        act.name
        for act, kind in _ACTS
        if legal.placed(match, kind)
        and (not done or legal.in_phase(kind, phases.AGREED))
        and act.offered(match)
    ]
