"""Converts a round of a Cryodex file to an EventFile, with the results of earlier rounds.

Cryodex names no winner: the side that destroyed more points won. If the points do not decide, the
match stays open, and a remark says so.
"""

import itertools
from dataclasses import replace

from host.archive.roster import Format, Pairing, Player
from host.base.sentences import Sentence
from host.formats import history
from host.formats.cryodex import Cryodex, CryodexMatch
from host.formats.csv_reader import SheetError
from host.formats.event_file import EventFile
from host.formats.history import FileResult, FileStandings, History, PlayedRound
from host.formats.round_format import parse_format, with_round, with_stage
from host.systems import catalogue
from host.systems.rules import Catalogue

PROPOSED = "xw15"
_NO_ROUND = Sentence("is not paired yet: pair round 1 in Cryodex, export, and import it again")
_BEYOND = Sentence(
    "round {number} has {points} destroyed points, more than Escalation's cap of {cap}: "
    "name what is played (--format; a system of your own with --system, docs/systems.md)"
)
_MORE = Sentence(
    "has {count} Swiss rounds, and Escalation has {most}: "
    "name what is played (--format; a system of your own with --system, docs/systems.md)"
)


def propose(file: Cryodex, round_number: int | None = None) -> Format:
    """Return XW15's Format for a round. Raises SheetError if the file cannot be Escalation."""
    rules = catalogue.built_in()[PROPOSED]
    swiss = [each.matches for each in file.rounds if not each.elimination]
    most = len(rules.CAPS)
    if len(swiss) > most:
        raise SheetError(file.path, None, _MORE.template, count=len(swiss), most=most)
    for number, (matches, cap) in enumerate(zip(swiss, rules.CAPS, strict=False), 1):
        every = [points or 0 for match in matches for points in match.points]
        largest = max(every, default=0)
        if largest > cap:
            values = {"number": number, "points": largest, "cap": cap}
            raise SheetError(file.path, None, _BEYOND.template, **values)
    number = min(_existing_round(file, round_number), most)
    return parse_format(f"{PROPOSED} swiss {rules.MINUTES[number - 1]}")


def event_file(
    file: Cryodex,
    form: Format,
    round_number: int | None = None,
    systems: Catalogue | None = None,
    own_minutes: bool = True,
) -> EventFile:
    """Return a round of a Cryodex file (None: the last) as an EventFile. Raises SheetError.

    ``own_minutes``: the user gave the minutes of ``form``; else the system's apply in each round.
    """
    number = _existing_round(file, round_number)
    remarks: list[Sentence] = []
    rounds = tuple(
        _round(file, each, form, systems or catalogue.built_in(), remarks, own_minutes)
        for each in range(1, number + 1)
    )
    imported = rounds[-1]
    if not imported.pairings:
        raise SheetError(file.path, None, "has no matches in round {number}", number=number)
    past = History(file.path.name, rounds, standings=_standings(file), remarks=tuple(remarks))
    pairings, path = list(imported.pairings), str(file.path)
    return EventFile(
        file.name, number, imported.format, pairings, history=past, path=path, numbered=False
    )


def _existing_round(file: Cryodex, round_number: int | None) -> int:
    """Return a round's number, None for the last one. Raises SheetError for none in the file."""
    number = len(file.rounds) if round_number is None else round_number
    if not file.rounds:
        raise SheetError(file.path, None, _NO_ROUND)
    if not 1 <= number <= len(file.rounds):
        one = "has one round, and not a round {number}"
        several = "has {count} rounds, and not a round {number}"
        counted = Sentence.counted(one, several, count=len(file.rounds), number=number)
        raise SheetError(file.path, None, counted)
    return number


def _round(
    file: Cryodex,
    number: int,
    form: Format,
    systems: Catalogue,
    remarks: list[Sentence],
    own_minutes: bool,
) -> PlayedRound:
    """Return a round; add a remark on each match whose winner the file does not tell."""
    elimination, matches = file.rounds[number - 1]
    pairings: list[Pairing] = []
    results: list[FileResult] = []
    tables = itertools.count(1)
    for pairing, match in enumerate(matches, 1):
        a, b = _players(file, match)
        table = None if b is None else next(tables)
        pairings.append(Pairing(number, pairing, table, a, b))
        if b is None or match.result is None:
            continue
        outcome = _outcome(match)
        if outcome is None:
            values = {"round": number, "a": a.name, "b": b.name, "file": file.path.name}
            text = "{file}, round {round}: it does not say who won, {a} or {b}: type the result"
            remarks.append(Sentence(text, **values))
        else:
            results.append(FileResult(pairing, outcome, _destroyed_points(match)))
    own_minutes = own_minutes and number == len(file.rounds)
    form = _format(file, number, with_stage(form, elimination), systems, own_minutes)
    return PlayedRound(number, form, pairings, tuple(results))


def _format(
    file: Cryodex, number: int, form: Format, systems: Catalogue, own_minutes: bool
) -> Format:
    """Return the format of round ``number``, with the minutes that its system sets for a Swiss
    round; ``own_minutes``: those of ``form`` stay.
    """
    rules = catalogue.known(systems, form.system)  # the format was read with these
    try:
        form = with_round(form, number, rules)
    except ValueError as mistake:
        raise SheetError(file.path, None, mistake.args[0]) from None
    if own_minutes or form.elimination or number > len(rules.CAPS):  # else they go by round
        return form
    return replace(form, minutes=rules.MINUTES[min(number, len(rules.MINUTES)) - 1])


def _players(file: Cryodex, match: CryodexMatch) -> tuple[Player, Player | None]:
    players = [Player(file.numbers[name], name) for name in match.names]
    return players[0], players[1] if len(players) > 1 else None


def _outcome(match: CryodexMatch) -> str | None:
    """Return the outcome of a match that has a result, or None if the points do not fit it."""
    a, b = match.points
    if a is None or b is None:
        return None
    is_draw = match.result == "draw"
    if is_draw != (a == b):
        return None
    if is_draw:
        return history.TIE
    return history.A if a > b else history.B


def _destroyed_points(match: CryodexMatch) -> tuple[int, int] | None:
    a, b = match.points
    return None if a is None or b is None else (a, b)


def _standings(file: Cryodex) -> FileStandings | None:
    """Return the file's standings after its last Swiss round, None if it has none."""
    swiss = [number for number, each in enumerate(file.rounds, 1) if not each.elimination]
    has_standings = bool(file.ranks) or any(file.values.values())
    if not swiss or not has_standings:
        return None
    ranked = tuple(sorted(file.ranks, key=lambda number: file.ranks[number]))
    return FileStandings(swiss[-1], (ranked,) if ranked else (), file.values)
