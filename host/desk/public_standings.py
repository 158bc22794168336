"""The public standings: those after a round that the organiser has chosen.

They are shown until others are published or they are withdrawn. Only the round's number is stored,
so a result that is corrected later changes them, too.
"""

from collections.abc import Mapping

from host.archive.store import Archive
from host.base.errors import UserError
from host.base.json_values import Json
from host.base.sentences import Sentence
from host.desk.staff import Staff
from host.event import scores
from host.event.imported_results import published
from host.tournament import event_pack, final_places

PUBLIC = "standings published"  # a notice: the round's number, null for none
_MOST_NAMED = 12


def current(archive: Archive) -> int | None:
    """Return the round whose standings are public, or None."""
    notices = archive.notices.read(PUBLIC, _read)
    number = notices[-1] if notices else None
    if number not in archive.roster.rounds or not published(archive, number):
        return None
    return number


def publish(staff: Staff, round: int | None) -> Sentence:
    """Publish the standings after a round, by default the last finished one.

    Raises UserError for a round that is not finished, and if a rule pack must be chosen first.
    """
    archive, number = staff.archive, round
    rounds_published = [each for each in archive.roster.rounds if published(archive, each)]
    if not rounds_published:
        raise UserError("no round is published yet: there are no standings to show")
    if number is not None and number not in rounds_published:
        raise UserError("round {number} is not published: there is nothing to rank", number=number)
    last = rounds_published[-1] if number is None else number
    rounds = scores.rounds_of(archive, staff.station.hall, last)
    finished = final_places.finished_rounds(rounds)
    last_finished = finished[-1].number if finished else None
    if last_finished is None or number not in (None, last_finished):  # it is still played
        scores.require_points(rounds)
        left = [str(score.pairing.table) for score in rounds[-1].open]
        raise UserError(
            "round {number} is not over: no result yet at table {tables}. Publish its standings"
            " once every result is in",
            number=rounds[-1].number,
            tables=", ".join(left[:_MOST_NAMED]) + (" …" if left[_MOST_NAMED:] else ""),
        )
    final_places.standings(finished, event_pack.of_event(archive, None))  # raises without a pack
    _store(staff, last_finished)
    return Sentence("players see the standings after round {number} now", number=last_finished)


def withdraw(staff: Staff) -> Sentence:
    """Withdraw the public standings. Raises UserError if there are none."""
    if current(staff.archive) is None:
        raise UserError("players see no standings now: there is nothing to withdraw")
    _store(staff, None)
    return Sentence("players see no standings now")


def _store(staff: Staff, number: int | None) -> None:
    """Store the round of the public standings, if it changes."""
    if number != current(staff.archive):
        staff.log(PUBLIC, {"round": number})


def _read(notice: Mapping[str, Json]) -> int | None:
    number = notice["round"]
    return number if isinstance(number, int) else None
