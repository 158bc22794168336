"""Loads and runs case files: matches written in the words of the rules (docs/cases.md)."""

import json
import pathlib
from typing import cast

from host.base import plain_text
from host.base.errors import UserError
from host.cases import kinds, match_case
from host.cases.match_check import KINDS, check
from host.cases.need import Case, Got, MatchCase, mapping
from host.systems import catalogue
from host.systems.rules import Catalogue


def load(path: str | pathlib.Path, systems: Catalogue | None = None) -> list[Case]:
    """Return the checked cases of a JSON file.

    ``systems``: the systems that a case may name; by default the three built-in ones. Raises
    UserError, with place and reason, if the file cannot be read or is not a valid case file.
    """
    try:
        text = plain_text.decode(pathlib.Path(path).read_bytes())
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: byte {error.start} is not UTF-8") from None
    try:
        cases = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise UserError(f"{path}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}: not JSON: {error}") from None
    try:
        return check(cases, systems or catalogue.built_in())
    except ValueError as error:
        raise UserError(f"{path}: {error}") from None


def _no_constant(word):
    raise ValueError(f"{word} is not a number")


def kind_of(case: Case) -> str:
    """Return the kind of a case, one of ``KINDS``: the key that it has; ``system`` for a match."""
    return next(kind for kind in KINDS if kind in case)


def run(case: Case, systems: Catalogue | None = None) -> tuple[bool, Got, list[str]]:
    """Run a checked case; return ``(passed, actual values, one sentence per difference)``."""
    systems = systems or catalogue.built_in()
    if kind_of(case) != "system":
        got = kinds.run(kind_of(case), case, systems)
        differences = kinds.differences(mapping(case["expect"], "expect"), got)
        return not differences, got, differences
    match = cast(MatchCase, case)  # ``load`` has checked it
    got = match_case.play(match, systems[match["system"]])
    differences = [
        f"{key} is {json.dumps(got.get(key))}, not {json.dumps(value)}"
        for key, value in match["expect"].items()
        if got.get(key) != value
    ]
    return not differences, got, differences
