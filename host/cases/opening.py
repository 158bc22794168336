"""Opening cases: a table before its round begins (P18 8.1; XW15 Schieramento).

Room time ``0:00`` is the round's start; times before it are negative. ``table`` sets the round and
its format, ``start`` sets the start at ``0:00``, ``seat S`` confirms a seat; the verbs of match
cases work too. Steps must be in the order of their times.
"""

import re

from firmware.core import intents
from host.base.json_values import Json
from host.cases import match_case, match_steps
from host.cases.case_types import Got
from host.cases.match_case import START_MS, Story, described
from host.cases.need import listing, mapping, need, word
from host.systems.match_facts import usual_minutes
from host.systems.rules import Catalogue

_TIME = re.compile(r"(-?)([0-9]{1,3}):([0-5][0-9])")


class _Opening(Story):
    """A table before any order has reached it."""

    def __init__(self, rules, wanted):
        self.match = match_case.Match(rules)
        self.events = []
        self.bits = match_case.format_bits(wanted, rules)
        self.minutes = wanted.get("minutes", usual_minutes(self.bits, rules))

    def do(self, now_ms, verb, words):
        """Do one step at ``now_ms``; return whether it was legal."""
        self.tick(now_ms)
        number = self.match.rules.NUMBER
        own = {
            "table": [
                (intents.SET_ROUND, 0, 1, 1, 1),
                (intents.SET_FORMAT, 0, number, self.bits, self.minutes),
            ],
            "start": [(intents.SET_START, START_MS, 0, 0, 0)],
            "seat": [(intents.CONFIRM_SEAT, 0, "AB".find(*words[:1]), 0, 0)] if words else [],
        }
        if verb == "look":
            return True
        asked = own.get(verb) or [
            (one[0], 0, *one[1:]) for one in match_case.VERBS[verb](self.match, *words)
        ]
        done = bool(asked) and all([self.write(self.match.decide(one, now_ms)) for one in asked])
        self.tick(now_ms)
        return done


def run(subject: Json, systems: Catalogue) -> Got:
    """Play the ``steps`` of an opening; return the same values as a match case.

    Raises ValueError for bad data.
    """
    subject = mapping(subject, "an opening")
    rules = systems[word(subject.get("system"), "system", systems)]
    wanted = match_steps.check_format(subject.get("format"), rules, "opening")
    story, refused, now_ms = _Opening(rules, wanted), [], 0
    for i, step in enumerate(listing(subject.get("steps"), "steps")):
        step = listing(step, f"step {i}")
        need(len(step) > 1, f"step {i} is [time, verb, ...]")
        before_ms, now_ms = now_ms, _milliseconds(step[0], f"step {i}")
        need(now_ms >= before_ms, f"step {i}: room time goes back to {step[0]}")
        if not isinstance(step[1], str) or step[1] not in _VERBS:
            raise ValueError(f"step {i}: no verb {step[1]!r}")
        kinds = _VERBS[step[1]]
        fits = len(step) - 2 == len(kinds) and all(map(match_steps.fits, step[2:], kinds))
        need(fits, f"step {i}: {step[1]} takes other words")
        if not story.do(now_ms, step[1], step[2:]):
            refused.append(i)
    return described(story.match, now_ms, refused)


_VERBS = match_steps.WORDS | {"table": (), "start": (), "seat": (match_case.SIDES,)}


def _milliseconds(text: Json, where: str) -> int:
    found = _TIME.fullmatch(text) if isinstance(text, str) else None
    if not found:
        raise ValueError(f"{where}: {text!r} is no room time such as -2:00")
    ms = int(found[2]) * 60000 + int(found[3]) * 1000
    return START_MS + (-ms if found[1] else ms)
