"""An organiser's own system in the virtual venue: the event that has it, and its usual round."""

from pathlib import Path

from host.archive.roster import Event, Format
from host.archive.store import Archive
from host.event import event_systems
from host.formats.round_format import parse_format
from host.systems.match_facts import usual_minutes
from host.systems.rules import OwnRules

BY = "virtual"
_GAMES = ("bo3", "bo2", "bo1")  # the first that a system has


def usual_format(rules: OwnRules) -> Format:
    """Return a Swiss round of a system, of several games where it has them."""
    found: Format | None = None
    for games in _GAMES:
        try:
            found = _swiss(rules, games, 1)
        except ValueError:  # such as a tree for single games alone
            continue
        break
    assert found is not None  # every system has single games
    return Format(found.system, found.bits, usual_minutes(found.bits, rules))


def _swiss(rules: OwnRules, games: str, minutes: int) -> Format:
    return parse_format(f"{rules.name} swiss {games} {minutes}", {rules.name: rules})


def begin(path: Path, name: str, rules: OwnRules, unix_ms: int) -> None:
    """Open an event with its own system in a new archive, as an import of its first round would."""
    with Archive(path) as archive:
        archive.roster.open_event(Event(1, name, unix_ms))
        event_systems.store(archive, rules, BY, unix_ms, begun=False)
