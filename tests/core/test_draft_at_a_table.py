"""A draft that a table's ledger conducts: its own time, a reset, the round that follows."""

from lucky import Lucky

from firmware.core import draft as drafts
from firmware.core import intents
from firmware.core.systems import d03

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
