"""Converts a round's format between words and the bits of a FORMAT_SET record.

Bits: 0 elimination; 1-2 best of (1 to 3); 3 limited; 4-6 overtime option; 7 team; 8-9 the round
minus one if the system has caps by round, else two more bits of the number of games; 10-13 the
event's own number of turns after time, plus one; 14 the players do not see the clock; 15 a judge
approves the result (default in eliminations).
"""

import re
from dataclasses import replace

from firmware.core import intents
from host.archive.roster import UNTIMED_MIN, Format
from host.base import plain_text
from host.base.sentences import Sentence
from host.systems import catalogue, outcomes
from host.systems.match_facts import best_of, games_bits, is_limited, is_team
from host.systems.rules import Catalogue, OwnRules, Rules

_ELIMINATION, _LIMITED, _TEAM, _HIDDEN, _JUDGED = 1, 1 << 3, 1 << 7, 1 << 14, 1 << 15
_WORDS = {
    "swiss": (_ELIMINATION, 0),
    "elimination": (_ELIMINATION, _ELIMINATION),
    "constructed": (_LIMITED, 0),
    "limited": (_LIMITED, _LIMITED),
    "team": (_TEAM, _TEAM),
    "hidden": (_HIDDEN, _HIDDEN),
    "judged": (_JUDGED, _JUDGED),
    "unjudged": (_JUDGED, 0),
}  # word: (mask of the bits, their value)
_SINGLE = 1 << 1
_GAMES = re.compile(r"bo([1-9]\d?)")
_GAMES_BITS = 6
_OVERTIME = 0x3C70  # the option and the event's own turns
_MOST_TURNS = 14  # its four bits hold one more
_ROUND = 0x300
EXAMPLE = "p18 swiss bo3 constructed 50"


def parse_format(text: str, systems: Catalogue | None = None) -> Format:
    """Return the Format for words such as ``EXAMPLE``. Raises ValueError with a sentence.

    The first word is a system in the catalogue ``systems`` (None: the built-in one). ``+N`` or
    ``+N/M`` means N turns after time, with a clock of M minutes.
    """
    systems = systems or catalogue.built_in()
    words = text.casefold().replace(",", " ").split()
    if not words or words[0] not in systems:
        raise ValueError(f"the format begins with one of {' '.join(systems)}: {EXAMPLE}")
    rules = systems[words[0]]
    bits, minutes = _bits_and_minutes(words[1:], rules)
    if minutes is None or not 1 <= minutes <= UNTIMED_MIN:
        raise ValueError(f"the format needs its minutes, from 1 to 999: {EXAMPLE}")
    if isinstance(rules, OwnRules) and best_of(bits, rules) > 1:
        fault = next(iter(outcomes.faults(rules, several=True)), None)
        if fault is not None:
            place, why = fault
            raise ValueError(f"{words[0]} has no several games: {place} {why}")
    if is_team(bits) and len(rules.SEATS) < 4:
        raise ValueError(f"{words[0]} knows no teams")
    return Format(rules.NUMBER, bits, minutes)


def with_stage(form: Format, elimination: bool) -> Format:
    """Return a Format as an elimination, whose results a judge approves, or as a Swiss round.

    A Format that is of this stage already stays as it is.
    """
    if elimination == form.elimination:
        return form
    stage = _ELIMINATION | _JUDGED
    return replace(form, bits=form.bits | stage if elimination else form.bits & ~stage)


def _bits_and_minutes(words, rules):
    """Return the bits and the minutes for the words after the system. Raises ValueError."""
    bits, minutes = _SINGLE, None
    decided = 0  # the bits that a word has set already
    for word in words:
        number = plain_text.whole_number(word) if word.isascii() else None
        if number is not None and minutes is None:
            minutes = number
            continue
        games = _GAMES.fullmatch(word)
        if games:
            mask, value = _games(word, int(games[1]), rules)
        elif word.startswith("+"):
            mask, value = _OVERTIME, _overtime(word, rules)
        else:
            mask, value = _WORDS.get(word, (0, 0))
        if not mask or decided & mask:
            raise ValueError(f"{word!r} does not fit into the format: {EXAMPLE}")
        bits = (bits & ~mask) | value
        decided |= mask
    if bits & _ELIMINATION and not decided & _JUDGED:
        bits |= _JUDGED
    return bits, minutes


def _games(word, count, rules):
    """Return the mask of the bits of a number of games, and their value. Raises ValueError."""
    try:
        value = games_bits(count, rules)
    except ValueError as mistake:
        raise ValueError(f"{word!r} does not fit into the format: {mistake}") from None
    mask = _GAMES_BITS | value  # four games and more need further bits
    return mask, value


def _overtime(word, rules):
    """Return the bits for ``+N`` or ``+N/M`` in a system. Raises ValueError."""
    count, _, clock = word[1:].partition("/")
    turns, minutes = plain_text.whole_number(count), plain_text.whole_number(clock or "0")
    if turns is None or minutes is None or turns > _MOST_TURNS:
        raise ValueError(f"{word!r} is no overtime, such as +3 or +1/10")
    if turns and intents.START_TURN not in rules.PLAYS:
        raise ValueError(f"{word!r}: the system has no turns")
    clock_s = minutes * 60
    if (turns, clock_s) in rules.OVERTIME:
        return rules.OVERTIME.index((turns, clock_s)) << 4
    for option, (_, option_clock_s) in enumerate(rules.OVERTIME):
        if option_clock_s == clock_s:
            return (option << 4) | ((turns + 1) << 10)  # the event's own number of turns
    known = ", ".join(overtime_words(*option) for option in rules.OVERTIME)
    raise ValueError(f"the system has no overtime clock of {clock} minutes (it has {known})")


def overtime_words(turns: int, clock_s: int) -> str:
    """Return the turns after time, and a clock in s where there is one, as a format's word."""
    return f"+{turns}/{clock_s // 60}" if clock_s else f"+{turns}"


def words_of(form: Format, systems: Catalogue | None = None) -> str:
    """Return a Format as words that ``parse_format`` reads."""
    name, rules = catalogue.by_number(systems or catalogue.built_in(), form.system)
    words = [name or f"system{form.system}"]
    words.append("elimination" if form.elimination else "swiss")
    words.append(f"bo{best_of(form.bits, rules) if rules else form.bits >> 1 & 3}")
    words.append("limited" if is_limited(form.bits) else "constructed")
    if is_team(form.bits):
        words.append("team")
    if form.bits & _HIDDEN:
        words.append("hidden")
    judged = bool(form.bits & _JUDGED)
    if judged != form.elimination:  # by default an elimination is judged, and a Swiss round is not
        words.append("judged" if judged else "unjudged")
    if rules and form.bits & _OVERTIME:
        turns, clock_s = rules.OVERTIME[form.bits >> 4 & 7]
        own_turns_plus_1 = form.bits >> 10 & 15  # 0: the system's
        if own_turns_plus_1:
            turns = own_turns_plus_1 - 1
        words.append(overtime_words(turns, clock_s))
    return " ".join([*words, str(form.minutes)])


def with_round(form: Format, number: int, rules: Rules) -> Format:
    """Return a Format with the number of its round, if the system has caps by round.

    An elimination after the last of these rounds keeps the last cap *(ours)*: XW15 Regole
    Escalation allows such a round without details. Raises ValueError for a Swiss round beyond the
    last.
    """
    if not rules.CAPS:
        return form
    if form.elimination or isinstance(rules, OwnRules):
        number = min(number, len(rules.CAPS))
    if number > len(rules.CAPS):
        text = "the system has {count} rounds, and this is round {number}"
        raise ValueError(Sentence(text, count=len(rules.CAPS), number=number))
    return replace(form, bits=(form.bits & ~_ROUND) | ((number - 1) << 8))
