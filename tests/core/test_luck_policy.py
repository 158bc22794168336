"""What a board lets be rolled is what the policy tables of the systems say, purpose by purpose."""

import pytest

from firmware.core import intents, policy
from firmware.core.match import Match
from firmware.core.systems import d03, p18, xw15

PURPOSES = (policy.FIRST_PLAYER, policy.CARD, policy.INITIATIVE, policy.COLOURS, policy.COMBAT)


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


@pytest.mark.parametrize("rules", (p18, d03, xw15), ids=("p18", "d03", "xw15"))
@pytest.mark.parametrize("switches", range(8))
@pytest.mark.parametrize("consents", range(4))
def test_the_board_rolls_what_the_policy_allows(rules, switches, consents):
    match = seated(rules, switches, consents)
    for randomizer in (policy.COIN, policy.D6, policy.ATTACK, policy.DEFENCE):
        for purpose in PURPOSES:
            told = policy.allowed(
                rules.POLICY,
                not switches & 2,
                randomizer,
                purpose,
                switches & 1,
                (consents & 1, consents & 2),
                switches & 4,
            )[0]
            rolled = match.decide(intents.Roll(1, randomizer, purpose, 0), 1, Chance())
            assert bool(rolled) == bool(told), (randomizer, purpose)
