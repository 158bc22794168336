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
    ends = [at for at, each in enumerate(rounds, 1) if not each.open]
    return list(rounds[: ends[-1]]) if ends else []


def last_finished(rounds: Sequence[Round]) -> int:
    """Return the number of the last of ``finished``; raises UserError before there is one."""
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
    last, none = len(lines) + 1, (0,) * len(table.columns)
    inside = {
        number: lines.get(number) or Line(last, number, player.name, none, (), 0)
        for number, player in bracket.players.items()
    }
    in_bracket = list(_of_bracket(bracket, inside))
    rest = [line for line in table.lines if line.number not in inside]
    behind = [
        replace(line, rank=len(inside) + 1 + sum(other.rank < line.rank for other in rest))
        for line in rest
    ]
    behind = [replace(line, worst=line.rank) for line in behind]
    ranked = [
        replace(line, swiss=lines[line.number].rank if line.number in lines else None)
        for line in (*in_bracket, *behind)
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
    return [
        Sentence(text, number=number) for number in (table.bracket.beside if table.bracket else [])
    ]


def _level_ranking(bracket: Elimination) -> Ranking:
    """Return the Ranking of an event without Swiss rounds: all are level."""
    lines = [Line(1, number, player.name, (), (), 0) for number, player in bracket.players.items()]
    return Ranking((), tuple(lines), (), (), _NO_SWISS)


def _of_bracket(bracket: Elimination, inside: Mapping[str, Line]) -> Iterator[Line]:
    """Yield the lines of the bracket's players in order, each with its best and worst place."""
    yield from _still_in(bracket, inside)
    place = 1 + len(bracket.unbeaten)
    last = len(bracket.rounds) - 1
    for depth in range(last, -1, -1):
        members = [line for line in inside.values() if bracket.left.get(line.number) == depth]
        worst = place + len(members) - 1
        if depth == last and bracket.waiting:
            first = 1 + len(bracket.unbeaten) - len(bracket.waiting)
            yield from _share_places(members, first, worst)
        elif any(map(elimination.undecided, _of_place(bracket, members))):
            yield from _share_places(members, place, worst)
        else:
            yield from _in_order(bracket, members, place)
        place = worst + 1


def _still_in(bracket: Elimination, inside: Mapping[str, Line]) -> Iterator[Line]:
    """Yield the unbeaten players: first those whose match of the round is decided."""
    last, count = len(bracket.rounds) - 1, len(bracket.waiting)
    playing = {
        player.number for score in bracket.waiting for player in elimination.players_of(score)
    }
    unbeaten = bracket.unbeaten
    out = sum(depth == last for depth in bracket.left.values())
    through = [inside[number] for number in unbeaten if number not in playing]
    yield from _share_places(through, 1, len(through) + count)
    players = [inside[number] for number in unbeaten if number in playing]
    yield from _share_places(players, 1, len(unbeaten) + out)


def _share_places(members: Sequence[Line], first: int, worst: int) -> list[Line]:
    members = sorted(members, key=lambda line: line.rank)
    return [replace(line, rank=first, worst=worst) for line in members]


def _of_place(bracket: Elimination, members: Sequence[Line]) -> list[elimination.Score]:
    numbers = {line.number for line in members}
    return [
        score
        for matches in bracket.placing
        for score in matches
        if any(player.number in numbers for player in elimination.players_of(score))
    ]


def _in_order(bracket: Elimination, members: Sequence[Line], place: int) -> Iterator[Line]:
    keys = {line.number: (bracket.stand(line.number), line.rank) for line in members}
    for line in sorted(members, key=lambda line: keys[line.number]):
        ahead = sum(key < keys[line.number] for key in keys.values())
        yield replace(line, rank=place + ahead, worst=place + ahead)
