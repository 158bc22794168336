"""What each column of an archive may hold: ranges of its numbers, lengths of its texts.

A file with more in it would raise far from here: a time that fits into no frame stops the radio,
a name of 50 MB a printer. The bounds are wide; no row that this program writes comes near.
"""

_BYTE, _WORD, _TIME_MS = (1 << 8) - 1, (1 << 16) - 1, (1 << 32) - 1  # as frames carry them
_ANY = 1 << 53  # either way: a table's number is -1 where a board was revoked, 65736 for a spare
NUMBERS = {
    **dict.fromkeys(("kind", "a"), _BYTE),
    **dict.fromkeys(("device", "generation", "epoch", "counter", "event", "b", "c"), _WORD),
    **dict.fromkeys(("received_ms", "at_ms", "asked_ms"), _TIME_MS),
}
_TEXTS = {"value": 1 << 22}  # of a notice: a file of rules, a list
_TEXT = 1 << 16
_BLOBS = {"frame": 256, "digest": 256, "mark": 16}


def outside(column: str, kind: str) -> str | None:
    """Return the SQL condition for a value out of bounds, None where there is no bound.

    ``kind`` is the column's type in lower case.
    """
    if kind == "integer":
        most = NUMBERS.get(column)
        least, most = (-_ANY, _ANY) if most is None else (0, most)
        return f"{column} NOT BETWEEN {least} AND {most}"
    most = _TEXTS.get(column, _TEXT) if kind == "text" else _BLOBS.get(column)
    return None if most is None else f"length({column}) > {most}"
