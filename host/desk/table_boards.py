"""Whether a table has a board that can take an order."""

from collections.abc import Callable, Iterable

from firmware.core import intents
from host.archive.store import Archive
from host.base.errors import UserError
from host.event.live_boards import Status

# acts that a table without a board takes, too: they end a call, or clear what was never there
_ALWAYS = intents.CLEAR_ROUND, intents.SET_POLICY, intents.END_CALL, intents.ARRIVE
# acts that are refused once a table has its result
_IN_PLAY = (
    intents.FREEZE, intents.RESUME, intents.EXTEND, intents.STAMP_LATE, intents.LOSE_GAME,
)  # fmt: skip


class NoBoard(UserError):
    """A table has no board that could take an act. Its result can be typed from paper."""


def require(archive: Archive, table: int) -> None:
    """Raise UserError if a table has no board."""
    if archive.roster.board_at(table) is None:
        raise UserError("table {table} has no board: swap a spare in", table=table)


def require_for_act(
    archive: Archive, table: int, kind: int, has_result: Callable[[int], bool]
) -> None:
    """Raise UserError if a table cannot take a judge's act of this kind: without a board, or
    because it has its result, of which ``has_result(table)`` is asked only where it matters.
    """
    if kind not in _ALWAYS and archive.roster.board_at(table) is None:
        said = "table {table} has no board for that: swap a spare in, or type its result from paper"
        raise NoBoard(said, table=table)
    if kind in _IN_PLAY and has_result(table):
        raise UserError("table {table} has its result: reopen or withdraw it first", table=table)


def require_told(archive: Archive, statuses: Iterable[Status], table: int) -> None:
    """Raise UserError while a table's board may have minutes that a lost laptop gave.

    A new total would omit them.
    """
    status = next((one for one in statuses if one.table == table), None)
    if archive.floor > 1 and status is not None and not status.visited:
        raise UserError(
            "table {table} has still to tell what the lost laptop gave it: ask again when its"
            " board was heard",
            table=table,
        )


def require_for_time(archive: Archive, table: int) -> None:
    """Raise UserError if a table has no board that shows extra time."""
    if archive.roster.board_at(table) is None:
        said = (
            "no board at table {table} can add the time: swap a spare in, or tell both players the"
            " new end and note it on the slip"
        )
        raise UserError(said, table=table)
