"""How another program's file ranks, kept with the event and held against our own ranking.

Each difference is named and nothing is changed: rules of two programs may differ, and a person
decides.
"""

import json
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from host.archive.store import Archive
from host.base.json_values import Json
from host.base.sentences import Sentence
from host.event.scores import Round
from host.formats.history import ToldStandings
from host.tournament.ranking import Line, Ranking

KEPT = "file standings"
_MOST = 40  # differences named one by one
_UNBEATEN = 1 << 16  # above all rounds

Standing = tuple[int, int, int]


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
    """Return what a file ranked otherwise than ``table``, our Ranking of ``rounds``.

    Nothing where no file ranked their last Swiss round, or a result is missing here that counts.
    """
    found = of(archive)
    swiss = max(one.number for one in rounds if not one.elimination)
    if found is None or found[1].after != swiss or table.open:
        return []
    source, told = found
    bracket = [one for one in rounds if one.elimination]
    later = archive.roster.rounds[-1] > rounds[-1].number
    if told.final and (later or any(one.open for one in bracket)):
        return []
    stands = _by_bracket(table, bracket if told.final else [])
    every = [
        *(one for group in told.groups for one in _places(source, group, stands)),
        *_values(source, told, {line.number: line for line in table.lines}, table.columns),
    ]
    more = len(every) - _MOST
    return every[:_MOST] + (
        [Sentence("further differences: {count}", count=more)] if more > 0 else []
    )


def _by_bracket(table: Ranking, bracket: Sequence[Round]) -> dict[str, tuple[Standing, Line]]:
    """Return each player's standing and Line: whoever played the bracket is ahead of all others, by
    the round of the first loss there, then wins there (a match for third place), then Swiss rank.
    """
    lost: dict[str, int] = {}
    won: Counter[str] = Counter()
    for one in bracket:
        for number in _losers(one):
            lost.setdefault(number, one.number)
        won.update(_winners(one))
    finalists = lost.keys() | won.keys()
    return {
        line.number: (
            (-lost.get(line.number, _UNBEATEN) if line.number in finalists else 0,
             -won[line.number], line.rank),
            line,
        )
        for line in table.lines
    }  # fmt: skip


def _losers(one: Round) -> Iterator[str]:
    yield from one.missed
    for score in one.scores:
        if score.result is not None and score.pairing.b is not None:
            if score.result.outcome in ("B", "neither"):
                yield score.pairing.a.number
            if score.result.outcome in ("A", "neither"):
                yield score.pairing.b.number


def _winners(one: Round) -> Iterator[str]:
    for score in one.scores:
        if score.bye or score.result is not None and score.result.outcome == "A":
            yield score.pairing.a.number
        elif score.pairing.b is not None and score.result and score.result.outcome == "B":
            yield score.pairing.b.number


def _places(
    source: str, group: tuple[str, ...], stands: Mapping[str, tuple[Standing, Line]]
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
