"""XW15 standings: tournament points, then margin of victory, then strength of schedule.

Sources: XW15 Punteggi, Margine di Vittoria Escalation, Spareggi, Bye, Condotta Antisportiva. The
worth of a match comes from ``firmware.core.outcome``, the code that decides at the table. If all
three numbers are equal, the text gives no order: ``Standings.ties`` names those players, and the
organiser decides. The text gives no points for a match that ends with an expulsion: it counts as a
concession of the expelled player *(ours)*, and if both are expelled, both lose.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from firmware.core import outcome, phases
from firmware.core.match import Match as TableMatch
from host.base.errors import UserError
from host.systems import catalogue
from host.systems.match_facts import margins_of
from host.systems.rules import OwnRules, Rules

TEXT = catalogue.built_in()["xw15"]
BYE_MARGIN = 150
_WIN, _LOSS = 0, 3  # their places in a system's ``POINTS``
BOTH = 3  # bits of both players


Pair: TypeAlias = tuple[int, int]
"""A number of a and a number of b."""


@dataclass(frozen=True)
class Match:
    """A played match: points destroyed by a and by b (None if not entered), and how it ended.

    ``wiped``: bit 0 all of a's ships are gone, bit 1 all of b's; ``conceded``: 0 a, 1 b, or None;
    ``expelled``: bit 0 a, bit 1 b, who lose whatever the points say.
    """

    a: str
    b: str
    destroyed: tuple[int, int] | None
    wiped: int = 0
    conceded: int | None = None
    expelled: int = 0


@dataclass(frozen=True)
class Bye:
    """A player's round without an opponent."""

    player: str


@dataclass(frozen=True)
class Absence:
    """A player's round that was missed and counts as a loss without points or margin *(ours)*."""

    player: str


@dataclass
class _Table:
    """A match for ``outcome``: an xw15 table whose last game round is over."""

    destroyed: tuple[int, int] | None
    wiped: int
    conceded: int | None
    cap: int
    rules: Rules
    outcome: int = outcome.NONE
    situation = phases.LAST
    score = (0, 0)
    game = best_of = 1
    elimination = late = award = section = claimed = called = 0
    team = False


@dataclass
class Line:
    """A player's standing; ``met`` holds each opponent once per match."""

    player: str
    points: int = 0
    margin: int = 0
    sos: int = 0
    had_bye: bool = False
    met: list[str] = field(default_factory=list)

    @property
    def values(self) -> tuple[int, int, int]:
        """What decides the order of the standings, the highest first."""
        return self.points, self.margin, self.sos


@dataclass(frozen=True)
class Standings:
    """The lines in rank order, and the groups of players for whom the text gives no order."""

    lines: tuple[Line, ...]
    ties: tuple[tuple[str, ...], ...]

    def of(self, player: str) -> Line:
        """Return a player's line."""
        return next(line for line in self.lines if line.player == player)


def _cap(match: Match, round_number: int, rules: Rules) -> int:
    """Return a round's cap; UserError if it has none, or the match has points beyond it.

    An organiser's own system keeps the last cap in all rounds that follow.
    """
    number = min(round_number, len(rules.CAPS)) if isinstance(rules, OwnRules) else round_number
    if not 1 <= number <= len(rules.CAPS):
        raise UserError(
            "round {number}: Escalation has {count} rounds",
            number=round_number,
            count=len(rules.CAPS),
        )
    cap = rules.CAPS[number - 1]
    if any(not 0 <= points <= cap for points in match.destroyed or ()):
        raise UserError(
            "round {number}, {a} - {b}: destroyed is 0 to {cap}",
            number=round_number,
            a=match.a,
            b=match.b,
            cap=cap,
        )
    return cap


def worth(match: Match, round_number: int, rules: Rules = TEXT) -> tuple[Pair, Pair]:
    """Return ``(points, margins)`` of a match, each a pair, under that round's cap.

    Raises UserError for a round without a cap, a number out of range or one that is missing.
    """
    cap = _cap(match, round_number, rules)
    # ``outcome`` reads only these fields of a match
    table = cast(TableMatch, _table(match, cap, rules))
    table.outcome, _, missing, _ = outcome.verdict(table)
    if missing:
        text = "round {number}, {a} - {b}: the destroyed points are missing"
        raise UserError(text, number=round_number, a=match.a, b=match.b)
    margins = margins_of(table)
    assert margins is not None  # the points are known
    if match.expelled == BOTH:
        loss = rules.POINTS[0][_LOSS]
        return (loss, loss), margins
    a, b = outcome.points(table)
    assert a is not None and b is not None  # the text defines the points of each outcome
    return (a, b), margins


def _table(match, cap, rules):
    """Return a match in the form that ``outcome`` takes.

    Points missing after an expulsion are 0, or all if both squads are destroyed. The squad of the
    player who had conceded (0 A, 1 B) counts as destroyed, too.
    """
    if not match.expelled:
        return _Table(match.destroyed, match.wiped, match.conceded, cap, rules)
    if match.destroyed is not None:
        by_a, by_b = match.destroyed
    else:
        by_a = by_b = cap if match.wiped == BOTH else 0
    if match.conceded == 0:
        by_b = cap
    elif match.conceded == 1:
        by_a = cap
    if match.expelled == BOTH:
        return _Table((by_a, by_b), BOTH, None, cap, rules)
    expelled_seat = 0 if match.expelled == 1 else 1
    return _Table((by_a, by_b), match.wiped, conceded=expelled_seat, cap=cap, rules=rules)


def bye_margin(rules: Rules) -> int:
    """Return the margin of a bye: the text's 150, in an organiser's own system its largest cap if
    that is less.
    """
    if isinstance(rules, OwnRules):
        return min(BYE_MARGIN, max(rules.CAPS))
    return BYE_MARGIN


def standings(rounds: Iterable[Sequence[Match | Bye | Absence]], rules: Rules = TEXT) -> Standings:
    """Return the Standings after ``rounds``, each a list of Match, Bye and Absence, in order.

    ``rules``: XW15's table, or an organiser's own system over it.
    """
    lines: dict[str, Line] = {}
    for number, entries in enumerate(rounds, 1):
        _require_once(entries, number)
        for entry in entries:
            _enter(
                entry, [lines.setdefault(name, Line(name)) for name in _names(entry)], number, rules
            )
    for line in lines.values():
        line.sos = sum(lines[name].points for name in line.met)
    return _rank(lines.values())


def _require_once(entries: Iterable[Match | Bye | Absence], round_number: int) -> None:
    """Raise UserError for a player who appears twice in a round."""
    counts = Counter(name for entry in entries for name in _names(entry))
    for name, count in counts.items():
        if count > 1:
            text = "round {number}: {name} appears twice"
            raise UserError(text, number=round_number, name=name)


def _names(entry: Match | Bye | Absence) -> tuple[str, ...]:
    return (entry.a, entry.b) if isinstance(entry, Match) else (entry.player,)


def _enter(entry, lines, round_number, rules):
    """Add a match, a bye or an absence to its players' lines."""
    if isinstance(entry, Absence):
        return
    if isinstance(entry, Bye):
        points, margins = (rules.POINTS[0][_WIN],), (bye_margin(rules),)
        lines[0].had_bye = True
    else:
        points, margins = worth(entry, round_number, rules)
        lines[0].met.append(entry.b)
        lines[1].met.append(entry.a)
    for line, gained, margin in zip(lines, points, margins, strict=True):
        line.points += gained
        line.margin += margin


def _rank(lines):
    """Sort the lines; players equal in everything keep the order of entry."""
    ordered = sorted(lines, key=lambda line: line.values, reverse=True)
    players_by_values = {}
    for line in ordered:
        players_by_values.setdefault(line.values, []).append(line.player)
    ties = tuple(tuple(players) for players in players_by_values.values() if len(players) > 1)
    return Standings(tuple(ordered), ties)
