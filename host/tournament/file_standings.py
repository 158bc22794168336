"""How another program's file ranks, kept with the event and held against our own ranking.

Each difference is named and nothing is changed: rules of two programs may differ, and a person
decides.
"""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence

from host.archive.store import Archive
from host.base.json_values import Json
from host.base.sentences import Sentence
from host.event.scores import Round
from host.formats.history import ToldStandings
from host.tournament.elimination import swiss_of
from host.tournament.ranking import Line, Ranking

KEPT = "file standings"
_MOST = 40  # differences named one by one


def keep(archive: Archive, source: str, told: ToldStandings, unix_ms: int) -> None:
    """Store a file's standings, unless those are what is stored."""
    value = {
        "source": source,
        "after": told.after,
        "groups": told.groups,
        "values": told.values or {},
        "final": told.final,
    }
    text = json.dumps(value, sort_keys=True)
    if archive.notices.latest(KEPT) != text:
        archive.notices.add(KEPT, text, source, unix_ms)


def of(archive: Archive) -> tuple[str, ToldStandings] | None:
    """Return ``(source, ToldStandings)`` of the newest file that had any, or None."""
    found = [one for one in archive.notices.read(KEPT, read) if one is not None]
    return found[-1] if found else None


def read(told: Mapping[str, Json]) -> tuple[str, ToldStandings] | None:
    """Return what a notice holds, None where it makes no sense. Raises LookupError, TypeError."""
    source, after, groups, values = (told[key] for key in ("source", "after", "groups", "values"))
    if not isinstance(source, str) or not isinstance(after, int):
        return None
    if not isinstance(groups, list) or not isinstance(values, dict):
        return None
    ranked = tuple(tuple(map(str, one)) for one in groups if isinstance(one, list))
    given = {number: _whole(one) for number, one in values.items() if isinstance(one, dict)}
    return source, ToldStandings(after, ranked, given, told.get("final") is True)


def _whole(told: Mapping[str, Json]) -> dict[str, int]:
    return {column: value for column, value in told.items() if type(value) is int}


def differences(archive: Archive, table: Ranking, rounds: Sequence[Round]) -> list[Sentence]:
    """Return what a file ranked otherwise than ``table``, the standings after ``rounds``.

    Nothing where no file ranked their last Swiss round, or a result is missing here that counts.
    """
    found, swiss = of(archive), swiss_of(rounds)
    if found is None or table.open or not swiss or found[1].after != swiss[-1].number:
        return []
    source, told = found
    later = archive.roster.rounds[-1] > rounds[-1].number
    if told.final and (later or table.bracket and not table.bracket.over):
        return []
    lines = {line.number: line for line in table.lines}
    stands = {
        number: (line.rank if told.final or line.swiss is None else line.swiss, line)
        for number, line in lines.items()
    }
    every = [
        *(one for group in told.groups for one in _places(source, group, stands)),
        *_values(source, told, lines, table.columns),
    ]
    more = len(every) - _MOST
    return every[:_MOST] + (
        [Sentence("further differences: {count}", count=more)] if more > 0 else []
    )


def _places(
    source: str, group: tuple[str, ...], stands: Mapping[str, tuple[int, Line]]
) -> Iterator[Sentence]:
    """Yield who stands elsewhere; players whom nothing tells apart here may stand in any order."""
    theirs = [stands[number] for number in group if number in stands]
    ours = sorted(standing for standing, _ in theirs)
    for place, (standing, line) in enumerate(theirs, 1):
        here = bisect_left(ours, standing) + 1
        if not here <= place <= bisect_right(ours, standing):
            said = "{name} ({number}): place {place} in {file}, {here} here"
            values = {"name": line.name, "number": line.number, "place": place, "file": source}
            yield Sentence(said, **values, here=here)


def _values(
    source: str, told: ToldStandings, lines: Mapping[str, Line], columns: tuple[str, ...]
) -> Iterator[Sentence]:
    for number, given in (told.values or {}).items():
        line = lines.get(number)
        for column, value in zip(columns, line.values if line else (), strict=False):
            if line and column in given and given[column] != value:
                said = "{name} ({number}): {column} {theirs} in {file}, {ours} here"
                yield Sentence(
                    said, name=line.name, number=number, column=column, theirs=given[column],
                    file=source, ours=str(value),
                )  # fmt: skip
