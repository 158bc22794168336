"""Each role's view of the state: what viewers must not get is removed here and nowhere else."""

from collections.abc import Callable, Mapping

from host.archive.access_links import JUDGE, may
from host.desk.troubles import CLOCK, RADIO
from host.web import roundcard, tablecard
from host.web.cards import Part, Path
from host.web.snapshot import MANY, SINGLE

STAFF, PLAIN = "staff", "plain"
VIEWS = (STAFF, PLAIN)
_HIDDEN_FROM_VIEWERS = ("orders", "boards", "alarms", "beacon", "penalties", "zones", "door")
_CLOCKS = ("forecast", "expected")  # they would reveal a hidden clock


def view_of(role: str) -> str:
    """Return the view that a role has."""
    return STAFF if may(role, JUDGE) else PLAIN


def share(view: str, path: Path, value: Part, hidden: bool) -> Part:
    """Return a view's share of a part, or None; ``hidden``: the round's clock is hidden."""
    if view == STAFF or value is None:
        return value
    section = path[0]
    if section in _HIDDEN_FROM_VIEWERS or (hidden and section in _CLOCKS):
        return None
    rule = _PLAIN.get(section)
    return rule(value, hidden) if rule else value


_PLAIN: dict[str, Callable[..., Part]] = {
    "tables": tablecard.plain,
    "calls": lambda call, hidden: tablecard.plain_call(call),
    "round": lambda card, hidden: roundcard.plain(card),
    "rounds": lambda card, hidden: roundcard.plain_short(card),
    "troubles": lambda troubles, hidden: [
        {"kind": trouble["kind"], "since_ms": trouble["since_ms"], "why": None}
        for trouble in troubles
        if trouble["kind"] in (CLOCK, RADIO)
    ],
    "paused": lambda card, hidden: {"since_ms": card["since_ms"]},
    "byes": lambda byes, hidden: [{"name": player["name"]} for player in byes],
}


def delta(
    view: str, before: Mapping[Path, Part], changed: Mapping[Path, Part], hidden: bool
) -> list[list[Part]]:
    """Return ``[[section, id, value], …]`` of the changed parts that differ for a view."""
    changes: list[list[Part]] = []
    for path, value in changed.items():
        seen = share(view, path, value, hidden)
        if seen != share(view, path, before[path], hidden):
            changes.append([*path, seen])
    return changes


def nest(view: str, parts: Mapping[Path, Part], hidden: bool) -> dict[str, Part]:
    """Return a view of the parts as the object that pages get."""
    sections: dict[str, dict[str, Part]] = {section: {} for section in MANY}
    nested_parts: dict[str, Part] = {**dict.fromkeys(SINGLE), **sections}
    for (section, key), value in parts.items():
        seen = share(view, (section, key), value, hidden)
        if key is None:
            nested_parts[section] = seen
        elif seen is not None:
            sections[section][key] = seen
    return nested_parts
