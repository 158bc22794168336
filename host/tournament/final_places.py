"""The standings of an event: Swiss, and after a cut the bracket's players before all others.

No text ranks players who lost in the same round *(ours)*: matches for a place decide, if any were
played, then the Swiss rank.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from host.base.errors import UserError
from host.base.sentences import Sentence
from host.event.scores import Round
from host.tournament import elimination
from host.tournament.elimination import Elimination
from host.tournament.ranking import Line, Ranking, ranking
from host.tournament.rule_packs import Pack

_NO_SWISS = "single elimination"


def standings(rounds: Sequence[Round], pack: Pack | None = None) -> Ranking:
    """Return the Ranking after ``rounds``; raises UserError if a pack is needed."""
    bracket = elimination.elimination(rounds)
    if bracket is None:
        return ranking(rounds, pack)
    swiss = elimination.swiss_of(rounds)
    return place(ranking(swiss, pack) if swiss else _level_ranking(bracket), bracket)


def finished_rounds(rounds: Sequence[Round]) -> list[Round]:
    """Return the rounds that standings count by default.

    They end with the last finished one, so that a bye ranks nobody first before play. Once a
    bracket is paired they are all, as its own lines show what is open. Empty before a round is
    finished.
    """
    if any(each.elimination for each in rounds):
        return list(rounds)
    finished = [count for count, each in enumerate(rounds, 1) if not each.open]
    return list(rounds[: finished[-1]]) if finished else []


def last_finished(rounds: Sequence[Round]) -> int:
    """Return the last of the ``finished_rounds`` by its number; raises UserError without one."""
    counted = finished_rounds(rounds)
    if not counted:
        raise UserError("no round is finished yet: choose a round to see it as it stands")
    return counted[-1].number


def running(rounds: Sequence[Round], counted: Sequence[Round]) -> Sentence | None:
    """Return a Sentence on the rounds that standings over ``counted`` leave out, None for all."""
    if len(counted) == len(rounds):
        return None
    if not counted:
        return Sentence("no round is finished yet: choose a round to see it as it stands")
    return Sentence(
        "after round {last}; choose round {round} to see it as it stands",
        last=counted[-1].number,
        round=rounds[-1].number,
    )


def place(table: Ranking, bracket: Elimination) -> Ranking:
    """Return a Swiss Ranking with the bracket's players ranked before all others."""
    lines = {line.number: line for line in table.lines}
    no_values = (0,) * len(table.columns)
    inside = {
        number: lines.get(number)
        or Line(len(lines) + 1, number, player.name, no_values, (), 0)  # came after the Swiss
        for number, player in bracket.players.items()
    }
    ranked = list(_of_bracket(bracket, inside))
    others = [line for line in table.lines if line.number not in inside]
    for line in others:
        rank = len(inside) + 1 + sum(other.rank < line.rank for other in others)
        ranked.append(replace(line, rank=rank, worst=rank))
    ranked = [
        replace(line, swiss=lines[line.number].rank if line.number in lines else None)
        for line in ranked
    ]
    settled = [line.rank for line in ranked if line.rank == line.worst]
    level = tuple(sorted({rank for rank in settled if settled.count(rank) > 1}))
    return replace(table, lines=tuple(ranked), level=level, bracket=bracket)


def of_bracket(table: Ranking) -> Ranking:
    """Return the lines of a Ranking that the bracket decides."""
    inside = table.bracket.players if table.bracket else {}
    return replace(table, lines=tuple(line for line in table.lines if line.number in inside))


def open_places(table: Ranking) -> list[Sentence]:
    """Return a Sentence on each group of places that the bracket has not decided yet."""
    groups: dict[tuple[int, int], list[str]] = {}
    for line in table.lines:
        if line.worst is not None and line.worst > line.rank:
            groups.setdefault((line.rank, line.worst), []).append(line.name)
    return [
        Sentence(
            "places {first} to {last} are open: {names}",
            first=first,
            last=last,
            names=", ".join(names),
        )
        for (first, last), names in groups.items()
    ]


def beside(table: Ranking) -> list[Sentence]:
    """Return a Sentence on each round that was played beside the bracket."""
    text = "round {number} has matches beside the bracket: they count for no place"
    numbers = table.bracket.beside if table.bracket else []
    return [Sentence(text, number=number) for number in numbers]


def _level_ranking(bracket: Elimination) -> Ranking:
    """Return the Ranking of an event without Swiss rounds: all are level."""
    lines = [Line(1, number, player.name, (), (), 0) for number, player in bracket.players.items()]
    return Ranking((), tuple(lines), (), (), _NO_SWISS)


def _of_bracket(bracket: Elimination, inside: Mapping[str, Line]) -> Iterator[Line]:
    """Yield the lines of the bracket's players in order, each with its best and worst place."""
    yield from _still_in(bracket, inside)
    best = 1 + len(bracket.unbeaten)  # the best place of those who left in a round, the last first
    last = len(bracket.rounds) - 1
    for depth in range(last, -1, -1):
        members = [line for line in inside.values() if bracket.left.get(line.number) == depth]
        worst = best + len(members) - 1
        if depth == last and bracket.waiting:
            # each match still played has a loser to come, who may end behind them
            yield from _share_places(members, best - len(bracket.waiting), worst)
        elif any(map(elimination.undecided, _of_place(bracket, members))):
            yield from _share_places(members, best, worst)
        else:
            yield from _in_order(bracket, members, best)
        best = worst + 1


def _still_in(bracket: Elimination, inside: Mapping[str, Line]) -> Iterator[Line]:
    """Yield the unbeaten players: first those whose match of the round is decided."""
    last = len(bracket.rounds) - 1
    playing = {
        player.number for score in bracket.waiting for player in elimination.players_of(score)
    }
    through = [inside[number] for number in bracket.unbeaten if number not in playing]
    yield from _share_places(through, 1, len(through) + len(bracket.waiting))
    players = [inside[number] for number in bracket.unbeaten if number in playing]
    left_in_last = sum(depth == last for depth in bracket.left.values())
    yield from _share_places(players, 1, len(bracket.unbeaten) + left_in_last)


def _share_places(members: Sequence[Line], first: int, worst: int) -> list[Line]:
    """Return lines by rank, each with the same best and worst place."""
    members = sorted(members, key=lambda line: line.rank)
    return [replace(line, rank=first, worst=worst) for line in members]


def _of_place(bracket: Elimination, members: Sequence[Line]) -> list[elimination.Score]:
    """Return the matches for a place that any of ``members`` is in."""
    numbers = {line.number for line in members}
    return [
        score
        for matches in bracket.placing
        for score in matches
        if any(player.number in numbers for player in elimination.players_of(score))
    ]


def _in_order(bracket: Elimination, members: Sequence[Line], first: int) -> Iterator[Line]:
    """Yield lines by the matches for a place, then by rank, from the place ``first`` on."""
    keys = {line.number: (bracket.placing_results(line.number), line.rank) for line in members}
    for line in sorted(members, key=lambda line: keys[line.number]):
        place = first + sum(key < keys[line.number] for key in keys.values())
        yield replace(line, rank=place, worst=place)
