"""The forms of ``plusthree export``, each a function that returns ``(file name, text)``.

A new form also needs its words on the desk's page (``export.NAME`` in ``host/web/texts.toml``), and
is tested in ``tests/host/test_take_home.py``.
"""

import datetime
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, TypeAlias

from firmware.core import events
from host.archive import teams
from host.archive.store import Archive
from host.base.errors import UserError
from host.event import event_log, penalties, scores
from host.event.fold import Hall
from host.event.incident_log import incidents
from host.event.scores import Round, Score
from host.event.timeline import game_rounds, match_events
from host.formats import cryodex
from host.reports import exports, list_fortress
from host.tournament import bracket_view, final_places, pods
from host.tournament.elimination import players_of
from host.tournament.ranking import Ranking
from host.tournament.rule_packs import Pack

_PENALTY = (
    "id", "time", "round", "table", "number", "name", "level", "category", "reason", "judge",
    "state",
)  # fmt: skip
_CRYODEX_WORDS = {"A": "win", "B": "win", "tie": "draw", "neither": "draw"}

Export: TypeAlias = tuple[str, str]
"""A file name and the file's text."""
Form: TypeAlias = Callable[[Archive, Hall, Pack | None], Export]


def csv_of(archive: Archive, hall: Hall, _pack: Pack | None) -> Export:
    """Return every pairing with its result as CSV; no cell looks like a formula to a
    spreadsheet.
    """
    return "results.csv", "\ufeff" + exports.csv_of(exports.lines_of(archive, hall))


def json_of(archive: Archive, hall: Hall, pack: Pack | None) -> Export:
    """Return everything as JSON: event, rounds, results, standings if known, incidents, desk log,
    records.
    """
    whole = exports.whole(archive, hall)
    rounds = scores.rounds_of(archive, hall) if archive.roster.rounds else []
    table = _ranking(rounds, pack) if rounds else None
    whole["standings"] = table and {
        "source": table.source,
        "columns": table.columns,
        "lines": _cells_of(table),
        "bracket": bracket_view.plain(table),
    }
    by_pod = pods.tables_of(archive, _counted(rounds), pack) if table else []
    whole["pods"] = [_cells_of(table_of_pod) for table_of_pod in by_pod]
    whole["teams"] = [asdict(team) for team in teams.of(archive).values()]
    whole["boards"] = [vars(board) for board in archive.roster.boards]
    whole["incidents"] = [vars(incident) for incident in incidents(archive)]
    whole["desk_log"] = [dict[str, Any](line) for line in event_log.lines(archive)]
    whole["journal"] = [
        [*record.id, record.received_ms, record.frame.hex()]
        for record in archive.records(archive.roster.current_event.number)
    ]
    return "everything.json", _json(whole)


def _cells_of(table: Ranking) -> list[list[int | str]]:
    return [[line.rank, line.number, line.name, *map(str, line.values)] for line in table.lines]


def cryodex_of(archive: Archive, hall: Hall, pack: Pack | None) -> Export:
    """Return the tournament as Cryodex's JSON, which identifies players by their names."""
    rounds = scores.rounds_of(archive, hall)
    names = _unique_names(rounds)
    table = _ranking(rounds, pack)
    lines = {line.number: line for line in table.lines} if table else {}
    players = []
    for number, name in names.items():
        line = lines.get(number)
        values = dict(zip(table.columns, line.values, strict=True)) if table and line else {}
        players.append({
            "name": name, "score": values.get("points"), "mov": values.get("margin"),
            "sos": values.get("sos"),
            "rank": line and line.swiss_rank,
        })  # fmt: skip
    played = [
        cryodex.CryodexRound(
            each.elimination, [_cryodex_match(score, names) for score in each.scores]
        )
        for each in rounds
    ]
    return "cryodex.json", _json(
        cryodex.to_json(archive.roster.current_event.name, players, played)
    )


def penalties_of(archive: Archive, hall: Hall, pack: Pack | None) -> Export:
    """Return the register of penalties as CSV, including withdrawn ones."""
    in_force = {penalty.id for penalty in penalties.standing(archive)}
    players, origin = archive.roster.players, archive.roster.current_event.origin_unix_ms
    rows = []
    for penalty in penalties.every(archive):
        moment = datetime.datetime.fromtimestamp((origin + penalty.at_ms) / 1000).astimezone()
        player = players.get(penalty.player)
        rows.append([
            penalty.id, moment.strftime("%Y-%m-%d %H:%M:%S"),
            penalty.round or "", penalty.table or "",
            penalty.player, player.name if player else "",
            penalty.level, penalty.category, penalty.reason, penalty.by,
            "in force" if penalty.id in in_force else "withdrawn",
        ])  # fmt: skip
    return "penalties.csv", "\ufeff" + exports.csv_rows(_PENALTY, rows)


def listfortress_of(archive: Archive, hall: Hall, pack: Pack | None) -> Export:
    """Return the tournament as JSON with List Fortress's fields."""
    rounds = scores.rounds_of(archive, hall)
    counts = game_rounds(match_events(archive, (events.TURN_STARTED,)))
    ranking, day = _ranking(rounds, pack), exports.day_of(archive)
    content = list_fortress.to_json(archive.roster.current_event, ranking, rounds, counts, day)
    return "listfortress.json", _json(content)


FORMS: dict[str, Form] = {
    "csv": csv_of,
    "json": json_of,
    "cryodex": cryodex_of,
    "listfortress": listfortress_of,
    "penalties": penalties_of,
}
"""Form → function; TOM's file is not here because it is filled in (``formats.tom_results``)."""
TOMS = "tdf"  # the form of TOM's file


def _counted(rounds: Sequence[Round]) -> Sequence[Round]:
    """Return the rounds that the standings count; all before the first one is finished."""
    return final_places.finished_rounds(rounds) or rounds


def _ranking(rounds: Sequence[Round], pack: Pack | None) -> Ranking | None:
    """Return the Ranking; None if it needs a pack, or if there is nothing to rank."""
    try:
        return final_places.standings(_counted(rounds), pack)
    except UserError:
        if pack is not None:
            raise
        return None


def _unique_names(rounds: Sequence[Round]) -> dict[str, str]:
    """Return the names of all players by number, with the number where a name is not unique."""
    names = {}
    for each in rounds:
        for score in each.scores:
            for player in players_of(score):
                names[player.number] = player.name
    counts = Counter(names.values())
    return {
        number: name if counts[name] == 1 else f"{name} ({number})"
        for number, name in names.items()
    }


def _cryodex_match(score: Score, names: dict[str, str]) -> cryodex.CryodexMatch:
    pairing, result = score.pairing, score.result
    if score.bye:
        return cryodex.CryodexMatch((names[pairing.a.number],), (None, None), "bye")
    points = result.destroyed if result and result.destroyed else (None, None)
    word = _CRYODEX_WORDS[result.outcome] if result else None
    return cryodex.CryodexMatch(
        tuple(names[player.number] for player in players_of(score)), points, word
    )


def _json(value):
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
