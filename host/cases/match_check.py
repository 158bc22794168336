"""Validates a case file; every error names its place (docs/cases.md)."""

from host.base.json_values import Json
from host.cases import kinds
from host.cases.match_steps import check_format, check_steps
from host.cases.need import Case, need
from host.systems.rules import Catalogue

KINDS = ("system", *kinds.KINDS)
EXPECTED = tuple(
    "phase game games turn seat clock outcome section missing points margin refused pregame".split()
)


def check(cases: Json, systems: Catalogue) -> list[Case]:
    """Return the cases of a parsed file. Raises ValueError, with place and reason, if invalid."""
    if not isinstance(cases, list):
        raise ValueError("a case file is a JSON array")
    return [_check(case, f"case {i}", systems) for i, case in enumerate(cases, 1)]


def _check(case: Json, place: str, systems: Catalogue) -> Case:
    """Return a case if it is valid. Raises ValueError, with place and reason, otherwise."""
    if not isinstance(case, dict):
        raise ValueError(f"{place}: a case is an object")
    name = case.get("name")
    need(isinstance(name, str) and bool(name), f"{place}: its name is missing")
    place = f'{place} "{name}"'
    kinds_found = [kind for kind in KINDS if kind in case]
    need(len(kinds_found) == 1, f"{place}: needs exactly one of {', '.join(KINDS)}")
    expected = case.get("expect")
    if not isinstance(expected, dict):
        raise ValueError(f"{place}: what to expect is missing")
    if kinds_found == ["system"]:
        _check_match(case, expected, systems, place)
    else:
        _check_other(case, kinds_found[0], systems, place)
    return case


def _check_other(case: Case, kind: str, systems: Catalogue, place: str) -> None:
    try:
        kinds.run(kind, case, systems)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def _check_match(case: Case, expected: Case, systems: Catalogue, place: str) -> None:
    system = case["system"]
    if not isinstance(system, str) or system not in systems:
        raise ValueError(f"{place}: no system {system!r}")
    unknown = set(expected) - set(EXPECTED)
    need(not unknown, f"{place}: cannot expect {min(unknown, default=None)!r}")
    check_format(case.get("format"), systems[system], place)
    check_steps(case.get("steps"), place)
