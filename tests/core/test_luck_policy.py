"""What a board lets be rolled is what the policy tables of the systems say, purpose by purpose."""

import itertools

import pytest

from firmware.core import intents, luck
from firmware.core.match import Match
from firmware.core.systems import d03, p18, xw15

PURPOSES = (luck.FIRST_PLAYER, luck.CARD, luck.INITIATIVE, luck.COLOURS, luck.COMBAT)
DICE = (luck.D6, luck.ATTACK, luck.DEFENCE)
RPS = 4  # no randomizer of ours: P18 4.7
SYSTEMS = pytest.mark.parametrize("rules", (p18, d03, xw15), ids=("p18", "d03", "xw15"))


class Chance:
    def begin(self, number, randomizer, purpose):
        return self

    def face(self, sides):
        return sides


def seated(rules, switches, consents):
    match = Match(rules)
    asked = [intents.SetRound(1, 1, 1, 0), intents.SetPolicy(1, switches)]
    asked += [intents.Consent(1, seat) for seat in (0, 1) if consents >> seat & 1]
    for intent in asked:
        for event in match.decide(intent, 1):
            match.apply(event)
    return match


def allowed(rules, randomizer, purpose, switches, consents):
    """Return what the system's table says, read as ``luck`` describes it."""
    for names, purposes, needs, *_ in rules.POLICY[0]:
        if names >> randomizer & 1 and purposes >> purpose & 1:
            return not (
                (needs & 4 and not switches & 2)
                or switches & 4
                or (needs & 1 and not switches & 1)
                or (needs & 2 and consents != 3)
            )
    return False


def rolls(rules, randomizer, purpose, switches, consents):
    roll = intents.Roll(1, randomizer, purpose, 0)
    return bool(seated(rules, switches, consents).decide(roll, 1, Chance()))


@SYSTEMS
@pytest.mark.parametrize("switches", range(8))
@pytest.mark.parametrize("consents", range(4))
def test_the_board_rolls_what_the_policy_allows(rules, switches, consents):
    for randomizer, purpose in itertools.product((luck.COIN, *DICE), PURPOSES):
        told = allowed(rules, randomizer, purpose, switches, consents)
        assert rolls(rules, randomizer, purpose, switches, consents) == told, (randomizer, purpose)


@SYSTEMS
def test_more_leave_never_allows_less(rules):
    for case in itertools.product((luck.COIN, *DICE), PURPOSES, range(4), range(4)):
        if rolls(rules, *case):
            assert rolls(rules, *case[:2], 3, 3), case


@SYSTEMS
def test_nothing_is_rolled_for_no_purpose_nor_where_the_head_judge_forbids(rules):
    for randomizer, switches in itertools.product((luck.COIN, *DICE), range(8)):
        assert not rolls(rules, randomizer, 0, switches, 3)
        roll = intents.Roll(1, randomizer, luck.CARD, 0)
        assert not seated(rules, switches, 3).decide(roll, 1), "nor by whoever has no luck"
        for purpose in PURPOSES:
            assert not rolls(rules, randomizer, purpose, switches | luck.BARRED, 3)


@SYSTEMS
def test_no_switch_offers_rock_paper_scissors(rules):
    for purpose, switches in itertools.product(range(6), range(8)):
        assert not rolls(rules, RPS, purpose, switches, 3)


def test_official_x_wing_never_has_dice():
    for randomizer, purpose, switches in itertools.product(DICE, PURPOSES, (0, 1)):
        assert not rolls(xw15, randomizer, purpose, switches, 3)
