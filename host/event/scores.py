"""An event's pairings with their results, by round: the input of the standings."""

from collections.abc import Iterable
from dataclasses import dataclass

from host.archive.roster import Format, Pairing, Player
from host.archive.store import Archive
from host.base.errors import UserError
from host.event import event_systems, imported_results, missed_rounds
from host.event.fold import Hall
from host.event.match_results import Result
from host.systems import catalogue
from host.systems.match_facts import best_of, has_narrow_win
from host.systems.rules import Rules


@dataclass(frozen=True)
class Score:
    """A pairing and its Result, None for a bye and while it is open."""

    pairing: Pairing
    result: Result | None

    @property
    def bye(self) -> bool:
        """Whether it is a bye."""
        return self.pairing.b is None

    @property
    def open(self) -> bool:
        """Whether the result is missing, or the points that the standings count."""
        return not self.bye and (self.result is None or self.result.unscored)


@dataclass(frozen=True)
class Missed:
    """A Player for whom the organiser counts a missed round; ``bye``: as a bye, else as a loss."""

    player: Player
    bye: bool


@dataclass(frozen=True)
class Round:
    """A stored round: its number, its system's name, its Format and a Score for every pairing.

    ``best_of``: the most games of a match; ``missed``: the numbers of players for whom a file
    counts the round as a loss without a match; ``counted``: those for whom the organiser counts it;
    ``rules``: the system, None for an unknown one.
    """

    number: int
    system: str
    format: Format
    scores: tuple[Score, ...]
    best_of: int = 1
    missed: tuple[str, ...] = ()
    rules: Rules | None = None
    counted: tuple[Missed, ...] = ()

    @property
    def elimination(self) -> bool:
        """Whether the loser of a match is out of the event."""
        return self.format.elimination

    @property
    def has_narrow_win(self) -> bool:
        """Whether a win by a count at time is worth other points (D03 216)."""
        return self.rules is not None and has_narrow_win(self.format.bits, self.rules)

    @property
    def open(self) -> list[Score]:
        """The Scores whose results are missing, by table."""
        missing = (score for score in self.scores if score.open)
        return sorted(missing, key=lambda score: score.pairing.table or 0)


def require_points(rounds: Iterable[Round]) -> None:
    """Raise UserError for a result by a code whose points have not been typed."""
    unscored = [
        str(score.pairing.table)
        for each in rounds
        for score in each.open
        if score.result is not None
    ]
    if unscored:
        raise UserError(
            "points are missing: table {tables}, where the result came by a code. Type them first",
            tables=", ".join(unscored),
        )


def rounds_of(archive: Archive, hall: Hall, up_to: int | None = None) -> list[Round]:
    """Return every Round of the current event, or those up to a number.

    Raises UserError for none.
    """
    numbers = [number for number in archive.roster.rounds if up_to is None or number <= up_to]
    if up_to is not None and up_to not in numbers:
        archive.roster.stored_format(up_to)  # raises
    if not numbers:
        raise UserError("there is no round yet: import or draft one first")
    return [round_of(archive, hall, number) for number in numbers]


def round_of(archive: Archive, hall: Hall, number: int) -> Round:
    """Return a stored Round of the current event; raises UserError when there is none."""
    form = archive.roster.stored_format(number)
    results = hall.results(number)
    pairings = archive.roster.pairings_of(number)
    system, rules = catalogue.by_number(event_systems.of(archive), form.system)
    scores = tuple(Score(pairing, results.get(pairing.pairing)) for pairing in pairings)
    games = best_of(form.bits, rules) if rules else form.bits >> 1 & 3
    in_file = imported_results.ImportedRounds(archive).get(number)
    missed = in_file.missed if in_file else ()
    seated = {player.number for pairing in pairings for player in (pairing.a, pairing.b) if player}
    counted = _counted_players(archive, number, seated | set(missed))
    name = system or f"system{form.system}"
    return Round(number, name, form, scores, games, missed, rules, counted)


def _counted_players(archive: Archive, round_number: int, without: set[str]) -> tuple[Missed, ...]:
    """Return whom the organiser counts in a round, except the players ``without``."""
    counts = missed_rounds.of_round(archive, round_number)
    players = archive.roster.players if counts else {}
    return tuple(
        Missed(players[number], counts[number] == missed_rounds.BYE)
        for number in sorted(counts.keys() & players.keys() - without)
    )
