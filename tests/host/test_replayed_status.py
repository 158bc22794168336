"""Who replays what a board said before its order makes no order carried out twice, or never."""

import pytest
from replayed import Impostor, copied, done_unheard, kept_back, listened, restarted, restored
from tabletop import MASTER

from firmware.core import events, frames, intents
from host.base.errors import UserError
from host.collector import challenges

pytestmark = pytest.mark.venue(tables=2, begun=True)
AGAIN = pytest.mark.parametrize("again", (restarted, restored))


@pytest.fixture
def words(venue):
    """What the first board said on two links while there was nothing to order."""
    found, board = listened(venue), venue.boards[0]
    for _ in range(2):
        assert board.ask(venue.air.now_ms, intents.CALL_JUDGE, 1)
        venue.drain()
        venue.station.desk.command(intents.EndCall, 1)
        venue.drain()
    venue.air.run(12_000)
    return [one for one in found if frames.head(one)[1] == board.device]


def frozen(board):
    return [events.of_record(one).kind for one in board.history()].count(events.FROZEN)


def answered(board):
    asked = challenges.REFUSED_INTENT.kind
    told = [events.of_record(one) for one in board.history()]
    return sum(isinstance(one, events.Answered) and one.asked == asked for one in told)


def replays(venue, words):
    """Let the board be out of reach for the host, and somebody speak in its place for a while."""
    impostor = venue.air.boards["nobody's"] = Impostor(words, venue.boards[0])
    venue.air.away.add("radio 101")
    venue.air.run(60_000)
    del venue.air.boards["nobody's"]
    venue.station.collector.on_disconnected("nobody's")
    venue.air.away.clear()
    return impostor


def ordered(venue, folder):
    """Have the first table frozen; make a copy before that is sent. Return the order."""
    (order,) = venue.station.desk.freeze(1)
    copied(venue, folder, MASTER)
    return order


@AGAIN
def test_an_order_that_was_done_is_not_done_again(venue, words, tmp_path, again):
    board, order = venue.boards[0], ordered(venue, tmp_path)
    done_unheard(venue)
    assert board.ask(venue.air.now_ms, intents.RESUME)  # with a judge's code
    again(venue, tmp_path)
    assert replays(venue, words).heard, "the host took it for the board"
    assert not board.match.frozen_ms
    venue.drain()
    assert venue.archive.orders.get(order).state == "done"
    assert frozen(board) == 1 and not board.match.frozen_ms


@AGAIN
def test_an_order_that_was_not_done_is_done_once(venue, words, tmp_path, again):
    venue.air.away.add("radio 101")
    board, order = venue.boards[0], ordered(venue, tmp_path)
    venue.air.run(5_000)
    again(venue, tmp_path)
    replays(venue, words)
    venue.drain()
    assert venue.archive.orders.get(order).state == "done"
    assert frozen(board) == 1 and board.match.frozen_ms


@AGAIN
def test_a_frame_that_somebody_kept_back_is_void_once_the_challenge_is_answered(
    venue, tmp_path, again
):
    board, order = venue.boards[0], ordered(venue, tmp_path)
    kept = kept_back(venue, intents.FREEZE)
    again(venue, tmp_path)
    assert venue.air.run(20_000, lambda: answered(board))
    board.receive(kept, venue.air.now_ms)
    assert not board.match.frozen_ms
    venue.drain()
    assert venue.archive.orders.get(order).state == "done" and frozen(board) == 1


def test_a_board_is_challenged_once_and_only_while_orders_are_in_doubt(venue, tmp_path):
    restarted(venue, tmp_path)
    venue.drain()
    assert [answered(board) for board in venue.boards] == [0, 0]
    ordered(venue, tmp_path)
    done_unheard(venue)
    restarted(venue, tmp_path)
    venue.drain()
    assert [answered(board) for board in venue.boards] == [1, 0]


def test_a_board_that_starts_again_gets_a_challenge_of_its_own(venue, tmp_path):
    board, order = venue.boards[0], ordered(venue, tmp_path)
    kept_back(venue, intents.FREEZE)
    restarted(venue, tmp_path)
    kept_back(venue, challenges.REFUSED_INTENT.kind)
    venue.air.cut(board)
    board.boot(venue.air.now_ms)
    venue.drain()
    assert venue.archive.orders.get(order).state == "done"
    assert answered(board) == 1 and frozen(board) == 1


def test_after_a_restore_no_time_is_given_over_what_a_replayed_status_says(venue, words, tmp_path):
    copied(venue, tmp_path, MASTER)
    venue.station.desk.extend(1, 5)
    venue.drain()
    restored(venue, tmp_path)
    replays(venue, words)
    with pytest.raises(UserError, match="has not yet reported"):
        venue.station.desk.extend(1, 3)
    venue.drain()
    venue.station.desk.extend(1, 3)
    venue.drain()
    assert venue.boards[0].match.extension_s == 480
