"""Tables and results, folded from records as they arrive: out of order, with gaps, after resets."""

import random

import pytest
from tabletop import EVENT, Tabletop

from firmware.core import events, frames, intents
from firmware.core.ledger import Ledger
from firmware.core.match import FIELDS
from firmware.core.systems import p18
from host.archive.records import ArchivedRecord
from host.event.fold import MOST_RESTARTS, TableFold
from host.event.match_results import AGREED, RULED, as_paired
from host.keys import signatures

NOW_MS = 1_000_000


def state(match):
    """Return all that a match's events wrote."""
    return {name: getattr(match, name) for name in FIELDS}


def table(start_ms=1000, seats=(0, 1)):
    """Return a board that has joined the event and plays a best of three."""
    board = Tabletop(7, bytes(32), random.Random(1))
    board.journal.append(events.EventJoined(0, EVENT, 0))
    board.happen(events.RoundSet(0, 1, 4, 9), events.FormatSet(0, 0, 6, 50))
    board.happen(events.StartSet(start_ms))
    board.timebase.resume(NOW_MS, 0)
    for seat in seats:
        assert board.ask(0, intents.CONFIRM_SEAT, seat)
    return board


def win(board, seat=0, confirm=True):
    for starter in (0, 1):
        assert board.ask(0, intents.SET_STARTER, starter)
        assert board.ask(0, intents.WIN_GAME, seat)
    for one in (1 - seat, seat) if confirm else ():
        assert board.ask(0, intents.CONFIRM_RESULT, one)


def won(**by):
    board = table()
    win(board, **by)
    return board


def take_out(found, kind):
    """Take the first record of a kind out; return it."""
    return found.pop(next(i for i, e in enumerate(found) if e.kind == kind))


def entries(board):
    """Return the board's records as the archive would hold them."""
    found = []
    for record in board.history():
        _, device, epoch, counter = frames.head(record)
        event = 0 if epoch == 1 and counter < 3 else EVENT
        found.append(ArchivedRecord(device, 1, epoch, counter, event, 0, record))
    return found


def folded(found, gone=()):
    stored = []
    fold = TableFold(EVENT, gone, lambda: stored)
    for entry in found:
        stored.append(entry)  # as an archive has it before it is folded
        fold.add(entry)
        fold.advance()
    return fold


def test_a_result_is_what_the_board_agreed():
    board = won(seat=1)
    fold = folded(entries(board))
    result = fold.results[1, 9]
    assert (result.outcome, result.games, result.by) == ("B", (0, 2), AGREED)
    assert not result.incomplete and fold.waiting == 0
    assert state(fold.match) == state(board.match)


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_arrival_does_not_matter(seed):
    board = won()
    found = entries(board)
    random.Random(seed).shuffle(found)
    fold = folded(found)
    assert state(fold.match) == state(board.match)
    assert fold.results[1, 9].outcome == "A"


def test_players_who_changed_places_keep_their_results():
    board = table(NOW_MS + 600_000, (2, 0, 1))
    assert board.ask(700_000, intents.CONCEDE, 0)
    for seat in (0, 1):
        assert board.ask(700_000, intents.CONFIRM_RESULT, seat)
    found = folded(entries(board))
    assert found.match.outcome == 2, "the seat ● has won"
    assert found.proposal == ("A", None)
    assert as_paired(found.match, 2) == 1 and as_paired(found.match, (0, 1)) == (1, 0)
    result = found.results[1, 9]
    assert (result.outcome, result.conceded) == ("A", 1), "where the first player sat"


def taken_back():
    """Return a board's match and entries: a game is taken back, the other seat wins."""
    board = table()
    ledger = Ledger(board.journal, p18, None)
    ledger.resume()
    now_ms = board.now_ms(0)

    def do(*asked):
        for kind, a in asked:
            happened = ledger.ask(intents.of_numbers(kind, now_ms, a, 0, 0), now_ms)
            assert happened
            ledger.record(happened)

    do((intents.SET_STARTER, 0), (intents.WIN_GAME, 0), (intents.TAKE_BACK, 3))
    assert ledger.match.score == (0, 0) and ledger.match.progress == 1
    do((intents.WIN_GAME, 1), (intents.SET_STARTER, 0), (intents.WIN_GAME, 1))
    do((intents.CONFIRM_RESULT, 0), (intents.CONFIRM_RESULT, 1))
    return ledger.match, entries(board)


@pytest.mark.parametrize("seed", range(8))
def test_what_was_taken_back_is_undone_at_the_desk_in_whatever_order_it_arrives(seed):
    match, found = taken_back()
    if seed:
        random.Random(seed).shuffle(found)
    fold = folded(found)
    assert state(fold.match) == state(match)
    assert (fold.results[1, 9].outcome, fold.results[1, 9].games) == ("B", (0, 2))


def test_until_its_taking_back_is_heard_a_press_stands():
    match, found = taken_back()
    late = next(one for one in found if one.kind == events.TAKEN_BACK)
    fold = folded([one for one in found if one is not late])
    assert fold.match.score == (1, 0) and fold.waiting > 0 and not fold.results
    fold.add(late)
    fold.advance()
    assert state(fold.match) == state(match)


def test_behind_a_gap_nothing_is_believed():
    board = won()
    found = entries(board)
    missing = take_out(found, events.GAME_WON)
    fold = folded(found)
    assert fold.results == {} and fold.waiting > 3
    fold.add(missing)
    fold.advance()
    assert fold.results[1, 9].outcome == "A" and fold.waiting == 0


def test_a_record_the_board_lost_is_passed_over_and_told():
    board = won()
    found = entries(board)
    lost = take_out(found, events.SEAT_CONFIRMED)
    fold = folded(found, gone={(lost.epoch, lost.counter)})
    assert fold.results[1, 9].incomplete


def test_a_reset_goes_on_where_the_boot_before_ended():
    board = table()
    board.ask(0, intents.SET_STARTER, 0)
    board.boot(0)
    assert board.ask(0, intents.WIN_GAME, 0)
    found = entries(board)
    fold = folded(found)
    assert state(fold.match) == state(board.match) and fold.match.score == (1, 0)
    last_of_first = next(e for e in reversed(found) if e.epoch == 1)
    fold = folded([e for e in found if e is not last_of_first])
    assert fold.match.score == (0, 0) and fold.waiting > 0  # its tail is known to be missing


def test_a_ruling_supersedes_a_result_and_says_so():
    board = won()
    now_ms = board.now_ms(0)
    for intent in (intents.ReopenResult(now_ms, 0), intents.RuleResult(now_ms, 2, 0, 1, 1, 2)):
        done = board.match.decide(intent, now_ms)
        assert done
        board.happen(*done)
    result = folded(entries(board)).results[1, 9]
    assert (result.outcome, result.games, result.by) == ("B", (1, 2), RULED)


def test_a_reopened_result_is_no_result():
    board = won()
    board.happen(*board.match.decide(intents.ReopenResult(board.now_ms(0), 0), board.now_ms(0)))
    assert folded(entries(board)).results == {}


def test_a_result_outlives_the_next_round():
    board = won()
    board.happen(events.RoundCleared(0), events.PolicySet(0, 0))
    board.happen(events.RoundSet(0, 2, 4, 3))
    fold = folded(entries(board))
    assert fold.results[1, 9].outcome == "A" and fold.match.round == 2


def test_another_events_records_are_not_ours():
    board = won()
    board.journal.append(events.EventJoined(board.now_ms(0), 6, EVENT))
    fold = TableFold(6, (), lambda: entries(board))
    for entry in entries(board):
        fold.add(entry)
    fold.advance()
    assert fold.results == {} and fold.match.round == 0


def test_a_board_that_joins_in_ever_earlier_boots_is_folded_afresh_so_often_and_no_more():
    read, stored = [], []

    def archived():
        read.append(len(stored))
        return stored

    fold = TableFold(EVENT, (), archived)
    for epoch in range(3000, 0, -1):
        frame = signatures.sign(
            bytes(32), events.EVENT_JOINED, 7, epoch, 0, frames.plain(0, 0, EVENT, 0)
        )
        stored.append(ArchivedRecord(7, 1, epoch, 0, 0, 0, frame))
        fold.add(stored[-1])
        fold.advance()
    assert len(read) == MOST_RESTARTS and fold.doubtful


def test_an_event_of_a_newer_board_is_set_aside_by_its_number():
    board = won()
    found = entries(board)
    last = found[-1]
    counter = last.counter + 1
    frame = signatures.sign(bytes(32), 99, last.device, last.epoch, counter, frames.plain(NOW_MS))
    fold = folded([*found, last._replace(counter=counter, frame=frame)])
    assert fold.invalid_records == {(last.epoch, counter): 99} and fold.doubtful
    assert state(fold.match) == state(board.match)
