"""A conductor's draft: laws of the order, what is refused, clocks that halt; and at a table's ledger."""

from hypothesis import given
from hypothesis import strategies as st
from lucky import Lucky

from firmware.core import draft as drafts
from firmware.core import events, intents
from firmware.core.draft import Draft
from firmware.core.systems import d03

SEATS = st.integers(2, 15)


def ordered(seats, cards, active=1, clockwise=True):
    """Return the seats that take each card."""
    return [drafts.picking_seat(seats, active, clockwise, index) for index in range(cards)]


def conducted(*steps):
    """Return a draft after ``(now_ms, step, b, c)`` asked in turn, ticking before each."""
    draft = Draft()
    for now_ms, step, b, c in steps:
        ticked(draft, now_ms)
        for event in draft.decide(intents.Conduct(now_ms, step, b, c), now_ms):
            draft.apply(event)
    return draft


def ticked(draft, now_ms):
    """Tick until there is nothing more, and return the steps that came."""
    came = []
    while happened := draft.decide(intents.Tick(now_ms), now_ms):
        draft.apply(happened[0])
        came.append((happened[0].step, happened[0].first, happened[0].second))
    return came


def legal(draft, now_ms, step, b=0, c=0):
    return bool(draft.decide(intents.Conduct(now_ms, step, b, c), now_ms))


def rochester(seats=8, groups=3, pick_ms=3000):
    return (0, drafts.SET, seats << 1 | groups << 5, pick_ms)


@given(SEATS, st.integers(0, 90), st.data(), st.booleans())
def test_everybody_picks_once_in_every_pass(seats, cards, data, clockwise):
    active = data.draw(st.integers(1, seats))
    order = ordered(seats, cards, active, clockwise)
    counts = [order.count(seat) for seat in range(1, seats + 1)]
    assert len(order) == cards and max(counts) - min(counts) <= 1
    for start in range(0, cards - seats + 1, seats):
        assert sorted(order[start : start + seats]) == list(range(1, seats + 1))


@given(SEATS, st.integers(1, 14))
def test_both_ends_pick_twice(seats, turns):
    order = ordered(seats, seats * (turns + 1))
    for turn in range(1, turns + 1):
        assert order[turn * seats - 1] == order[turn * seats]


@given(SEATS, st.integers(1, 3))
def test_each_seat_is_active_once_a_group(seats, group):
    actives = [drafts.active_seat(seats, group, pack) for pack in range(1, seats + 1)]
    assert sorted(actives) == list(range(1, seats + 1))


def test_a_second_group_goes_the_other_way_from_the_last():
    draft = conducted(
        rochester(2, 2), (0, drafts.OPENED, 1, 0), (40000, drafts.OPENED, 1, 0), (80000, 0, 0, 0)
    )
    assert (draft.group, draft.pack, draft.active, draft.clockwise) == (2, 1, 2, False)


def test_a_taken_card_cannot_be_taken_and_a_card_that_is_not_there_neither():
    draft = conducted(rochester(), (0, drafts.OPENED, 5, 0), (30000, drafts.TAKEN, 0, 2))
    assert not legal(draft, 30100, drafts.TAKEN, 0, 2)
    assert not legal(draft, 30100, drafts.TAKEN, 0, 6)
    assert not legal(draft, 30100, drafts.TAKEN, 5, 1)
    assert legal(draft, 30100, drafts.TAKEN, 2, 1)


def test_the_oldest_is_not_known_when_a_pick_was_not_told():
    draft = conducted(rochester(), (0, drafts.OPENED, 5, 0), (30000, drafts.TAKEN, 0, 0))
    assert draft.oldest == 0
    assert ticked(draft, 33000) == [(drafts.MISSED, 2, 0)]


def test_a_press_just_after_a_miss_was_meant_for_the_seat_before():
    draft = conducted(rochester(), (0, drafts.OPENED, 20, 0))
    ticked(draft, 33000)
    assert draft.seat == 2 and not legal(draft, 33400, drafts.TAKEN)
    assert legal(draft, 33500, drafts.TAKEN)


def test_a_halt_keeps_what_is_left():
    draft = conducted(rochester(), (0, drafts.OPENED, 20, 0), (31000, drafts.HALTED, 0, 0))
    assert draft.remaining_ms(99000) == 2000 and not ticked(draft, 99000)
    assert not legal(draft, 99000, drafts.TAKEN)
    draft.apply(events.Drafted(99000, drafts.RESUMED, 0, 0))
    assert draft.remaining_ms(100000) == 1000
    assert not legal(draft, 100000, drafts.RESUMED)


def test_an_error_of_the_conductor_is_taken_back_once():
    draft = conducted(
        rochester(),
        (0, drafts.OPENED, 20, 0),
        (31000, drafts.TAKEN, 0, 4),
        (32000, drafts.UNTAKEN, 0, 0),
    )
    assert draft.seat == 1 and draft.oldest == 1 and draft.remaining_ms(32000) == 3000
    assert not legal(draft, 32000, drafts.UNTAKEN)
    assert legal(draft, 32000, drafts.TAKEN, 0, 4)


def test_a_halted_draft_takes_back_no_pick_where_there_is_none():
    draft = conducted(rochester(), (0, drafts.OPENED, 20, 0), (31000, drafts.HALTED, 0, 0))
    assert not legal(draft, 31000, drafts.UNTAKEN)
    draft.apply(events.Drafted(32000, drafts.RESUMED, 0, 0))
    draft.apply(events.Drafted(32000, drafts.TAKEN, 0, 4))
    draft.apply(events.Drafted(32500, drafts.HALTED, 0, 0))
    assert legal(draft, 33000, drafts.UNTAKEN)


def test_a_booster_draft_has_no_clock_and_at_most_eight_seats():
    assert not legal(Draft(), 0, drafts.SET, 1 | 9 << 1 | 4 << 5, 0)
    assert not legal(Draft(), 0, drafts.SET, 1 | 8 << 1 | 4 << 5, 3000)
    draft = conducted(
        (0, drafts.SET, 1 | 8 << 1 | 2 << 5, 0), (0, drafts.OPENED, 2, 0), (0, drafts.TAKEN, 0, 0)
    )
    assert draft.clockwise and draft.due_ms is None and draft.seat == 0
    draft.apply(draft.decide(intents.Conduct(0, drafts.TAKEN, 0, 0), 0)[0])
    assert draft.phase == drafts.LAYING and not draft.clockwise


def test_what_a_set_up_refuses():
    for packed, pick_ms in (
        (8 << 1 | 4 << 5, 3000),
        (8 << 1, 3000),
        (1 << 1 | 1 << 5, 3000),
        (8 << 1 | 1 << 5, 0),
    ):
        assert not legal(Draft(), 0, drafts.SET, packed, pick_ms)


def test_building_ends_by_itself_after_half_an_hour():
    draft = conducted(
        rochester(2, 1),
        (0, drafts.OPENED, 1, 0),
        (40000, drafts.OPENED, 1, 0),
        (80000, drafts.BUILT, 0, 0),
    )
    assert draft.phase == drafts.BUILDING and not legal(draft, 80000, drafts.SET, *rochester()[2:])
    assert ticked(draft, 1880000) == [(drafts.ENDED, 0, 0)]
    assert draft.phase == drafts.OVER and legal(draft, 1880000, drafts.SET, *rochester()[2:])


@given(
    st.lists(
        st.tuples(
            st.integers(0, 40000), st.integers(0, 12), st.integers(0, 600), st.integers(0, 30)
        ),
        max_size=40,
    )
)
def test_whatever_is_asked_the_state_holds_and_replay_equals_live(asked):
    draft, journal, now_ms = Draft(), [], 0
    for wait_ms, step, b, c in [(0, drafts.SET, 8 << 1 | 3 << 5, 3000), *asked]:
        now_ms += wait_ms
        for intent in (intents.Tick(now_ms), intents.Conduct(now_ms, step, b, c)):
            for event in draft.decide(intent, now_ms):
                journal.append(event)
                draft.apply(event)
                assert event.at_ms <= now_ms
        assert draft.index <= draft.cards and draft.phase <= drafts.OVER
        assert draft.phase != drafts.PICKING or draft.kind or 1 <= draft.seat <= draft.seats
    again = Draft()
    for event in journal:
        again.apply(event)
    assert vars(again) == vars(draft)


POD = (drafts.SET, 8 << 1 | 3 << 5, 3000)


def conducting():
    """Return a board that conducts a draft whose first pack is laid out."""
    board = Lucky(rules=d03)
    assert board.ask(intents.SET_DRAFT, *POD) and board.ledger.draft.phase == drafts.LAYING
    assert board.ask(intents.CONDUCT, drafts.OPENED, 20)
    return board


def test_a_draft_goes_on_by_its_own_time():
    board = conducting()
    draft = board.ledger.draft
    review_ms = board.now_ms + drafts.REVIEW_MS
    assert draft.phase == drafts.REVIEW and board.ledger.due_ms == review_ms
    assert board.ledger.tick(review_ms - 1) == ()
    board.now_ms = review_ms
    board.tick()
    assert draft.phase == drafts.PICKING and board.ledger.due_ms == review_ms + 3000
    board.now_ms += 2000
    board.ask(intents.CONDUCT, drafts.HALTED)
    assert board.ledger.due_ms is None, "a halt has no end of its own"


def test_a_draft_outlives_a_reset_and_ends_with_the_round_that_follows():
    board = conducting()
    board.boot()
    assert board.ledger.draft.cards == 20
    board.begin()
    assert board.ledger.draft is None
    assert board.ask(intents.SET_DRAFT, *POD) == () == board.ask(intents.CONDUCT, drafts.HALTED)


def test_decks_are_built_without_a_draft_also_after_a_reset_and_again():
    board = Lucky(rules=d03)
    assert board.ask(intents.SET_DRAFT, drafts.BUILT)
    end_ms = board.now_ms + drafts.BUILDING_MS
    board.boot()
    assert board.ledger.draft.phase == drafts.BUILDING and board.ledger.due_ms <= end_ms
    assert board.ask(intents.SET_DRAFT, drafts.BUILT) == (), "they are built already"
    board.now_ms = end_ms
    board.tick()
    draft = board.ledger.draft
    assert draft.phase == drafts.OVER and draft.built
    assert board.ask(intents.SET_DRAFT, drafts.BUILT) and not board.ledger.draft.built


def test_no_deck_is_built_while_cards_are_drafted_and_after_them_a_reset_keeps_the_pod():
    board = conducting()
    assert board.ask(intents.SET_DRAFT, drafts.BUILT) == ()
    board = Lucky(rules=d03)
    board.ask(intents.SET_DRAFT, drafts.SET, 1 | 4 << 1 | 1 << 5)
    board.ask(intents.CONDUCT, drafts.OPENED, 1)
    board.ask(intents.CONDUCT, drafts.TAKEN)
    assert board.ask(intents.SET_DRAFT, drafts.BUILT)
    board.boot()
    assert board.ledger.draft.phase == drafts.BUILDING and board.ledger.draft.seats == 4
