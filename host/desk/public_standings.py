"""The standings that players see: those after the round that the organiser has published.

They stand until the next are published or they are withdrawn. What is stored is the round: a result
that is corrected afterwards is corrected there, too.
"""

import json
from collections.abc import Mapping

from host.archive.store import Archive
from host.base.errors import UserError
from host.base.json_values import Json
from host.base.sentences import Sentence
from host.desk.station import Station
from host.event import scores
from host.event.imported_results import published
from host.tournament import event_pack, final_places

PUBLIC = "standings published"  # the notice: after which round, null for none
_MOST_NAMED = 12


def current(archive: Archive) -> int | None:
    """Return the round whose standings players see, or None."""
    known = archive.notices.read(PUBLIC, _read)
    number = known[-1] if known else None
    if number not in archive.roster.rounds or not published(archive, number):
        return None
    return number


def publish(station: Station, number: int | None, author: str) -> Sentence:
    """Let players see the standings after a round, by default the last finished one.

    Raises UserError for a round that is not finished, and where a rule pack must be chosen first.
    """
    archive = station.archive
    seen = [one for one in archive.roster.rounds if published(archive, one)]
    if not seen:
        raise UserError("no round is published yet: there are no standings to show")
    if number is not None and number not in seen:
        raise UserError("round {number} is not published: there is nothing to rank", number=number)
    rounds = scores.rounds_of(archive, station.hall, seen[-1] if number is None else number)
    counted = final_places.finished(rounds)
    if not counted or number not in (None, counted[-1].number):
        left = [str(one.pairing.table) for one in rounds[-1].open]
        raise UserError(
            "round {number} is not over: no result yet at table {tables}. Publish its standings"
            " once every result is in",
            number=rounds[-1].number,
            tables=", ".join(left[:_MOST_NAMED]) + (" …" if left[_MOST_NAMED:] else ""),
        )
    number = counted[-1].number
    final_places.standings(counted, event_pack.of_event(archive, None))
    _keep(station, number, author)
    return Sentence("players see the standings after round {number} now", number=number)


def withdraw(station: Station, author: str) -> Sentence:
    """Let players see no standings any more; raises UserError where they see none."""
    if current(station.archive) is None:
        raise UserError("players see no standings now: there is nothing to withdraw")
    _keep(station, None, author)
    return Sentence("players see no standings now")


def _keep(station: Station, number: int | None, author: str) -> None:
    archive = station.archive
    if number == current(archive):
        return
    unix_ms = archive.roster.current_event.origin_unix_ms + station.collector.now_ms
    archive.notices.add(PUBLIC, json.dumps({"round": number}), author, unix_ms)


def _read(told: Mapping[str, Json]) -> int | None:
    number = told["round"]
    return number if isinstance(number, int) else None
