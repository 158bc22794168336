"""The simulator must find every bug of the bank; ``make test`` plants a few."""

import bugs
import pytest

from host.sim.torture import seed_runs

TABLES, HOURS, MOST_SEEDS = 4, 1, 30
SMALL = 1, 0.5  # a table and half an hour show most of those that `make test` plants
LARGE = ("accept an old epoch",)  # needs more


def found(name, changes, first, words, size):
    """Return (seed, what broke) of the first run that a bug breaks in these words, or None."""
    for seed in dict.fromkeys((first, *range(1, MOST_SEEDS + 1))):
        with bugs.row(name, changes):
            violations = seed_runs.run_seed(seed, *size).violations
        told = [one for one in violations if words in one]
        if told:
            return seed, told[0]
    return None


def test_every_planted_bug_is_found(proving, printed):
    assert bugs.BREAKS.keys() == {name for name, _ in bugs.BUGS}, (
        "every bug is found for its own reason"
    )
    bank = [row for row in bugs.BUGS if proving or row[0] in bugs.QUICK]
    assert len(bank) == (len(bugs.BUGS) if proving else len(bugs.QUICK)) and len(bugs.BUGS) >= 30
    lines, missed = [], []
    for name, changes in bank:
        size = (TABLES, HOURS) if proving or name in LARGE else SMALL
        hit = found(name, changes, bugs.SEEDS.get(name, 1), bugs.BREAKS[name], size)
        lines.append(f"{name:48} " + (f"seed {hit[0]:3}  {hit[1][:100]}" if hit else "NOT FOUND"))
        missed += [] if hit else [name]
    printed(
        f"planted bugs: {len(lines) - len(missed)} of {len(lines)} found ({TABLES} tables,"
        f" {HOURS} h)",
        lines,
    )
    assert not missed


def test_every_bug_fits_the_source():
    for name, changes in bugs.BUGS:
        before = [bugs.planted(where).__code__ for where, *_ in changes]
        with pytest.MonkeyPatch.context() as patch:
            bugs.plant(patch, changes)
            now = [bugs.planted(where).__code__ for where, *_ in changes]
            assert not set(map(id, now)) & set(map(id, before)), name
        assert [bugs.planted(where).__code__ for where, *_ in changes] == before, "taken out again"
