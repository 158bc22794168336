"""The randomizer policy on a board's Python, over every system's own table."""

from firmware.core import policy
from firmware.core.policy import CARD, COIN, COMBAT, D6, FIRST_PLAYER, INITIATIVE, RPS, allowed
from firmware.core.systems import d03, p18, xw15

BOTH = (True, True)
NEITHER = (False, False)


def test_p18_needs_the_switch_and_both():
    assert allowed(p18.POLICY, True, COIN, CARD, False, BOTH) == (False, "4.5")
    assert allowed(p18.POLICY, True, COIN, CARD, True, (True, False)) == (False, "4.5.1")
    assert allowed(p18.POLICY, True, D6, FIRST_PLAYER, True, BOTH) == (True, "4.5.1")
    assert allowed(p18.POLICY, True, D6, FIRST_PLAYER, True, BOTH, True) == (False, "4.5")


def test_d03_lets_any_random_method_decide_who_is_first():
    assert allowed(d03.POLICY, True, D6, FIRST_PLAYER, False, NEITHER) == (True, "213")


def test_xw15_has_dice_in_informal_events_alone():
    assert not allowed(xw15.POLICY, True, policy.ATTACK, COMBAT, True, BOTH)[0]
    assert allowed(xw15.POLICY, False, policy.DEFENCE, COMBAT, True, BOTH)[0]
    assert allowed(xw15.POLICY, True, COIN, INITIATIVE, True, NEITHER)[0]


def test_what_a_screen_offers():
    assert policy.offered(p18.POLICY, True, CARD, True, BOTH) == 3
    assert policy.offered(p18.POLICY, True, CARD, False, BOTH) == 0
    assert policy.offered(xw15.POLICY, False, COMBAT, True, NEITHER) == 12


def test_rock_paper_scissors_is_offered_by_no_table():
    whatever = (((255, 255, 0, "1", "1", "1", "1"),), "1")
    for table in (p18.POLICY, d03.POLICY, xw15.POLICY, whatever):
        for purpose in range(6):
            assert allowed(table, False, RPS, purpose, True, BOTH) == (False, "4.7")
