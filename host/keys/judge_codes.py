"""A board's one-time codes for judges: the next ones, or a list to print and cross out."""

from collections.abc import Sequence
from dataclasses import dataclass

from firmware.core import code, events
from host.archive.roster import Board
from host.archive.store import Archive
from host.base.errors import UserError
from host.keys.keyring import Keyring


@dataclass(frozen=True)
class CodeRequest:
    """The codes to list: ``count`` for each board at ``tables`` (empty: for every board), from the
    number ``first`` on, counted from 0; None: from the first unused code.
    """

    tables: Sequence[int] = ()
    count: int = 20
    first: int | None = None

    def boards(self, archive: Archive) -> list[Board]:
        """Return the boards, by table. Raises UserError for a table without one."""
        every = archive.roster.current_boards.values()
        boards = sorted(every, key=lambda board: board.address)
        if not self.tables:
            return boards
        chosen = [board for board in boards if board.table in self.tables]
        lacking = {*self.tables} - {board.table for board in chosen}
        if lacking:
            raise UserError("table {table} has no board: swap a spare in", table=min(lacking))
        return chosen


def next_number(archive: Archive, board: Board) -> int:
    """Return the number of a Board's first unused code, as far as archived."""
    entered = archive.records(archive.roster.current_event.number, [events.CODE_ENTERED])
    own_events = [record.board_event for record in entered if record.board == board.key]
    numbers = [event.number for event in own_events if isinstance(event, events.CodeEntered)]
    return max(numbers, default=0)


def codes(
    keyring: Keyring, archive: Archive, board: Board, count: int, first: int | None = None
) -> list[tuple[int, str]]:
    """Return ``count`` codes of a Board at the current event: number and six digits.

    They begin with the number ``first``, or with the first unused one.
    """
    key = code.judges_key(keyring.board(*board.key), archive.roster.current_event.number)
    first = next_number(archive, board) if first is None else first
    return [(number, code.hotp(key, number)) for number in range(first, first + count)]


def sheet(keyring: Keyring, archive: Archive, request: CodeRequest) -> list[str]:
    """Return the lines of a list with each Board's codes, to be used in order, once each."""
    name = archive.roster.current_event.name
    lines = [f"{name}: judge's codes. Use each once, in order; cross it out."]
    for board in request.boards(archive):
        place = f"table {board.table}" if board.table else "spare"
        lines += ["", f"{place} (board {board.device})"]
        board_codes = codes(keyring, archive, board, request.count, request.first)
        for row in range(0, len(board_codes), 5):
            cells = [
                f"{number + 1:>3} {digits[:3]} {digits[3:]}"
                for number, digits in board_codes[row : row + 5]
            ]
            lines.append("   ".join(cells))
    return lines
