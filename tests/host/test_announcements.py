"""A result that a board announces in its status: on the disk, acknowledged, until records come."""

import pytest
from announcing import hear, milestone, plain, status

from firmware.core import announced, phases
from host.desk.announcements import Announcements
from host.event import announced_results
from host.event.fold import Hall
from host.event.match_results import AGREED, ANNOUNCED

pytestmark = [pytest.mark.venue(tables=2, begun=True), pytest.mark.archives]


@pytest.fixture
def taken(venue):
    return Announcements(venue.station)


def played(venue, place=0, seat=0):
    """Return a board out of reach whose match has ended."""
    board = venue.boards[place]
    venue.air.away.add(f"radio {board.device}")
    venue.air.cut(board)
    venue.win(board, seat)
    return board


def result(venue, pairing=1):
    return venue.station.hall.results(1).get(pairing)


def notices(venue):
    return venue.archive.notices.every(announced_results.NOTICE)


def test_a_result_is_stored_shown_and_acknowledged_again_without_a_second_notice(venue, taken):
    board = played(venue)
    assert taken.store(5) == [] and result(venue) is None
    hear(venue, status(board))
    assert taken.store(venue.air.now_ms) == [(1, milestone(board))]
    found = result(venue)
    assert (found.outcome, found.games, found.by) == ("A", (2, 0), ANNOUNCED)
    assert venue.station.desk.open == [2]
    assert Hall(venue.archive).results(1)[1] == found  # what is on the disk says the same
    assert taken.store(venue.air.now_ms) == []  # nothing was heard since
    hear(venue, status(board))
    assert taken.store(venue.air.now_ms) == [(1, milestone(board))] and len(notices(venue)) == 1
    venue.restart()
    hear(venue, status(board))
    assert Announcements(venue.station).store(venue.air.now_ms) == [(1, milestone(board))]
    assert len(notices(venue)) == 1


def test_the_same_status_again_is_acknowledged_again(venue, taken):
    board = played(venue)
    frame = status(board)
    for _ in range(2):
        hear(venue, frame)
        assert taken.store(venue.air.now_ms) == [(1, milestone(board))]


def test_the_records_take_over(venue, taken):
    board = played(venue)
    hear(venue, status(board))
    taken.store(venue.air.now_ms)
    venue.air.away.clear()
    venue.drain()
    assert result(venue).by == AGREED


def test_a_match_that_is_open_again_withdraws_it(venue, taken):
    board = played(venue)
    hear(venue, status(board))
    taken.store(venue.air.now_ms)
    hear(venue, plain(board, phases.RESOLVING))
    assert taken.store(venue.air.now_ms) == [] and result(venue) is None
    assert Hall(venue.archive).results(1) == {}
    hear(venue, status(board, announced.word(board.match, milestone(board) + 1)))
    assert taken.store(venue.air.now_ms) and result(venue).outcome == "A"


def test_a_status_announces_no_zero_of_a_clock(venue):
    board = played(venue)
    heard = venue.station.collector.statuses[board.device]
    hear(venue, status(board))
    assert heard.zero_ms == 0 and heard.announced == announced.word(board.match, milestone(board))
    hear(venue, plain(board, phases.PLAYING))
    assert heard.announced is None


@pytest.mark.parametrize(
    "word",
    [
        announced.word,
        lambda match, told: announced.word(match, told) + (1 << 20),  # of the next round
        lambda match, told: announced.word(match, told) & ~3,  # nobody has won
        lambda match, told: announced.word(match, told) | 96 << 2,  # games no match has
    ],
    ids=["true", "round", "nobody", "games"],
)
def test_what_cannot_be_is_refused_and_counted_once(venue, taken, word):
    board = played(venue)
    said = word(board.match, milestone(board))
    true = said == announced.word(board.match, milestone(board))
    for _ in range(2):
        hear(venue, status(board, said))
        assert bool(taken.store(venue.air.now_ms)) == true
    assert venue.station.collector.refused[board.device, "result"] == (not true)
    assert len(notices(venue)) == true and bool(venue.station.hall.results(1)) == true
