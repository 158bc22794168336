"""Whoever has a board's key can sign without end: each record costs the host the same work, what
contradicts the archive is kept up to a bound, and a revocation ends it.
"""

import pytest
from thief import EVENT, Thief

from firmware.core import events, frames
from host.archive.store import MOST_QUARANTINED
from host.desk import board_swap
from host.event import nonces
from host.sim.bytecodes import counted

# the event of record i, and how far its counter leaps
SAID = {
    "sparse": (lambda i: (events.CLOCK, 1000, 0, 0, 0), 1),
    "calls": (lambda i: (events.JUDGE_CALLED, 1000, 1, 0, 0), 1),
    "answers": (lambda i: (events.ANSWERED, 1000, 0, i, 12), 1),
    "commitments": (lambda i: (events.SEED_TOLD, i, i % 3, i, 3), 0),
    "boots": (lambda i: (events.BOOTED, 1000, 0, 1, 0), 0),
    "contradictions": (lambda i: (events.CLOCK, i, 0, 0, 0), -1),
}
EARLY, LATE = range(500, 506), range(1500, 1506)


@pytest.fixture
def thief(tmp_path):
    """A thief whose board was heard."""
    made = Thief(tmp_path / "a.db")
    made.begin()
    key = frames.stream_key(made._key, EVENT, frames.UP, 1)
    status = frames.sign(key, frames.STATUS, 1, 1, 0, frames.pack_status(0, 2, 0, 0, 5))
    made.station.collector.heard("a radio", status, made.now_ms)
    yield made
    made.station.close()


def work(thief, event):
    """Return how many bytecodes and how many of SQLite's instructions one record takes."""
    bytecodes, steps, db = [], [], thief.station.archive._db
    db.set_progress_handler(lambda: steps.append(1), 1)
    with counted(lambda frame: True, lambda: bytecodes.append(1)):
        thief.say(event)
    db.set_progress_handler(None, 1)
    return len(bytecodes), len(steps)


@pytest.mark.parametrize("what", SAID)
def test_the_next_record_costs_what_those_before_it_cost(thief, what):
    (event_of, leap), found = SAID[what], {}
    for i in range(LATE.stop):
        thief._counter += leap
        if i in EARLY or i in LATE:
            found[i] = work(thief, event_of(i))
            continue
        thief.hear(event_of(i))
        if i % 100 > 90:
            thief.station.collector.poll(thief.now_ms)
    for kind in (0, 1):
        early, late = (max(found[i][kind] for i in some) for some in (EARLY, LATE))
        assert 0 < late <= 1.02 * early


def test_a_boards_nonces_end(thief):
    for i in range(3 * nonces.MOST_GIVEN + 30):
        thief.say(SAID["commitments"][0](i))
    assert len(nonces.given(thief.station.archive)) == nonces.MOST_GIVEN


def contradict(thief, count):
    for i in range(count):
        thief._counter = 3
        thief.say((events.CLOCK, 5000 + i, 0, 0, 0))


def test_contradictions_are_counted_and_kept_up_to_a_bound(thief):
    archive, collector = thief.station.archive, thief.station.collector
    contradict(thief, MOST_QUARANTINED + 5)
    written = archive._db.total_changes
    contradict(thief, 200)
    assert archive._db.total_changes == written
    assert len(archive.quarantined) == MOST_QUARANTINED
    assert collector.refused[1, "contradiction"] == MOST_QUARANTINED + 205
    told = [str(sentence) for _, device, sentence in collector.alarms if device == 1]
    assert len(told) == 8 and "somebody may have its key" in told[-1]


def test_a_revocation_ends_it(thief):
    contradict(thief, 3)
    board_swap.revoke(thief.station, 1, "Olga")
    before = thief.station.archive._db.total_changes
    contradict(thief, 50)
    thief.say((events.CLOCK, 1, 0, 0, 0))
    assert thief.station.archive._db.total_changes == before
    assert thief.station.collector.refused[1, "revoked"] == 51
