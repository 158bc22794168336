"""What each column of an archive may hold: ranges of its numbers, lengths of its texts.

A file with more in it would raise far from here: a time that fits into no frame stops the radio,
a name of 50 MB a printer. The bounds are wide; no row that this program writes comes near.
"""

_BYTE, _WORD, _TIME_MS = (1 << 8) - 1, (1 << 16) - 1, (1 << 32) - 1  # as frames carry them
_ANY = 1 << 53  # either way
NUMBERS = {
    **dict.fromkeys(("kind", "a", "system"), _BYTE),
    **dict.fromkeys(
        ("device", "generation", "epoch", "counter", "event", "b", "c", "round", "bits", "minutes"),
        _WORD,
    ),
    "table_number": 1 << 17,  # 65536 and more: a spare; -1: its board was revoked, -2: handed on
    "at_ms": _TIME_MS,
    "below": 1 << 16,
    **dict.fromkeys(("received_ms", "asked_ms"), 1 << 42),
}
_LEAST = {"table_number": -2}
_TEXTS = {"value": 1 << 22}  # of a notice: a file of rules, a list
_TEXT = 1 << 16
_BLOBS = {"frame": 256, "digest": 256, "mark": 16}


def outside(column: str, kind: str) -> str | None:
    """Return the SQL condition for a value out of bounds, None where there is no bound.

    ``kind`` is the column's type in lower case.
    """
    if kind == "integer":
        most = NUMBERS.get(column)
        least, most = (-_ANY, _ANY) if most is None else (_LEAST.get(column, 0), most)
        return f"{column} NOT BETWEEN {least} AND {most}"
    most = _TEXTS.get(column, _TEXT) if kind == "text" else _BLOBS.get(column)
    return None if most is None else f"length({column}) > {most}"
