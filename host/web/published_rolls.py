"""What ``/check`` shows: a round's commitments, and once a match is over its seed, nonce and rolls,
which the page recomputes.

A seed is never shown before its match is over, and nothing of a draft round.
"""

from firmware.core import seeds
from host.base.errors import UserError
from host.event import imported_results
from host.event.seed_periods import Commitment, SeedPeriod
from host.web import reads
from host.web.cards import MatchCommitmentCard, SeedCard
from host.web.desk_service import DeskService
from host.web.reads import ReadRequest


def check(service: DeskService, request: ReadRequest) -> dict[str, object]:
    """Return the commitments of each table of a round (the query's, else the published one).

    With ``table`` in the query only that table's, with the seeds that may be known. Raises
    UserError for a round or a table that is not played.
    """
    archive = service.archive
    if "round" not in request.query and service.desk.round is None:
        return {"round": None, "lines": []}
    number = reads.requested_round(service, request)
    if not imported_results.published(archive, number):
        raise UserError("there is no such round in this event")
    by_table = service.commitments.of_round(number, service.now_ms)
    pairings = archive.roster.pairings_of(number)
    tables = {
        pairing.table for pairing in pairings if pairing.table is not None and pairing.b is not None
    }
    wanted = request.query.get("table")
    if wanted is None:
        lines = [_line(table, by_table.get(table, []), False) for table in sorted(tables)]
    elif wanted in map(str, tables):
        lines = [_line(int(wanted), by_table.get(int(wanted), []), True)]
    else:
        raise UserError(
            "table {table} does not play in round {round}: check its number",
            table=wanted[:6], round=number,
        )  # fmt: skip
    return {"round": number, "lines": lines}


def _line(table: int, commitments: list[Commitment], whole: bool) -> dict[str, object]:
    return {"table": table, "matches": [_card(commitment, whole) for commitment in commitments]}


def _card(commitment: Commitment, whole: bool) -> MatchCommitmentCard:
    period = commitment.period
    over = period.over or period.past
    revealed = over and period.seed is not None
    return {
        "commitment": period.commitment.hex(),
        "heard_ms": commitment.heard_ms,
        "over": over,
        "told": revealed,
        "rolls": len(period.rolls) if revealed else None,
        "seed": _draws(period) if revealed and whole else None,
    }


def _draws(period: SeedPeriod) -> SeedCard:
    """Return the inputs of the rolls, and the rolls."""
    nonce, seed = period.parts.get(seeds.NONCE), period.seed
    assert seed is not None  # it is revealed
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
