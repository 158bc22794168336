"""A board swapped for a spare, one set up by hand, one revoked, and tables numbered by walking."""

import pytest
import takenover

from firmware.core import events, frames, intents, luck, payload, phases
from host.base.errors import UserError
from host.desk import board_swap
from host.event import event_log
from host.server.console import Console
from host.sim import stored_records

pytestmark = pytest.mark.archives

SPARE = 200


@pytest.fixture
def venue(venue):
    venue.spare = venue.add_spare(SPARE)
    venue.drain()
    return venue


@pytest.fixture
def desk(venue):
    return Console(venue.station, "judge")


def played(venue):
    """Begin the round (the spare has no seat in it) and let A win one game of table 1's match."""
    boards, venue.boards = venue.boards, venue.boards[:2]
    venue.begin()
    venue.boards = boards
    old = boards[0]
    for kind in (intents.SET_STARTER, intents.WIN_GAME, intents.SET_STARTER):
        assert old.ask(venue.air.now_ms, kind, 0)
    venue.drain()
    return old


def coffee(venue, board):
    """The board falls silent for good."""
    venue.air.cut(board)
    venue.air.away.add(next(a for a, b in venue.air.boards.items() if b is board))
    venue.boards.remove(board)


def confirmed(venue, board):
    """Let both seats of table 1's board confirm its result; return the result that the host has."""
    for seat in (1, 0):
        assert board.ask(venue.air.now_ms, intents.CONFIRM_RESULT, seat)
    venue.drain()
    result = venue.station.hall.results(1)[1]
    return result.outcome, result.games


def test_a_spare_takes_over_round_format_clock_and_score(venue, desk):
    old = played(venue)
    venue.station.desk.extend(1, 5)
    venue.station.desk.stamp_late(1, "B")
    venue.drain()
    venue.air.run(600_000)
    left_ms = old.match.remaining_ms(venue.station.collector.statuses[101].heard_ms)
    coffee(venue, old)
    venue.air.run(240_000)
    assert desk.run(f"swap 1 {SPARE} coffee") == ["swap: asked of table 1"]
    venue.drain()
    new = venue.spare.match
    assert (new.round, new.table, new.pairing, new.best_of) == (1, 1, 1, 3)
    assert (new.extension_s, new.late) == (300, 2)
    assert new.phase == phases.FROZEN and new.score == (1, 0) and new.progress == 1
    assert abs(new.remaining_ms(venue.air.now_ms) - left_ms) <= 1000
    for seat in (0, 1):
        assert venue.spare.ask(venue.air.now_ms, intents.CONFIRM_SEAT, seat)
    assert desk.run("resume 1") == ["resume: asked of table 1"]
    venue.drain()
    resumed_ms = venue.air.now_ms
    venue.air.run(60_000)
    assert venue.spare.ask(venue.air.now_ms, intents.WIN_GAME, 0), "the game went on"
    assert abs(new.remaining_ms(venue.air.now_ms) - left_ms + venue.air.now_ms - resumed_ms) <= 2500
    assert confirmed(venue, venue.spare) == ("A", (2, 0))
    assert venue.spare.names[0][0].startswith("Given0")


def test_more_time_that_the_board_has_answered_for_is_not_forgotten_with_its_record(venue, desk):
    old = played(venue)
    venue.station.desk.extend(1, 3)
    venue.air.run(60_000, until=lambda: old.match.extension_s)
    coffee(venue, old)
    answer = stored_records.read(old.journal, old.journal.epoch, old.journal.counter - 1)
    assert events.of_record(answer).kind == events.ANSWERED
    venue.station.collector.on_advert("radio 101", answer, venue.air.now_ms)
    venue.air.run(2000)
    assert not venue.archive.orders.pending and venue.station.hall.fold_at(1).match.extension_s == 0
    desk.run(f"swap 1 {SPARE} coffee")
    venue.drain()
    assert venue.spare.match.extension_s == 180


def test_what_a_judge_gave_and_no_board_has_heard_goes_to_the_spare(venue, desk):
    old = played(venue)
    coffee(venue, old)
    venue.station.desk.extend(1, 4)
    venue.station.desk.stamp_late(1, "A")
    venue.station.desk.set_penalties(1, (1, 0), "judge", "a penalty")
    desk.run(f"swap 1 {SPARE} coffee")
    venue.drain()
    match = venue.spare.match
    assert (match.extension_s, match.late, match.adjusted) == (240, 1, (1, 0))


@pytest.mark.parametrize(
    "line, act", (("loss 1 A deck", "game loss"), ("rule 1 A 2-0", "result ruled"))
)
def test_an_act_that_the_old_board_has_not_done_is_named_to_be_ordered_again(
    venue, desk, line, act
):
    old = played(venue)
    coffee(venue, old)
    desk.run(line)
    remark = f"table 1: not done on the old board: {act}; order it again"
    assert desk.run(f"swap 1 {SPARE} coffee") == ["swap: asked of table 1", remark]


def test_a_game_loss_that_waits_for_the_score_is_named_too(venue, desk):
    venue.boards = venue.boards[:2]
    venue.begin()  # nobody presses a key before time
    old = venue.boards[0]
    venue.air.run(51 * 60_000)
    old.ask(venue.air.now_ms, intents.TICK)
    desk.run("loss 1 A deck")
    venue.drain()
    assert old.match.pending_penalty is not None
    remark = "table 1: not done on the old board: game loss; order it again"
    assert desk.run(f"swap 1 {SPARE} coffee")[1:] == [remark]


def test_what_a_revoked_board_says_is_not_taken(venue, desk):
    old = played(venue)
    desk.run(f"swap 1 {SPARE}")
    venue.drain()
    before = len(venue.archive.records())
    assert old.ask(venue.air.now_ms, intents.WIN_GAME, 0)
    for seat in (1, 0):
        assert old.ask(venue.air.now_ms, intents.CONFIRM_RESULT, seat)
    venue.boards.remove(old)
    venue.air.run(30_000)
    assert not [e for e in venue.archive.records()[before:] if e.device == 101]
    assert venue.station.collector.refused[101, "revoked"] and not venue.station.hall.results(1)


def test_a_board_revoked_while_its_link_is_open_is_told_and_asked_nothing_more(venue, desk):
    old, collector = played(venue), venue.station.collector
    assert old.ask(venue.air.now_ms, intents.CALL_JUDGE, 0)

    def linked():
        return any(
            one.status.device == 101 and one.authentic for one in collector.sessions.values()
        )

    assert venue.air.run(60_000, linked)
    desk.run(f"swap 1 {SPARE}")
    actions = collector.poll(venue.air.now_ms)
    assert ("disconnect", "radio 101") in actions
    assert not [one for one in actions if one[:2] == ("write", "radio 101")]
    assert len(venue.archive.orders.pending_at(1)) >= 2


def test_a_result_of_before_the_swap_stays(venue, desk):
    boards, venue.boards = venue.boards, venue.boards[:2]
    venue.begin()
    venue.win(boards[0])
    venue.drain()
    assert desk.run(f"swap 1 {SPARE}") == [f"table 1 has board {SPARE} now"]
    assert venue.station.hall.results(1)[1].outcome == "A"
    venue.restart()
    assert venue.station.hall.results(1)[1].outcome == "A"


@pytest.mark.parametrize("turn", [0, 1, 2])
def test_turns_after_time_are_carried_over(venue, desk, turn):
    old = played(venue)
    assert old.ask(venue.air.now_ms, intents.START_TURN, 0)
    venue.air.run(51 * 60_000)
    old.ask(venue.air.now_ms, intents.TICK)
    for seat in range(turn):
        assert old.ask(venue.air.now_ms, intents.END_TURN, seat & 1)
        assert old.ask(venue.air.now_ms, intents.START_TURN, 1 - seat & 1)
    venue.drain()
    assert old.match.phase == phases.OVERTIME and old.match.turn == turn
    desk.run(f"swap 1 {SPARE}")
    venue.drain()
    desk.run("resume 1")
    venue.drain()
    new = venue.spare
    new.ask(venue.air.now_ms, intents.TICK)
    assert new.match.phase == phases.TIME and new.match.overtime_turns == 3 - turn
    assert new.ask(venue.air.now_ms, intents.TELL_TURN, 0, 1) and new.match.phase == phases.OVERTIME


def test_only_a_spare_may_take_over(venue, desk):
    played(venue)
    spare = "not done: table 1: board 102 is not a spare: take one without a table"
    assert desk.run("swap 1 102") == [spare]
    unknown = "not done: table 1: board {} is not in use: the list of boards has those that are"
    assert desk.run("swap 1 999") == [unknown.format(999)]
    desk.run(f"revoke {SPARE}")
    assert desk.run(f"swap 1 {SPARE}") == [unknown.format(SPARE)]


def test_a_board_set_up_by_hand_counts_for_its_table(venue, desk):
    old = played(venue)
    coffee(venue, old)
    spare, now_ms = venue.spare, venue.air.now_ms
    for intent in takenover.by_hand(now_ms, 1, 0, 754):
        numbers = payload.numbers(intent)[1:]
        assert spare.ask(now_ms, intent.kind, *numbers) or intent.kind == intents.SET_START
    spare.happen(*spare.match.decide(intents.SetStart(now_ms), now_ms))
    for kind, seat in ((intents.CONFIRM_SEAT, 0), (intents.CONFIRM_SEAT, 1), (intents.RESUME, 0)):
        assert spare.ask(now_ms, kind, seat)
    assert spare.ask(now_ms, intents.WIN_GAME, 0)
    venue.archive.roster.store_round(
        2, venue.archive.roster.format_of(1), venue.archive.roster.pairings_of(1)
    )
    venue.archive.notices.add(event_log.DRAFTED, '{"round": 2, "seed": 1}', "Olga", 1)
    told, remark = desk.run(f"adopt 1 {SPARE}")
    assert told.startswith("table 1 has board") and remark.startswith("round 2 is drawn by the")
    for seat in (1, 0):
        assert spare.ask(now_ms, intents.CONFIRM_RESULT, seat)
    venue.drain()
    assert venue.station.hall.results(1)[1].games == (2, 0)


def test_tables_are_numbered_in_walking_order(venue, desk):
    assert "hold J" in desk.run("walk 1")[0]
    lines = []
    for board in (venue.spare, venue.boards[1], venue.boards[0]):
        assert board.ask(venue.air.now_ms, intents.CALL_JUDGE, 0)
        venue.drain()
        lines += desk.news()
    assert lines == [f"table 1: board {SPARE}", "table 2: board 102", "table 3: board 101"]
    venue.drain()
    assert all(board.match.call is None for board in venue.boards)
    assert venue.archive.roster.board_at(1).device == SPARE
    assert desk.run("walk stop") == ["the walk is over: 3 tables numbered"]
    assert len(venue.station.desk.publish(1)) == 4
    venue.drain()
    assert venue.spare.match.table == 1


def test_tables_are_not_numbered_in_a_round(venue, desk):
    played(venue)
    assert desk.run("walk") == [
        "not done: tables are numbered before a round or after it, not in it"
    ]


def test_no_name_goes_over_the_air_in_clear(venue):
    seen = []
    put = venue.air._put
    venue.air._put = lambda address, frame: (seen.append(frame), put(address, frame))
    boards, venue.boards = venue.boards, venue.boards[:2]
    venue.begin()
    named = [frame for frame in seen if frames.head(frame)[0] == frames.NAME]
    assert named and boards[0].names[0][0] == "Given0 F."
    assert not [frame for frame in seen if b"iven" in frame or b"Give" in frame]


def test_a_mistake_changes_nothing(venue):
    with pytest.raises(UserError):
        venue.archive.roster.move(101, 2, "x")
    assert venue.archive.roster.board_at(2).device == 102


def test_the_clock_stands_as_of_the_last_word_of_the_old_board_be_it_a_status_or_a_record(venue):
    old, status = played(venue), venue.station.collector.statuses[101]
    coffee(venue, old)
    recorded_ms = max(one.received_ms for one in venue.archive.records_of(101, 1))
    for heard_ms in (recorded_ms - 20_000, recorded_ms + 20_000, None):
        status.heard_ms = heard_ms
        at_ms = board_swap._reported_ms(venue.station, 1, venue.station.hall.fold_at(1).match)
        assert at_ms == max(recorded_ms, heard_ms or 0)


@pytest.mark.parametrize("moved", (False, True), ids=("never heard", "heard and then moved"))
def test_a_start_that_the_old_board_has_not_heard_goes_to_the_spare(venue, desk, moved):
    old, station = venue.boards[0], venue.station
    station.desk.publish(1)
    venue.drain()
    assert old.match.phase == phases.SEATED
    if moved:
        station.desk.start(venue.air.now_ms + 300_000)
        venue.drain()
    coffee(venue, old)
    at_ms = venue.air.now_ms + 600_000
    station.desk.start(at_ms)
    desk.run(f"swap 1 {SPARE} coffee")
    venue.drain()
    assert venue.spare.match.start_ms == at_ms and not venue.spare.match.frozen_ms


@pytest.mark.parametrize("begun", (False, True), ids=("before the round", "in it"))
def test_an_agreed_flip_for_who_plays_first_is_agreed_at_the_spare_too(venue, desk, begun):
    old, station = venue.boards[0], venue.station
    if begun:
        boards, venue.boards = venue.boards, venue.boards[:2]
        venue.begin()
        venue.boards = boards
    else:
        station.desk.publish(1)
    station.desk.set_policy(1, 1)
    venue.drain()
    now_ms = venue.air.now_ms
    old.happen(events.Rolled(now_ms, 0, luck.FIRST_PLAYER, 1, 0, 1))
    for seat in (0, 1):
        assert old.ask(now_ms, intents.AGREE_ROLL, seat)
    venue.drain()
    coffee(venue, old)
    desk.run(f"swap 1 {SPARE} coffee")
    venue.drain()
    match = venue.spare.match
    assert match.phase == (phases.FROZEN if begun else phases.SEATED)
    assert match.flipped and match.progress == 0 and match.policy == 1
    assert luck.needs(match, 0, luck.FIRST_PLAYER) is None, "nothing is flipped for again"
