"""What a journal takes up after a reset, and how an epoch begins within one life of a board."""

import pytest
from torn import TornStore, recovered

from firmware.core import events, frames
from firmware.core.ring import ROOM

EVENT = 5
JOINED, TOLD = events.EventJoined(0, EVENT, 0), events.TimeSet(900, 9, 1)


def clock(at_ms):
    return events.Clock(at_ms, 0)


def round_set(number):
    return events.RoundSet(950, number, 2, 3)


def drafted(step):
    return events.Drafted(950, step, 0, 0)


def opened(*happened):
    """Return a journal in its first epoch, in which something happened."""
    journal = recovered(TornStore(64))
    journal.open_epoch(0)
    for one in happened:
        journal.append(one)
    return journal


def again(journal):
    return recovered(journal.ring.store)


@pytest.mark.parametrize("before", ((JOINED, TOLD), (TOLD, JOINED), (JOINED,)))
@pytest.mark.parametrize(("begun", "resumed"), (
    ([round_set(1), round_set(2), clock(960)], round_set(2)),
    ([round_set(1), drafted(0), drafted(1), drafted(2)], drafted(0)),
    ([drafted(0), drafted(1), round_set(3)], round_set(3)),
))  # fmt: skip
def test_the_round_or_draft_begun_last_is_taken_up(before, begun, resumed):
    journal = opened(*before, *begun)
    for found in (journal, again(journal)):
        assert found.ring.event(found.start) == resumed and found.first == found.start


@pytest.mark.parametrize(("told", "last_ms"), (
    (events.TimeSet(900, 9, 1), 900), (events.TimeSet(0, 9, 1), 0),
    (events.TimeSet(900, 9, 0), None),
))  # fmt: skip
def test_the_time_is_gone_on_from_where_a_host_has_told_it(told, last_ms):
    assert again(opened(JOINED, told)).last_ms == last_ms


def test_a_second_epoch_of_one_life_begins_its_seals_and_its_news_anew():
    journal = opened(*[events.TurnEnded(1, 0, 0, 0)] * 20)
    journal.open_epoch(5, 255)
    assert journal.epoch == 2 and journal.news_head == journal.counter == 2
    while journal.read(2, journal.counter - 1)[0] & 63 != events.SEALED:
        journal.append(clock(9))
    last = journal.counter - 1
    tags = b"".join(journal.read(2, n)[frames.BODY :] for n in range(last))
    assert events.of_record(journal.read(2, last)) == events.seal_over(0, bytes(7), tags)


@pytest.mark.parametrize("happened", ([], [events.MatchEnded(9), clock(9)]))
def test_a_match_that_ended_is_sealed_with_what_happened_at_once(happened):
    journal = opened()
    journal.append(*happened)
    kind = journal.read(1, journal.counter - 1)[0] & 63
    assert (kind == events.SEALED) is bool(happened)


def test_counters_are_used_until_a_block_of_them_is_left():
    journal = opened()
    journal.base -= 65_535 - ROOM - 2 - journal.counter
    journal._sealed = journal.counter
    journal.append(clock(9))
    assert (journal.epoch, journal.counter) == (1, 65_535 - ROOM - 1)
    assert journal.append() is None and journal.epoch == 1
    journal.append(clock(9))
    assert journal.epoch == 2
