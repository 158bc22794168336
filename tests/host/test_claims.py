"""A board's word counts for the tables where it stood: its key may have been stolen."""

from tabletop import EVENT

from firmware.core import events


def test_a_result_claimed_for_another_table_is_no_result(venue):
    venue.begin()
    thief = venue.boards[1]
    thief.happen(events.RoundSet(1000, 1, 1, 1), events.FormatSet(1000, 0, 6, 50))
    thief.happen(events.ResultRuled(1000, 1, 1, 2, 0), events.MatchEnded(1000))
    venue.drain()
    assert len(venue.archive.records(EVENT)) > 4 and not venue.station.hall.results(1)
    venue.win(venue.boards[0], seat=1)
    venue.drain()
    assert venue.station.hall.results(1)[1].outcome == "B"


def test_a_board_heard_only_from_anothers_address_is_not_called(venue):
    collector, air = venue.station.collector, venue.air
    near, far = air.boards
    collector.sessions[near] = None  # a link stands there
    collector.on_advert(near, air.boards[far].status(air.now_ms), air.now_ms)
    del collector.sessions[near]
    assert all(action[1] is not None for action in collector.poll(air.now_ms))
