"""What a journalled event costs the flash, with the cache of a sector in RAM and without
(external_flash.c).
"""

import pytest

from host.sim.chip.flash import BLOCK, BLOCKS, SECTOR, TOLD, External

SECTORS = 64
DATA, MORE = b"\x31" * BLOCK, b"\x03" * BLOCK


class Bench:
    """A flash, what it has spent, and whether it may have the cache."""

    def __init__(self, lends):
        self.spent, self.lends = {}, lends
        self.flash = External(SECTORS * SECTOR, self._spend, lambda size: self.lends)

    def _spend(self, name, times):
        self.spent[name] = self.spent.get(name, 0) + times


@pytest.fixture(params=(True, False), ids=("cache", "scratch"))
def bench(request):
    return Bench(request.param)


def test_a_block_in_an_erased_place_erases_nothing(bench):
    bench.flash.write(9, DATA)
    assert bench.flash.raw(9) == DATA and not bench.flash.erases


def test_a_rewritten_block_keeps_its_neighbours(bench):
    flash = bench.flash
    for place in range(BLOCKS):
        flash.write(16 + place, bytes([place]) * BLOCK)
    flash.write(18, DATA)
    assert flash.read(18) == DATA and flash.raw(18) != DATA, "it waits"
    flash.flush()
    assert flash.raw(18) == DATA
    assert all(
        flash.raw(16 + place) == bytes([place]) * BLOCK for place in range(BLOCKS) if place != 2
    )


@pytest.mark.parametrize("lends, each", [(True, {2: 1}), (False, {2: 1, SECTORS - 1: 1})])
def test_without_the_cache_every_rewrite_erases_the_scratch_sector_too(lends, each):
    flash = Bench(lends).flash
    flash.write(16, DATA)
    flash.write(16, MORE)
    flash.flush()
    assert flash.erases == each


def test_the_cache_once_had_is_kept_until_the_vm_ends(bench):
    bench.lends = True
    flash = bench.flash
    for data in (DATA, MORE):
        flash.write(16, data)
    bench.lends = False
    flash.flush()
    flash.write(16, DATA)
    flash.flush()
    assert flash.cached and flash.erases == {2: 2}
    flash.release()
    flash.write(16, MORE)
    assert not flash.cached


def test_a_reset_loses_what_waits(bench):
    flash = bench.flash
    flash.write(16, DATA)
    flash.write(16, MORE)
    flash.forget()
    assert flash.read(16) == DATA


def test_a_block_that_begins_as_erased_ones_do_is_taken_for_one(bench):
    bench.flash.lay(9, b"\xff" * TOLD + b"\x0f" * (BLOCK - TOLD))
    bench.flash.write(9, DATA)
    bench.flash.flush()
    assert (
        bench.flash.raw(9) == DATA[:TOLD] + bytes(a & 0x0F for a in DATA[TOLD:])
        and not bench.flash.erases
    )
    bench.flash.lay(9, b"\xff" * (TOLD - 1) + bytes(BLOCK - TOLD + 1))
    bench.flash.write(9, DATA)
    bench.flash.flush()
    assert bench.flash.raw(9) == DATA


@pytest.mark.parametrize("block", [(SECTORS - 1) * BLOCKS, SECTORS * BLOCKS, -1])
def test_the_scratch_sector_is_no_place_for_a_file(bench, block):
    with pytest.raises(ValueError):
        bench.flash.write(block, DATA)


@pytest.mark.parametrize("model", ("feathers3", "lilygo"))
def test_an_event_on_a_laid_board_costs_two_erases(chip_of, model):
    """BOOT records of ten starts: each is one event, written to both copies."""
    chip = chip_of(model)
    chip.power(12)
    before = sum(chip.flash.erases.values())
    for _ in range(9):
        chip.press_reset()
        chip.run(12)
    assert sum(chip.flash.erases.values()) - before <= 2 * 9


def test_the_journals_are_never_closed(chip_of):
    chip = chip_of()
    chip.power(20)
    chip.press_reset()
    chip.run(20)
    assert chip.drive.flushed == 0
