"""Writes an event with the fields of List Fortress, the public archive of X-Wing events.

The field names are those of its API (as read by public programs): a tournament with
``participants`` and ``rounds``; a match with players, points, winner, ``rounds_played`` and
``went_to_time``. The site's own ids are unknown here: players and matches are numbered from 1, and
``format_id``, ``version_id``, ``tournament_type_id`` and places are null for the site to fill in.
"""

import datetime
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from host.archive.roster import Event
from host.base.json_values import Json
from host.event.scores import Round, Score
from host.reports import exports
from host.tournament.elimination import players_of
from host.tournament.ranking import Line, Ranking
from host.tournament.tiebreaks import Share

_SWISS, _CUT = 1, 2
_NOT_OURS = ("location", "state", "country", "format_id", "version_id", "tournament_type_id")

People: TypeAlias = dict[str, tuple[int, str]]
"""``(id, name)`` by player number; ids count from 1."""
GameRounds: TypeAlias = Mapping[tuple[int, int], int]


def to_json(
    event: Event,
    ranking: Ranking | None,
    rounds: Sequence[Round],
    game_rounds: GameRounds,
    day: datetime.date | None = None,
) -> dict[str, Json]:
    """Return the JSON object of an Event with its Ranking (None: not ranked) and its rounds.

    ``game_rounds``: ``{(round, pairing): count}`` of the game rounds played, where known. ``day``:
    when it was played (default: the day on which it was opened).
    """
    people = _people(rounds)
    return {
        "name": event.name,
        "date": (day or exports.local_day(event.origin_unix_ms)).isoformat(),
        **dict.fromkeys(_NOT_OURS),
        "participants": _participants(people, ranking, rounds),
        "rounds": [_round(each, people, game_rounds) for each in rounds],
    }


written = to_json  # its name until November 2026, which scripts outside still call


def _people(rounds: Sequence[Round]) -> People:
    """Return ``{player number: (id, name)}`` in order of first appearance."""
    people = {}
    for each in rounds:
        for score in each.scores:
            for player in players_of(score):
                people.setdefault(player.number, (len(people) + 1, player.name))
    return people


def _participants(
    people: People, ranking: Ranking | None, rounds: Sequence[Round]
) -> list[dict[str, Json]]:
    lines = {line.number: line for line in ranking.lines} if ranking else {}
    columns = ranking.columns if ranking else ()
    last_scores = rounds[-1].scores if rounds else ()
    in_last_round = {player.number for score in last_scores for player in players_of(score)}
    only_swiss = not any(each.elimination for each in rounds)
    participants = []
    for number, (participant, name) in people.items():
        line = lines.get(number)
        values = dict(zip(columns, line.values, strict=True)) if line else {}
        participants.append({
            "id": participant,
            "name": name,
            "score": _plain(values.get("points")),
            "swiss_rank": line and line.swiss_rank,
            "top_cut_rank": line and _cut_rank(line, ranking),
            "mov": _plain(values.get("margin")),
            "sos": _plain(values.get("sos")),
            "dropped": only_swiss and number not in in_last_round,
            "list_points": None,
            "list_json": None,
        })  # fmt: skip
    return participants


def _cut_rank(line: Line, ranking: Ranking | None) -> int | None:
    """Return a line's rank if the bracket has decided it, else None."""
    bracket = ranking.bracket if ranking else None
    if bracket is None or line.number not in bracket.players:
        return None
    return line.rank if line.rank == line.worst else None


def _plain(value: Share | None) -> int | float | None:
    """Return a number as JSON has it: whole if it is."""
    if value is None:
        return None
    return int(value) if value == int(value) else float(value)


def _round(played: Round, people: People, game_rounds: GameRounds) -> dict[str, Json]:
    return {
        "roundtype_id": _CUT if played.elimination else _SWISS,
        "round_number": played.number,
        "scenario": None,
        "matches": [_match(score, people, game_rounds) for score in played.scores],
    }


def _match(score: Score, people: People, game_rounds: GameRounds) -> dict[str, Json]:
    pairing, result = score.pairing, score.result
    a, _ = people[pairing.a.number]
    b, _ = people[pairing.b.number] if pairing.b else (None, None)
    points_a, points_b = result.destroyed if result and result.destroyed else (None, None)
    winner = None
    if score.bye:
        winner = a
    elif result:
        winner = {"A": a, "B": b}.get(result.outcome)
    return {
        "player1_id": a,
        "player1_points": points_a,
        "player2_id": b,
        "player2_points": points_b,
        "result": _result_word(score),
        "winner_id": winner,
        "rounds_played": game_rounds.get((pairing.round, pairing.pairing)),
        "went_to_time": result.timed if result else None,
    }


def _result_word(score: Score) -> str | None:
    if score.bye:
        return "bye"
    if score.result is None:
        return None
    return "draw" if score.result.outcome == "tie" else "win"
