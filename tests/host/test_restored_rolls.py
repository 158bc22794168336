"""Rolls after a lost laptop: its nonces are its own; a board that chose one itself is named."""

import itertools
import struct

import pytest
from fair import Fair
from replayed import copied, restored
from tabletop import MASTER

from firmware.core import events, intents, luck, payload, seeds
from host.audit.examination import examine
from host.backup import restore
from host.base.errors import UserError
from host.event import nonces

COIN = 16  # the purpose of a ROLL: who is first
HEADS = 1

pytestmark = pytest.mark.venue(of=Fair)


def play(venue):
    """Roll once at each table, and end the matches."""
    for board in venue.boards:
        assert board.ask(venue.air.now_ms, intents.ROLL, COIN)
        venue.win(board)
    venue.drain()


def audited(venue):
    return examine(venue.archive, venue.station.keyring)


def choose(board):
    """Have a board take a nonce of its own in place of the host's: its first coin falls heads."""
    decide = board.ledger.ask

    def ask(intent, now_ms):
        if intent.kind != intents.SET_NONCE or not decide(intent, now_ms):
            return decide(intent, now_ms)
        seed = board.ledger.seeds.seed
        tried = (struct.pack("<Q", one) for one in itertools.count())
        nonce = next(one for one in tried if coin(seed, one) == HEADS)
        return (seeds.seed_event(seeds.NONCE, nonce),)

    board.ledger.ask = ask


def coin(seed, nonce):
    return luck.draw(seeds.chance(seed, nonce, 1, COIN), 0, 0)[0]


def test_an_honest_event_that_was_restored_in_the_middle_of_its_matches_fits(venue, tmp_path):
    venue.drain()  # the boards join the event: orders that the copy holds
    copied(venue, tmp_path, MASTER)
    venue.begin()  # the lost host alone gives the nonces
    given = {one.commitment: one.nonce for one in nonces.all_given(venue.archive)}
    restored(venue, tmp_path)
    assert not nonces.all_given(venue.archive)
    play(venue)
    report = audited(venue)
    assert len(given) == 2 and not report.faults
    assert not [one for one in report.remarks if "nonce" in one]
    told = [one.board_event for one in venue.archive.records()]
    parts = [one for one in told if isinstance(one, events.SeedStored)]
    taken = {payload.data_of(one) for one in parts if one.part == seeds.NONCE}
    assert taken == set(given.values())


@pytest.mark.parametrize("when", ("never", "before", "after"))
def test_a_board_that_chooses_its_nonce_is_named_with_its_match(venue, tmp_path, when):
    venue.drain()  # the boards join the event: orders that the copy holds
    copied(venue, tmp_path, MASTER)
    choose(venue.boards[0])
    if when == "after":
        restored(venue, tmp_path)
    venue.begin()
    if when == "before":
        restored(venue, tmp_path)
    play(venue)
    first = next(r for r in venue.boards[0].history() if events.of_record(r).kind == events.ROLLED)
    assert events.of_record(first).face == HEADS
    assert audited(venue).faults == [
        "board 101 (key 1), round 1, table 1: its nonce is none that this host gave for its"
        " commitment"
    ]


@pytest.mark.venue(begun=True)
def test_minutes_are_not_given_before_the_board_has_told_what_the_lost_laptop_gave(venue):
    restore.leap_counters(venue.archive, 0)
    venue.restart()
    with pytest.raises(UserError, match="what the lost laptop gave it"):
        venue.station.desk.extend(2, 8)
    venue.drain(60_000)
    venue.air.run(5_000)
    venue.station.desk.extend(2, 8)
    venue.drain()
    assert venue.boards[1].match.extension_s == 480


@pytest.mark.venue(begun=True)
def test_a_host_that_was_never_lost_gives_minutes_at_once(venue):
    venue.restart()
    venue.station.desk.extend(2, 8)
    venue.drain()
    assert venue.boards[1].match.extension_s == 480
