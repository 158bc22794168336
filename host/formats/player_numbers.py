"""Restores players' numbers from spreadsheets, which take them for figures, amounts and dates.

A number is text. What a spreadsheet has certainly added is removed; if it may have changed or lost
digits, the number is refused, because another number would be another person.
"""

import pathlib
import re
import unicodedata

from host.base.sentences import Sentence
from host.formats.csv_reader import SheetError

_WHOLE = re.compile(r"(\d+)[.,]0{1,2}")  # 1234567.0
_GROUPED = re.compile(r"\d{1,3}(?:([.,])\d{3}(?:\1\d{3})+|(?:[ '’]\d{3})+)")  # 1,234,567
_DECIMAL = re.compile(r"\d+[.,]\d+")
_ROUNDED = re.compile(r"\d+([.,]\d+)?e[+-]\d+|\d[.,]\d+e\d+|\d{15}00+", re.IGNORECASE)
_MONTHS = (
    "jan gen ene jän janv feb fev fév févr mar mär mrz mars apr abr avr avril may mag mai maio jun"
    " giu juin jul lug juil aug ago aoû août sep set sept oct ott okt out nov dec dic dez déc"
)
_MONTH = "(?:" + "|".join(_MONTHS.split()) + r")\.?"
_DATE = re.compile(
    rf"\d{{1,2}}[-/. ]{_MONTH}([-/. ]\d{{2,4}})?|{_MONTH}[-/. ]\d{{2,4}}"
    r"|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2})|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}",
    re.IGNORECASE,
)
_CHANGED = {
    _ROUNDED: Sentence("rounded it"),
    _DATE: Sentence("made a date of it"),
    _DECIMAL: Sentence("put a sign between its digits"),
}


def restore(cell: str) -> str:
    """Return the number in a cell, without what a spreadsheet certainly added.

    Raises ValueError, with a Sentence, if the cell may have held another number.
    """
    text = "".join(
        str(unicodedata.digit(char)) if char.isdecimal() else char
        for char in unicodedata.normalize("NFKC", cell)
    )
    if re.fullmatch(r"['’]\d.*", text):
        text = text[1:]
    whole = _WHOLE.fullmatch(text)
    if whole:
        return whole[1]
    if _GROUPED.fullmatch(text):
        return re.sub(r"\D", "", text)
    for pattern, change in _CHANGED.items():
        if pattern.fullmatch(text):
            template = (
                "{text} is not the number that was typed, as a spreadsheet {what}: set the column"
                " to text and type the number again"
            )
            raise ValueError(Sentence(template, text=text, what=change))
    return text


def read(path: pathlib.Path, line: int, cell: str) -> str:
    """Return ``restore(cell)``. Raises SheetError, with file and line."""
    try:
        return restore(cell)
    except ValueError as mistake:
        raise SheetError(path, line, mistake.args[0]) from None


def bare(number: str) -> str:
    """Return a number without its leading zeros, which a spreadsheet removes."""
    return number.lstrip("0") if number.isdecimal() else number
