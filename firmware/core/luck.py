"""Rolls at a table: consent, the roll itself, and what both or a judge say of it (P18 4.5.1).

A roll is recorded before it is shown; agreed or ruled conclusive it stands, and nothing undoes it.
A randomizer is 0 coin, 1 die, 2 attack, 3 defence; the purpose is in the high nibble of ``a``.
"""

from firmware.core import events

SIDES = bytes((2, 6, 8, 8))
# where a roll stands (``match.rolled``)
SHOWN = 1
DISPUTED = 3


def _open(match):
    return match.rolled in (SHOWN, DISPUTED)


def allowed(match, randomizer):
    """Say whether the system, the head judge's switch and both seats allow a randomizer."""
    switch, consents = match.rules.LUCK[randomizer]
    if switch & ~match.policy:
        return False
    return not consents or match.consent == 3


def consent(match, intent):
    """A seat approves the board's randomizers for this match."""
    _, at, a, _, _ = intent
    if a > 1 or match.consent >> a & 1:
        return ()
    return ((events.CONSENT_GIVEN, at, a, 0, 0),)


def roll(match, intent, chance):
    """Roll, unless the last roll is still open."""
    _, at, a, _, _ = intent
    randomizer = a & 15
    if chance is None or randomizer >= len(SIDES) or _open(match):
        return ()
    if not allowed(match, randomizer):
        return ()
    number = 1 if match.roll is None else match.roll[4] + 1
    return ((events.ROLLED, at, a, chance.face(SIDES[randomizer]), number),)


def agree(match, intent):
    """The players agree with what is shown."""
    if match.rolled != SHOWN:
        return ()
    return ((events.ROLL_AGREED, intent[1], intent[2], 0, 0),)


def dispute(match, intent):
    """A seat disputes what is shown: a judge rules."""
    if match.rolled != SHOWN or intent[2] > 1:
        return ()
    return ((events.ROLL_DISPUTED, intent[1], intent[2], 0, 0),)


def rule(match, intent):
    """A judge says conclusive, or again; only of a disputed roll."""
    if match.rolled != DISPUTED or intent[2] > 1:
        return ()
    return ((events.ROLL_RULED, intent[1], intent[2], 0, 0),)
