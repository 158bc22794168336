"""A bracket as it is drawn: a column for each round, a box for each match, winners side by side.

Two boxes that lie together lead to one box of the next column, also in rounds that nobody has
paired yet.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from host.archive.roster import Player
from host.base.json_values import Json
from host.base.sentences import Sentence
from host.event.match_results import FILE
from host.event.scores import Score
from host.tournament import elimination
from host.tournament.elimination import Elimination
from host.tournament.ranking import Ranking

_NAMES = {1: Sentence("Final"), 2: Sentence("Semi-finals"), 4: Sentence("Quarter-finals")}


@dataclass(frozen=True)
class Box:
    """A match: its players (None: not known yet, or a bye), who won, and the score, if any."""

    a: Player | None = None
    b: Player | None = None
    won: str = ""  # A or B; a bye's player is A
    figures: tuple[int, int] | None = None
    table: int | None = None
    bye: bool = False


@dataclass(frozen=True)
class Column:
    """A round: its name, and its boxes from top to bottom (None: nothing leads there)."""

    name: Sentence
    boxes: tuple[Box | None, ...]


def columns(found: Elimination) -> list[Column]:
    """Return the columns of an Elimination, the final's last."""
    slots: list[list[Score | None]] = [list(found.rounds[-1])]
    for before in reversed(found.rounds[:-1]):
        slots.insert(0, _leading(slots[0], before))
    drawn: list[list[Box | None]] = [
        [None if one is None else _box(one) for one in column] for column in slots
    ]
    while len(drawn[-1]) > 1 and not found.over:
        drawn.append(_next(drawn[-1]))
    return [Column(_name(len(boxes)), tuple(boxes)) for boxes in drawn]


def places(table: Ranking) -> list[tuple[int, Box]]:
    """Return the matches between players who had lost, each with the best place that it is for."""
    found, ranks = table.bracket, {line.number: line.rank for line in table.lines}
    return [
        (min(ranks[one.number] for one in elimination.players_of(score)), _box(score))
        for matches in (found.placing if found else [])
        for score in matches
    ]


def plain(table: Ranking) -> dict[str, Json] | None:
    """Return a table's bracket as JSON values, without players' numbers; None before a cut."""
    found = table.bracket
    if found is None:
        return None
    swiss = {line.number: line.swiss for line in table.lines}
    return {
        "rounds": [
            {
                "name": column.name,
                "boxes": [one and _plain(one, swiss) for one in column.boxes],
            }
            for column in columns(found)
        ],
        "places": [{"place": place, "box": _plain(one, swiss)} for place, one in places(table)],
        "champion": found.champion and found.champion.name,
    }


def _plain(box, swiss):
    seats = [one and {"name": one.name, "swiss": swiss.get(one.number)} for one in (box.a, box.b)]
    return {
        "players": seats, "won": box.won, "figures": box.figures, "table": box.table,
        "bye": box.bye,
    }  # fmt: skip


def _leading(after: Sequence[Score | None], before: Sequence[Score]) -> list[Score | None]:
    """Return the matches of a round so that two lie together where their players meet next.

    A match that nobody came from stands where there is a place, or at the end.
    """
    free, found = list(before), []
    for score in after:
        for player in _seats(score):
            source = player and next((one for one in free if _played_in(player, one)), None)
            if source is not None:
                free.remove(source)
            found.append(source)
    for at, one in enumerate(found):
        if one is None and free:
            found[at] = free.pop(0)
    return found + free


def _seats(score):
    return (None, None) if score is None else (score.pairing.a, score.pairing.b)


def _played_in(player, score):
    return any(one.number == player.number for one in elimination.players_of(score))


def _box(score: Score) -> Box:
    pairing, result = score.pairing, score.result
    if score.bye:
        return Box(pairing.a, won="A", bye=True)
    won, figures = "", None
    if result is not None:
        won = result.outcome if result.outcome in ("A", "B") else ""
        games = result.games if result.by != FILE and any(result.games) else None
        figures = result.destroyed or games
    return Box(pairing.a, pairing.b, won, figures, pairing.table)


def _next(boxes: list[Box | None]) -> list[Box | None]:
    through = [None if one is None else {"A": one.a, "B": one.b}.get(one.won) for one in boxes]
    through += [None] * (len(through) % 2)
    return [Box(a, b) for a, b in zip(through[::2], through[1::2], strict=True)]


def _name(count: int) -> Sentence:
    return _NAMES.get(count) or Sentence("Round of {count}", count=2 * count)
