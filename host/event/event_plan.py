"""What an organiser says is played before there is a round, and the families and travel groups of
the players: notices of the event.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from host.archive.roster import UNTIMED_MIN, Format
from host.archive.store import Archive
from host.base.json_values import Json, items
from host.event import event_systems
from host.systems import catalogue, match_facts, outcomes
from host.systems.rules import Catalogue, OwnRules

BEGUN = "begun"  # a notice: the format of round 1, and how many rounds there are
PARTIES = "parties"  # a notice: the families and travel groups of players, by number
_MOST_ROUNDS, _MOST_BITS = 255, (1 << 16) - 1


@dataclass(frozen=True)
class Plan:
    """What is played in an event: the Format of round 1, and the number of Swiss rounds, 0 while
    nobody has said it.
    """

    format: Format
    rounds: int


def plan_of(archive: Archive) -> Plan | None:
    """Return what the organiser said is played in the current event, None before."""
    systems = event_systems.of(archive)
    found = [one for one in archive.notices.read(BEGUN, read_plan) if one is not None]
    return next((one for one in reversed(found) if _known(one.format, systems)), None)


def last_format(archive: Archive) -> Format | None:
    """Return the Format of the event's last stored round, before round 1 what was said to be
    played, or None.
    """
    rounds, plan = archive.roster.rounds, plan_of(archive)
    if rounds:
        return archive.roster.format_of(rounds[-1])
    return plan.format if plan else None


def read_plan(told: Mapping[str, Json]) -> Plan | None:
    """Return the Plan in a notice, None if invalid. Raises LookupError, TypeError, ValueError."""
    numbers, rounds = told["format"], told["rounds"]
    if not isinstance(numbers, list) or type(rounds) is not int:
        return None
    system, bits, minutes = (one for one in numbers if type(one) is int)
    if not (0 <= rounds <= _MOST_ROUNDS and 0 <= bits <= _MOST_BITS):
        return None
    return Plan(Format(system, bits, minutes), rounds) if 1 <= minutes <= UNTIMED_MIN else None


def _known(form: Format, systems: Catalogue) -> bool:
    """Whether one of the systems has such a Format."""
    rules = catalogue.numbered(systems, form.system)[1]
    if rules is None or not match_facts.is_format(form.bits, rules):
        return False
    several = isinstance(rules, OwnRules) and match_facts.best_of(form.bits, rules) > 1
    return not several or not list(outcomes.faults(rules, several=True))


def parties(archive: Archive) -> dict[str, frozenset[str]]:
    """Return the families and travel groups of each player of whom any are known, by number."""
    found: dict[str, frozenset[str]] = {}
    for told in archive.notices.read(PARTIES, read_parties):
        found |= told or {}
    return found


def read_parties(told: Mapping[str, Json]) -> dict[str, frozenset[str]]:
    """Return the families and travel groups in a notice. Raises TypeError."""
    return {number: frozenset(_texts(words)) for number, words in told.items()}


def _texts(words: Json) -> list[str]:
    found = [one for one in items(words) if isinstance(one, str)]
    if len(found) != len(items(words)):
        raise TypeError("no text")
    return found
