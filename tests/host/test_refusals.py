"""What the host does not believe, where one check stands alone."""

import json

import pytest
from tabletop import EVENT, MASTER

from firmware.core import code, events, frames, payload
from host.archive.decoded_frames import VerifiedFrame
from host.archive.records import ArchivedRecord
from host.archive.roster import REVOKED, Board
from host.audit import seal_check
from host.audit.inspection import inspect
from host.audit.seal_check import seal_over
from host.collector import alarms
from host.collector import collector as collecting
from host.collector.board_status import BoardStatus
from host.collector.frame_signer import FrameSigner
from host.event import typed_results
from host.event.typed_results import TypedResult
from host.keys import keyring, signatures

pytestmark = [pytest.mark.venue(tables=2), pytest.mark.archives]


def said(board, kind, counter, payload=bytes(9), event=EVENT, generation=1, epoch=None):
    """Return a frame that ``board`` could say, at this counter."""
    key = frames.board_key(MASTER, board.device, generation)
    epoch = board.journal.epoch if epoch is None else epoch
    return signatures.sign(
        frames.stream_key(key, event, frames.UP, epoch), kind, board.device, epoch, counter, payload
    )


@pytest.fixture
def linked(venue):
    """``(venue, collector, address)`` with a link to table 1's board alone."""
    venue.publish(1)
    venue.air.away.add("radio 102")
    venue.boards[0].happen(events.JudgeCalled(0, 1))
    collector = venue.station.collector
    assert venue.air.run(9000, lambda: "radio 101" in collector.sessions)
    return venue, collector, "radio 101"


def test_another_boards_word_on_a_link_counts_for_nothing(linked):
    venue, collector, address = linked
    held, session = len(venue.archive.records()), collector.sessions[address]
    other = venue.boards[1]
    for frame in (said(other, frames.TIME_ASKED, 60_000), said(other, events.TURN_ENDED, 60_000)):
        collector.on_notification(address, frame, venue.air.now_ms)
    assert collector.refused[102, "link"] == 2 and not session.authentic
    assert [action for action in collector.poll(venue.air.now_ms) if action[0] == "write"] == []
    assert len(venue.archive.records()) == held


def test_a_frame_of_no_link_that_stands_counts_for_nothing(linked):
    venue, collector, _ = linked
    held = len(venue.archive.records())
    collector.on_notification(
        "radio 102", said(venue.boards[1], events.TURN_ENDED, 60_000), venue.air.now_ms
    )
    collector.poll(venue.air.now_ms)
    assert len(venue.archive.records()) == held


def test_nothing_is_written_to_a_link_before_its_board_has_proved_itself(linked):
    venue, collector, address = linked
    venue.station.desk.freeze(1)
    venue.air.boards = {}  # the board is silent from here on
    for _ in range(100):
        venue.air.now_ms += 50
        assert [action for action in collector.poll(venue.air.now_ms) if action[0] == "write"] == []
    collector.on_notification(
        address, said(venue.boards[0], frames.TIME_ASKED, 60_000), venue.air.now_ms
    )
    assert [action for action in collector.poll(venue.air.now_ms) if action[0] == "write"]


def test_a_link_that_proves_nothing_is_given_up(linked):
    venue, collector, address = linked
    began_ms = venue.air.now_ms
    venue.air.boards = {}
    while address in collector.sessions:
        venue.air.now_ms += 100
        collector.poll(venue.air.now_ms)
        collector.on_notification(address, bytes(24), venue.air.now_ms)
        assert venue.air.now_ms - began_ms < 9000
    assert collector.statuses[101].failures == 1


def test_a_link_that_breaks_before_it_proved_anything_is_waited_for_longer(linked):
    venue, collector, address = linked
    collector.on_disconnected(address)
    assert collector.statuses[101].failures == 1
    assert collector.statuses[101].not_before_ms > venue.air.now_ms


def test_a_status_that_was_said_before_does_not_prove_a_link(linked):
    venue, collector, address = linked
    old = collector.statuses[101].frame
    for _ in range(3):
        collector.on_notification(address, old, venue.air.now_ms)
    assert not collector.sessions[address].authentic and collector.refused[101, "counter"] == 3


def test_what_waits_for_the_disk_is_bounded(venue):
    collector, board = venue.station.collector, venue.boards[0]
    held = len(venue.archive.records())
    for counter in range(collecting._INBOX + 100):
        collector.on_advert("x", said(board, events.TURN_ENDED, 20_000 + counter), venue.air.now_ms)
    assert len(collector._inbox) == collecting._INBOX == 512
    collector.poll(venue.air.now_ms)
    assert len(venue.archive.records()) == held + 512 and not collector._inbox


def test_what_is_told_to_people_is_bounded(venue):
    collector, board = venue.station.collector, venue.boards[0]
    for at_ms in range(alarms._CONTRADICTIONS + 50):
        collector.on_advert(
            "x", said(board, events.TURN_ENDED, 20_000, frames.plain(at_ms)), venue.air.now_ms
        )
        collector.poll(venue.air.now_ms)
    assert len(collector.alarms) == alarms._CONTRADICTIONS == 8, "of one board"
    assert collector.alarms.maxlen == alarms._ALARMS == 200, "of all"


def test_a_revoked_boards_word_is_not_taken(venue):
    collector, board = venue.station.collector, venue.boards[0]
    # waits for the disk
    collector.on_advert("x", said(board, events.TURN_ENDED, 19_999), venue.air.now_ms)
    venue.archive.roster.move(101, REVOKED, "Ann", "stolen", 0)
    venue.station.refresh()
    collector.on_advert("x", said(board, events.TURN_ENDED, 20_000), venue.air.now_ms)
    collector.on_advert("x", said(board, frames.STATUS, 20_000), venue.air.now_ms)
    collector.poll(venue.air.now_ms)
    assert collector.refused[101, "revoked"] == 2
    assert 101 not in {one.device for one in venue.archive.records()}
    assert 101 not in collector.statuses


def test_a_boards_former_key_is_not_taken_after_it_got_a_new_one(linked):
    venue, collector, address = linked
    board, session = venue.boards[0], collector.sessions[address]
    venue.archive.roster.add_board(Board(101, 2, 1), 0)
    venue.station.refresh()
    held = len(venue.archive.records())
    for kind in (events.TURN_ENDED, frames.STATUS, frames.TIME_ASKED):
        collector.on_notification(address, said(board, kind, 60_000), venue.air.now_ms)
    assert collector.refused[101, "generation"] == 3 and session.cancelled
    assert ("disconnect", address) in collector.poll(venue.air.now_ms)
    assert len(venue.archive.records()) == held and collector.statuses[101].counter == -1
    collector.on_advert(
        address, said(board, frames.STATUS, 9, generation=2, epoch=9), venue.air.now_ms
    )
    assert collector.statuses[101].epoch == 9


def test_a_link_of_before_a_revocation_is_closed(linked):
    venue, collector, _ = linked
    collector._connecting["radio 102"] = 102
    venue.archive.roster.move(102, REVOKED, "Ann", "stolen", 0)
    venue.station.refresh()
    collector.on_connected("radio 102")
    assert "radio 102" not in collector.sessions and "radio 102" in collector._closing
    collector.on_connected("radio 999")  # nobody asked for it
    assert "radio 999" not in collector.sessions and "radio 999" not in collector._closing


def test_a_status_from_a_linked_address_moves_no_other_board(linked):
    """Whoever speaks at a linked address for another board repeats what it has heard."""
    venue, collector, address = linked
    board = collector.statuses[102]
    for counter in (60_000, 60_001):
        status = said(venue.boards[1], frames.STATUS, counter)
        collector.on_advert(address, status, venue.air.now_ms)
        assert board.frame == status and board.address == "radio 102"
        collector.on_advert(address, status, venue.air.now_ms)
        assert board.address == "radio 102"
        collector.on_advert("radio 102", status, venue.air.now_ms)


def test_a_revoked_boards_link_is_told_nothing(linked):
    venue, collector, address = linked
    session = collector.sessions[address]
    collector.on_notification(
        address, said(venue.boards[0], frames.TIME_ASKED, 60_000), venue.air.now_ms
    )
    assert session.time_task._asked and session.authentic
    venue.archive.roster.move(101, REVOKED, "Ann", "stolen", 0)
    venue.station.refresh()
    assert collector.poll(venue.air.now_ms) == [("disconnect", address)]


def take_head(status, generation, event, epoch, counter):
    """Show a board's status its own status frame; return why it is not believed."""
    frame = VerifiedFrame(b"", frames.STATUS, 7, generation, event, epoch, counter)
    return status.take_head(frame)


def test_a_status_believes_its_own_generation_alone():
    status = BoardStatus(7, 2, 4)
    assert take_head(status, 1, EVENT, 3, 9) == "generation" and status.epoch == -1
    assert take_head(status, 2, EVENT, 3, 9) is None and status.epoch == 3


def test_a_late_status_of_another_event_moves_no_board():
    status = BoardStatus(7, 1, 4)
    assert take_head(status, 1, 4, 3, 9) is None and status.event == 4
    status.join(EVENT, 12)
    status.join(4, 5)
    assert take_head(status, 1, 4, 3, 10) is None and status.event == EVENT


def test_made_up_epochs_do_not_make_the_keyring_grow(venue, monkeypatch):
    monkeypatch.setattr(keyring, "_DERIVED", 64)
    ring = keyring.Keyring(MASTER, venue.archive.roster)
    for epoch in range(300):
        assert (
            ring.verify(signatures.sign(bytes(32), frames.STATUS, 101, epoch, 1, bytes(9))) == "tag"
        )
    assert ring._stream_key.cache_info().currsize <= 64
    assert ring._tag.cache_info().currsize <= 64


def test_a_host_without_counters_says_nothing(venue):
    board = venue.boards[0]
    status, epoch = venue.station.collector.statuses[101], board.journal.epoch + 1
    status.epoch, used = epoch, []
    signer = FrameSigner(venue.archive, venue.station.keyring, status)
    below = 0
    while below < 65_436:
        below = venue.archive.reserve(101, 1, epoch)[1]
    while (signed := signer.sign(EVENT, frames.IDENTIFY, bytes(9))) is not None:
        used.append(frames.head(signed[0])[3])
        assert used[-1] == signed[1] and len(used) <= 100
    assert used == list(range(below, 65_536))


def test_a_results_code_is_of_one_round_and_one_event():
    key = bytes(range(32))
    plain = code.result_code(key, EVENT, 2, 7, 1, (2, 0))
    assert typed_results.proven(key, EVENT, [(2, 7)], plain) == (1, (2, 0))
    for event, place in ((EVENT, (3, 7)), (EVENT, (2, 8)), (EVENT + 1, (2, 7))):
        assert typed_results.proven(key, event, [place], plain) is None
    assert typed_results.proven(bytes(32), EVENT, [(2, 7)], plain) is None
    for other in (plain[:5], plain + "0", "", plain[:5] + "U"):
        assert typed_results.proven(key, EVENT, [(2, 7)], other) is None


def test_a_seal_that_leaves_records_out_is_found():
    records = {
        n: signatures.sign(bytes(32), events.CLOCK, 7, 1, n, frames.plain(n)) for n in range(3)
    }
    seal = seal_over(1, bytes(7), records[1][frames.BODY :] + records[2][frames.BODY :])
    records[3] = signatures.sign(bytes(32), events.SEALED, 7, 1, 3, payload.pack(seal))
    assert "begins at 1, not at 0" in seal_check.check(records)[0][0]


@pytest.mark.parametrize("change", ({"counter": 900}, {"epoch": 9}, {"device": 102}))
def test_a_record_in_anothers_place_is_found(venue, change):
    archive = venue.archive
    frame = said(venue.boards[0], events.TURN_ENDED, 700)
    true = ArchivedRecord(101, 1, frames.head(frame)[2], 700, EVENT, 5, frame)
    archive.commit([true, true._replace(**change)])
    found = [
        one for one in inspect(archive, venue.station.keyring).faults if "tag or the place" in one
    ]
    assert len(found) == 1


def test_a_new_boot_begins_its_counters_anew_and_may_be_at_another_event():
    status = BoardStatus(7, 1, 4)
    assert take_head(status, 1, 4, 3, 9) is None
    status.join(EVENT, 12)
    status.news_head = 40
    assert take_head(status, 1, 4, 4, 0) is None
    assert (status.epoch, status.counter, status.event, status.news_head) == (4, 0, 4, 0)


def test_a_question_that_a_status_overtook_is_answered_once(linked):
    """A question waits in the board's queue, while a status signed later is heard as an advert."""
    venue, collector, address = linked
    board, answers = venue.boards[0], []
    payload = frames.pack_status(0, 0, 0, 0, board.journal.news_head)
    collector.on_advert(address, said(board, frames.STATUS, 60_001, payload), venue.air.now_ms)
    for counter in (60_000, 60_000, 59_999):
        question = said(board, frames.TIME_ASKED, counter, frames.plain(counter))
        collector.on_notification(address, question, venue.air.now_ms)
        for action in collector.poll(venue.air.now_ms):
            if action[0] == "write" and frames.head(action[2])[0] == frames.TIME:
                answers.append(frames.time_of(action[2])[1])
    assert answers == [60_000] and collector.refused[101, "counter"] == 2
    assert collector.statuses[101].counter == 60_001, "and the status stands"


def test_a_new_boot_has_down_counters_of_its_own(venue):
    """Counters that were not reserved would come twice after a restart of the host."""
    status = venue.station.collector.statuses[101]
    signer, used = FrameSigner(venue.archive, venue.station.keyring, status), {}
    for epoch in (50, 50, 51, 51, 52):
        status.epoch = epoch
        used.setdefault(epoch, []).append(signer.sign(EVENT, frames.IDENTIFY, bytes(9))[1])
    for epoch, counters in used.items():
        assert venue.archive.reserve(101, 1, epoch)[0] > max(counters)


def test_a_typed_result_counts_in_its_own_round_alone(venue):
    typed_results.store(venue.archive, TypedResult(2, 1, 1, (2, 0), 9, "ABCDEF"), "Ann")
    assert typed_results.results(venue.archive, 1) == {}
    assert typed_results.results(venue.archive, 2) == {1: (2, 1, 1, (2, 0), 9, "ABCDEF")}
    assert typed_results.used(venue.archive, "ABCDEF")
    assert not typed_results.used(venue.archive, "ABCDEG")


@pytest.mark.parametrize("told", (
    {"won": 1.5},
    {"round": "1"},
    {"games": [2, None]},
    {"games": [2, 0, 0]},
    {"won": 0},
    {"at_ms": None},
))  # fmt: skip
def test_a_notice_of_a_result_that_says_other_than_numbers_is_none(venue, told):
    value = {
        "round": 1, "pairing": 1, "won": 1, "games": [2, 0], "code": "ABCDEF", "at_ms": 9,
        **told,
    }  # fmt: skip
    venue.archive.notices.add(typed_results.ENTERED, json.dumps(value), "Ann", 5)
    assert typed_results.every(venue.archive) == [None]
    assert not typed_results.results(venue.archive, 1)
