"""A commitment on the disk brings a nonce down, once, whoever crashes."""

import pytest
from fair import Fair
from lucky import Lucky
from tabletop import MASTER

from firmware.core import events, frames, intents, seeds
from host.archive.records import Position
from host.archive.store import Archive
from host.audit.inspection import inspect
from host.event import nonces
from host.keys.keyring import Keyring

pytestmark = [pytest.mark.venue(of=Fair, loss=0.2, seed=4, begun=True), pytest.mark.archives]


def roll(venue, board):
    assert board.ask(venue.air.now_ms, intents.ROLL, 16)


def test_each_commitment_brings_one_nonce_and_the_board_takes_it(venue):
    venue.drain()
    given = nonces.all_given(venue.archive)
    assert len(given) == 2
    by_device = {one.commitment.device: one for one in given}
    assert len(by_device) == 2
    for board in venue.boards:
        one = by_device[board.device]
        assert board.ledger.seeds.parts[seeds.NONCE] == bytes.fromhex(one.nonce.hex())
        assert venue.parts(board) == [0, 1, 2, seeds.NONCE]
        assert not board.sync.waiting


def test_a_seed_comes_up_when_its_match_is_over_and_not_before(venue):
    board = venue.boards[0]
    roll(venue, board)
    venue.drain()
    assert 4 not in venue.parts(board) and not venue.station.hall.waiting
    assert venue.station.hall.fold_at(1).match.roll.number == 1, (
        "the fold has not waited for what is withheld"
    )
    venue.win(board)
    venue.drain()
    assert venue.parts(board) == [4, 5, 6, 7, 0, 1, 2, seeds.NONCE]
    assert venue.station.hall.results(1)[1].incomplete is False
    report = inspect(venue.archive, Keyring(MASTER, venue.archive.roster))
    assert not report.faults
    assert all("board 102" in remark for remark in report.remarks), report.remarks
    assert any(
        "4 records are withheld until a match is over" in remark for remark in report.remarks
    )


def test_a_board_and_a_host_that_begin_anew_agree_on_the_same_nonce(venue):
    board = venue.boards[0]
    venue.drain()
    before = nonces.all_given(venue.archive)
    board.boot(venue.air.now_ms)
    venue.restart()
    venue.drain()
    assert nonces.all_given(venue.archive) == before
    roll(venue, board)
    venue.win(board)
    venue.restart()
    venue.drain()
    assert venue.parts(board) == [4, 5, 6, 7, 0, 1, 2, seeds.NONCE]
    held = {entry.id: entry.frame for entry in venue.archive.records()}
    for record in board.history():
        kind, device, epoch, counter = frames.head(record)
        assert kind in events.NOT_NEWS or held[device, 1, epoch, counter] == record


def test_the_nonce_is_on_the_disk_only_after_its_commitment(venue):
    venue.drain()
    for one in nonces.all_given(venue.archive):
        device, generation, epoch, counter = one.commitment
        sql = (
            "SELECT max(received_ms) FROM records WHERE device = ? AND epoch = ? AND counter"
            " BETWEEN ? AND ?"
        )
        stored_ms = venue.archive.query(sql, device, epoch, counter, counter + 2)[0][0]
        sql = "SELECT asked_ms FROM commands WHERE kind = ? AND table_number = ?"
        assert venue.archive.query(sql, intents.SET_NONCE, device - 100)[0][0] >= stored_ms
        assert len(one.nonce) == 8


def test_no_nonce_is_given_for_what_is_over_or_decided(tmp_path):
    with Archive(tmp_path / "b.db") as archive:
        fair = Lucky().begin()
        fair.roll()
        found = nonces._Board()
        for record in fair.records():
            found.add(Position(*frames.head(record)[2:]), events.of_record(record))
        assert not list(found.wanting())
        assert not nonces.all_given(archive)
