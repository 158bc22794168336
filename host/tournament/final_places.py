"""The standings of an event: Swiss, and after a cut the bracket's players before all others.

No text ranks players who lost in the same round *(ours)*: matches for a place decide, if any were
played, then the Swiss rank.
"""

from collections import Counter
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

    They end with the last finished one, so that a bye ranks nobody first before play; there are
    none before a round is finished. Of an event with a bracket all rounds count: the bracket's
    lines show which matches are open.
    """
    counted = list(rounds)
    if any(each.elimination for each in rounds):
        return counted
    while counted and counted[-1].open:
        counted.pop()
    return counted


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
    swiss_lines = {line.number: line for line in table.lines}
    inside: dict[str, Line] = {}
    for number, player in bracket.players.items():
        last, zeros = len(swiss_lines) + 1, (0,) * len(table.columns)
        unranked = Line(last, number, player.name, values=zeros, met=(), byes=0)
        inside[number] = swiss_lines.get(number, unranked)
    others = [line for line in table.lines if line.number not in inside]
    ranked = [*_of_bracket(bracket, inside), *_behind(len(inside), others)]
    swiss_ranks = {line.number: line.rank for line in table.lines}
    lines = tuple(replace(line, swiss=swiss_ranks.get(line.number)) for line in ranked)
    settled = Counter(line.rank for line in lines if line.rank == line.worst)
    # places that several players share for good
    level = tuple(sorted(rank for rank, players in settled.items() if players > 1))
    return replace(table, lines=lines, level=level, bracket=bracket)


def _behind(ahead: int, lines: Sequence[Line]) -> Iterator[Line]:
    """Yield lines with their places behind ``ahead`` other players."""
    for line in lines:
        rank = ahead + 1 + sum(other.rank < line.rank for other in lines)
        yield replace(line, rank=rank, worst=rank)


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
    lines = tuple(
        Line(1, number, player.name, values=(), met=(), byes=0)
        for number, player in bracket.players.items()
    )
    return Ranking(columns=(), lines=lines, level=(), open=(), source=_NO_SWISS)


def _of_bracket(bracket: Elimination, inside: Mapping[str, Line]) -> Iterator[Line]:
    """Yield the lines of the bracket's players in order, each with its best and worst place."""
    yield from _still_in(bracket, inside)
    first = 1 + len(bracket.unbeaten)  # place of those who left in a round; the last round's lead
    last_round = len(bracket.rounds) - 1
    for depth in range(last_round, -1, -1):
        members = [line for line in inside.values() if bracket.left.get(line.number) == depth]
        worst = first + len(members) - 1
        if depth == last_round and bracket.waiting:
            # each match still played has a loser to come, who may end behind them
            yield from _share_places(members, first - len(bracket.waiting), worst)
        elif any(map(elimination.undecided, _matches_for_place(bracket, members))):
            yield from _share_places(members, first, worst)
        else:
            yield from _in_order(bracket, members, first)
        first = worst + 1


def _still_in(bracket: Elimination, inside: Mapping[str, Line]) -> Iterator[Line]:
    """Yield the unbeaten players: first those whose match of the last round is decided."""
    playing = {
        player.number for score in bracket.waiting for player in elimination.players_of(score)
    }
    through = [inside[number] for number in bracket.unbeaten if number not in playing]
    winners_to_come = len(bracket.waiting)
    yield from _share_places(through, best=1, worst=len(through) + winners_to_come)
    still_playing = [inside[number] for number in bracket.unbeaten if number in playing]
    last_round = len(bracket.rounds) - 1
    losers = sum(depth == last_round for depth in bracket.left.values())  # so far
    yield from _share_places(still_playing, best=1, worst=len(bracket.unbeaten) + losers)


def _share_places(members: Sequence[Line], best: int, worst: int) -> list[Line]:
    """Return lines by rank, each with the same best and worst place."""
    members = sorted(members, key=lambda line: line.rank)
    return [replace(line, rank=best, worst=worst) for line in members]


def _matches_for_place(bracket: Elimination, members: Sequence[Line]) -> list[elimination.Score]:
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
        ahead = sum(key < keys[line.number] for key in keys.values())
        yield replace(line, rank=first + ahead, worst=first + ahead)
