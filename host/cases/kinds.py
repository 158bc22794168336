"""Every kind of case but a match: its key in a case file, and what runs it.

Those of ``OF_SYSTEMS`` take the catalogue of systems beside the case's object.
"""

from host.cases import cut, draft, lengths, opening, rolls, staff, xwing
from host.systems import catalogue

KINDS = {
    "draft": draft.run,
    "standings": xwing.run_standings,
    "pairing": xwing.run_pairing,
    "policy": staff.run_policy,
    "rolls": rolls.run,
    "squads": xwing.run_squads,
    "setup": xwing.run_setup,
    "scores": xwing.run_scores,
    "teams": staff.run_teams,
    "deck_checks": staff.run_deck_checks,
    "lists": staff.run_lists,
    "first": lengths.run_first,
    "opening": opening.run,
    "lengths": lengths.run,
    "cut": cut.run,
}
OF_SYSTEMS = ("policy", "rolls", "opening", "lengths", "first", "cut")


def run(kind, case, systems=None):
    """Return what the case comes to; raises ValueError, with a sentence, for no valid case."""
    if kind in OF_SYSTEMS:
        return KINDS[kind](case[kind], systems or catalogue.built_in())
    return KINDS[kind](case[kind])


def check(kind, case, systems=None):
    """Raise ValueError unless the case can be run."""
    run(kind, case, systems)


def differences(expected, got):
    """Return a sentence for each expected key that does not hold.

    ``ask`` holds with any sentence; an object holds where every key it names does.
    """
    return [
        f"{key} is {got.get(key)!r}, not {value!r}"
        for key, value in expected.items()
        if not _holds(key, value, got)
    ]


def _holds(key, value, got):
    found = got.get(key)
    if key == "ask":
        return bool(found) == bool(value)
    if isinstance(value, dict) and isinstance(found, dict):
        return all(name in found and found[name] == wanted for name, wanted in value.items())
    return found == value and isinstance(found, bool) == isinstance(value, bool)
