"""What ``/check`` shows: a round's commitments, and once a match is over its seed, nonce and rolls,
which the page recomputes.

A seed is never shown before its match is over, and nothing of a draft round.
"""

from collections.abc import Mapping

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
    tables = {pairing.table for pairing in pairings if pairing.table is not None and pairing.b}
    wanted = request.query.get("table")
    if wanted is None:
        lines = [_line(table, by_table, with_seeds=False) for table in sorted(tables)]
    elif wanted in map(str, tables):
        lines = [_line(int(wanted), by_table, with_seeds=True)]
    else:
        raise UserError(
            "table {table} does not play in round {round}: check its number",
            table=wanted[:6], round=number,
        )  # fmt: skip
    return {"round": number, "lines": lines}


def _line(
    table: int, by_table: Mapping[int, list[Commitment]], with_seeds: bool
) -> dict[str, object]:
    cards = [_card(commitment, with_seeds) for commitment in by_table.get(table, [])]
    return {"table": table, "matches": cards}


def _card(commitment: Commitment, with_seeds: bool) -> MatchCommitmentCard:
    period = commitment.period
    over = period.over or period.past
    revealed = over and period.seed is not None
    return {
        "commitment": period.commitment.hex(),
        "heard_ms": commitment.heard_ms,
        "over": over,
        "told": revealed,
        "rolls": len(period.rolls) if revealed else None,
        "seed": _seed_card(period) if revealed and with_seeds else None,
    }


def _seed_card(period: SeedPeriod) -> SeedCard:
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
