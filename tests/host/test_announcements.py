"""A result that a board announces in its status: on the disk, acknowledged, until records come."""

import itertools
import json
import random
import sqlite3

import pytest
from announcing import hear, milestone, plain, status
from tabletop import MASTER, Tabletop

from firmware.core import announced, frames, intents, phases
from host.archive.records import BoardKey
from host.archive.roster import REVOKED, SPARE, Board, Event
from host.desk import paper_entry
from host.desk.announcements import MOST, Announcements
from host.desk.staff import Staff
from host.event import announced_results, event_log, invalid_notices, table_rows, typed_results
from host.event.announced_results import Announcement
from host.event.fold import Hall
from host.event.match_results import AGREED, ANNOUNCED, PAPER, ClaimedResult
from host.event.typed_results import TypedResult
from host.reports import exports

pytestmark = [pytest.mark.venue(tables=2, begun=True), pytest.mark.archives]


@pytest.fixture
def taken(venue):
    return Announcements(venue.station)


def result(venue, pairing=1):
    return venue.station.hall.results(1).get(pairing)


def notices(venue):
    return venue.archive.notices.every(announced_results.NOTICE)


def test_a_result_is_stored_shown_and_acknowledged_again_without_a_second_notice(venue, taken):
    board = venue.win_unheard()
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
    board = venue.win_unheard()
    frame = status(board)
    for _ in range(2):
        hear(venue, frame)
        assert taken.store(venue.air.now_ms) == [(1, milestone(board))]


def test_the_records_take_over(venue, taken):
    board = venue.win_unheard()
    hear(venue, status(board))
    taken.store(venue.air.now_ms)
    venue.air.away.clear()
    venue.drain()
    assert result(venue).by == AGREED


def test_a_match_that_is_open_again_withdraws_it(venue, taken):
    board = venue.win_unheard()
    hear(venue, status(board))
    taken.store(venue.air.now_ms)
    hear(venue, plain(board, phases.RESOLVING))
    assert taken.store(venue.air.now_ms) == [] and result(venue) is None
    assert Hall(venue.archive).results(1) == {}
    hear(venue, status(board, announced.word(board.match, milestone(board) + 1)))
    assert taken.store(venue.air.now_ms) and result(venue).outcome == "A"


def test_a_status_announces_no_zero_of_a_clock(venue):
    board = venue.win_unheard()
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
    board = venue.win_unheard()
    said = word(board.match, milestone(board))
    true = said == announced.word(board.match, milestone(board))
    for _ in range(2):
        hear(venue, status(board, said))
        assert bool(taken.store(venue.air.now_ms)) == true
    assert venue.station.collector.refused[board.device, "result"] == (not true)
    assert len(notices(venue)) == true and bool(venue.station.hall.results(1)) == true


def announce(venue, taken, place=0, seat=0):
    """Have a table end out of reach and announce it; return its board."""
    board = venue.win_unheard(place, seat)
    hear(venue, status(board))
    assert taken.store(venue.air.now_ms)
    return board


def test_all_that_was_heard_is_one_transaction(venue, taken, monkeypatch):
    for place in (0, 1):
        hear(venue, status(venue.win_unheard(place)))
    done = []
    monkeypatch.setattr(venue.archive, "after_commit", lambda: done.append(1))
    assert [table for table, _ in taken.store(venue.air.now_ms)] == [1, 2] and done == [1]


def test_what_the_disk_refuses_is_not_acknowledged_and_tried_again(venue, taken, monkeypatch):
    board = venue.win_unheard()
    hear(venue, status(board))

    def full():
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(venue.archive, "before_commit", full)
        with pytest.raises(sqlite3.OperationalError):
            taken.store(venue.air.now_ms)
    assert result(venue) is None and notices(venue) == []
    assert taken.store(venue.air.now_ms) == [(1, milestone(board))] and len(notices(venue)) == 1


def test_a_board_away_from_its_table_says_nothing_of_it(venue, taken):
    board = venue.win_unheard()
    venue.archive.roster.move(board.device, 9, "Ada", "", 0)
    venue.station.refresh()
    hear(venue, status(board))
    assert taken.store(venue.air.now_ms) == [] and notices(venue) == []
    assert venue.station.collector.refused[board.device, "result"] == 1


def test_what_was_told_at_another_event_counts_there_alone(venue, taken):
    board = announce(venue, taken)
    roster, station = venue.archive.roster, venue.station
    form, pairings = roster.format_of(1), roster.pairings_of(1)
    roster.open_event(Event(6, "Next Cup", 0))
    roster.store_round(1, form, pairings)
    station.refresh()
    station.desk.publish(1)
    hear(venue, status(board))
    assert taken.store(venue.air.now_ms) == [] and station.hall.results(1) == {}
    assert station.collector.refused[board.device, "result"] == 1 and notices(venue) == []


def test_records_that_tell_more_count_even_if_nobody_heard_of_it(venue, taken):
    board = announce(venue, taken)
    assert board.ask(venue.air.now_ms, intents.REOPEN_RESULT)
    venue.air.away.clear()
    venue.drain()
    assert result(venue) is None  # no status has withdrawn it
    assert json.loads(notices(venue)[-1])["won"]


def test_a_typed_code_counts_less_and_paper_against_it_is_a_conflict(venue, taken):
    typed_results.store(venue.archive, TypedResult(1, 1, 2, (0, 2), 9, "ABCDEF"), "Ada")
    assert result(venue).outcome == "B"
    announce(venue, taken)
    assert (result(venue).outcome, result(venue).by) == ("A", ANNOUNCED)
    paper_entry.enter(Staff(venue.station, "Ada"), 1, "A", (2, 0), "slip")
    assert (result(venue).by, result(venue).against) == (ANNOUNCED, None)
    paper_entry.enter(Staff(venue.station, "Ada"), 2, "B", (0, 2), "slip")
    announce(venue, taken, 1)
    assert (result(venue, 2).by, result(venue, 2).against) == (PAPER, ClaimedResult("A", (2, 0)))


def test_lists_exports_and_log_say_that_the_records_are_to_come(venue, taken):
    announce(venue, taken)
    archive, hall, collector = venue.archive, venue.station.hall, venue.station.collector
    row = table_rows.rows(archive, hall, collector, 1, venue.air.now_ms)[0]
    said = "Given0 Family wins 2–0 (announced by its board, records to come)"
    assert table_rows.result(row) == said
    line = exports.table_of(archive, hall, 1)[0]
    assert (line["outcome"], line["by"], line["state"]) == ("A", ANNOUNCED, "announced")
    logged = event_log.lines(archive)[-1]
    assert (str(logged["what"]), logged["author"]) == ("announced result", "board 101")
    assert str(logged["value"]) == "round 1, table 1: ▲ wins (2–0)"


DAMAGED = (
    {"frame": "zz"},
    {"frame": ""},
    {"won": 2},
    {"scores": [2, 1]},
    {"scores": [2]},
    {"round": "1"},
    {"round": 2},
    {"milestone": 3},
    {"counter": 0.5},
    {"epoch": 9},
    {"board": [102, 1]},
    {"board": None},
    {"won": True},
)


@pytest.mark.parametrize("told", DAMAGED, ids=str)
def test_a_notice_that_says_other_than_its_frame_counts_for_nothing(venue, taken, told):
    announce(venue, taken)
    value = {**json.loads(notices(venue)[0]), **told}
    venue.archive.notices.add(announced_results.NOTICE, json.dumps(value), "nobody", 1)
    assert announced_results.every(venue.archive)[1] is None
    assert invalid_notices.counts(venue.archive) == {announced_results.NOTICE: 1}
    assert Hall(venue.archive).results(1)[1].outcome == "A"


@pytest.mark.parametrize("said", ((1, 2, 1), (1, 1, 2), (1, 2, 2), (33, 1, 1)), ids=str)
def test_a_notice_that_is_of_no_place_of_its_board_counts_for_nothing(venue, said):
    verified = venue.station.keyring.verify(bytes(status(venue.win_unheard())))
    one = announced_results.of_status(verified, said, 9)
    announced_results.store(venue.archive, one, None)
    assert announced_results.every(venue.archive) == [one]
    hall = Hall(venue.archive)
    assert hall.results(1) == hall.results(33) == {}


def test_the_announcement_of_the_board_in_use_counts_more_than_that_of_a_revoked_one(venue, taken):
    first, roster = announce(venue, taken), venue.archive.roster
    roster.add_board(Board(200, 1, SPARE), 0)
    spare = Tabletop(200, frames.board_key(MASTER, 200, 1), random.Random(1))
    spare.journal.event, spare.match = first.journal.event, first.match.copy()
    spare.match.outcome = 2
    for device, table in ((101, SPARE), (200, 1)):
        roster.move(device, table, "Ada", "", 0)
    venue.station.refresh()
    hear(venue, status(spare))
    assert taken.store(venue.air.now_ms) == [(1, 0)] and result(venue).outcome == "B"
    for device, table in ((200, REVOKED), (101, 1)):
        roster.move(device, table, "Ada", "", 0)
    venue.station.refresh()
    assert result(venue).outcome == "A" and Hall(venue.archive).results(1)[1].outcome == "A"


@pytest.mark.parametrize("phase", (phases.IDLE, phases.AGREED))
def test_a_status_of_no_open_match_takes_nothing_back(venue, taken, phase):
    board = announce(venue, taken)
    hear(venue, plain(board, phase))
    assert taken.store(venue.air.now_ms) == [] and result(venue).outcome == "A"


def test_who_has_a_boards_key_cannot_fill_the_disk(venue):
    board = venue.win_unheard()
    for place in range(MOST + 9):
        hear(venue, status(board, announced.word(board.match, place)))
        taken = Announcements(venue.station)  # a restart makes no room
        assert len(taken.store(venue.air.now_ms)) == (place < MOST)
    assert len(notices(venue)) == MOST
    assert venue.station.collector.refused[board.device, "result"] == 9


PLACES = [(1, 9), (2, 3), (10, 0), (10, 4)]  # of an announcement, epoch and counter, oldest first


@pytest.mark.parametrize("order", [*itertools.permutations(range(4))])
def test_a_boards_newest_announcement_counts_in_whatever_order_they_came(order):
    one = Announcement(1, 1, 1, 1, (2, 0), 0, BoardKey(101, 1), 1, 0, b"", 0)
    said = [one._replace(epoch=PLACES[at][0], counter=PLACES[at][1]) for at in order]
    said += [each._replace(round=2) for each in said]
    other = one._replace(board=BoardKey(101, 2))
    assert announced_results.newest([other, None, *said]) == {
        (one.board, 1): one._replace(epoch=10, counter=4),
        (one.board, 2): one._replace(epoch=10, counter=4, round=2),
        (other.board, 1): other,
    }
