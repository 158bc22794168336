"""Every kind of case but a match: its key in a case file, and what runs it."""

from host.cases import draft, rolls, staff, xwing

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
}


def run(kind, case):
    """Return what the case comes to; raises ValueError, with a sentence, for no valid case."""
    return KINDS[kind](case[kind])


def check(kind, case):
    """Raise ValueError unless the case can be run."""
    run(kind, case)


def differences(expected, got):
    """Return a sentence for each expected key that does not hold.

    ``ask`` holds with any sentence; an object holds where every key it names does.
    """
    return [f"{key} is {got.get(key)!r}, not {value!r}" for key, value in expected.items() if not _holds(key, value, got)]


def _holds(key, value, got):
    found = got.get(key)
    if key == "ask":
        return bool(found) == bool(value)
    if isinstance(value, dict) and isinstance(found, dict):
        return all(name in found and found[name] == wanted for name, wanted in value.items())
    return found == value and isinstance(found, bool) == isinstance(value, bool)
