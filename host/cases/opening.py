"""Opening cases: a table before its round begins (P18 8.1; XW15 Schieramento).

Room time ``0:00`` is the round's start; times before it are negative. ``table`` sets the round and
its format, ``start`` sets the start at ``0:00``, ``seat S`` confirms a seat; the verbs of match
cases work too. Steps must be in the order of their times.
"""

import re

from firmware.core import intents
from host.base.json_values import Json
from host.cases import match_case, match_steps
from host.cases.match_case import START_MS, Story, summary
from host.cases.need import Got, listing, mapping, need, word
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
        if verb == "look":
            return True
        wanted = self._intents(now_ms, verb, words)
        decided = [bool(self._ask(intent, now_ms)) for intent in wanted]
        self.tick(now_ms)
        return bool(decided) and all(decided)

    def _intents(self, now_ms, verb, words):
        if verb == "table":
            form = intents.SetFormat(0, self.match.rules.NUMBER, self.bits, self.minutes)
            return [intents.SetRound(0, 1, 1, 1), form]
        if verb == "start":
            return [intents.SetStart(START_MS)]
        if verb == "seat":
            return [intents.ConfirmSeat(0, "AB".find(*words))]
        return match_case.VERBS[verb](self.match, now_ms, *words)


def run(subject: Json, systems: Catalogue) -> Got:
    """Play the ``steps`` of an opening; return the same values as a match case.

    Raises ValueError for bad data.
    """
    subject = mapping(subject, "an opening")
    rules = systems[word(subject.get("system"), "system", systems)]
    wanted = match_steps.check_format(subject.get("format"), rules, "opening")
    story, refused, now_ms = _Opening(rules, wanted), [], 0
    for i, step in enumerate(listing(subject.get("steps"), "steps")):
        where = f"step {i}"
        step = listing(step, where)
        need(len(step) > 1, f"{where} is [time, verb, ...]")
        before_ms, now_ms = now_ms, _milliseconds(step[0], where)
        need(now_ms >= before_ms, f"{where}: room time goes back to {step[0]}")
        word_1, *words = step[1:]
        verb = match_steps.check_words(word_1, words, _VERBS, where)
        if not story.do(now_ms, verb, words):
            refused.append(i)
    return summary(story.match, now_ms, refused)


_VERBS = match_steps.WORDS | {"table": (), "start": (), "seat": (match_case.SIDES,)}


def _milliseconds(text: Json, where: str) -> int:
    match = _TIME.fullmatch(text) if isinstance(text, str) else None
    if not match:
        raise ValueError(f"{where}: {text!r} is no room time such as -2:00")
    ms = int(match[2]) * 60000 + int(match[3]) * 1000
    return START_MS + (-ms if match[1] else ms)
