"""Which records are missing: worked out from what is there, not from what a board claims."""

import random

from firmware.core import events, frames, payload
from host.archive.records import ArchivedRecord
from host.event.holdings import BOOTS, BootHoldings, Holdings

KEY = bytes(32)


def walked(boot, size, withheld):
    """Return the runs, found counter by counter."""
    runs = []
    for counter in range(size):
        if counter in boot or counter in withheld:
            continue
        if runs and sum(runs[-1]) == counter:
            runs[-1] = runs[-1][0], runs[-1][1] + 1
        else:
            runs.append((counter, 1))
    return runs


def test_the_runs_are_those_that_a_walk_finds():
    for seed in range(300):
        luck, boot = random.Random(seed), BootHoldings()
        for _ in range(luck.randrange(30)):
            boot.add(luck.randrange(25))
        withheld = {luck.randrange(30) for _ in range(luck.randrange(8))}
        size = luck.randrange(40)
        assert boot.missing(size, sorted(withheld)) == walked(boot, size, withheld)


def test_a_claimed_counter_costs_nothing():
    boot = BootHoldings()
    boot.add(7)
    assert boot.missing(10**15) == [(0, 7), (8, 10**15 - 8)]  # no walk would ever end


def entry(epoch, counter, event):
    frame = frames.sign(KEY, event.kind, 1, epoch, counter, payload.pack(event))
    return ArchivedRecord(1, 1, epoch, counter, 5, 0, frame)


def test_a_board_that_claims_boots_without_end_is_followed_so_far():
    holdings = Holdings()
    for epoch in range(1, 3 * BOOTS):
        holdings.add(entry(epoch, 0, events.Booted(0, 0, 0, 0)))
        holdings.add(entry(epoch, 1, events.EpochClosed(0, epoch - 1, 9)))
    gaps = holdings.gaps(1, 1, 3 * BOOTS - 1, 9, 5)
    assert len(gaps) == BOOTS + 1 and gaps[-1] == (3 * BOOTS - 1, 2, 7)
    assert gaps == sorted(gaps)
