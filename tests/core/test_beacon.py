"""The beacon's laws: whatever the air does, a board acts on what the host said and on nothing else."""

import functools
import random

import pytest
from acknowledged import acked_of
from hypothesis import given
from hypothesis import strategies as st

from firmware.core import beacon, digest, intents
from firmware.core.beacon_receiver import (
    EARLY,
    EXPIRED,
    FULL,
    GROUP,
    HASHES,
    KEY,
    LIFE,
    MAC,
    SHAPE,
    UNCERTAIN,
    UNSAFE,
    USELESS,
    BeaconReceiver,
)
from host.keys.beacon_chain import BeaconChain

EVENT, ANOTHER = 5, 6
U8, U16, U32 = st.integers(0, 255), st.integers(0, 65535), st.integers(0, (1 << 32) - 1)
KINDS = [kind for kind in range(256) if beacon.topic(kind)]
INTENTS = st.builds(intents.of_numbers, st.sampled_from(KINDS), U32, U8, U16, U16)
KEY_EVERY = 4  # intervals, in the scenes below
STEPS = 200  # enough for all that waits


@functools.cache
def chain(event=EVENT):
    """Return an event's chain: a second's work, so not before a test needs it."""
    return BeaconChain(bytes(32), event, 0)


def begin_ms(interval):
    """Return when an interval of the chain begins."""
    return chain().start_ms + interval * beacon.INTERVAL_MS


def interval_at(at_ms):
    return (at_ms - chain().start_ms) // beacon.INTERVAL_MS


def board(now_ms, seed=0, round_number=3, entropy=None):
    receiver = BeaconReceiver(entropy or random.Random(seed).randbytes)
    receiver.table, receiver.round = 100, round_number
    receiver.follow_chain(chain().anchor(now_ms))
    return receiver


def drained(receiver, now_ms, error_ms):
    """Return the frames that are proven at this moment, while it says that there is work."""
    found = [receiver.step(now_ms, error_ms) for _ in range(STEPS) if receiver.busy]
    return [bytes(frame) for frame in found if frame is not None]


@given(U32, U8, U8, U16, U32, U8, U8, st.integers(0, 65535))
def test_ticks_come_back(sent, of_round, state, tables, start, switches, command, interval):
    tick = sent, of_round, state, tables, start, switches, command
    frame = beacon.sign(bytes(16), bytes(8), beacon.TICK, interval, beacon.pack_tick(tick))
    assert beacon.tick_of(frame) == tick
    assert beacon.u16(frame, beacon.INTERVAL, interval) == interval
    assert len(frame) == beacon.SIZE and beacon.kind_of(frame) == beacon.TICK


BODIES = (
    (beacon.TICK, beacon.pack_tick((5, 3, 2, 40, 60, 8, 2))),
    (beacon.ACKED, beacon.pack_acked(3, 2, 96, 1 << 95 | 1)),
    (beacon.ACKED, beacon.pack_all(3, 2, (7, 600))),
    (beacon.COMMAND, beacon.pack_command(2, 3, intents.SetStart(60_000))),
    (beacon.TIMES, beacon.pack_times([(b"asks", 3)])),
)


def test_a_mac_covers_every_bit_and_each_of_its_own_counts():
    pair = digest.blocks(beacon.mac_key(bytes(16)))
    for kind, body in BODIES:
        frame = beacon.sign(bytes(16), bytes(8), kind, 1, body)
        assert beacon.verify(pair, frame)
        for bit in range(8 * len(frame)):
            bent = bytearray(frame)
            bent[bit // 8] ^= 1 << bit % 8
            # the group tag is nobody's proof
            assert beacon.verify(pair, bent) == (bit // 8 in (1, 2)), (kind, bit)


@given(U16, U8, INTENTS)
def test_commands_come_back(counter, of_round, intent):
    body = beacon.pack_command(counter, of_round, intent)
    frame = beacon.sign(bytes(16), bytes(8), beacon.COMMAND, 1, body)
    assert beacon.command_of(frame) == (counter, of_round, intent)
    assert beacon.kind_of(frame) == beacon.COMMAND


@given(U8, U8, st.integers(0, 65000), st.sets(st.integers(0, beacon.BLOCK - 1)))
def test_acknowledgements_come_back(of_round, revision, first, tables):
    body = beacon.pack_acked(of_round, revision, first, sum(1 << at for at in tables))
    frame = beacon.sign(bytes(16), bytes(8), beacon.ACKED, 1, body)
    told = {at for at in range(-2, beacon.BLOCK + 10) if acked_of(frame, first + at)}
    assert told == tables
    assert all(acked_of(frame, first + at) == (of_round, revision) for at in tables)


@given(U8, U8, st.sets(st.integers(1, 65535), max_size=beacon.MOST_BUT), st.integers(1, 65535))
def test_acknowledgements_of_all_but_a_few_come_back(of_round, what, but, table):
    body = beacon.pack_all(of_round, what, sorted(but))
    frame = beacon.sign(bytes(16), bytes(8), beacon.ACKED, 1, body)
    for one in {table} | but:
        assert acked_of(frame, one) == (None if one in but else (of_round, what))


@given(st.integers(0, 300), st.integers(1, 400), st.booleans())
def test_a_key_counts_exactly_if_it_is_the_chains(first, later, true):
    at_ms = begin_ms(first + beacon.DELAY)
    receiver, index = board(at_ms), first + later
    now_ms = begin_ms(index + beacon.DELAY)
    key = chain(EVENT if true else ANOTHER).disclose(now_ms)[5:21]
    assert receiver.hear(beacon.disclose(key, chain().group, index), 0, now_ms, 0)
    steps = 0
    while receiver.goal > receiver.index:
        receiver.step(now_ms, 0)
        steps += 1
    assert steps == -(-later // HASHES)  # forged or not
    assert receiver.index == (index if true else first)
    assert receiver.refused[KEY] == (not true)


@given(st.integers(0, 1000))
def test_an_acknowledgement_that_is_repeated_is_proven_by_the_first_ones_key(seed):
    first_ms = begin_ms(40)
    receiver = board(first_ms, seed)
    receiver.milestone = 1
    for later_ms in (0, 300, 500):
        body = beacon.pack_acked(3, 1, 80, 1 << 20 | later_ms)  # more tables each time
        frame = chain().sign(beacon.ACKED, body, first_ms + later_ms)
        assert receiver.hear(frame, later_ms, first_ms + later_ms, 100)
    key_ms = begin_ms(40 + beacon.DELAY)
    assert receiver.hear(chain().disclose(key_ms), key_ms, key_ms, 100)
    assert [frame[0] & 63 for frame in drained(receiver, key_ms, 100)] == [beacon.ACKED]


# a hall: the host sends commands and keys, the air does what it likes


@st.composite
def evenings(draw):
    """Draw ``(commands, what arrives)``: frames lost, late, doubled, in any order."""
    commands = draw(st.lists(INTENTS, min_size=1, max_size=4))
    sent = []
    for number, intent in enumerate(commands, 1):
        begin = draw(st.integers(40, 60))
        body = beacon.pack_command(number, draw(st.sampled_from((0, 3))), intent)
        for interval in range(begin, begin + draw(st.integers(1, 4))):
            at_ms = begin_ms(interval) + draw(st.integers(0, beacon.INTERVAL_MS - 1))
            sent.append((at_ms, chain().sign(beacon.COMMAND, body, at_ms)))
    for interval in range(40, 72, KEY_EVERY):
        at_ms = begin_ms(interval) + draw(st.integers(0, beacon.INTERVAL_MS - 1))
        sent.append((at_ms, chain().disclose(at_ms)))
    arrivals = []
    for at_ms, frame in sent:
        for delay_ms in draw(st.lists(st.integers(0, 3000), max_size=3)):
            arrivals.append((at_ms + delay_ms, frame))
    return commands, sorted(arrivals)


def heard(receiver, arrivals, error_ms, off_ms):
    done = []
    for at_ms, frame in arrivals:
        receiver.hear(frame, at_ms, max(0, at_ms + off_ms), error_ms)
        done += drained(receiver, max(0, at_ms + off_ms), error_ms)
    return [beacon.command_of(frame) for frame in done]


def expected(arrivals, error_ms, off_ms):
    """Return {topic: counter} from the rules alone: the safe copies whose key came in time."""
    safe, highest, known = [], {}, -1
    for at_ms, frame in arrivals:
        latest = interval_at(at_ms + off_ms + error_ms)
        index = beacon.u16(frame, beacon.INTERVAL, latest)
        if beacon.kind_of(frame) == beacon.KEY:
            known = max(known, index)
        elif latest < index + beacon.DELAY and index > known:
            safe.append(frame)
        interval = interval_at(at_ms + off_ms)
        ready = [
            f for f in safe if interval - LIFE <= beacon.u16(f, beacon.INTERVAL, latest) <= known
        ]
        for counter, _, intent in map(beacon.command_of, ready):
            topic = beacon.topic(intent.kind)
            highest[topic] = max(counter, highest.get(topic, 0))
        safe = [f for f in safe if f not in ready]
    return highest


@given(evenings(), st.integers(0, 280), st.integers(-280, 280), st.integers(0, 9))
def test_whatever_the_air_does_the_last_command_of_each_topic_counts(evening, error_ms, off, seed):
    commands, arrivals = evening
    off_ms = max(-error_ms, min(error_ms, off))
    receiver = board(begin_ms(40), seed)
    done = heard(receiver, arrivals, error_ms, off_ms)
    for counter, _, intent in done:
        assert commands[counter - 1] == intent  # nothing but what was said
    counters = [counter for counter, _, _ in done]
    assert len(set(counters)) == len(counters)  # and at most once
    if not receiver.refused[FULL]:
        highest = expected(arrivals, error_ms, off_ms)
        topics = {place: counter for place, counter in enumerate(receiver.commanded) if counter}
        assert topics == highest


@given(evenings(), st.integers(beacon.INTERVAL_MS, 70000), st.integers(-70000, 70000))
def test_a_board_whose_time_is_uncertain_never_acts(evening, error_ms, off_ms):
    receiver = board(begin_ms(40))
    assert heard(receiver, evening[1], error_ms, off_ms) == []
    assert not any(receiver.commanded)


def command(interval, counter=1, of_round=3, event=EVENT):
    """Return a start's COMMAND of a counter, signed in an interval."""
    body = beacon.pack_command(counter, of_round, intents.SetStart(60_000))
    return chain(event).sign(beacon.COMMAND, body, begin_ms(interval))


def times(asked):
    return chain().sign(beacon.TIMES, beacon.pack_times([(asked, 0)]), begin_ms(41))


KEPT = len(BeaconReceiver(bytes).refused) - 1
# what a board that knows key 38 hears, when (the ms after an interval began) and how far its clock
# may be off; why it refuses it
HEARD = {
    "in its interval": (lambda: command(41), (41, 0), 0, KEPT),
    "a ms before it": (lambda: command(41), (41, -1), 0, EARLY),
    "a ms before it, by a clock that may be late": (lambda: command(41), (41, -1), 1, KEPT),
    "a ms before its key may come": (lambda: command(41), (43, -1), 0, KEPT),
    "as its key may come": (lambda: command(41), (43, 0), 0, UNSAFE),
    "as its key may come, by a clock that may be late": (lambda: command(41), (43, -1), 1, UNSAFE),
    "of the key that is known": (lambda: command(38), (39, 0), 0, UNSAFE),
    "of the key after it": (lambda: command(39), (40, 0), 0, KEPT),
    "by a clock that is hardly sure": (lambda: command(41), (41, 0), 299, KEPT),
    "by a clock that is too unsure": (lambda: command(41), (41, 0), 300, UNCERTAIN),
    "another hall's": (lambda: command(41, event=ANOTHER), (41, 0), 0, GROUP),
    "another round's": (lambda: command(41, of_round=4), (41, 0), 0, USELESS),
    "every round's": (lambda: command(41, of_round=0), (41, 0), 0, KEPT),
    "what was done before": (lambda: command(41, counter=0), (41, 0), 0, USELESS),
    "a key": (lambda: chain().disclose(begin_ms(43)), (43, 0), 0, KEPT),
    "a key a ms early": (lambda: chain().disclose(begin_ms(43)), (43, -1), 0, EARLY),
    "the key that is known": (lambda: chain().disclose(begin_ms(40)), (43, 0), 0, USELESS),
    "when it was heard": (lambda: times(b"asks"), (41, 0), 0, KEPT),
    "when others were heard": (lambda: times(b"them"), (41, 0), 0, USELESS),
    "no frame": (lambda: b"", (41, 0), 0, SHAPE),
}  # fmt: skip


@pytest.mark.parametrize("case", HEARD)
def test_a_frame_is_kept_or_refused_for_the_first_reason_there_is(case):
    frame, (interval, later_ms), error_ms, reason = HEARD[case]
    receiver, at_ms = board(begin_ms(40)), begin_ms(interval) + later_ms
    receiver.asked = b"asks"
    assert receiver.hear(frame(), at_ms, at_ms, error_ms) is (reason == KEPT)
    assert [at for at, count in enumerate(receiver.refused) for _ in range(count)] == [reason]
    assert receiver.busy is (reason == KEPT)


# (round, what, table) of an acknowledgement; whether table 100 wants it, of whose second milestone
# in round 3 the host is known to have the result
ACKED = (
    ((3, 2 | beacon.WHOLE, 100), True),
    ((3, 2, 100), False),
    ((3, 1 | beacon.WHOLE, 100), False),
    ((3, 3 | beacon.WHOLE, 100), False),
    ((2, 2 | beacon.WHOLE, 100), False),
    ((3, 2 | beacon.WHOLE, 101), False),
    ((3, beacon.HEARD, 100), False),  # it is not recalled
)


@pytest.mark.parametrize(("told", "wanted"), ACKED)
def test_an_acknowledgement_is_kept_if_it_says_more_than_is_known(told, wanted):
    receiver, at_ms = board(begin_ms(40)), begin_ms(41)
    receiver.milestone, receiver.least = 2, beacon.WHOLE
    of_round, what, table = told
    frame = chain().sign(beacon.ACKED, beacon.pack_acked(of_round, what, table, 1), at_ms)
    assert receiver.hear(frame, at_ms, at_ms, 0) is wanted


def test_a_board_without_a_match_has_no_table_no_round_and_no_milestone():
    receiver, at_ms = BeaconReceiver(bytes), begin_ms(41)
    assert receiver.index == -1
    receiver.follow_chain(chain().anchor(at_ms))
    frame = chain().sign(beacon.ACKED, beacon.pack_acked(0, 0, 0, 1), at_ms)
    assert receiver.hear(frame, at_ms, at_ms, 0)


def test_what_waits_is_forgotten_with_its_chain():
    receiver, at_ms = board(begin_ms(40)), begin_ms(41)
    assert receiver.hear(command(41), at_ms, at_ms, 0)
    receiver.follow_chain(chain(ANOTHER).anchor(begin_ms(45)))
    assert drained(receiver, begin_ms(45), 0) == [] and not receiver.refused[MAC]


def test_a_key_that_comes_late_takes_more_than_one_step():
    receiver, at_ms, key_ms = board(begin_ms(40)), begin_ms(41), begin_ms(41 + LIFE)
    tick = chain().sign(beacon.TICK, beacon.pack_tick((at_ms, 3, 2, 40, 60, 8, 2)), at_ms)
    assert receiver.hear(tick, at_ms, at_ms, 0)
    assert receiver.hear(chain().disclose(key_ms), key_ms, key_ms, 0)
    assert drained(receiver, key_ms, 0) == [tick]


def test_one_key_is_offered_at_a_time_and_no_frame_waits_twice():
    receiver, at_ms = board(begin_ms(40)), begin_ms(44)
    assert receiver.hear(chain().disclose(begin_ms(43)), 0, at_ms, 0)
    assert not receiver.hear(chain().disclose(at_ms), 0, at_ms, 0)
    assert receiver.hear(command(44), 0, at_ms, 0)
    assert not receiver.hear(command(44), 0, at_ms, 0)
    assert receiver.refused[USELESS] == 2 and receiver.busy


@pytest.mark.parametrize("later", (12, 13))
def test_a_frame_waits_twelve_intervals_for_its_key(later):
    receiver, at_ms = board(begin_ms(40)), begin_ms(41 + later)
    assert receiver.hear(command(41), 17, begin_ms(41), 0)
    assert drained(receiver, at_ms, 0) == [] and not receiver.busy
    assert receiver.hear(chain().disclose(at_ms), 99, at_ms, 0)
    assert len(drained(receiver, at_ms, 0)) == (later <= 12)
    assert receiver.refused[EXPIRED] == (later > 12)
    assert receiver.arrived_ms == (17 if later <= 12 else 0)


# the byte that chance gives as the fifth and as the sixth of them comes; the counters that wait
CROWDS = {
    (4, 4): [1, 2, 3, 4], (3, 5): [1, 2, 3, 5], (0, 6): [6, 2, 3, 4], (8, 9): [1, 2, 3, 6],
}  # fmt: skip


@pytest.mark.parametrize("drawn", CROWDS)
def test_of_more_commands_than_places_each_has_the_same_chance(drawn):
    left = list(drawn)
    receiver = board(begin_ms(40), entropy=lambda count: bytes((left.pop(0),)) * count)
    waiting = CROWDS[drawn]
    for counter in range(1, 7):
        kept = receiver.hear(command(41, counter), 0, begin_ms(41), 0)
        assert kept or counter not in waiting
    assert left == [] and receiver.refused[FULL] == 2
    assert [beacon.command_of(one)[0] for one in receiver._waiting[5:9]] == waiting


@pytest.mark.parametrize("error_ms", (0, 299, 300, 400))
def test_a_command_does_not_count_where_its_key_finds_the_time_uncertain(error_ms):
    """The clock may have got worse while it waited; an interval has 300 ms."""
    receiver, at_ms, key_ms = board(begin_ms(40)), begin_ms(41), begin_ms(41 + beacon.DELAY)
    assert receiver.hear(command(41), at_ms, at_ms, 0)
    assert receiver.hear(chain().disclose(key_ms), key_ms, key_ms, 0)
    proven = len(drained(receiver, key_ms, error_ms))
    assert proven == any(receiver.commanded) == (error_ms < 300)
    assert receiver.refused[UNCERTAIN] == 1 - proven


@given(
    evenings(),
    st.integers(0, beacon.INTERVAL_MS - 1),
    st.integers(0, beacon.INTERVAL_MS - 1),
    st.data(),
)
def test_who_has_the_disclosed_keys_forges_nothing(evening, error_ms, off, data):
    """A stolen board has the group key, and hears each key when everybody does."""
    _, arrivals = evening
    off_ms = min(off, error_ms) * data.draw(st.sampled_from((-1, 1)))
    receiver = board(begin_ms(40))
    bad = beacon.pack_command(9, 0, intents.SetStart(1))
    forged = []
    for at_ms in data.draw(st.lists(st.integers(21000, 36000), max_size=20)):
        known = chain().disclosable(at_ms)
        interval = data.draw(st.integers(known - 3, known))  # whose key the thief has
        claimed = data.draw(st.sampled_from((interval, known + 1, known + 2, known + 3)))
        key = chain().disclose(begin_ms(interval + beacon.DELAY))[5:21]
        forged.append((at_ms, beacon.sign(key, chain().group, beacon.COMMAND, claimed, bad)))
        claim = data.draw(st.integers(known - 3, known + 9))
        forged.append((at_ms, beacon.disclose(key, chain().group, claim)))
    done = heard(receiver, sorted(arrivals + forged), error_ms, off_ms)
    assert 9 not in [counter for counter, _, _ in done]
    assert receiver.index <= chain().disclosable(40000)


@given(st.binary(max_size=40), st.integers(0, 1 << 32), st.integers(0, 1 << 17))
def test_any_bytes_are_refused(frame, now_ms, error_ms):
    receiver = board(20000)
    assert not receiver.hear(frame, now_ms, now_ms, error_ms)
    assert sum(receiver.refused) == 1 and receiver.step(now_ms, error_ms) is None
