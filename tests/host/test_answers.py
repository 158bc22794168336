"""Which answer settles which order, which commitment wants a nonce, which code says a result."""

import pytest
from tabletop import EVENT, MASTER, Venue

from firmware.core import code, events, frames, intents, payload, seeds
from host.archive.orders import NewOrder
from host.archive.records import ArchivedRecord, Position
from host.archive.roster import Board, Event
from host.archive.store import Archive
from host.audit import seal_check
from host.audit.inspection import inspect
from host.audit.seal_check import seal_over
from host.event import nonces, typed_results
from host.event.typed_results import TypedResult
from host.keys import signatures

pytestmark = pytest.mark.archives

SAID = 5000
KEY = bytes(range(32))


@pytest.fixture
def archive(place):
    with Archive(place) as archive:
        for device in (7, 8):
            archive.roster.add_board(Board(device, 1, device), 0)
        archive.roster.open_event(Event(EVENT, "Cup", 0))
        yield archive


def told(counter, kind, a=0, b=9, c=intents.FREEZE, device=7, at_ms=SAID):
    frame = signatures.sign(bytes(32), kind, device, 1, counter, frames.plain(at_ms, a, b, c))
    return ArchivedRecord(device, 1, 1, counter, EVENT, at_ms, frame)


def asked(archive, sent=True):
    """Return the id of an order that table 7 was told under counter 9."""
    order = archive.orders.add(NewOrder(1, 7, intents.Freeze(SAID), "Ann"), SAID)
    if sent:
        archive.orders.sent(order, 7, 1, 1, 9)
    return order


def test_nothing_but_an_answer_settles_an_order(archive):
    order = asked(archive)
    archive.commit([told(0, events.EXTENDED), told(1, events.CLOCK)])
    assert archive.orders.get(order).state == "pending"
    archive.commit([told(0, events.ANSWERED, device=8)])
    assert archive.orders.get(order).state == "pending", "another board's answer"
    archive.commit([told(2, events.ANSWERED)])
    assert archive.orders.get(order).state == "done"


def test_an_answer_that_was_stored_before_settles_nothing_again(archive):
    archive.commit([told(2, events.ANSWERED)])
    order = asked(archive)
    archive.commit([told(2, events.ANSWERED), told(2, events.ANSWERED, a=1)])
    assert archive.orders.get(order).state == "pending"


def test_what_was_done_is_not_refused_by_a_later_answer(archive):
    order = asked(archive)
    archive.orders.sent(order, 7, 1, 1, 10)
    archive.commit([told(0, events.ANSWERED), told(1, events.ANSWERED, a=1, b=10)])
    assert archive.orders.get(order).state == "done"


@pytest.mark.parametrize("answer", (
    {"device": 8}, {"kind": events.EXTENDED}, {"c": intents.RESUME}, {"at_ms": SAID}, {"b": 9},
))  # fmt: skip
def test_a_held_order_is_settled_by_its_own_boards_answer_to_such_an_order_alone(archive, answer):
    other = archive.orders.add(NewOrder(1, 8, intents.Freeze(SAID), "Ann"), SAID)
    archive.orders.sent(other, 7, 1, 1, 9)  # this host's own frame: its answer is for that one
    order = asked(archive, sent=False)
    at_ms = 30_000 if "at_ms" in answer else SAID
    archive.write("UPDATE commands SET asked_ms = ? WHERE id = ?", at_ms, order)
    archive.commit([told(0, **{"kind": events.ANSWERED, "b": 11, **answer})])
    archive.orders.settle_held([archive.orders.get(order)], 7, 1)
    assert archive.orders.get(order).state == "pending"
    archive.commit([told(1, events.ANSWERED, b=12, at_ms=at_ms)])
    archive.orders.settle_held([archive.orders.get(order)], 7, 1)
    assert archive.orders.get(order).state == "done"


def test_the_answer_to_a_lost_hosts_challenge_settles_no_order(archive):
    intent = intents.SetScore(SAID, 1, 0, 1, 0, 0, 0, 0)
    order = archive.orders.add(NewOrder(1, 7, intent, "Ann"), SAID)
    archive.commit([told(0, events.ANSWERED, a=1, b=11, c=intents.SET_SCORE)])
    archive.orders.settle_held([archive.orders.get(order)], 7, 1)
    assert archive.orders.get(order).state == "pending"
    archive.commit([told(1, events.ANSWERED, b=12, c=intents.SET_SCORE)])
    archive.orders.settle_held([archive.orders.get(order)], 7, 1)
    assert archive.orders.get(order).state == "done"


@pytest.mark.parametrize(("after", "wanted"), (
    ((), True), (events.RoundSet(0, 2, 3, 4), False),
    (events.RoundCleared(0), False),
    (events.MatchEnded(0), False), (events.EventJoined(0, 6, 5), False),
    (events.EventJoined(0, 5, 5), True), (seeds.seed_event(seeds.NONCE, bytes(8)), False),
    (seeds.seed_event(seeds.NONE, bytes(8)), False),
))  # fmt: skip
@pytest.mark.parametrize("first", (True, False), ids=("before", "after"))
def test_a_nonce_is_wanted_for_the_commitment_of_a_match_that_is_on_alone(after, wanted, first):
    board, whole = nonces._Board(), bytes(part for part in range(3) for _ in range(8))
    told = [seeds.seed_event(part, bytes([part] * 8)) for part in range(3)]
    said = [(Position(1, 10 + part), event) for part, event in enumerate(told)]
    other = [(Position(1, 20), after)] if after else []
    for place, event in (said + other) if first else (other + said):
        board.add(place, event)
    assert list(board.wanting()) == ([((1, 10), whole)] if wanted else [])
    half = nonces._Board()
    for place, event in said[:2]:
        half.add(place, event)
    assert not list(half.wanting())


@pytest.mark.parametrize("end", (events.MatchEnded(0), seeds.seed_event(seeds.NONCE, bytes(8))))
def test_what_has_ended_stays_so_when_an_older_end_comes_late(end):
    board = nonces._Board()
    for part in range(3):
        board.add(Position(1, 10 + part), seeds.seed_event(part, bytes(8)))
    for counter in (20, 5):
        board.add(Position(1, counter), end)
    assert not list(board.wanting())


def test_the_eight_newest_commitments_of_a_board_wait():
    board = nonces._Board()
    for counter in range(0, 30, 3):
        for part in range(3):
            board.add(Position(1, counter + part), seeds.seed_event(part, bytes(8)))
    assert [place.counter for place, _ in board.wanting()] == list(range(6, 30, 3))


class Desk:
    """The collector's place: keeps what was asked."""

    now_ms = 0

    def __init__(self):
        self.asked = []

    def add_order(self, order):
        self.asked.append((order.table, order.intent))


def committed(device=7, counter=10):
    payloads = [payload.pack(seeds.seed_event(part, bytes([part] * 8))) for part in range(3)]
    made = [
        signatures.sign(bytes(32), events.SEED_STORED, device, 1, counter + part, one)
        for part, one in enumerate(payloads)
    ]
    return [
        ArchivedRecord(device, 1, 1, counter + part, EVENT, 5, frame)
        for part, frame in enumerate(made)
    ]


def test_a_commitment_gets_one_nonce_whatever_is_heard_again_and_read_anew(archive):
    desk, entries = Desk(), committed()
    archive.commit(entries)
    made = nonces.Nonces(archive, desk, KEY)
    made.take(entries)
    made.reload()
    nonces.Nonces(archive, desk, KEY).take(entries)
    assert len(desk.asked) == len(nonces.all_given(archive)) == 1 and desk.asked[0][0] == 7


def test_who_has_a_boards_key_cannot_fill_the_disk_with_nonces(archive, monkeypatch):
    monkeypatch.setattr(nonces, "MOST_GIVEN", 3)
    desk = Desk()
    made = nonces.Nonces(archive, desk, KEY)
    for counter in range(10, 25, 3):
        made.take(committed(counter=counter))
    made.take(committed(8))
    assert [table for table, _ in desk.asked] == [7, 7, 7, 8]
    assert len(nonces.all_given(archive)) == 4


def test_no_nonce_is_given_to_a_board_that_has_another_key_since(archive):
    archive.roster.add_board(Board(7, 2, 7), 0)
    desk = Desk()
    archive.commit(committed())
    nonces.Nonces(archive, desk, KEY)
    assert not desk.asked and not nonces.all_given(archive)


def test_a_code_of_a_match_set_up_by_hand_stands_the_audit_where_its_board_was_adopted_alone(
    tmp_path,
):
    venue = Venue(tmp_path / "a.db", tables=2)
    plain = code.result_code(frames.board_key(MASTER, 101, 1), EVENT, 0, 0, 1, (2, 0))
    typed_results.store(venue.archive, TypedResult(1, 1, 1, (2, 0), 9, plain), "Ann")

    def doubted():
        return [
            one
            for one in inspect(venue.archive, venue.station.keyring).faults
            if "does not say this result" in one
        ]

    assert len(doubted()) == 1
    board = venue.archive.roster.current_boards[101]
    typed_results.adopt(venue.archive, board, 2, 1, "Ann", 9)
    assert len(doubted()) == 1, "in another round"
    typed_results.adopt(venue.archive, board, 1, 1, "Ann", 9)
    assert not doubted()
    venue.station.close()


def test_a_seal_over_what_is_not_here_accuses_nobody_and_vouches_for_nothing():
    records = {
        n: signatures.sign(bytes(32), events.CLOCK, 7, 1, n, frames.plain(n)) for n in (5, 6)
    }
    seal = seal_over(5, bytes(7), b"".join(records[n][frames.BODY :] for n in (5, 6)))
    records[7] = signatures.sign(bytes(32), events.SEALED, 7, 1, 7, payload.pack(seal))
    assert seal_check.check(records) == ([], 0, 1), "the seal before it is not here"
