"""Rolls at a table: off until the policy says so, recorded, agreed or ruled, never undone."""

from firmware.core import events, intents
from firmware.core.match import Match
from firmware.core.systems import d03, p18, xw15


class Chance:
    def __init__(self):
        self.asked = []

    def begin(self, number, randomizer, purpose):
        return self

    def face(self, sides):
        self.asked.append(sides)
        return sides


def ask(match, kind, a=0, b=0, c=0, chance=None):
    happened = match.decide(intents.of_numbers(kind, 5, a, b, c), 5, chance or Chance())
    for event in happened:
        match.apply(event)
    return [event.kind for event in happened]


def seated(rules):
    match = Match(rules)
    ask(match, intents.SET_ROUND, 1, 1, 1)
    return match


def approved(rules=p18):
    match = seated(rules)
    ask(match, intents.SET_POLICY, 1)
    ask(match, intents.CONSENT, 0)
    ask(match, intents.CONSENT, 1)
    return match


def test_p18_is_off_by_default():
    match = seated(p18)
    assert ask(match, intents.ROLL, 16) == []
    ask(match, intents.CONSENT, 0)
    ask(match, intents.CONSENT, 1)
    assert ask(match, intents.ROLL, 16) == [] and ask(match, intents.ROLL, 17) == []


def test_p18_needs_the_switch_and_both_consents():
    match = seated(p18)
    ask(match, intents.SET_POLICY, 1)
    assert ask(match, intents.ROLL, 16) == []
    assert ask(match, intents.CONSENT, 1) == [events.CONSENT_GIVEN]
    assert ask(match, intents.CONSENT, 1) == [] and ask(match, intents.ROLL, 16) == []
    ask(match, intents.CONSENT, 0)
    assert ask(match, intents.ROLL, 16) == [events.ROLLED]


def test_a_roll_without_a_purpose_is_void_whatever_is_allowed():
    for match in (approved(), seated(d03), approved(xw15)):
        for randomizer in (0, 1, 2, 3):
            assert ask(match, intents.ROLL, randomizer) == [] and match.roll is None


def test_the_switch_off_acts_at_once():
    match = approved()
    ask(match, intents.SET_POLICY, 0)
    assert ask(match, intents.ROLL, 16) == []


def test_a_roll_is_recorded_with_its_face_and_number():
    match, chance = approved(), Chance()
    ask(match, intents.ROLL, 1 | 1 << 4, chance=chance)
    assert chance.asked == [6]
    assert match.roll == events.Rolled(5, 1, 1, 6, 0, 1) and match.rolled == 1
    ask(match, intents.AGREE_ROLL, 0)
    assert ask(match, intents.ROLL, 32, chance=chance) == []
    ask(match, intents.AGREE_ROLL, 1)
    ask(match, intents.ROLL, 32, chance=chance)
    assert match.roll == events.Rolled(5, 0, 2, 2, 0, 2) and chance.asked == [6, 2]


def test_an_open_roll_is_not_rolled_over():
    match = approved()
    ask(match, intents.ROLL, 16)
    assert ask(match, intents.ROLL, 16) == []
    ask(match, intents.DISPUTE_ROLL, 1)
    assert ask(match, intents.ROLL, 16) == []


def test_agreed_is_never_undone():
    match = approved()
    ask(match, intents.ROLL, 16)
    assert ask(match, intents.AGREE_ROLL, 1) == [events.ROLL_AGREED]
    assert ask(match, intents.AGREE_ROLL, 1) == [] and match.rolled == 1
    assert ask(match, intents.AGREE_ROLL, 0) == [events.ROLL_AGREED]
    assert ask(match, intents.AGREE_ROLL, 0) == [] and ask(match, intents.DISPUTE_ROLL, 0) == []
    assert ask(match, intents.RULE_ROLL, 0) == [] and match.rolled == 2


def test_a_judge_rules_a_disputed_roll():
    match = approved()
    ask(match, intents.ROLL, 16)
    assert ask(match, intents.RULE_ROLL, 1) == []
    assert ask(match, intents.DISPUTE_ROLL, 1) == [events.ROLL_DISPUTED]
    assert ask(match, intents.AGREE_ROLL) == []
    assert ask(match, intents.RULE_ROLL, 1) == [events.ROLL_RULED]
    assert match.rolled == 4 and ask(match, intents.RULE_ROLL, 0) == []
    ask(match, intents.ROLL, 32)
    ask(match, intents.DISPUTE_ROLL, 0)
    ask(match, intents.RULE_ROLL, 0)
    assert match.rolled == 0


def test_other_systems():
    assert ask(seated(d03), intents.ROLL, 16) == [events.ROLLED]
    assert ask(seated(xw15), intents.ROLL, 16) == []
    assert ask(approved(xw15), intents.ROLL, 0 | 3 << 4) == [events.ROLLED]
    assert ask(approved(xw15), intents.ROLL, 2 | 5 << 4) == []
    match = approved(xw15)
    ask(match, intents.SET_POLICY, 3)
    assert ask(match, intents.ROLL, 2 | 5 << 4) == [events.ROLLED]


def test_without_luck_nothing_is_rolled():
    assert approved().decide(intents.Roll(5, 0, 1, 0), 5, None) == ()


def test_the_head_judge_bars_it_whatever_the_system():
    match = seated(d03)
    ask(match, intents.SET_POLICY, 4)
    assert ask(match, intents.ROLL, 16) == []
