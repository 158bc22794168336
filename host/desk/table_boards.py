"""Checks whether a table has a board that accepts an order."""

from collections.abc import Callable, Iterable

from firmware.core import intents, legal, phases
from host.archive.roster import Board
from host.archive.store import Archive
from host.base.errors import UserError
from host.event.live_boards import Status


class NoBoard(UserError):
    """A table has no board for an act. Its result can be typed from paper."""


def require(archive: Archive, table: int) -> Board:
    """Return a table's board. Raises UserError if it has none."""
    board = archive.roster.board_at(table)
    if board is None:
        raise UserError("table {table} has no board: swap a spare in", table=table)
    return board


def require_for_act(
    archive: Archive, table: int, kind: int, has_result: Callable[[int], bool]
) -> None:
    """Raise UserError if a table does not accept a judge's act of this kind: NoBoard without a
    board, or because it has its result. ``has_result(table)`` is only called if that matters.
    """
    if not _without_match(kind) and archive.roster.board_at(table) is None:
        refusal = (
            "table {table} has no board for that: swap a spare in, or type its result from paper"
        )
        raise NoBoard(refusal, table=table)
    if _only_in_play(kind) and has_result(table):
        raise UserError("table {table} has its result: reopen or withdraw it first", table=table)


def _without_match(kind: int) -> bool:
    """Whether an act is also legal without a match, and so without a board: it ends a call, sets
    switches, or clears a round.
    """
    return kind == intents.CLEAR_ROUND or legal.in_phase(kind, phases.IDLE)


def _only_in_play(kind: int) -> bool:
    """Whether an act is only legal in a match that has no result yet."""
    frozen_or_playing = any(
        legal.in_phase(kind, phase) for phase in (phases.PLAYING, phases.FROZEN)
    )
    return frozen_or_playing and not legal.in_phase(kind, phases.AGREED)


def require_reported(archive: Archive, statuses: Iterable[Status], table: int) -> None:
    """Raise UserError while a table's board may have an extension from a lost laptop that it has
    not reported yet: a new total would leave that one out.
    """
    status = next((status for status in statuses if status.table == table), None)
    restored = archive.floor > 1
    if restored and status is not None and not status.visited:
        raise UserError(
            "table {table} has not yet reported what the lost laptop gave it: try again once its"
            " board is heard",
            table=table,
        )


def require_for_time(archive: Archive, table: int) -> None:
    """Raise UserError if a table has no board that shows extra time."""
    if archive.roster.board_at(table) is None:
        refusal = (
            "no board at table {table} can add the time: swap a spare in, or tell both players the"
            " new end and note it on the slip"
        )
        raise UserError(refusal, table=table)
