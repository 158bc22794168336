"""Cells that a spreadsheet must not take for formulas (CSV injection)."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_GUARD = "'"


def guarded(value: str | int | float | None) -> str:
    """Return a cell's text, with an apostrophe before what could be a formula."""
    text = "" if value is None else str(value)
    return _GUARD + text if text.startswith((*_FORMULA, _GUARD)) else text


def unguarded(text: str) -> str:
    """Return what ``guarded`` was given; a text that was never guarded stays as it is."""
    return (
        text[1:] if text.startswith(_GUARD) and text[1:].startswith((*_FORMULA, _GUARD)) else text
    )
