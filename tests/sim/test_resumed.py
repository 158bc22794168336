"""From a reset to the first right picture, with a model of what a board's work costs charged to
virtual time.

No board was measured. A second of start-up before the program; every byte that is loaded at
50 KB/s; 2 ms to read and 100 ms to write a block (an erase sector's erase and its pages); the
budgets' 4 ms an HMAC and 120 ms a picture; 0.3 ms for each record that is passed and 1 ms for each
that is read.
"""

import pytest
from evening_of_one import ACTS, Evening

from firmware.core import digest, events, frames
from firmware.core.ring import Ring
from host.boards.deploy import booting

START_MS, BYTE_US, READ_MS, WRITE_MS, HMAC_MS, PICTURE_MS, RECORD_MS, PASSED_MS = (
    1000,
    20,
    2,
    100,
    4,
    120,
    1,
    0.3,
)
RESUMED_MS = 5000
DAY = 1000  # records of an event's earlier rounds


class Charges:
    """Counts what a boot does, and makes the board's time pass by it."""

    def __init__(self, loop):
        self._loop = loop

    def pay(self, cost_ms):
        """Let so many ms pass at once."""
        self._loop.now_s += cost_ms / 1000

    def paid(self, work, cost_ms):
        """Return the function ``work`` at a price."""

        def does(*args):
            self.pay(cost_ms)
            return work(*args)

        return does


def filled(evening):
    """Fill the ring beyond one lap with an older event's records, then join an event and live its
    rounds.
    """
    app = evening.solo.app
    ring, now_ms = app.journal.ring, evening.solo.now_ms
    while ring.number < ring.store.blocks + 8:
        app.journal.append(*[events.Clock(now_ms, 0)] * 8)
    app.journal.append(events.EventJoined(now_ms, 7, app.journal.event))
    app.journal.append(events.TimeSet(now_ms, 0, 1))
    joined = ring.head
    while ring.head - joined < DAY:
        app.journal.append(*[events.Clock(now_ms, 0)] * 8)


@pytest.mark.parametrize("power", (False, True), ids=("reset", "power"))
def test_the_right_screen_is_back_in_time_out_of_a_full_journal(monkeypatch, printed, power):
    evening = Evening(power=power)
    filled(evening)
    for act in ACTS[:24]:
        act(evening)
    solo, charges = evening.solo, Charges(evening.loop)
    assert (
        solo.app.match.phase
        and solo.store.blocks * 21 - 600 < solo.app.journal.ring.head - solo.app.journal.ring.oldest
    )
    costs = (
        (digest, "mac", HMAC_MS), (frames, "event_of", RECORD_MS), (Ring, "kind", PASSED_MS),
        (solo.store, "readinto", READ_MS), (solo.store, "write", WRITE_MS),
    )  # fmt: skip
    for owner, name, cost_ms in costs:
        monkeypatch.setattr(owner, name, charges.paid(getattr(owner, name), cost_ms))
    before, began_s = evening.state, evening.loop.time()
    if power:
        solo.heartbeat = None
    program = sum(booting.loaded("feathers3").values())
    charges.pay(START_MS + program * BYTE_US / 1000)
    solo.boot(reason=1)
    charges.pay(PICTURE_MS)
    took_ms = 1000 * (evening.loop.time() - began_s)
    printed(
        "from a reset to the right screen (model, no board)",
        [f"{took_ms:.0f} ms, {program} bytes of program"],
    )
    assert evening.state == before and solo.screen == "uncertain"
    assert took_ms <= RESUMED_MS
