"""A bracket as it is drawn: a column for each round, a box for each match.

Two neighbouring boxes lead to one box of the next column, also in rounds that are not paired yet.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from host.archive.roster import Player
from host.base.json_values import Json
from host.base.sentences import Sentence
from host.event.scores import Score
from host.tournament import elimination
from host.tournament.elimination import Elimination
from host.tournament.match_records import figures_of
from host.tournament.ranking import Ranking

# by the number of matches
_NAMES = {1: Sentence("Final"), 2: Sentence("Semi-finals"), 4: Sentence("Quarter-finals")}


@dataclass(frozen=True)
class Box:
    """A match: its players (None: not known yet, or a bye), the winner, and the score, if any."""

    a: Player | None = None
    b: Player | None = None
    won: str = ""  # A or B; a bye's player is A
    figures: tuple[int, int] | None = None
    table: int | None = None
    bye: bool = False


@dataclass(frozen=True)
class Column:
    """A round: its name, and its boxes from top to bottom (None: no match leads there)."""

    name: Sentence
    boxes: tuple[Box | None, ...]


def columns(bracket: Elimination) -> list[Column]:
    """Return the columns of an Elimination, the final last."""
    ordered: list[list[Score | None]] = [list(bracket.rounds[-1])]
    for earlier in reversed(bracket.rounds[:-1]):
        ordered.insert(0, _leading_to(ordered[0], earlier))
    drawn: list[list[Box | None]] = [
        [None if score is None else _box(score) for score in matches] for matches in ordered
    ]
    while len(drawn[-1]) > 1 and not bracket.over:
        drawn.append(_next(drawn[-1]))
    return [Column(_name(len(boxes)), tuple(boxes)) for boxes in drawn]


def places(table: Ranking) -> list[tuple[int, Box]]:
    """Return the matches between players who had lost, each with the best place at stake."""
    bracket, ranks = table.bracket, {line.number: line.rank for line in table.lines}
    return [
        (min(ranks[player.number] for player in elimination.players_of(score)), _box(score))
        for matches in (bracket.placing if bracket else [])
        for score in matches
    ]


def plain(table: Ranking) -> dict[str, Json] | None:
    """Return a table's bracket as JSON values, without players' numbers; None before a cut."""
    bracket = table.bracket
    if bracket is None:
        return None
    swiss = {line.number: line.swiss for line in table.lines}
    return {
        "rounds": [
            {
                "name": column.name,
                "boxes": [None if box is None else _box_values(box, swiss) for box in column.boxes],
            }
            for column in columns(bracket)
        ],
        "places": [
            {"place": place, "box": _box_values(box, swiss)} for place, box in places(table)
        ],
        "champion": bracket.champion.name if bracket.champion else None,
    }


def _box_values(box, swiss):
    """Return a box as JSON values; ``swiss``: Swiss places by player's number."""
    seats = [
        {"name": player.name, "swiss": swiss.get(player.number)} if player else None
        for player in (box.a, box.b)
    ]
    return {
        "players": seats, "won": box.won, "figures": box.figures, "table": box.table,
        "bye": box.bye,
    }  # fmt: skip


def _leading_to(after: Sequence[Score | None], earlier: Sequence[Score]) -> list[Score | None]:
    """Return the ``earlier`` round's matches in such an order that two neighbours lead to the same
    match of the round ``after``.

    A match from which nobody advanced fills a gap, or stands at the end.
    """
    unplaced, ordered = list(earlier), []
    for score in after:
        players = (None, None) if score is None else (score.pairing.a, score.pairing.b)
        for player in players:
            source = _match_of(player, unplaced)
            if source is not None:
                unplaced.remove(source)
            ordered.append(source)
    fillers = iter(unplaced)
    filled = [next(fillers, None) if source is None else source for source in ordered]
    return [*filled, *fillers]


def _match_of(player: Player | None, matches: Sequence[Score]) -> Score | None:
    """Return the match that a player was in, None without a player or a match."""
    if player is None:
        return None
    for score in matches:
        if any(each.number == player.number for each in elimination.players_of(score)):
            return score
    return None


def _box(score: Score) -> Box:
    pairing, result = score.pairing, score.result
    if score.bye:
        return Box(pairing.a, won="A", bye=True)
    if result is None:
        return Box(pairing.a, pairing.b, table=pairing.table)
    won = result.outcome if result.outcome in ("A", "B") else ""
    return Box(pairing.a, pairing.b, won, figures_of(result), pairing.table)


def _next(boxes: list[Box | None]) -> list[Box | None]:
    """Return the boxes of the following round, with the winners that are known."""
    winners = [_winner(box) for box in boxes]
    if len(winners) % 2:
        winners.append(None)
    return [Box(a, b) for a, b in zip(winners[::2], winners[1::2], strict=True)]


def _winner(box: Box | None) -> Player | None:
    """Return who has won a box's match, None if that is not known."""
    return {"A": box.a, "B": box.b}.get(box.won) if box else None


def _name(matches: int) -> Sentence:
    """Return the name of a round of so many matches."""
    return _NAMES.get(matches) or Sentence("Round of {count}", count=2 * matches)
