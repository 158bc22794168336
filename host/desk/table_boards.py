"""Whether a table has a board that can take an order."""

from host.archive.store import Archive
from host.base.errors import UserError


def require(archive: Archive, table: int) -> None:
    """Raise UserError if a table has no board."""
    if archive.roster.board_at(table) is None:
        raise UserError("table {table} has no board: swap a spare in", table=table)


def require_for_time(archive: Archive, table: int) -> None:
    """Raise UserError if a table has no board that shows extra time."""
    if archive.roster.board_at(table) is None:
        said = (
            "no board at table {table} can add the time: swap a spare in, or tell both players the"
            " new end and note it on the slip"
        )
        raise UserError(said, table=table)
