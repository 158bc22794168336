"""The judge's one-time codes of a board: the next ones for a phone, or a list to print and cross out."""

from firmware.core import code, events, frames


def next_number(archive, board):
    """Return the number of the first code that a Board has not been given, as far as is archived."""
    number = 0
    for entry in archive.records(archive.roster.event.number):
        if (entry.device, entry.generation) == (board.device, board.generation):
            kind, _, _, after, _ = frames.event_of(entry.frame)
            if kind == events.CODE_ENTERED:
                number = max(number, after)
    return number


def codes(keyring, archive, board, count, first=None):
    """Return ``[(number, six digits)]`` for a Board at the current event, from ``first`` or the next."""
    key = code.judges_key(
        keyring.board(board.device, board.generation), archive.roster.event.number
    )
    first = next_number(archive, board) if first is None else first
    return [(number, code.hotp(key, number)) for number in range(first, first + count)]


def sheet(keyring, archive, boards, count, first=None):
    """Return the lines of a printed list: for each Board its codes, to be used in order, once each."""
    lines = [f"{archive.roster.event.name}: judge's codes. Use each once, in order; cross it out."]
    for board in boards:
        place = f"table {board.table}" if board.table else "spare"
        lines += ["", f"{place} (board {board.device})"]
        found = codes(keyring, archive, board, count, first)
        for row in range(0, len(found), 5):
            lines.append("   ".join(f"{n + 1:>3} {c[:3]} {c[3:]}" for n, c in found[row : row + 5]))
    return lines
