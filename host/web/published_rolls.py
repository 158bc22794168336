"""What ``/check`` shows: a round's commitments, and once a match is over its seed, nonce and rolls,
which the page recomputes.

A seed is told to nobody before its match is over; nothing is told of a round that is a draft.
"""

from firmware.core import seeds
from host.base.errors import UserError
from host.event import imported_results
from host.event.seed_periods import Commitment, SeedPeriod
from host.web import reads
from host.web.cards import MatchCommitmentCard, SeedCard
from host.web.desk_service import DeskService
from host.web.reads import Asked


def check(service: DeskService, asked: Asked) -> dict[str, object]:
    """Return the commitments of each table of a round (the query's, else the published one).

    With ``table`` in the query only that table's, with the seeds that may be known. Raises
    UserError for a round or a table that is not played.
    """
    archive = service.archive
    if "round" not in asked.query and service.desk.round is None:
        return {"round": None, "lines": []}
    number = reads.round_asked(service, asked)
    if not imported_results.published(archive, number):
        raise UserError("there is no such round in this event")
    found = service.commitments.of_round(number, service.now_ms)
    pairings = archive.roster.pairings_of(number)
    tables = {one.table for one in pairings if one.table is not None and one.b is not None}
    wanted = asked.query.get("table")
    if wanted is None:
        lines = [_line(table, found.get(table, []), False) for table in sorted(tables)]
    elif wanted in map(str, tables):
        lines = [_line(int(wanted), found.get(int(wanted), []), True)]
    else:
        raise UserError(
            "table {table} does not play in round {round}: check its number",
            table=wanted[:6], round=number,
        )  # fmt: skip
    return {"round": number, "lines": lines}


def _line(table: int, found: list[Commitment], whole: bool) -> dict[str, object]:
    return {"table": table, "matches": [_card(one, whole) for one in found]}


def _card(one: Commitment, whole: bool) -> MatchCommitmentCard:
    period = one.period
    over = period.over or period.past
    told = over and period.seed is not None
    return {
        "commitment": period.commitment.hex(),
        "heard_ms": one.heard_ms,
        "over": over,
        "told": told,
        "rolls": len(period.rolls) if told else None,
        "seed": _seed(period) if told and whole else None,
    }


def _seed(period: SeedPeriod) -> SeedCard:
    """Return what a roll is recomputed from, and the rolls."""
    nonce, seed = period.parts.get(seeds.NONCE), period.seed
    assert seed is not None  # it is told
    return {
        "seed": seed.hex(),
        "nonce": None if nonce is None else nonce.hex(),
        "place": [period.board.device, period.event, *period.match],
        "after": period.after,
        "rolls": [
            {
                "number": rolled.number,
                "randomizer": rolled.randomizer,
                "purpose": rolled.purpose,
                "many": rolled.flips,
                "face": rolled.face,
                "id": seeds.audit_id(period.commitment, rolled.number),
            }
            for _, rolled in period.rolls
        ],
    }
