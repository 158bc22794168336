"""The shortest and longest round of a system, in minutes.

A system's ``MINUTES`` are the usual lengths; ``SLACK`` is ``(minutes shorter, minutes longer,
section, locked once the event has begun)``.
"""

from host.base.sentences import Sentence
from host.systems.match_facts import is_elimination, usual_minutes
from host.systems.rules import Rules

UNLIMITED = 900  # minutes of slack that mean no limit


def unbound(rules: Rules, bits: int) -> bool:
    """Return whether the text gives no length, as XW15 for an elimination after its four rounds."""
    return bool(rules.CAPS) and is_elimination(bits)


def bounds(rules: Rules, bits: int) -> tuple[int | None, int, int | None]:
    """Return ``(least, usual, most)`` minutes of a round; None for no limit."""
    usual, (shorter, longer) = usual_minutes(bits, rules), rules.SLACK[:2]
    if unbound(rules, bits):
        return None, usual, None
    least = None if shorter >= UNLIMITED else max(1, usual - shorter)
    most = None if longer >= UNLIMITED else usual + longer
    return least, usual, most


def remark(rules: Rules, bits: int, minutes: int) -> Sentence | None:
    """Return a sentence if a round's length differs from the text's, else None."""
    least, usual, most = bounds(rules, bits)
    if least is not None and minutes < least:
        sentence = Sentence(
            "{minutes} minutes are too short: at least {least}", minutes=minutes, least=least
        )
    elif most is not None and minutes > most:
        sentence = Sentence(
            "{minutes} minutes are too long: at most {most}", minutes=minutes, most=most
        )
    elif least is None and minutes != usual and not unbound(rules, bits):
        sentence = Sentence(
            "{minutes} minutes, where {usual} are recommended", minutes=minutes, usual=usual
        )
    else:
        return None
    _, _, section, _ = rules.SLACK
    return Sentence("{said} ({section})", said=sentence, section=section) if section else sentence


def is_firm(rules: Rules) -> bool:
    """Return whether the lengths are locked once the event has begun."""
    _, _, _, is_locked = rules.SLACK
    return is_locked
