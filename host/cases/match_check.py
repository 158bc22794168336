"""What a valid case file looks like; anything else is refused with its place (docs/cases.md)."""

from host.cases import kinds
from host.cases.match_steps import check_format, check_steps

KINDS = ("system", *kinds.KINDS)
EXPECTED = tuple(
    "phase game games turn seat clock outcome section missing points margin refused".split()
)


def check(cases, systems):
    """Raise ValueError with the place and the reason where ``cases`` is no valid case file."""
    _need(isinstance(cases, list), "a case file is a JSON array")
    for i, case in enumerate(cases):
        place = f"case {i + 1}"
        _need(isinstance(case, dict), f"{place}: a case is an object")
        name = case.get("name")
        _need(isinstance(name, str) and name, f"{place}: its name is missing")
        place = f'{place} "{name}"'
        found = [kind for kind in KINDS if kind in case]
        _need(len(found) == 1, f"{place}: needs exactly one of {', '.join(KINDS)}")
        _need(isinstance(case.get("expect"), dict), f"{place}: what to expect is missing")
        if found == ["system"]:
            _check_match(case, systems, place)
        else:
            _check_other(case, found[0], systems, place)


def _check_other(case, kind, systems, place):
    try:
        kinds.check(kind, case, systems)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def _need(holds, complaint):
    if not holds:
        raise ValueError(complaint)


def _check_match(case, systems, place):
    system = case["system"]
    _need(isinstance(system, str) and system in systems, f"{place}: no system {system!r}")
    unknown = set(case["expect"]) - set(EXPECTED)
    _need(not unknown, f"{place}: cannot expect {min(unknown, default=None)!r}")
    check_format(case.get("format"), systems[system], place)
    check_steps(case.get("steps"), place)
