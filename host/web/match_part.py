"""What a table's card says of its match: each field's type, and below it its value."""

from typing import TypedDict

from firmware.core import phases, team
from firmware.core.match import Match
from host.event.fold import TableFold
from host.event.match_results import as_paired
from host.systems import catalogue
from host.systems.match_facts import PHASES
from host.web import needs

_ROLLS = {1: "shown", needs.DISPUTED: "disputed"}
_TURNS = 4  # the last ones that a card tells
_OVER = (phases.IDLE, phases.AGREED)


class ProposalCard(TypedDict):
    """A proposed outcome; ``confirmed`` has a bit for each seat, ``approval``: a judge must
    approve.
    """

    outcome: str
    section: str | None
    confirmed: int
    approval: bool


class MatchPart(TypedDict):
    """What a table's card says of its match.

    ``swapped``: the players sit at each other's keys; all the rest is as they were paired.
    ``late``, ``present`` and ``seen`` (the extension) have a bit for each seat. ``adjusted`` are
    the prize penalties in force (P19), ``turn_times`` who held each counted turn, and its seconds;
    ``piles`` the prizes that A and B of each team have left in the game in progress (D03 App. B).
    """

    phase: str
    turn: int
    turns: int
    games: list[int]
    best_of: int
    zero_ms: int | None
    frozen_ms: int | None
    extension_s: int
    seen: int
    swapped: bool
    late: int
    present: int
    adjusted: list[int]
    called: bool
    proposal: ProposalCard | None
    roll: str | None
    policy: int
    turn_times: list[tuple[str, int]]
    piles: list[tuple[int, int]] | None


def of_match(match: Match, fold: TableFold | None = None) -> MatchPart:
    """Return the part of a match, with what its table's fold adds."""
    idle = match.phase == phases.IDLE
    return {
        "phase": PHASES[match.phase],
        "turn": match.turn or 0,
        "turns": 0 if idle else match.overtime_turns,
        "games": list(as_paired(match, match.games)),
        "best_of": match.best_of,
        "zero_ms": match.zero_ms,
        "frozen_ms": match.frozen_ms,
        "extension_s": match.extension_s,
        "seen": as_paired(match, match.seen),
        "swapped": bool(match.swapped),
        "late": as_paired(match, match.late),
        "present": as_paired(match, match.present),
        "adjusted": list(as_paired(match, match.adjusted)),
        "called": bool(match.called),
        "proposal": _proposal(match, fold) if fold else None,
        "roll": _ROLLS.get(match.rolled),
        "policy": match.policy,
        "turn_times": [(turn.who, turn.lasted_s) for turn in fold.turns[-_TURNS:]] if fold else [],
        "piles": _piles(match),
    }


def _piles(match: Match) -> list[tuple[int, int]] | None:
    """Return both members' piles of each team, as paired; None outside of a game in teams."""
    in_progress = match.progress == phases.IN_PROGRESS
    if not match.team or not match.cards or not in_progress:
        return None
    one_a, two_b, two_a, one_b = team.piles(match)  # in the order of play: team 1 has started
    team_1, team_2 = (one_a, one_b), (two_a, two_b)
    by_seat = (team_2, team_1) if match.first else (team_1, team_2)
    return list(as_paired(match, by_seat))


def _proposal(match: Match, fold: TableFold) -> ProposalCard | None:
    proposal = fold.proposal
    if proposal is None or match.phase in _OVER:
        return None
    name, section = proposal
    return {
        "outcome": name,
        "section": section,
        "confirmed": as_paired(match, match.confirmed),
        "approval": needs.awaits_approval(match),
    }


# of a table that was not heard: no match has begun there, under whatever rules
UNHEARD = of_match(Match(catalogue.built_in()["p18"]))
