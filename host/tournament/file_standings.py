"""The standings of another program's file, stored with the event and compared with our ranking.

Each difference is named and nothing is changed: two programs' rules may differ, and a person
decides.
"""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence

from host.archive.store import Archive
from host.base.json_values import Json
from host.base.sentences import Sentence
from host.event.scores import Round
from host.formats.history import FileStandings
from host.tournament.elimination import swiss_of
from host.tournament.ranking import Line, Ranking

KEPT = "file standings"
_MOST = 40  # differences listed individually


def keep(archive: Archive, source: str, standings: FileStandings, unix_ms: int) -> None:
    """Store a file's standings, unless they are stored already."""
    value = {
        "source": source,
        "after": standings.after,
        "groups": standings.groups,
        "values": standings.values or {},
        "final": standings.final,
    }
    text = json.dumps(value, sort_keys=True)
    if archive.notices.latest(KEPT) != text:
        archive.notices.add(KEPT, text, source, unix_ms)


def of(archive: Archive) -> tuple[str, FileStandings] | None:
    """Return ``(source, FileStandings)`` of the newest file that had standings, or None."""
    stored = [each for each in archive.notices.read(KEPT, read) if each is not None]
    return stored[-1] if stored else None


def read(facts: Mapping[str, Json]) -> tuple[str, FileStandings] | None:
    """Return the content of a notice, None if it is invalid. Raises LookupError, TypeError."""
    source, after, groups, values = (facts[key] for key in ("source", "after", "groups", "values"))
    if not isinstance(source, str) or not isinstance(after, int):
        return None
    if not isinstance(groups, list) or not isinstance(values, dict):
        return None
    ranked = tuple(tuple(map(str, group)) for group in groups if isinstance(group, list))
    columns = {number: _whole(row) for number, row in values.items() if isinstance(row, dict)}
    return source, FileStandings(after, ranked, columns, facts.get("final") is True)


def _whole(row: Mapping[str, Json]) -> dict[str, int]:
    return {column: value for column, value in row.items() if type(value) is int}


def differences(archive: Archive, table: Ranking, rounds: Sequence[Round]) -> list[Sentence]:
    """Return how a file's ranking differs from ``table``, the standings after ``rounds``.

    Empty if no file ranked their last Swiss round, or if a result that counts is missing here.
    """
    stored, swiss = of(archive), swiss_of(rounds)
    if stored is None or table.open or not swiss:
        return []
    source, in_file = stored
    if in_file.after != swiss[-1].number:
        return []
    if in_file.final and not _is_final(archive, table, rounds):
        return []
    lines = {line.number: line for line in table.lines}
    found: list[Sentence] = []
    for group in in_file.groups:
        of_group = [lines[number] for number in group if number in lines]
        # as the file counts: with the bracket, or of the Swiss rounds alone
        ranks = [line.rank if in_file.final else line.swiss_rank for line in of_group]
        found += _places(source, [*zip(ranks, of_group, strict=True)])
    found += _values(source, in_file, lines, table.columns)
    if len(found) > _MOST:
        more = Sentence("further differences: {count}", count=len(found) - _MOST)
        return [*found[:_MOST], more]
    return found


def _is_final(archive: Archive, table: Ranking, rounds: Sequence[Round]) -> bool:
    """Return whether ``table`` counts all rounds of the event, and its bracket is over."""
    counts_all = archive.roster.rounds[-1] <= rounds[-1].number
    return counts_all and (table.bracket is None or table.bracket.over)


def _places(source: str, theirs: Sequence[tuple[int, Line]]) -> Iterator[Sentence]:
    """Yield who has another place; players who are level here may be in any order.

    ``theirs``: our ranks and lines of a group of players, in the file's order.
    """
    our_ranks = sorted(rank for rank, _ in theirs)
    for place, (rank, line) in enumerate(theirs, 1):
        first = 1 + bisect_left(our_ranks, rank)  # of the places that players of this rank share
        last = bisect_right(our_ranks, rank)
        if not first <= place <= last:
            text = "{name} ({number}): place {place} in {file}, {here} here"
            values = {"name": line.name, "number": line.number, "place": place, "file": source}
            yield Sentence(text, **values, here=first)


def _values(
    source: str, in_file: FileStandings, lines: Mapping[str, Line], columns: tuple[str, ...]
) -> Iterator[Sentence]:
    """Yield a Sentence on each value that a player has otherwise in the file."""
    for number, given in (in_file.values or {}).items():
        line = lines.get(number)
        if line is None:
            continue
        for column, value in zip(columns, line.values, strict=False):
            if column in given and given[column] != value:
                text = "{name} ({number}): {column} {theirs} in {file}, {ours} here"
                yield Sentence(
                    text, name=line.name, number=number, column=column, theirs=given[column],
                    file=source, ours=str(value),
                )  # fmt: skip
