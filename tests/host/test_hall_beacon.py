"""What the hall's beacon says of the desk: state, switches, starts."""

import json

import pytest
from acknowledged import acked_of
from announcing import hear, status
from commands import plusthree
from tabletop import Venue

from firmware.core import beacon, events, frames, intents, phases
from host.collector.beacon_sender import BeaconSender
from host.desk import board_swap, room_stop
from host.desk.hall_beacon import HallBeacon
from host.desk.staff import Staff
from host.event import table_rows
from host.server.broadcast import Broadcast


@pytest.fixture
def hall(tmp_path):
    """A venue, and a function that returns what TICKs tell now."""
    venue = Venue(tmp_path / "a.db", tables=2, seed=3)
    sender = BeaconSender(venue.station.keyring.beacons, 5)
    told = HallBeacon(venue.station, sender)

    def now(later_ms=0):
        told.update(venue.air.now_ms + later_ms)
        return sender.hall[:5]

    yield venue, now
    venue.station.close()


def test_nothing_is_told_before_a_round_and_then_when_it_starts(hall):
    venue, now = hall
    assert now()[:5] == (0, beacon.IDLE, 0, 0, 0)
    venue.station.desk.publish(1)
    assert now()[:5] == (1, beacon.PUBLISHED, 2, 0, 0)
    venue.drain()
    venue.station.desk.start(start_ms := venue.air.now_ms + 121_000)
    assert now() == (1, beacon.PUBLISHED, 2, start_ms, 0)
    assert now(121_000)[1] == beacon.RUNNING


def test_the_whole_rooms_stop_is_told_and_its_end(hall):
    venue, now = hall
    venue.begin()
    assert now()[1] == beacon.RUNNING
    venue.station.desk.freeze(1)
    venue.drain()
    assert now()[1] == beacon.RUNNING, "one table is not the room"
    venue.station.desk.resume(1)
    venue.drain()
    room_stop.stop(Staff(venue.station, "Ada"), "fire alarm")
    assert now()[1] == beacon.STOPPED
    venue.drain()
    assert now()[1] == beacon.STOPPED
    room_stop.resume(Staff(venue.station, "Ada"))
    assert now()[1] == beacon.RUNNING


def test_the_halls_switches_are_told_and_no_single_tables(hall):
    venue, now = hall
    venue.begin()
    venue.station.desk.set_policy(1, 4)
    assert now()[4] == 0
    venue.station.desk.set_policy(None, 3)
    assert now()[4] == 3
    venue.station.desk.set_policy(None, 0)
    assert now()[4] == 0


def test_an_event_of_many_days_goes_on_when_no_counter_is_left(hall):
    venue, now = hall
    late_ms = 4 * 24 * 3_600_000
    venue.publish(1)
    venue.station.desk.start(venue.air.now_ms + late_ms + 120_000)
    assert now(late_ms)[3]


def test_a_host_that_has_begun_recalls_all_boards_until_it_has_heard_them(tmp_path):
    venue = Venue(tmp_path / "a.db", tables=2, seed=3)
    sender = BeaconSender(venue.station.keyring.beacons, 5)
    told = HallBeacon(venue.station, sender)
    venue.station.desk.publish(1)
    told.update(venue.air.now_ms)
    assert sender.hall.recalling and sender.hall.unheard == sender.hall.awaited == 2
    statuses = venue.station.collector.statuses
    venue.air.run(60_000, lambda: any(one.heard_ms is not None for one in statuses.values()))
    told.update(venue.air.now_ms)
    told.update(venue.air.now_ms + 1)
    assert sender.hall.recalling and sender.hall.unheard == 1 and sender.hall.awaited == 2
    venue.drain()
    told.update(venue.air.now_ms)
    told.update(venue.air.now_ms + 1)
    assert not sender.hall.recalling and not sender.hall.unheard
    now_ms = venue.air.now_ms + 1000
    acked = [one.frame for one in sender.poll(now_ms) + sender.poll(now_ms + 1000)
             if beacon.kind_of(one.frame) == beacon.ACKED]  # fmt: skip
    for table in (1, 2):
        assert (1, beacon.HEARD) in [acked_of(frame, table) for frame in acked]
    venue.station.close()


def test_a_result_in_a_recall_has_boards_speak_as_often_as_results_are_awaited(tmp_path):
    """Else a few boards that are off would have all others drown each other."""
    venue = Venue(tmp_path / "a.db", tables=2, seed=3)
    venue.begin()
    venue.restart()
    sender = BeaconSender(venue.station.keyring.beacons, 5)
    told = HallBeacon(venue.station, sender)
    told.update(now_ms := venue.air.now_ms)
    assert sender.hall.recalling and sender.hall.unheard == 2
    board = venue.boards[0]
    venue.air.away.add(f"radio {board.device}")
    venue.air.cut(board)
    venue.win(board, 0)
    hear(venue, status(board))
    told.update(venue.air.now_ms)
    assert sender.hall.unheard == 1 and not sender.hall.recalling
    told.update(now_ms + 20_000)
    assert sender.hall.unheard == 1 and sender.hall.recalling
    venue.station.close()


class Gateway:
    names, count, apart = ("desk",), 1, 1

    def now_us(self):
        return 0

    def send(self, advert, at_us, span_ms, turn):
        return 1


def test_boards_that_have_heard_forged_frames_are_told_until_they_say_so_no_more(tmp_path):
    venue = Venue(tmp_path / "a.db", tables=3, seed=3)
    venue.begin()
    told = HallBeacon(venue.station, BeaconSender(venue.station.keyring.beacons, 5))

    def say(board, flags):
        payload = frames.pack_status(0, phases.PLAYING, 0, flags, board.journal.news_head)
        hear(venue, board.sync.inform(frames.STATUS, payload, 0))
        return told.forged_at

    first, second, third = venue.boards
    assert say(first, 0) == []
    assert say(second, frames.BEACON_FORGED) == [2]
    assert say(third, frames.BEACON_FORGED | frames.UNSENT) == [2, 3]
    assert say(first, frames.BEACON_FORGED) == [1, 2, 3]
    assert say(first, frames.UNSENT) == [2, 3] and say(second, frames.UNSENT) == [3]
    board_swap.revoke(venue.station, third.device, "Ada")
    assert told.forged_at == []
    broadcast = Broadcast(venue.station, lambda: venue.air.now_ms)
    assert broadcast.forged_at == []  # before the first gateway
    broadcast.step(Gateway())
    payload = frames.pack_status(0, phases.PLAYING, 0, frames.BEACON_FORGED, 0)
    hear(venue, first.sync.inform(frames.STATUS, payload, 0))
    assert broadcast.forged_at == [1]
    venue.station.close()


BEGUN = pytest.mark.venue(seed=3, begun=True)


def lines(venue):
    told = table_rows.board_lines(venue.station.collector)
    return [line for line in told if "listens to the beacon" in line]


@BEGUN
def test_a_board_that_asks_for_the_chain_listens(venue):
    board = venue.boards[0]
    frame = board.sync.status_frame(board.match, frames.ANCHOR_WANTED, venue.air.now_ms)
    assert not lines(venue)
    venue.station.collector.on_advert(None, frame, venue.air.now_ms)
    (line,) = lines(venue)
    assert line.startswith(f"board {board.device} ")


@BEGUN
def test_one_that_has_answered_the_beacon_is_known_after_a_restart_and_in_status(venue, capsys):
    board = venue.boards[1]
    answer = events.Answered(venue.air.now_ms, 0, 9, intents.SET_START, 1)
    board.happen(answer)
    venue.drain()
    assert len(lines(venue)) == 1
    venue.restart()
    assert len(lines(venue)) == 1
    venue.station.close()
    assert plusthree("show", "status", venue.path, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert "one board takes its start from the beacon" in told["said"]
