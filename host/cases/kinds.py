"""All kinds of cases except match cases: the key in the case file and the function that runs it.

The functions in ``OF_SYSTEMS`` also take the catalogue of systems.
"""

from collections.abc import Callable

from host.base.json_values import Json
from host.cases import cut, draft, lengths, opening, rolls, staff, xwing
from host.cases.need import Case, Got
from host.systems import catalogue
from host.systems.rules import Catalogue

ALONE: dict[str, Callable[[Json], Got]] = {
    "draft": draft.run,
    "standings": xwing.run_standings,
    "pairing": xwing.run_pairing,
    "squads": xwing.run_squads,
    "setup": xwing.run_setup,
    "scores": xwing.run_scores,
    "teams": staff.run_teams,
    "members": staff.run_members,
    "deck_checks": staff.run_deck_checks,
    "lists": staff.run_lists,
}
OF_SYSTEMS: dict[str, Callable[[Json, Catalogue], Got]] = {
    "policy": staff.run_policy,
    "rolls": rolls.run,
    "first": lengths.run_first,
    "opening": opening.run,
    "lengths": lengths.run,
    "cut": cut.run,
}
KINDS = (*ALONE, *OF_SYSTEMS)


def run(kind: str, case: Case, systems: Catalogue | None = None) -> Got:
    """Return the actual values of a case. Raises ValueError, with a sentence, if it is invalid."""
    if kind in OF_SYSTEMS:
        return OF_SYSTEMS[kind](case[kind], systems or catalogue.built_in())
    return ALONE[kind](case[kind])


def differences(expected: Case, got: Got) -> list[str]:
    """Return one sentence for each expected value that differs from the actual one.

    An expected ``ask`` matches any sentence. An expected object matches if each of its keys does;
    further actual keys are ignored.
    """
    return [
        f"{key} is {got.get(key)!r}, not {value!r}"
        for key, value in expected.items()
        if not _agrees(key, value, got.get(key))
    ]


def _agrees(key: str, value: Json, actual: Json) -> bool:
    """Return whether an actual value is as expected."""
    if key == "ask":
        return bool(actual) == bool(value)
    if isinstance(value, dict) and isinstance(actual, dict):
        return all(name in actual and actual[name] == wanted for name, wanted in value.items())
    return actual == value and isinstance(actual, bool) == isinstance(value, bool)
