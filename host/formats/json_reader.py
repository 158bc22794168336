"""Reads JSON files of other programs; every error is a sentence."""

import json
import pathlib

from host.base.json_values import Json
from host.base.sentences import Sentence
from host.formats.csv_reader import SheetError, text_of

_DEEPEST = 40


def value_of(path: pathlib.Path, raw: bytes | None = None) -> Json:
    """Return the value of a JSON file of at most 8 MB; ``raw`` as in ``text_of``. Raises
    SheetError.
    """
    text = text_of(path, raw)
    if _depth(text) > _DEEPEST:
        raise SheetError(path, None, "is nested as no tournament is")
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as failure:
        raise SheetError(path, failure.lineno, "is not JSON: {why}", why=failure.msg) from None
    except ValueError as failure:
        raise SheetError(path, None, failure.args[0]) from None


def _depth(text):
    """Return an upper bound of the nesting depth; brackets inside strings also count."""
    depth = deepest = 0
    for char in text:
        if char in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in "]}":
            depth -= 1
    return deepest


def _object(pairs):
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError(Sentence("an object names something twice"))
    return value


def _constant(word):
    raise ValueError(Sentence("{word} is not a number of JSON", word=word))
