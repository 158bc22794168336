"""What a board does not believe, where one check stands alone."""

import forger
import pytest
from farside import DEVICE, KEY, FarSide, NearSide, pair
from torn import TornStore, recovered

from firmware.core import code, events, frames, intents, payload
from firmware.core.journal import key_event
from firmware.core.timebase import Timebase
from host.keys import signatures
from host.sim import stored_records


def name(far, round_number, letter, seat=0, part=0):
    return far.sign(frames.NAME, frames.pack_name(round_number, part, seat, letter * 8))


def test_the_right_answer_to_another_question_tells_no_time():
    timebase = Timebase(50)
    timebase.ask_host(0xDEADBEEF, 1000)
    for nonce in (0xDEADBEEE, 0x5EADBEEF, 0, None):
        assert timebase.host_answered(9_000_000, nonce, 1010) is None and timebase.guessed
    assert timebase.host_answered(9_000_000, 0xDEADBEEF, 1010)
    assert timebase.host_answered(9_500_000, 0xDEADBEEF, 1020) is None, (
        "a question is answered once"
    )


@pytest.mark.parametrize(("trip_ms", "taken"), ((1000, True), (1001, None), (60_000, None)))
def test_an_answer_that_was_held_back_longer_than_a_second_tells_no_time(trip_ms, taken):
    timebase = Timebase(50)
    timebase.ask_host(1, 1000)
    assert timebase.host_answered(9_000_000, 1, 1000 + trip_ms) is taken
    assert timebase.guessed is (taken is None)


def test_a_replayed_answer_moves_no_clock():
    near, far, now = pair()
    answer = far.sign(frames.TIME, frames.pack_time(now + 5_000_000, 12345))
    for _ in range(2):
        near.sync.link_opened(now)
        near.sync.outgoing(now)
        near.sync.sent(now)
        near.timebase.forget()
        near.timebase.ask_host(54321, now)
        near.take(answer, now + 10)
        assert near.timebase.guessed


def test_an_acknowledgement_does_not_reach_over_the_end_of_an_epoch():
    store = TornStore(64)
    NearSide(store, lambda n: 0)
    near, far = NearSide(store, lambda n: 0), FarSide()
    far.epoch = near.journal.epoch
    last = max(n for n in range(9) if stored_records.read(near.journal, 1, n))
    tags = (
        stored_records.read(near.journal, 1, last)[frames.BODY :]
        + stored_records.read(near.journal, 2, 0)[frames.BODY :]
    )
    near.sync.window.restart(near.journal.find(1, last))
    assert near.journal.find(1, last) + 1 == near.journal.find(2, 0)
    near.take(far.sign(frames.ACK, frames.pack_ack(1, last, 1, tags)), 0)
    assert not near.acked(1, last) and not near.acked(2, 0) and near.sync.refused[6] == 1


def test_every_bit_of_an_acknowledgements_digest_counts():
    near, far, now = pair()
    counter = near.journal.append(events.Conceded(now, 1, 0, 0, 0))
    tag = stored_records.read(near.journal, 1, counter)[frames.BODY :]
    good = frames.pack_ack(1, counter, 0, tag)
    for bit in range(8 * 5, 8 * len(good)):
        bent = bytearray(good)
        bent[bit // 8] ^= 1 << bit % 8
        near.take(far.sign(frames.ACK, bytes(bent)), now)
    assert not near.acked(1, counter) and near.sync.refused[6] == 32
    near.take(far.sign(frames.ACK, good), now)
    assert near.acked(1, counter)


def test_an_acknowledgement_of_records_to_come_clears_nothing():
    near, far, now = pair()
    counter = near.journal.append(events.Conceded(now, 1, 0, 0, 0))
    tag = stored_records.read(near.journal, 1, counter)[frames.BODY :]
    near.take(far.sign(frames.ACK, frames.pack_ack(1, counter, 255, tag)), now)
    assert not near.acked(1, counter) and near.sync.refused[6] == 1
    near.take(far.sign(frames.ACK, frames.pack_ack(9, 0, 0, tag)), now)
    assert near.sync.refused[6] == 2 and not near.acked(9, 0), "of an epoch that never was"


def test_a_name_of_the_round_before_does_not_come_after_the_round():
    near, far, now = pair()
    late = [name(far, 16, b"A", part=part) for part in (0, 1, 2)]
    near.take(far.sign(intents.SET_ROUND, frames.plain(now, 16, 4, 5)), now)
    for frame in late:
        near.take(frame, now)
    assert not near.names and near.sync.name_parts == 0
    for part in (0, 1, 2):
        near.take(name(far, 16, b"B", part=part), now)
    assert near.names[0][0] == "B" * 20


def test_a_part_of_a_name_that_was_said_before_does_not_replace_a_later_one():
    near, far, now = pair()
    older = name(far, 3, b"A")
    near.take(name(far, 3, b"B"), now)
    near.take(older, now)
    assert bytes(near.sync.names[0][:8]) == b"B" * 8


def test_a_name_has_three_parts():
    near, far, now = pair()
    for part in range(3, 8):
        near.take(name(far, 3, b"A", part=part), now)
        near.take(name(far, 3, b"A", part=part, seat=1), now)
    assert near.sync.name_parts == 0 and len(near.sync.names[0]) == 24


def test_a_new_epoch_takes_its_commands_from_the_first_counter_on():
    near, far, now = pair()
    near.take(far.sign(intents.FREEZE, frames.plain(now)), now)
    near.journal.open_epoch(now)
    far.epoch, far.counter = near.journal.epoch, 0
    near.take(far.sign(intents.RESUME, frames.plain(now)), now)
    assert near.applied[-1].kind == intents.RESUME


def test_what_is_repeated_is_fetched_and_shown_once():
    near, far, now = pair()
    blink = far.sign(frames.IDENTIFY, frames.plain(0, 0, 9))
    fetch = far.sign(frames.FETCH, frames.pack_fetch(1, 2, 3))
    assert near.sync.receive(fetch, now) is None and near.sync.window.asked_end
    near.sync.window.asked = near.sync.window.asked_end = 0
    for frame in (fetch, blink):
        assert near.sync.receive(frame, now) is None
    assert near.sync.window.asked_end == 0


def damaged(happened, key=bytes(32), device=DEVICE):
    """Return a journal in mid-round with ``happened`` in it, signed with another key."""
    journal = recovered(TornStore(64))
    journal.open_epoch(0)
    journal.append(
        events.EventJoined(0, 5, 0), events.TimeSet(900, 9, 1), events.RoundSet(950, 1, 2, 3)
    )
    stream = frames.stream_key(key, key_event(5, happened), frames.UP, journal.epoch)
    place = device, journal.epoch, journal.counter
    journal.ring.put(signatures.sign(stream, happened.kind, *place, payload.pack(happened)))
    journal.ring.flush()
    return recovered(journal.ring.store)


@pytest.mark.parametrize("forged", ({}, {"key": KEY, "device": DEVICE + 1}), ids=("key", "device"))
def test_a_record_in_flash_that_is_not_the_boards_own_is_not_taken_up(forged):
    ruled = damaged(events.ResultRuled(960, 1, 1, 2, 0), **forged)
    assert [events.of_record(record).kind for record in stored_records.replay(ruled)] == [
        events.ROUND_SET
    ]
    moved = damaged(events.EventJoined(960, 6, 5), **forged)
    assert moved.event == 0
    begun = damaged(events.RoundSet(960, 9, 9, 9), **forged)
    assert begun.start is None


def test_a_time_in_flash_that_is_not_the_boards_own_is_not_gone_on_from():
    assert damaged(events.Clock(960, 0), KEY).last_ms == 960
    assert damaged(events.TimeSet(99_000_000, 9, 1)).last_ms is None


def test_a_judges_code_entered_with_another_key_counts_for_nothing():
    journal = damaged(events.CodeEntered(960, 0, 500))
    assert code.newest_entry(journal) == events.CodeEntered(0, 0, 0)


def test_an_epoch_that_is_over_is_refused_as_such():
    near, far, now = pair()
    former = far.sign(intents.FREEZE, frames.plain(now))
    near.journal.open_epoch(now)
    near.sync.refused[:] = [0] * 7
    assert near.sync.receive(former, now) is None and near.sync.refused[3] == 1


@pytest.mark.parametrize(
    ("host_ms", "taken"),
    # 1000 ms before it and the 10 ms of the answer's way; each clock was cut to whole ms
    ((100_000, True), (98_998, True), (98_997, False), (0, False)),
)
def test_after_a_reset_a_time_before_the_last_that_was_told_is_refused(host_ms, taken):
    timebase = Timebase(50)
    timebase.resume(100_000, 500)
    timebase.ask_host(1, 500)
    assert timebase.host_answered(host_ms, 1, 510) is taken and timebase.guessed is not taken


def test_a_block_whose_checksum_is_wrong_is_not_believed():
    journal = recovered(TornStore(64))
    journal.open_epoch(0)
    for seat in (0, 1):
        journal.append(events.Conceded(9, seat, 0, 0, 0))
    store, records = (
        journal.ring.store,
        [record for _, record in stored_records.walk(journal.ring, 0)],
    )
    block = bytearray(store.copies[0][0])
    block[40] ^= 1
    store.copies[0][0] = bytes(block)
    again = recovered(store)
    assert [record for _, record in stored_records.walk(again.ring, 0)] == records
    assert store.copies[0] == store.copies[1]


def test_a_board_that_is_moved_to_another_event_forgets_the_names():
    near, far, now = pair()
    near.take(name(far, 3, b"A"), now)
    far.event = 0
    near.take(far.sign(intents.JOIN_EVENT, frames.plain(0, 0, 6, 0)), now)
    assert bytes(near.sync.names[0]) == bytes(24) and near.sync.name_parts == 0


def test_a_board_that_is_told_of_another_round_forgets_the_names():
    for kind in (intents.SET_ROUND, intents.CLEAR_ROUND):
        near, far, now = pair()
        near.take(name(far, 3, b"A"), now)
        near.take(far.sign(kind, frames.plain(now, 4, 4, 4)), now)
        assert bytes(near.sync.names[0]) == bytes(24) and near.sync.name_parts == 0


@pytest.mark.parametrize("kind", (0, 6, 7, 32, 40, 63))
def test_a_genuine_frame_of_a_kind_that_is_none_is_refused(kind):
    near, far, now = pair()
    near.sync.refused[:] = [0] * 7
    assert near.sync.receive(far.sign(kind, frames.plain(0, 0, 9)), now) is None
    assert near.sync.refused == [0, 0, 1, 0, 0, 0, 0]


def test_the_last_epoch_has_none_after_it():
    near, _, now = pair()
    near.journal.epoch = 65535
    with pytest.raises(ValueError, match="epoch"):
        near.journal.open_epoch(now)
    assert near.journal.epoch == 65535


@pytest.mark.parametrize(("happened", "event"), (
    (events.EventJoined(1, 6, 5), 0), (events.Answered(1, 0, 3, intents.JOIN_EVENT, 0), 0),
    (events.Answered(1, 0, 3, intents.FREEZE, 0), 5),
    (events.Conceded(1, 0, 0, 0, intents.JOIN_EVENT), 5),
))  # fmt: skip
def test_a_joining_alone_is_signed_under_no_event(happened, event):
    assert key_event(5, happened) == event


ATTACKS = (
    "random", "same round", "other round", "other boot", "other event", "other board", "truncation",
    "bit flip",
    "downgrade", "other board's key", "other direction", "other event's key",
)  # fmt: skip
SOME = 300


@pytest.fixture(scope="module")
def doors(tmp_path_factory):
    found = forger.doors(tmp_path_factory.mktemp("forged") / "a.db")
    yield found
    found["host"][0].station.close()


@pytest.mark.parametrize("side", ("board", "host"))
@pytest.mark.parametrize("attack", ATTACKS)
def test_a_forged_frame_changes_nothing(doors, side, attack):
    door, made = doors[side]
    assert not [
        frame for frame in (made.attacks[attack]() for _ in range(SOME)) if door.offer(frame)
    ]
    assert not door.settle()


def test_the_harness_sees_what_is_accepted(doors):
    for door, made in (
        forger.doors(doors["host"][0].station.archive.path.with_name("b.db"))
    ).values():
        assert any([door.offer(made.fresh()) for _ in range(20)] + [door.settle()])
    door.station.close()
