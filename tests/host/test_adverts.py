"""What an advert tells the host, and what its repeats do not."""

import pytest
from tabletop import EVENT

from firmware.core import events, frames
from host.archive.audit_log import HEAD

pytestmark = pytest.mark.venue(tables=2)


def test_a_status_is_as_old_as_it_was_heard(venue, voice):
    voice.advertise(voice.status(), ms=700)
    assert voice.status_of.heard_ms == voice.collector.heard_ms == venue.air.now_ms


def test_the_same_status_is_no_mistake_and_keeps_the_board_young(venue, voice):
    said, refused = voice.advertise(voice.status()), dict(voice.collector.refused)
    voice.advertise(said, ms=900)
    assert voice.status_of.heard_ms == voice.collector.heard_ms == venue.air.now_ms
    assert dict(voice.collector.refused) == refused


def test_the_same_status_from_another_address_moves_the_board_there(voice):
    said = voice.advertise(voice.status())
    voice.advertise(said, "its new address")
    voice.advertise(voice.status(frames.UNSENT), "its newest address")
    assert ("connect", "its newest address") in voice.poll()
    said = voice.advertise(voice.status(), "radio 101")
    voice.advertise(said, "and another")
    assert voice.status_of.address == "and another"


def test_the_same_status_asks_again_some_time_after_a_connection(voice):
    """Had the connection brought what it asks for, it would be another status by then."""
    said = voice.advertise(voice.status(frames.UNSENT))
    voice.link()
    voice.prove()
    voice.serve()
    voice.collector.on_disconnected(voice.address)
    voice.advertise(said, ms=1500)
    assert voice.poll() == [], "it may have been on its way since before"
    voice.advertise(said, ms=1500)
    assert ("connect", voice.address) in voice.poll()


def test_a_record_from_anywhere_moves_no_board(voice):
    voice.advertise(voice.record(), "whoever repeats it")
    voice.poll()
    assert voice.status_of.address == voice.address


def test_a_record_that_leaves_others_out_has_the_board_connected_to(voice):
    voice.advertise(voice.status())
    assert voice.poll() == []
    voice.record()
    voice.advertise(voice.record())
    assert voice.poll() == [("connect", voice.address)]


def work(venue, act):
    """Return how many of SQLite's instructions an act takes."""
    steps, db = [], venue.archive._db
    db.set_progress_handler(lambda: steps.append(1), 1)
    act()
    db.set_progress_handler(None, 1)
    return len(steps)


def test_a_repeated_record_costs_no_look_at_the_disk(venue, voice):
    said = voice.advertise(voice.record())
    assert work(venue, voice.poll)
    voice.advertise(said, ms=900)
    assert voice.collector.heard_ms == venue.air.now_ms
    assert work(venue, voice.poll) == 0
    assert said in {one.frame for one in venue.archive.records()}


def test_a_repeated_record_of_a_board_on_a_connection_is_acknowledged_there(voice):
    """Its acknowledgement may have got lost."""
    said = voice.advertise(voice.record())
    voice.poll()
    voice.advertise(voice.status(frames.UNSENT))
    voice.link()
    voice.prove()
    voice.advertise(said)
    written = [frame for _ in range(20) for frame in voice.written()]
    (ack,) = [one for one in written if frames.head(one)[0] == frames.ACK]
    assert frames.ack_of(ack)[:2] == frames.head(said)[2:]


@pytest.mark.parametrize("late", (False, True), ids=("in time", "after a later status"))
def test_a_head_whose_records_do_not_follow_is_kept(venue, voice, late):
    told = voice.status(frames.UNSENT, more=9)
    if late:
        voice.advertise(voice.status())
    voice.advertise(told)
    voice.poll()
    heads = "SELECT count(*) FROM counterfoils WHERE what = ?"
    before = venue.archive.number(heads, HEAD)
    voice.poll(ms=10_000)
    assert venue.archive.number(heads, HEAD) == before + 1


JOINED = events.EventJoined(0, EVENT + 3, 0)


@pytest.mark.parametrize(
    ("boots_ago", "event"), [(0, EVENT + 3), (1, EVENT)], ids=["this boot", "the one before"]
)
def test_a_board_is_at_the_event_that_it_joined_in_this_boot(voice, boots_ago, event):
    epoch = voice.status_of.epoch - boots_ago
    voice.advertise(voice.record(JOINED, epoch=epoch, event=0))
    voice.poll()
    assert voice.status_of.event == event
