"""Guards CSV cells that a spreadsheet could take for formulas (CSV injection)."""

import re

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_GUARD = "'"


def guarded(value: str | int | float | None) -> str:
    """Return a cell's text, with an apostrophe in front if it could be a formula."""
    text = "" if value is None else str(value)
    return _GUARD + text if text.startswith((*_FORMULA, _GUARD)) else text


def unguarded(text: str) -> str:
    """Return a text without what guards it: an apostrophe, or ``="…"`` around it."""
    if text.startswith(_GUARD) and text[1:].startswith((*_FORMULA, _GUARD)):
        return text[1:]
    quoted = re.fullmatch('="(.*)"', text)
    return quoted[1].replace('""', '"') if quoted else text
