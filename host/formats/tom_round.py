"""Converts a round of TOM's file to an EventFile, with the results of earlier rounds.

Rounds have TOM's minutes, except for the imported round if the user gave a format with others.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from host.archive.roster import Format, Pairing, Player
from host.base.sentences import Sentence
from host.formats import history
from host.formats.event_file import EventFile
from host.formats.history import FileResult, FileStandings, History, PlayedRound
from host.formats.round_format import UNTIMED_MIN, with_stage
from host.formats.tom_file import (
    BYES,
    DOUBLE_LOSS,
    LATE_LOSS,
    OPEN,
    PLAYER_1,
    PLAYER_2,
    PODS,
    TIE,
    Tdf,
    TdfMatch,
)
from host.formats.tom_xml import TdfError

_OUTCOMES = {
    PLAYER_1: history.A,
    PLAYER_2: history.B,
    TIE: history.TIE,
    LATE_LOSS: history.NEITHER,
    DOUBLE_LOSS: history.NEITHER,
}
_NOT_PAIRED = Sentence(
    "is not paired yet ({count} players): pair round 1 in TOM, save, and import it again; "
    "or pair here: plusthree pair ROUND.csv --players {name}"
)


def event_file(
    tdf: Tdf,
    form: Format,
    round_number: int | None = None,
    pod: str | None = None,
    own_minutes: bool = True,
) -> EventFile:
    """Return a round of a Tdf as an EventFile in the Format ``form``, with the rounds before it.

    ``round_number`` None: the last round with an open match, or else the last round; ``pod`` None:
    all pods. TOM's file decides whether it is an elimination round. ``own_minutes``: the user gave
    the minutes of ``form``, which override TOM's. Raises TdfError.
    """
    number = _default_round(tdf) if round_number is None else round_number
    elimination = _is_elimination(tdf, _choose(tdf, number, pod), number)
    minutes = form.minutes if own_minutes else _minutes(tdf, form, elimination)
    imported = _with_results(tdf, number, pod, replace(form, minutes=minutes))
    remarks: list[Sentence] = []
    rounds = (*_earlier(tdf, form, number, pod, remarks), imported)
    past = History(
        tdf.path.name, rounds, _left_before(tdf, number), _both_minutes(tdf),
        _standings(tdf, pod, rounds), tuple(remarks),
    )  # fmt: skip
    lines = {player.number: player.line for player in tdf.players.values()}
    return EventFile(
        tdf.name or None, number, imported.format, list(imported.pairings), history=past,
        path=str(tdf.path), lines=lines,
    )  # fmt: skip


def _left_before(tdf: Tdf, number: int) -> tuple[str, ...]:
    """Return the numbers of the players who left before a round."""
    return tuple(
        player.number
        for player in tdf.players.values()
        if player.dropped is not None and player.dropped < number
    )


def _default_round(tdf: Tdf) -> int:
    """Return the round to import by default. Raises TdfError if TOM has not paired yet."""
    if tdf.last_round is None:
        raise TdfError(
            tdf.path, None, _NOT_PAIRED.template, count=len(tdf.players), name=tdf.path.name
        )
    return tdf.open_round or tdf.last_round


def _choose(tdf: Tdf, number: int, pod: str | None) -> list[TdfMatch]:
    """Return the matches of a round in a pod, None for all pods."""
    return [match for match in _of_pod(tdf, pod) if match.round == number]


def _of_pod(tdf: Tdf, pod: str | None) -> list[TdfMatch]:
    return [match for match in tdf.matches if pod in (None, match.pod)]


def _is_elimination(tdf: Tdf, chosen: list[TdfMatch], number: int) -> bool:
    """Return whether a round is an elimination. Raises TdfError if pods differ or it is empty."""
    kinds = {match.elimination for match in chosen if match.playable}
    if not kinds:
        raise TdfError(tdf.path, None, "has no matches in round {number}", number=number)
    if len(kinds) > 1:
        pods = sorted({PODS[match.pod] for match in chosen if match.elimination})
        text = "round {number} is elimination for {pods} alone: read one age group by itself"
        refusal = TdfError(tdf.path, None, text, number=number, pods=", ".join(pods))
        refusal.option = "--pod NUMBER"
        raise refusal
    return kinds.pop()


def _minutes(tdf: Tdf, form: Format, elimination: bool) -> int:
    """Return a round's minutes from TOM's file, or those of ``form`` if it has none."""
    both = _both_minutes(tdf)
    if both is None:
        return form.minutes
    swiss_min, elimination_min = both
    return elimination_min if elimination else swiss_min


def _both_minutes(tdf: Tdf) -> tuple[int, int] | None:
    """Return the minutes of a Swiss and of an elimination round in TOM's file, None without any."""
    if tdf.minutes is None:
        return None
    swiss, elimination = tdf.minutes
    return swiss or UNTIMED_MIN, elimination or UNTIMED_MIN


def _earlier(tdf, form, number, pod, remarks):
    """Return the rounds before ``number``; add a remark on each round that cannot be read."""
    earlier = []
    played = {match.round for match in tdf.matches if match.playable}
    for before in sorted(each for each in played if each < number):
        try:
            elimination = _is_elimination(tdf, _choose(tdf, before, pod), before)
        except TdfError:
            text = "round {round} of {file} was not read: read one age group by itself"
            remarks.append(Sentence(text, round=before, file=tdf.path.name))
            continue
        timed = replace(form, minutes=_minutes(tdf, form, elimination))
        earlier.append(_with_results(tdf, before, pod, timed, over=True))
    return earlier


def _with_results(
    tdf: Tdf, number: int, pod: str | None, form: Format, over: bool = False
) -> PlayedRound:
    """Return a round with its results. Raises TdfError if it is not ``over`` and a match has no
    table.
    """
    chosen = _choose(tdf, number, pod)
    form = with_stage(form, _is_elimination(tdf, chosen, number))
    matches_and_byes = [match for match in chosen if match.playable or match.outcome in BYES]
    is_open = any(match.playable and match.outcome == OPEN for match in chosen)
    if is_open and not over:
        tables = _tables(tdf, matches_and_byes)
    else:
        tables = _tables_when_over(matches_and_byes)
    pairings: list[Pairing] = []
    results: list[FileResult] = []
    for pairing, (match, table) in enumerate(zip(matches_and_byes, tables, strict=True), 1):
        pairings.append(_pairing(tdf, match, pairing, table))
        if match.playable and match.outcome != OPEN:
            results.append(FileResult(pairing, _OUTCOMES[match.outcome]))
    missed = tuple(
        match.numbers[0]
        for match in chosen
        if len(match.numbers) == 1 and match.outcome == LATE_LOSS
    )
    return PlayedRound(number, form, pairings, tuple(results), missed)


def _pairing(tdf: Tdf, match: TdfMatch, number: int, table: int) -> Pairing:
    """Return a match or a bye as the Pairing with a number."""
    players = [Player(player, tdf.players[player].name) for player in match.numbers]
    if match.playable:
        return Pairing(match.round, number, table, *players)
    return Pairing(match.round, number, table=None, a=players[0], b=None)


def _tables_when_over(matches: list[TdfMatch]) -> list[int]:
    """Return the tables of a finished round: TOM's if they are all different, else 1, 2, 3 …"""
    tables = [match.table for match in matches if match.playable]
    if all(tables) and len({*tables}) == len(tables):
        return [match.table for match in matches]
    return list(range(1, len(matches) + 1))


def _tables(tdf: Tdf, matches: list[TdfMatch]) -> list[int]:
    """Return TOM's tables. Raises TdfError if one is missing, or given twice."""
    lines: dict[int, int] = {}
    for match in matches:
        if not match.playable:
            continue
        if match.table == 0:
            sentence = "a match has no table yet: let TOM give the tables first"
            raise TdfError(tdf.path, match.line, sentence)
        if match.table in lines:
            sentence = "table {table} is given already in line {line}"
            raise TdfError(
                tdf.path, match.line, sentence, table=match.table, line=lines[match.table]
            )
        lines[match.table] = match.line
    return [match.table for match in matches]


def _standings(tdf: Tdf, pod: str | None, rounds: Sequence[PlayedRound]) -> FileStandings | None:
    """Return TOM's ranking, or None. Without the whole bracket in ``rounds`` it omits the bracket's
    players, whom TOM ranks by it.
    """
    matches = _of_pod(tdf, pod)
    bracket = [match for match in matches if match.elimination]
    has_whole_bracket = {match.round for match in bracket} <= {each.number for each in rounds}
    in_bracket = {number for match in bracket for number in match.numbers}
    left_out = set() if has_whole_bracket else in_bracket
    groups = tuple(
        tuple(number for number in numbers if number not in left_out)
        for category, numbers in tdf.places
        if pod in (None, category)
    )
    # a pod that is only a cut of ages that played together has no Swiss rounds of its own
    last = _last_swiss(matches) or _last_swiss(tdf.matches)
    if last is None or not any(groups):
        return None
    return FileStandings(last, groups, final=bool(bracket) and has_whole_bracket)


def _last_swiss(matches: Iterable[TdfMatch]) -> int | None:
    swiss = [match for match in matches if match.playable and not match.elimination]
    return max((match.round for match in swiss), default=None)
