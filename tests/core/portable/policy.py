"""What may be rolled, on a board's Python, over every system's own table."""

from firmware.core import luck
from firmware.core.luck import CARD, COIN, COMBAT, D6, FIRST_PLAYER, INITIATIVE
from firmware.core.match import Match
from firmware.core.systems import d03, p18, xw15


def needed(rules, randomizer, purpose, switches, consent):
    match = Match(rules)
    match.policy, match.consent = switches, consent
    return luck.needs(match, randomizer, purpose)


def test_p18_needs_the_switch_and_both():
    assert needed(p18, COIN, CARD, 0, 3) == luck.SWITCH
    assert needed(p18, COIN, CARD, luck.SWITCHED_ON, 1) == luck.CONSENT
    assert needed(p18, D6, FIRST_PLAYER, luck.SWITCHED_ON, 3) == 0
    assert needed(p18, D6, FIRST_PLAYER, luck.SWITCHED_ON | luck.BARRED, 3) == luck.SWITCH


def test_d03_lets_any_random_method_decide_who_is_first():
    assert needed(d03, D6, FIRST_PLAYER, 0, 0) == 0


def test_xw15_has_dice_in_informal_events_alone():
    assert needed(xw15, luck.ATTACK, COMBAT, luck.SWITCHED_ON, 3) == luck.INFORMAL
    assert needed(xw15, luck.DEFENCE, COMBAT, luck.SWITCHED_ON | luck.UNOFFICIAL, 3) == 0
    assert needed(xw15, COIN, INITIATIVE, luck.SWITCHED_ON, 0) == 0
    assert needed(xw15, D6, COMBAT, luck.SWITCHED_ON | luck.UNOFFICIAL, 3) is None
