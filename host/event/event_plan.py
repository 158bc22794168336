"""The organiser's plan of an event before there is a round, and the players' families and travel
groups: notices of the event.
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
    """The plan of an event: the Format of round 1, and the number of Swiss rounds, 0 if unknown."""

    format: Format
    rounds: int


def plan_of(archive: Archive) -> Plan | None:
    """Return the organiser's Plan of the current event, None before there is one."""
    systems = event_systems.of(archive)
    plans = [plan for plan in archive.notices.read(BEGUN, read_plan) if plan is not None]
    return next((plan for plan in reversed(plans) if _has_format(plan.format, systems)), None)


def last_format(archive: Archive) -> Format | None:
    """Return the Format of the event's last stored round, else the planned one, or None."""
    rounds, plan = archive.roster.rounds, plan_of(archive)
    if rounds:
        return archive.roster.format_of(rounds[-1])
    return plan.format if plan else None


def read_plan(facts: Mapping[str, Json]) -> Plan | None:
    """Return the Plan in a notice, None if invalid. Raises LookupError, TypeError, ValueError."""
    numbers, rounds = facts["format"], facts["rounds"]
    if not isinstance(numbers, list) or type(rounds) is not int:
        return None
    system, bits, minutes = (number for number in numbers if type(number) is int)
    if not (0 <= rounds <= _MOST_ROUNDS and 0 <= bits <= _MOST_BITS):
        return None
    return Plan(Format(system, bits, minutes), rounds) if 1 <= minutes <= UNTIMED_MIN else None


def _has_format(form: Format, systems: Catalogue) -> bool:
    """Whether a system of the catalogue has such a Format."""
    rules = catalogue.rules_of(systems, form.system)
    if rules is None or not match_facts.is_format(form.bits, rules):
        return False
    if isinstance(rules, OwnRules) and match_facts.best_of(form.bits, rules) > 1:
        return not list(outcomes.faults(rules, several=True))  # it may be for single games alone
    return True


def parties(archive: Archive) -> dict[str, frozenset[str]]:
    """Return the families and travel groups of each player who has any, by number."""
    groups: dict[str, frozenset[str]] = {}
    for notice in archive.notices.read(PARTIES, read_parties):
        groups |= notice or {}
    return groups


def read_parties(facts: Mapping[str, Json]) -> dict[str, frozenset[str]]:
    """Return the families and travel groups in a notice. Raises TypeError."""
    return {number: frozenset(_texts(words)) for number, words in facts.items()}


def _texts(words: Json) -> list[str]:
    texts = [word for word in items(words) if isinstance(word, str)]
    if len(texts) != len(items(words)):
        raise TypeError("no text")
    return texts
