"""From a reset to the first right picture, out of a full journal, by the prices of ``prices.toml``.

No board was measured. The start up to the first picture and the program's loading are charged as
they are priced; the journal's part as it happens: bytecodes, HMACs, blocks read and written.
"""

import contextlib
from collections import Counter

import pytest
from evening_of_one import ACTS, Evening

from firmware.core import digest, events
from host.boards.deploy import bytecode
from host.sim import prices
from host.sim.chip.flash import BLOCKS, PAGES

MODEL = "feathers3"
RESUMED_MS = 5000
DAY = 1000  # records of an event's earlier rounds


class Charges:
    """Counts what a boot costs, in us, by the prices of one model."""

    def __init__(self):
        self._price = prices.load().on(MODEL)
        self.paid_us = Counter()

    def pay(self, name, count=1):
        """Charge so many of what ``prices.toml`` calls ``name``."""
        scale = 1000 if name.endswith("_ms") else 1
        self.paid_us[name] += self._price[name] * scale * count

    def paid(self, work, *names):
        """Return the function ``work`` at the price of ``names``."""

        def does(*args):
            for name in names:
                self.pay(name)
            return work(*args)

        return does

    @contextlib.contextmanager
    def counted(self):
        """Charge the bytecodes of the firmware that run within."""
        count = [0]

        def ran():
            count[0] += 1

        def picked(frame):
            name = frame.f_globals.get("__name__", "")
            return name.startswith("firmware.") and name != "firmware.core.digest"

        with prices.counted(picked, ran):
            yield
        self.paid_us["bytecode_ns"] += prices.us(count[0], self._price["bytecode_ns"])


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
    solo, charges = evening.solo, Charges()
    assert solo.app.match.phase
    assert solo.store.blocks * 21 - 600 < solo.app.journal.ring.head - solo.app.journal.ring.oldest
    written = ["flash_erase_us"] + ["flash_program_us"] * (PAGES * BLOCKS)
    for owner, name, names in (
        (digest, "mac", ["hmac_us"]),
        (solo.store, "readinto", ["flash_read_us"]),
        (solo.store, "write", written),
    ):
        monkeypatch.setattr(owner, name, charges.paid(getattr(owner, name), *names))
    before = evening.state
    if power:
        solo.heartbeat = None
    charges.pay("start_cold_ms" if power else "start_warm_ms")
    charges.pay("open_ms")
    charges.pay("load_us_per_kb", sum(bytecode.loaded_at_start(MODEL).values()) / 1024)
    with charges.counted():
        solo.boot(reason=1)
    took_ms = sum(charges.paid_us.values()) / 1000
    printed(
        "from a reset to the right screen (prices.toml, no board)",
        [f"{took_ms:.0f} ms: "
         + ", ".join(f"{name} {us / 1000:.0f}" for name, us in charges.paid_us.items())],
    )  # fmt: skip
    assert evening.state == before and solo.screen == "uncertain"
    assert took_ms <= RESUMED_MS
