"""The collector over a bad air, with the boards' own protocol code at the other end."""

import pytest
from tabletop import EVENT, MASTER, Air, Venue

from firmware.core import events, frames, intents
from host.archive.store import Archive
from host.backup.restore import leap_counters
from host.collector.board_status import BoardStatus
from host.collector.session import TRIES
from host.keys import signatures
from host.sim import stored_records

pytestmark = [pytest.mark.venue(tables=1), pytest.mark.archives]


@pytest.mark.parametrize(
    "loss",
    [
        pytest.param(one, marks=pytest.mark.venue(tables=6, seed=3, loss=one))
        for one in (0.0, 0.1, 0.3)
    ],
)
def test_a_round_arrives_whole(venue, loss):
    venue.begin()
    for board in venue.boards:
        venue.win(board)
    venue.drain()
    venue.check()
    assert {r.outcome for r in venue.station.hall.results(1).values()} == {"A"}
    assert len(venue.station.hall.results(1)) == 6
    assert {order.state for order in venue.archive.orders.all} <= {"done", "dropped"}
    assert not venue.archive.quarantined


def test_nothing_is_acknowledged_before_it_is_on_the_disk(venue, monkeypatch):
    venue.publish(1)

    def full(archive, entries):
        raise OSError(28, "No space left on device")

    venue.boards[0].happen(events.JudgeCalled(0, 1))
    with monkeypatch.context() as patch:
        patch.setattr(
            Archive, "commit", lambda archive, entries: full(archive, entries) if entries else []
        )
        with pytest.raises(OSError):
            venue.air.run(30_000)
        assert venue.boards[0].sync.waiting
    venue.drain()
    venue.check()


@pytest.mark.venue(tables=3, loss=0.2, begun=True)
def test_a_restarted_host_loses_and_doubles_nothing(venue):
    for number, board in enumerate(venue.boards):
        venue.win(board, number % 2)
        for table in venue.station.desk.tables:
            venue.station.desk.command(intents.Say, table, (1, 0))
        venue.air.run(400)
        venue.restart()
    venue.drain()
    venue.check()
    assert [venue.station.hall.results(1)[n].outcome for n in (1, 2, 3)] == ["A", "B", "A"]
    for board in venue.boards:  # each order was done once
        said = [r for r in board.history() if events.of_record(r).kind == events.ROUND_SET]
        assert len(said) == 1


@pytest.mark.venue(tables=1, begun=True)
def test_a_reset_boards_old_records_still_come(venue):
    board = venue.boards[0]
    board.ask(venue.air.now_ms, intents.SET_STARTER, 0)  # nobody hears this before the reset
    venue.air.cut(board)
    board.boot(venue.air.now_ms)
    venue.drain()
    venue.check()
    assert venue.station.hall.fold_at(1).match.progress == 1
    assert venue.station.hall.fold_at(1).waiting == 0


@pytest.mark.venue(tables=1, begun=True)
def test_old_epochs_are_fetched_when_the_archive_is_behind(venue, tmp_path):
    board = venue.boards[0]
    for _ in range(3):
        board.ask(venue.air.now_ms, intents.CALL_JUDGE, 1)
        venue.drain()
        venue.air.cut(board)
        board.boot(venue.air.now_ms)
        venue.drain()
    held = venue.archive.records()
    venue.station.close()
    board.boot(venue.air.now_ms)
    # a new archive that knows nothing but the event
    fresh = Venue(tmp_path / "behind.db", tables=1)
    fresh.boards, fresh.air.boards = [board], {f"radio {board.device}": board}
    fresh.air.now_ms = venue.air.now_ms
    fresh.air.run(3000)
    fresh.drain()
    places = {entry.id for entry in fresh.archive.records()}
    assert {entry.id for entry in held} <= places
    assert fresh.station.hall.fold_at(1).match.round == 1
    fresh.station.close()


class FetchAir(Air):
    """Notes what the host fetches."""

    def _write(self, address, frame):
        if frames.head(frame)[0] == frames.FETCH:
            self.fetched = [*getattr(self, "fetched", ()), frames.fetch_of(frame)]
        super()._write(address, frame)


@pytest.mark.venue(tables=1, begun=True)
def test_a_board_is_asked_once_for_all_that_the_archive_lacks(venue, tmp_path):
    """What follows its last news, too, of which its status does not tell."""
    [board] = venue.boards
    for _ in range(80):
        board.happen(events.JudgeCalled(0, 1))
    board.happen(events.Clock(0, 60))
    venue.drain()
    held = {entry.id for entry in venue.archive.records()}
    venue.station.close()
    with Archive(tmp_path / "behind.db") as archive:
        leap_counters(archive, 0)
    fresh = Venue(tmp_path / "behind.db", tables=1)
    fresh.boards, fresh.air = [board], FetchAir(fresh.station.collector, [board])
    fresh.air.now_ms = venue.air.now_ms
    fresh.air.run(3000)
    fresh.drain()
    assert held <= {entry.id for entry in fresh.archive.records()}
    assert len(fresh.air.fetched) == 1
    fresh.station.close()


@pytest.mark.venue(tables=1, begun=True)
def test_an_order_after_a_reset_goes_out_under_the_new_epoch(venue):
    board = venue.boards[0]
    venue.air.away.add("radio 101")
    order = venue.station.desk.freeze(1)[0]
    venue.air.run(5000)
    board.boot(venue.air.now_ms)
    venue.air.away.clear()
    venue.drain()
    assert venue.archive.orders.get(order).state == "done"
    assert venue.station.hall.fold_at(1).match.frozen_ms is not None


@pytest.mark.venue(tables=1, begun=True)
def test_a_refused_order_says_why(venue):
    order = venue.station.desk.resume(1)[0]
    venue.drain()
    ended = venue.archive.orders.get(order)
    assert (ended.state, ended.refusal) == ("refused", 1)


@pytest.mark.venue(tables=2, loss=0.3)
def test_names_reach_the_board_with_their_numbers(venue):
    venue.publish(1)
    venue.air.run(60_000, lambda: all(len(board.names) == 2 for board in venue.boards))
    assert venue.boards[1].names == {0: ("Given2 F.", 2), 1: ("Given3 F.", 3)}


def test_foreign_frames_are_counted_and_change_nothing(venue):
    venue.publish(1)
    collector, now_ms = venue.station.collector, venue.air.now_ms
    held = len(venue.archive.records())
    good = venue.boards[0].journal.sign(frames.STATUS, 60000, bytes(9))
    collector.on_advert("x", good[:-1] + bytes([good[-1] ^ 1]), now_ms)
    collector.on_advert("x", bytes([good[0] & 63 | 2 << 6]) + good[1:], now_ms)
    collector.on_advert("x", b"too short", now_ms)
    stranger = signatures.sign(bytes(32), frames.STATUS, 999, 1, 1, bytes(9))
    collector.on_advert("x", stranger, now_ms)
    collector.poll(now_ms)
    assert collector.refused == {(101, "tag"): 1, (None, "version"): 2, (None, "board"): 1}
    assert len(venue.archive.records()) == held


def test_a_status_is_believed_once(venue):
    board, collector = venue.boards[0], venue.station.collector
    key = frames.stream_key(frames.board_key(MASTER, 101, 1), 0, frames.UP, board.journal.epoch)

    def told(counter, flags):
        payload = frames.pack_status(0, 1, 0, flags, 0)
        collector.on_advert(
            "x", signatures.sign(key, frames.STATUS, 101, board.journal.epoch, counter, payload), 1
        )

    told(7, frames.BATTERY_LOW)
    told(6, 0)
    told(7, 0)
    assert collector.statuses[101].has(frames.BATTERY_LOW)
    assert collector.refused[101, "counter"] == 2
    told(8, 0)
    assert not collector.statuses[101].has(frames.BATTERY_LOW)


def test_another_record_in_an_archived_place_is_never_acknowledged(venue):
    venue.publish(1)
    board, collector = venue.boards[0], venue.station.collector
    key = frames.stream_key(frames.board_key(MASTER, 101, 1), EVENT, frames.UP, board.journal.epoch)
    last = venue.archive.records(EVENT)[-1]
    forged = signatures.sign(key, events.TURN_ENDED, 101, last.epoch, last.counter, bytes(9))
    board.happen(events.JudgeCalled(0, 1))
    venue.air.run(5000, lambda: bool(collector.sessions))
    address = next(iter(collector.sessions))
    collector.poll(venue.air.now_ms)
    collector.on_notification(address, forged, venue.air.now_ms)
    written = [action for action in collector.poll(venue.air.now_ms) if action[0] == "write"]
    assert all(frames.head(frame)[0] != frames.ACK for _, _, frame in written)
    assert len(venue.archive.quarantined) == 1 and len(collector.alarms) == 1


@pytest.mark.venue(tables=12)
def test_at_most_five_links_and_everybody_gets_a_turn(venue):
    venue.station.desk.publish(1)
    most = 0

    def status():
        nonlocal most
        most = max(most, len(venue.station.collector.sessions))
        return venue.drained

    assert venue.air.run(120_000, status)
    assert most == 5


@pytest.mark.venue(tables=6)
def test_a_board_that_cannot_be_reached_does_not_hold_up_the_others(venue):
    venue.air.run(3000)
    venue.air.away.add("radio 101")  # heard just now, but links fail
    tried = venue.air.connections
    venue.station.desk.publish(1)
    venue.air.run(60_000)
    assert all(order.state == "done" for order in venue.archive.orders.all if order.table != 1)
    assert venue.air.connections - tried < 30
    venue.air.away.clear()
    venue.drain()
    assert all(order.state == "done" for order in venue.archive.orders.all)


@pytest.mark.venue(tables=1, begun=True)
def test_a_board_that_is_reset_before_its_answer_arrives_does_no_order_twice(venue):
    board, obey, carry = venue.boards[0], venue.boards[0]._obey, venue.air.carry

    def obey_and_die(intent, uptime_ms):
        obey(intent, uptime_ms)
        venue.air.cut(board)
        board.boot(uptime_ms, 1)
        board._obey = obey
        venue.air.carry = lambda deliver, *what: carry_late(uptime_ms + 3000, deliver, *what)

    def carry_late(from_ms, deliver, *what):
        if venue.air.now_ms >= from_ms or frames.head(what[-1])[0] < frames.FIRST_RECORD:
            carry(deliver, *what)  # until then its records get lost

    board._obey = obey_and_die
    order = venue.station.desk.rule(1, "A", (2, 0))[0]
    venue.drain()
    done = [events.of_record(record).kind for record in board.history()]
    assert done.count(events.RESULT_RULED) == 1 and board.journal.epoch == 2
    assert venue.archive.orders.get(order).state == "done"


@pytest.mark.venue(tables=1, begun=True)
def test_a_link_that_broke_is_made_again_for_an_order_that_may_be_done(venue):
    venue.drain()
    venue.station.desk.extend(1, 120, author="judge")
    order, board = venue.archive.orders.pending[0], venue.boards[0]
    device = board.journal.device
    # and the host was killed
    venue.archive.orders.sent(order.id, device, 1, board.journal.epoch, 60000)
    venue.restart()
    venue.station.collector.statuses[
        device
    ].linked = True  # a link came, and broke before it did anything
    venue.drain()
    assert venue.archive.orders.get(order.id).state == "done"


@pytest.mark.parametrize(("tries", "ending"), ((TRIES, None), (TRIES + 1, "failed")))
def test_a_connection_is_given_up_after_the_last_try_of_an_order(venue, tries, ending):
    venue.station.desk.publish(1)
    collector = venue.station.collector
    venue.air.run(5000, lambda: any(one.authentic for one in collector.sessions.values()))
    (session,) = collector.sessions.values()
    session._order_task.tries = tries
    assert session.over(venue.air.now_ms, False) == ending


@pytest.mark.venue(tables=2)
def test_a_record_is_acknowledged_to_the_board_that_it_is_of_alone(venue):
    venue.publish(1)
    mine, theirs = venue.boards
    for _ in range(20):  # so that no record of the other has its counter
        theirs.happen(events.JudgeCalled(0, 1))
    record = stored_records.read(theirs.journal, theirs.journal.epoch, theirs.journal.counter - 1)
    venue.air.away.add("radio 102")
    mine.happen(events.JudgeCalled(0, 1))
    collector = venue.station.collector
    venue.air.run(5000, lambda: any(one.authentic for one in collector.sessions.values()))
    (address,) = collector.sessions
    # an advert from the linked board's address
    collector.on_advert(address, record, venue.air.now_ms)
    steps = [collector.poll(venue.air.now_ms + 100 * step) for step in range(5)]
    written = [action[2] for step in steps for action in step if action[0] == "write"]
    acks = [frames.ack_of(frame) for frame in written if frames.head(frame)[0] == frames.ACK]
    assert record in {entry.frame for entry in venue.archive.records()}
    assert frames.head(record)[3] not in {first for _, first, _, _ in acks}


@pytest.mark.venue(tables=2, begun=True)
def test_a_board_that_a_gateway_hears_is_archived_and_not_connected_to(venue):
    venue.drain()
    _, far = venue.boards
    venue.air.away.add(f"radio {far.device}")
    status = venue.station.collector.statuses[far.device]
    status.address, before = None, venue.air.connections
    venue.win(far)
    for record in far.history():
        venue.station.collector.on_advert(None, record, venue.air.now_ms)
    venue.station.collector.on_advert(None, far.status(venue.air.now_ms), venue.air.now_ms)
    venue.air.run(5000)
    assert status.address is None and venue.air.connections == before
    assert set(venue.station.hall.results(1)) == {2}
    venue.air.away.clear()
    venue.drain()
    venue.check()


@pytest.mark.venue(tables=3)
def test_a_host_that_has_just_begun_to_hear_listens_before_it_connects(venue):
    """Most systems hear nothing while they connect, and who was not heard may be more urgent."""
    collector, (one, two, absent) = venue.station.collector, venue.boards
    collector.set_radio_down(False, 500)

    def wanted(board, now_ms):
        if board is not None:
            collector.on_advert(f"radio {board.device}", board.status(venue.air.now_ms), now_ms)
        return [action[1] for action in collector.poll(now_ms) if action[0] == "connect"]

    assert wanted(one, 1000) == [] and wanted(two, 1400) == [] and wanted(None, 2499) == []
    assert sorted(wanted(None, 2500)) == [f"radio {one.device}", f"radio {two.device}"]
    assert wanted(absent, 2600) == [f"radio {absent.device}"]


def test_a_host_that_has_heard_every_board_connects_at_once(venue):
    [board], collector = venue.boards, venue.station.collector
    collector.on_advert("x", board.status(venue.air.now_ms), 1000)
    assert ("connect", "x") in collector.poll(1000)


@pytest.mark.venue(tables=4, begun=True)
def test_who_waited_behind_an_attempt_that_hung_is_tried_again_soon(venue):
    """The PC makes one attempt at a time (``carriers.radio``): what one takes is not the next's."""
    collector = venue.station.collector
    for table, board in enumerate(venue.boards, 1):
        collector.on_advert(
            f"radio {board.device}", board.status(venue.air.now_ms), venue.air.now_ms
        )
        venue.station.desk.extend(table, 120, author="judge")
        collector.statuses[board.device].failures = 4  # so a wait is as long as it can be
    wanted, now_ms = [], venue.air.now_ms
    while len(wanted) < 4 and now_ms < venue.air.now_ms + 5000:
        now_ms += 100
        wanted += [one[1] for one in collector.poll(now_ms) if one[0] == "connect"]
    waits = []
    for address, took_ms in zip(wanted, (10_000, 1500, 10_000, 1500), strict=True):
        now_ms += took_ms
        collector.poll(now_ms)
        collector.on_disconnected(address)
        device = next(b.device for b in venue.boards if f"radio {b.device}" == address)
        waits.append(collector.statuses[device].not_before_ms - now_ms)
    assert waits[1] == waits[3] == 2000 and min(waits[0], waits[2]) > 8000


def test_a_board_that_could_not_be_reached_is_tried_again_soon():
    """In a hall every second attempt fails at once; one that hung holds up all others."""
    for took_ms, most_ms in ((1500, 2000), (10_000, 15_000)):
        status, waits = BoardStatus(7, 1, 7), []
        for _ in range(12):
            status.tried_ms = 20_000 - took_ms
            status.back_off(20_000)
            waits.append(status.not_before_ms - 20_000)
        assert waits[0] <= 1000 and waits == sorted(waits) and waits[-1] == most_ms
