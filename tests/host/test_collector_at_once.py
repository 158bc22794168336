"""What the collector does at once: at its next poll, without another word from a board."""

import pytest
from tabletop import EVENT, MASTER
from voiced import Voice

from firmware.core import events, frames, intents
from host.archive.orders import NewOrder
from host.archive.roster import SPARE, Board, Event, Pairing, Player
from host.desk import board_swap
from host.desk.station import Station

FIRST = {(1, "Given0 F"), (1, "Given1 F")}  # the names of the first round, cut
pytestmark = [pytest.mark.venue(tables=2), pytest.mark.archives]


@pytest.fixture
def proved(voice):
    """The same on a connection, where it has asked for the time."""
    voice.advertise(voice.status(frames.UNSENT))
    voice.link()
    voice.prove()
    return voice


def ordered(venue, kind, *numbers, table=1, number=1):
    intent = intents.of_numbers(kind, 0, *numbers)
    return venue.station.collector.add_order(NewOrder(number, table, intent, "Ann"))


def test_an_order_has_its_own_board_connected_to(venue, voice):
    Voice(venue, 2).advertise(Voice(venue, 2).status())
    voice.advertise(voice.status())
    ordered(venue, intents.FREEZE)
    assert voice.poll() == [("connect", voice.address)]


def test_an_order_is_asked_for_when_the_host_looked_at_its_clock_last(venue, voice):
    voice.poll(ms=500)
    order = ordered(venue, intents.FREEZE)
    assert venue.archive.orders.get(order).asked_ms == venue.air.now_ms
    voice.notify(voice.frame(frames.TIME_ASKED), ms=500)
    order = ordered(venue, intents.RESUME)
    assert venue.archive.orders.get(order).asked_ms == venue.air.now_ms


def test_another_event_has_every_board_connected_to(venue, voice):
    voice.advertise(voice.status())
    assert voice.poll() == []
    venue.archive.roster.open_event(Event(EVENT + 1, "The next", 0))
    venue.station.refresh()
    assert ("connect", voice.address) in voice.poll()


def test_a_board_at_another_table_gets_that_tables_orders(venue, voice):
    venue.archive.roster.move(102, SPARE, "Ann", "", 0)
    venue.archive.roster.move(101, 2, "Ann", "", 0)
    venue.station.refresh()
    voice.advertise(voice.status())
    ordered(venue, intents.FREEZE, table=2)
    assert voice.poll() == [("connect", voice.address)]


def names(voice):
    """Have the board ask for names; return those that it is told: ``{(round, first letters)}``."""
    key = frames.board_key(MASTER, voice.device, 1)
    voice.notify(voice.status(frames.NAMES_WANTED))
    written = [frame for _ in range(20) for frame in voice.written()]
    found = set()
    for frame in written:
        if frames.head(frame)[0] == frames.NAME:
            number, part, _, hidden = frames.name_of(frame)
            if not part:
                found.add((number, frames.mask_name(key, frame, hidden).decode()))
    return found


def test_no_names_are_sent_once_their_round_is_to_be_cleared(venue, proved):
    assert names(proved) == FIRST
    ordered(venue, intents.CLEAR_ROUND)
    assert names(proved) == set()


def second_round(venue):
    players = [Player(str(10 + n), f"Other{n} Family") for n in range(4)]
    pairings = [Pairing(2, n, n, players[2 * n - 2], players[2 * n - 1]) for n in (1, 2)]
    venue.archive.roster.store_round(2, venue.archive.roster.format_of(1), pairings)


def test_a_refused_round_leaves_the_names_of_the_one_before(venue, proved):
    second_round(venue)
    assert names(proved) == FIRST
    ordered(venue, intents.SET_ROUND, 2, 1, 1, number=2)
    assert names(proved) == {(2, "Other0 F"), (2, "Other1 F")}
    ((sent,),) = venue.archive.query("SELECT counter FROM sends ORDER BY command DESC LIMIT 1")
    proved.notify(proved.record(events.Answered(0, 1, sent, intents.SET_ROUND, 0)))
    proved.poll()
    assert names(proved) == FIRST


def test_a_renamed_player_has_the_new_name_at_once(venue, proved):
    assert names(proved) == FIRST
    venue.archive.roster.rename([Player("0", "Zoe Family")])
    venue.station.refresh()
    assert names(proved) == {(1, "Zoe F.\0\0"), (1, "Given1 F")}


def test_a_connection_that_is_being_made_or_stands_is_work(voice):
    collector = voice.collector
    assert collector.idle
    voice.advertise(voice.status(frames.UNSENT))
    assert not collector.idle, "it waits"
    assert voice.poll() == [("connect", voice.address)] and not collector.idle, "it is being made"
    collector.on_connected(voice.address)
    assert not collector.idle, "it stands"


def test_what_waits_for_the_disk_is_work(voice):
    voice.advertise(voice.record())
    assert not voice.collector.idle
    voice.poll()


def test_a_connection_that_ends_is_made_anew_only_when_it_has_ended(voice):
    voice.advertise(voice.status(frames.UNSENT))
    voice.link()
    voice.prove()
    voice.serve()
    voice.advertise(voice.status(frames.UNSENT))
    assert voice.poll() == []
    voice.collector.on_disconnected(voice.address)
    assert voice.poll() == [("connect", voice.address)]


def test_a_new_record_proves_the_board_on_a_connection(voice):
    voice.advertise(voice.status(frames.UNSENT, more=1))
    voice.link()
    said = voice.notify(voice.record())
    (ack,) = voice.written()
    assert frames.ack_of(ack)[:2] == frames.head(said)[2:]


def test_what_is_heard_on_a_connection_is_heard(venue, proved):
    proved.notify(proved.status(), ms=700)
    assert proved.collector.heard_ms == venue.air.now_ms


def test_a_status_that_is_older_than_a_question_is_heard_once(voice):
    first, changed = voice.status(frames.UNSENT), voice.status(frames.UNSENT, more=1)
    voice.advertise(first)
    voice.link()
    voice.prove()
    voice.serve()
    voice.collector.on_disconnected(voice.address)
    voice.advertise(changed)
    assert voice.poll() == [("connect", voice.address)]
    voice.advertise(first)
    assert voice.status_of.frame == changed
    assert voice.collector.refused[voice.device, "counter"] == 1


def test_what_a_gateway_repeats_takes_no_board_its_address(venue, voice):
    said = voice.advertise(voice.status())
    for frame in (said, voice.status()):
        voice.collector.on_advert(None, frame, venue.air.now_ms)
        assert voice.status_of.address == voice.address


def test_a_connection_that_the_board_ends_is_stepped_no_more_and_made_again(voice):
    voice.advertise(voice.status(frames.UNSENT))
    voice.link()
    voice.prove()
    voice.collector.on_disconnected(voice.address)
    assert voice.status_of.served_ms == voice.collector.now_ms
    assert voice.poll() == [("connect", voice.address)]


def test_an_order_is_not_written_to_a_connection_that_has_ended(venue, proved):
    proved.collector.on_disconnected(proved.address)
    ordered(venue, intents.FREEZE, 1)
    assert proved.poll(1000) == [("connect", proved.address)]


def test_a_third_attempt_that_fails_costs_a_board_its_turn_and_it_is_tried_again_soon(voice):
    served_ms, collector = voice.status_of.served_ms, voice.collector
    for number in range(1, 6):
        voice.advertise(voice.status(frames.UNSENT))
        assert voice.poll(ms=3000) == [("connect", voice.address)]
        voice.advertise(voice.status(frames.UNSENT), ms=1000)
        collector.on_disconnected(voice.address)
        turn = served_ms if number < 3 else collector.now_ms
        assert (voice.status_of.failures, voice.status_of.served_ms) == (number, turn)
        assert voice.status_of.not_before_ms - collector.now_ms <= 2000


@pytest.mark.parametrize("others, wait_ms", ((0, 500), (1, 2000)))
def test_who_could_not_be_reached_five_times_is_tried_again_sooner_if_nobody_else_waits(
    venue, voice, others, wait_ms
):
    collector, other = voice.collector, Voice(venue, 2)
    collector.links = 1
    for _ in range(5):
        voice.advertise(voice.status(frames.UNSENT))
        assert voice.poll(ms=3000) == [("connect", voice.address)]
        voice.advertise(voice.status(frames.UNSENT), ms=1000)
        collector.on_disconnected(voice.address)
    waited_ms, wanted = 0, []
    while ("connect", voice.address) not in wanted:
        if others:
            other.advertise(other.status(frames.UNSENT), ms=0)
        waited_ms += 20
        wanted = voice.poll()
        for _, address in wanted:
            if address == other.address:
                collector.on_disconnected(address)
    assert wait_ms <= waited_ms <= wait_ms + 100


def test_who_waits_behind_a_connection_is_tried_from_when_that_has_opened(venue, voice):
    other = Voice(venue, 2)
    for one in (voice, other):
        one.advertise(one.status(frames.UNSENT))
    assert {address for _, address in voice.poll()} == {voice.address, other.address}
    voice.poll(ms=20_000)
    voice.collector.on_connected(voice.address)
    assert other.status_of.tried_ms == venue.air.now_ms


def test_the_end_of_nobodys_connection_is_no_boards_failure(tmp_path):
    with Station(tmp_path / "b.db", MASTER) as station:
        station.archive.roster.add_board(Board(1, 1, 1), 0)
        station.refresh()
        station.collector.on_disconnected("nobody")
        assert station.collector.statuses[1].failures == 0


def test_a_board_that_is_put_out_of_use_is_disconnected_at_once(venue, proved):
    board_swap.revoke(venue.station, proved.device, "Ann")
    venue.station.refresh()
    assert proved.poll(ms=0) == [("disconnect", proved.address)]


@pytest.mark.parametrize("again", ("the same", "another"))
def test_who_was_too_long_silent_is_connected_to_when_it_is_heard_again(voice, again):
    said = voice.advertise(voice.status(frames.UNSENT))
    assert voice.poll(ms=16_000) == []
    voice.advertise(said if again == "the same" else voice.status(frames.UNSENT))
    assert voice.poll() == [("connect", voice.address)]


def test_no_clock_round_begins_beside_any_other_connection(venue, voice):
    """Its own board wants nothing, and was visited long ago."""
    idle, collector = Voice(venue, 2), voice.collector
    stages = (
        lambda: voice.poll(),  # is being made
        lambda: collector.on_connected(voice.address),
        lambda: voice.prove() or voice.serve(),  # is being ended
    )
    voice.poll(ms=100_000)
    idle.advertise(idle.status())
    voice.advertise(voice.status(frames.UNSENT))
    for stage in stages:
        stage()
        assert ("connect", idle.address) not in [*voice.poll(), *voice.poll()]
    collector.on_disconnected(voice.address)
    assert ("connect", idle.address) in [*voice.poll(), *voice.poll()]


def test_the_desk_sees_a_status_that_announces_a_result_and_no_other(voice):
    said = voice.advertise(voice.status())
    voice.collector.announcing.clear()
    voice.advertise(said)
    voice.advertise(voice.status())
    assert not voice.collector.announcing
    voice.advertise(voice.status(frames.RESULT_ANNOUNCED))
    assert voice.collector.announcing == {voice.device}


def test_a_board_that_listens_goes_on_listening_whatever_it_records(voice):
    voice.advertise(voice.status(frames.ANCHOR_WANTED))
    voice.advertise(voice.record())
    voice.poll()
    assert voice.status_of.listens
