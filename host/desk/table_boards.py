"""Whether a table has a board that can take an order."""

from collections.abc import Callable, Iterable

from firmware.core import intents, legal, phases
from host.archive.store import Archive
from host.base.errors import UserError
from host.event.live_boards import Status


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
    if not _without_match(kind) and archive.roster.board_at(table) is None:
        said = "table {table} has no board for that: swap a spare in, or type its result from paper"
        raise NoBoard(said, table=table)
    if _in_play_alone(kind) and has_result(table):
        raise UserError("table {table} has its result: reopen or withdraw it first", table=table)


def _without_match(kind: int) -> bool:
    """Whether an act is right where no match is, and so where no board is: it ends a call, sets
    switches, or clears what was never there.
    """
    return kind == intents.CLEAR_ROUND or legal.in_phase(kind, phases.IDLE)


def _in_play_alone(kind: int) -> bool:
    """Whether an act is one on a match in play, of which none is left once it has its result."""
    frozen_or_playing = any(legal.in_phase(kind, one) for one in (phases.PLAYING, phases.FROZEN))
    return frozen_or_playing and not legal.in_phase(kind, phases.AGREED)


def require_told(archive: Archive, statuses: Iterable[Status], table: int) -> None:
    """Raise UserError while a table's board may have minutes that a lost laptop gave.

    A new total would omit them.
    """
    status = next((one for one in statuses if one.table == table), None)
    if archive.floor > 1 and status is not None and not status.visited:
        raise UserError(
            "table {table} has not yet reported what the lost laptop gave it: try again once its"
            " board is heard",
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
