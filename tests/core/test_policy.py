"""The policy's laws: nothing is allowed by less, and no table can offer Rock/Paper/Scissors."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from firmware.core import policy
from firmware.core.systems import d03, p18, xw15

SYSTEMS = st.sampled_from((p18, d03, xw15))
TRUTHS = st.booleans()
PAIR = st.tuples(TRUTHS, TRUTHS)


@given(SYSTEMS, TRUTHS, st.integers(0, 4), st.integers(0, 5), TRUTHS, PAIR)
def test_more_leave_never_allows_less(system, official, randomizer, purpose, head_judge, consent):
    if policy.allowed(system.POLICY, official, randomizer, purpose, head_judge, consent)[0]:
        assert policy.allowed(system.POLICY, False, randomizer, purpose, True, (True, True))[0]


@given(SYSTEMS, TRUTHS, st.integers(0, 4), st.integers(0, 5), TRUTHS, PAIR)
def test_nothing_is_allowed_where_the_head_judge_forbids(
    system, official, randomizer, purpose, head_judge, consent
):
    assert not policy.allowed(
        system.POLICY, official, randomizer, purpose, head_judge, consent, True
    )[0]


@given(SYSTEMS, TRUTHS, st.integers(0, 4), TRUTHS, PAIR)
def test_nothing_is_allowed_for_no_purpose(system, official, randomizer, head_judge, consent):
    assert not policy.allowed(system.POLICY, official, randomizer, 0, head_judge, consent)[0]


@given(SYSTEMS, TRUTHS, st.integers(0, 4), st.integers(0, 5), TRUTHS, PAIR)
def test_both_seats_weigh_the_same(system, official, randomizer, purpose, head_judge, consent):
    turned = (consent[1], consent[0])
    first = policy.allowed(system.POLICY, official, randomizer, purpose, head_judge, consent)
    assert first == policy.allowed(system.POLICY, official, randomizer, purpose, head_judge, turned)


def test_official_x_wing_never_has_dice():
    for randomizer, purpose, on in itertools.product(
        (policy.D6, policy.ATTACK, policy.DEFENCE), range(6), (0, 1)
    ):
        assert not policy.allowed(xw15.POLICY, True, randomizer, purpose, on, (True, True))[0]
