"""``plusthree audit`` on announced results: who signed them, and what the records say."""

import pytest
from announcing import hear, milestone, status
from commands import plusthree
from tabletop import MASTER

from firmware.core import announced, frames
from host.archive import master_key
from host.audit.announcement_check import MatchPlaces
from host.audit.inspection import inspect
from host.desk.announcements import Announcements
from host.event import announced_results
from host.keys import signatures

pytestmark = pytest.mark.venue(begun=True)
B_WINS = 2 << 11 | 2  # in a word


def heard(venue, word=None):
    """Have table 1 end as A's, out of reach, and announce a word; return its board."""
    board = venue.win_unheard()
    hear(venue, status(board, word and word(announced.word(board.match, milestone(board)))))
    assert Announcements(venue.station).store(venue.air.now_ms)
    return board


def inspected(venue):
    return inspect(venue.archive, venue.station.keyring)


def test_a_match_is_named_by_its_table_or_by_its_pairing(venue):
    places = MatchPlaces(venue.archive)
    assert places.of(1, 2) == "round 1, table 2" and places.of(2, 1) == "round 2, pairing 1"


def test_one_that_its_board_signed_fits(venue, capsys):
    heard(venue)
    report = inspected(venue)
    assert not report.faults and report.results == 1
    assert not any("announced" in one for one in report.remarks)
    master_key.keep(master_key.path_of(venue.path), MASTER)
    venue.station.close()
    assert plusthree("audit", venue.path) == 0
    assert plusthree("show", "results", venue.path) == 0
    assert "announced by its board, records to come" in capsys.readouterr().out


@pytest.mark.parametrize("key", (bytes(32), None), ids=("no key of ours", "another event's"))
def test_one_that_its_board_did_not_sign_here_is_named(venue, key):
    heard(venue)
    (one,) = announced_results.every(venue.archive)
    if key is None:
        key = frames.stream_key(frames.board_key(MASTER, 101, 1), 0, frames.UP, one.epoch)
    payload = frames.pack_status(one.word, 12, 0, frames.RESULT_ANNOUNCED, 0)
    forged = signatures.sign(key, frames.STATUS, 101, one.epoch, one.counter + 1, payload)
    made = one._replace(frame=forged, counter=one.counter + 1)
    announced_results.store(venue.archive, made, None)
    assert inspected(venue).faults == [
        "round 1, table 1: board 101 did not sign the result that it is said to have announced"
    ]


def test_one_that_the_records_contradict_is_named(venue):
    heard(venue, lambda word: word >> 20 << 20 | B_WINS)
    assert venue.station.hall.results(1)[1].outcome == "B"
    venue.air.away.clear()
    venue.drain()
    report = inspected(venue)
    said = "round 1, table 1: board 101 announced B 0–2, and its records say A 2–0"
    assert said in report.remarks and not report.faults
