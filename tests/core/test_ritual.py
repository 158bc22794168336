"""The ritual of a roll, word by word (docs/rules.md, Randomizers), and what the policy lets be rolled."""

import itertools

import pytest
from lucky import Chance, Lucky

from firmware.core import events, intents, luck, seeds
from firmware.core.match import Match
from firmware.core.systems import d03, p18, xw15

LUCKY = (
    events.ROLLED, events.ROLL_AGREED, events.ROLL_DISPUTED, events.ROLL_RULED,
    events.CONSENT_GIVEN,
)  # fmt: skip
WRONG = [
    (kind, a)
    for kind in range(intents.JOIN_EVENT, intents.CONDUCT + 1)
    for a in (0, 1, 2, 3, 16, 129)
]


def table(rules=p18):
    """Return a board at which luck is switched on and both have consented, in play."""
    board = Lucky(rules=rules).begin()
    board.ask(intents.SET_POLICY, 1)
    for seat in (0, 1):
        board.ask(intents.CONSENT, seat)
    board.now_ms += 90_000
    board.tick()
    return board


@pytest.mark.parametrize(
    ("rules", "a"), ((p18, 0x10), (p18, 0x20), (p18, 0x11), (d03, 0x10), (xw15, 0x30), (xw15, 0x40))
)
def test_a_roll_is_for_what_was_said_before_and_for_nothing_else(rules, a):
    board = table(rules)
    assert board.ask(intents.ROLL, a & 15) == (), "nobody said what for"
    rolled = board.roll(a)
    assert (rolled.randomizer, rolled.purpose) == (a & 15, a >> 4)


def test_consent_is_given_by_each_seat_once_a_match_and_anew_in_the_next():
    board = table()
    assert board.roll() and board.agree()
    assert board.roll() and board.agree(), "once for the whole match"
    assert not board.ask(intents.CONSENT, 0)
    board.over()
    board.begin(2)
    board.ask(intents.SET_POLICY, 1)
    assert board.roll() is None
    board.ask(intents.CONSENT, 1)
    assert board.roll() is None
    board.ask(intents.CONSENT, 0)
    assert board.roll()


@pytest.mark.parametrize("agreed", ((), (0,), (1,)))
@pytest.mark.parametrize("seat", (0, 1))
def test_either_seat_may_dispute_until_both_have_agreed(agreed, seat):
    board = table()
    board.roll()
    for one in agreed:
        assert board.ask(intents.AGREE_ROLL, one)
    assert board.ask(intents.DISPUTE_ROLL, seat) and board.match.rolled == luck.DISPUTED
    assert not board.agree(), "now a judge is asked"


def test_nothing_is_rolled_while_a_roll_is_open():
    board = table()
    assert board.roll() and not board.roll()
    board.ask(intents.DISPUTE_ROLL, 0)
    assert not board.roll()


def test_nobody_else_says_that_it_is_agreed():
    board = table()
    board.roll()
    assert not board.ask(intents.AGREE_ROLL, 2) and not board.ask(intents.DISPUTE_ROLL, 2)
    assert not board.ask(intents.RULE_ROLL, 1) and board.match.rolled == luck.SHOWN
    assert board.ask(intents.AGREE_ROLL, 1) and not board.ask(intents.AGREE_ROLL, 1)
    assert board.match.rolled == luck.SHOWN, "one seat alone agrees for itself"


def agreed(board):
    board.roll()
    board.agree()


def conclusive(board):
    board.roll()
    board.ask(intents.DISPUTE_ROLL, 1)
    board.ask(intents.RULE_ROLL, 1)


@pytest.mark.parametrize("settled", (agreed, conclusive))
def test_no_word_of_anybody_changes_what_stands(settled):
    for kind, a in WRONG:
        if kind in (intents.ROLL, intents.CONSENT):
            continue
        board = table()
        settled(board)
        roll, stands = board.match.roll, board.match.rolled
        journalled = [event for event in board.told() if event.kind in LUCKY]
        board.ask(kind, a)
        after = [event for event in board.told() if event.kind in LUCKY]
        assert after == journalled, (kind, a)
        if board.match.phase and board.match.round == 1 and kind != intents.SET_ROUND:
            assert (board.match.roll, board.match.rolled) == (roll, stands), (kind, a)


@pytest.mark.parametrize("settled", (agreed, conclusive))
def test_what_stands_stands_after_a_press_was_taken_back_and_a_reset(settled):
    board = table()
    board.ask(intents.SET_STARTER, 0)
    settled(board)
    roll, stands = board.match.roll, board.match.rolled
    assert board.ask(intents.TAKE_BACK, 3)
    assert (board.match.roll, board.match.rolled) == (roll, stands)
    board.restart()
    assert (board.match.roll, board.match.rolled) == (roll, stands)


def test_again_is_a_roll_of_its_own_with_the_next_number():
    board = table()
    first = board.roll()
    board.ask(intents.DISPUTE_ROLL, 0)
    assert board.ask(intents.RULE_ROLL, 0) and board.match.rolled == 0
    second = board.roll()
    assert (first.number, second.number) == (1, 2)


def test_each_randomizer_has_a_count_for_each_purpose_and_each_roll_an_id():
    board = table()
    said = []
    for a, many in ((0x10, 0), (0x20, 0), (0x21, 0), (0x20, 3), (0x20, 255), (0x21, 0)):
        rolled = board.roll(a, many)
        said.append(board.ledger.seeds.named(rolled))
        board.restart()
        assert board.ledger.seeds.named(board.match.roll) == said[-1], "the same after a reset"
        board.agree()
    mark = board.ledger.seeds.parts[0][:2].hex().upper()
    counts = (1, 1, 1, 2, 3, 2)
    assert said == [f"#{count} {mark}-{number}" for number, count in enumerate(counts, 1)]
    assert seeds.audit_id(board.ledger.seeds.parts[0], 6) == f"{mark}-6"


@pytest.mark.parametrize("many", (2, 5, 8, 255))
def test_many_flips_are_one_roll_agreed_or_ruled_as_one(many):
    board = table()
    rolled = board.roll(0x20, many)
    assert rolled.flips == many and rolled.number == 1
    assert many == 255 or rolled.face < 1 << many
    assert board.roll(0x20) is None and board.agree() and board.roll(0x20).number == 2


def test_more_flips_than_eight_or_several_dice_are_no_roll():
    board = table()
    assert board.roll(0x20, 9) is None and board.roll(0x20, 254) is None
    assert board.roll(0x21, 2) is None


PURPOSES = (luck.FIRST_PLAYER, luck.CARD, luck.INITIATIVE, luck.COLOURS, luck.COMBAT)
DICE = (luck.D6, luck.ATTACK, luck.DEFENCE)
RPS = 4  # no randomizer of ours: P18 4.7
SYSTEMS = pytest.mark.parametrize("rules", (p18, d03, xw15), ids=("p18", "d03", "xw15"))


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
